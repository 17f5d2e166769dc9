// The numbers of moves in lists: of plies, and in chess of moves as its players count them.
import type { GameName, TreeNode } from '$pkg';

/** How many moves so many plies are, as the players of a game say. */
export const movesOf = (game: GameName, plies: number): number => (game === 'chess' ? Math.ceil(plies / 2) : plies);

/**
 * The number before the move that led to a node of a record that begins at `start`. In chess a move
 * of White is `4.` and one of Black `4…`, as the FEN of the start counts; an ending has no number there.
 */
export function numberOf(game: GameName, start: string, { ply, number, ending }: TreeNode): string {
  if (ply === 0) return '';
  if (game !== 'chess') return String(number);
  if (ending !== null) return '';
  const [, turn, , , , first] = start.split(' ');
  const half = Number(first ?? 1) * 2 + (turn === 'b' ? 1 : 0) + ply - 1;
  return `${Math.floor(half / 2)}${half % 2 === 0 ? '.' : '…'}`;
}
