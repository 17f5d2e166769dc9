// What lies over the board: arrows of lines and of statistics, and the heat of a network's policy.
import type { BoardData, MoveParts, PlayedMove, Prediction, SearchLine } from '$pkg';
import type { Arrow, HeatMap } from '$lib/board/types';

/** Where the board is warm: where moves go to, or the pieces that make them. */
export type Heat = 'off' | 'to' | 'from';

/** How many moves of a collection are shown as arrows. */
const MOST_PLAYED = 6;

function arrow({ from, drop, to }: MoveParts, { turn }: BoardData, weight: number): Arrow {
  return { from: from ?? drop ?? '', to, side: turn, weight };
}

/** The first moves of the lines, with their ranks. A move with and without promotion is one arrow. */
export function arrowsOfLines(lines: readonly SearchLine[], legal: readonly MoveParts[], board: BoardData): Arrow[] {
  const ranked = lines.flatMap(({ rank, moves }) => {
    const move = legal.find((known) => known.move === moves[0]);
    return move ? [{ ...arrow(move, board, 1 / rank), rank }] : [];
  });
  return ranked.filter(({ from, to }, index) => ranked.findIndex((one) => one.from === from && one.to === to) === index);
}

/** The most frequent moves, the broader the more frequent. */
export function arrowsOfPlayed(played: readonly PlayedMove[], board: BoardData): Arrow[] {
  const most = played[0]?.played ?? 1;
  return played.slice(0, MOST_PLAYED).map(({ move, played: times }) => arrow(move, board, times / most));
}

/** The policy as heat, on the squares and on the hand of the side to move. */
export function heatOf(heat: Heat, prediction: Prediction | null): HeatMap | undefined {
  if (heat === 'off' || !prediction) return undefined;
  const squares = new Map<number, number>();
  const hands = new Map<string, number>();
  for (const { move, probability } of prediction.policy) {
    const square = heat === 'to' ? move.to : move.from;
    if (square !== null) squares.set(square, (squares.get(square) ?? 0) + probability);
    if (move.drop !== null) hands.set(move.drop, (hands.get(move.drop) ?? 0) + probability);
  }
  // The hottest place is as hot as can be; the root keeps the lesser ones in sight.
  const most = Math.max(...squares.values(), ...hands.values(), 1e-9);
  const warm = <K>(map: Map<K, number>) => new Map([...map].map(([key, value]) => [key, Math.sqrt(value / most)]));
  return { squares: warm(squares), hands: warm(hands) };
}
