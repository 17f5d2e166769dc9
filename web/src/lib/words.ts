// Names that every page uses: games, sides, pieces.
import type { GameName, Kind, Side } from './board/types';
import { dictionary } from './i18n';

const games = dictionary(
  { shogi: 'Shogi', chess: 'Chess', animal: 'Animal shogi' },
  { shogi: '将棋', chess: 'チェス', animal: 'どうぶつしょうぎ' },
);

const sides = dictionary(
  { black: 'Black', white: 'White', uwate: 'Uwate', shitate: 'Shitate' },
  { black: '先手', white: '後手', uwate: '上手', shitate: '下手' },
);

const chessSides = dictionary({ first: 'White', second: 'Black' }, { first: '白', second: '黒' });

const shogi = dictionary(
  {
    K: 'king', R: 'rook', B: 'bishop', G: 'gold', S: 'silver', N: 'knight', L: 'lance', P: 'pawn',
    '+R': 'dragon', '+B': 'horse', '+S': 'promoted silver', '+N': 'promoted knight',
    '+L': 'promoted lance', '+P': 'tokin',
  },
  {
    K: '玉', R: '飛車', B: '角', G: '金', S: '銀', N: '桂馬', L: '香車', P: '歩',
    '+R': '龍', '+B': '馬', '+S': '成銀', '+N': '成桂', '+L': '成香', '+P': 'と金',
  },
);

const chess = dictionary(
  { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight', P: 'pawn' },
  { K: 'キング', Q: 'クイーン', R: 'ルーク', B: 'ビショップ', N: 'ナイト', P: 'ポーン' },
);

const animal = dictionary(
  { L: 'lion', G: 'giraffe', E: 'elephant', C: 'chick', '+C': 'hen' },
  { L: 'ライオン', G: 'きりん', E: 'ぞう', C: 'ひよこ', '+C': 'にわとり' },
);

const pieces: Record<GameName, Readonly<Record<string, string>>> = { shogi, chess, animal };

export const gameName = (game: GameName): string => games[game];

export const pieceName = (game: GameName, kind: Kind): string => pieces[game][kind] ?? kind;

/** What a side is called. In a handicap game the second side is uwate, who gives and moves first. */
export function sideName(game: GameName, side: Side, handicap = false): string {
  if (game === 'chess') return chessSides[side];
  if (handicap) return side === 'first' ? sides.shitate : sides.uwate;
  return side === 'first' ? sides.black : sides.white;
}
