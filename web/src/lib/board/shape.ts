// The boards as they are drawn: sizes and the labels of their edges, as the first side sees them.
import type { GameName } from './types';

export interface Shape {
  columns: number;
  rows: number;
  /** Left to right. */
  files: readonly string[];
  /** Top to bottom. */
  ranks: readonly string[];
  /** Ranks as Japanese writes them. */
  kanjiRanks: boolean;
}

const kanji = [...'一二三四五六七八九'];

export const SHAPES: Record<GameName, Shape> = {
  shogi: { columns: 9, rows: 9, files: [...'987654321'], ranks: [...'abcdefghi'], kanjiRanks: true },
  chess: { columns: 8, rows: 8, files: [...'abcdefgh'], ranks: [...'87654321'], kanjiRanks: false },
  animal: { columns: 3, rows: 4, files: [...'321'], ranks: [...'abcd'], kanjiRanks: true },
};

export const GAMES = Object.keys(SHAPES) as GameName[];

/** A square's name as moves write it: `7g`, `e4`. */
export function squareName(game: GameName, square: number): string {
  const { columns, files, ranks } = SHAPES[game];
  return `${files[square % columns]}${ranks[Math.floor(square / columns)]}`;
}

/** The label of a row: kanji where the language writes ranks so. */
export function rankLabel(game: GameName, row: number, japanese: boolean): string {
  const { ranks, kanjiRanks } = SHAPES[game];
  return (japanese && kanjiRanks ? kanji[row] : ranks[row]) ?? '';
}
