// Chances to win, from 0 to 1, as evaluations tell them, and what a move did to them.
import { gameInfo, moveMark } from '$pkg';
import type { GameName, NodeEvaluation, Outcome, SearchLine, Side, TreeNode } from '$pkg';

const fromScore = (game: GameName, centipawns: number) =>
  1 / (1 + Math.exp(-centipawns / gameInfo(game).scoreScale));

/** The chance of the first side by an evaluation in a record; `null` where it says nothing. */
export function chanceOf(game: GameName, { centipawns, mate }: NodeEvaluation): number | null {
  if (mate) return mate.winner === 'first' ? 1 : 0;
  return centipawns === null ? null : fromScore(game, centipawns);
}

/** The chance of the first side at a node, by the last one who said something. */
export function chanceAt(game: GameName, node: TreeNode): number | null {
  const chances = node.evaluations.map((evaluation) => chanceOf(game, evaluation));
  return chances.findLast((chance) => chance !== null) ?? null;
}

/** The chance of the first side where the game is over. */
export function chanceOfOutcome(outcome: Outcome | undefined): number | null {
  if (!outcome) return null;
  return outcome.winner === null ? 0.5 : outcome.winner === 'first' ? 1 : 0;
}

/** The chance of the side to move by a line of a search. */
export function chanceOfLine(game: GameName, { winRate, centipawns, mate }: SearchLine): number {
  if (mate !== null) return mate > 0 ? 1 : 0;
  return winRate ?? fromScore(game, centipawns ?? 0);
}

/** A line of a search as a record keeps it: from the first side's view. */
export function noted(turn: Side, game: GameName, line: SearchLine, engine: string): NodeEvaluation {
  const other: Side = turn === 'first' ? 'second' : 'first';
  const { centipawns, mate } = line;
  const plies = Math.abs(mate ?? 0);
  return {
    by: 'analysis',
    centipawns: centipawns === null || turn === 'first' ? centipawns : -centipawns,
    mate: mate === null ? null : {
      winner: mate > 0 ? turn : other,
      // Chess counts mates in moves, shogi in plies.
      distance: gameInfo(game).protocol === 'uci' ? Math.ceil(plies / 2) : plies,
    },
    line: line.moves,
    depth: line.depth,
    nodes: line.nodes,
    engine,
  };
}

export type Mark = NonNullable<ReturnType<typeof moveMark>>;
export const SIGNS: Record<Mark, string> = { inaccuracy: '?!', mistake: '?', blunder: '??' };

/** The moves of a line that threw chances away. The move that the analysis would have played is never one. */
export function marksOf(game: GameName, line: readonly TreeNode[]): Map<number, Mark> {
  const marks = new Map<number, Mark>();
  line.forEach((node, index) => {
    const before = line[index - 1];
    if (!before || !node.move) return;
    const [then, now] = [chanceAt(game, before), chanceAt(game, node)];
    if (then === null || now === null) return;
    const best = before.evaluations.at(-1)?.line[0];
    const loss = node.move.piece.side === 'first' ? then - now : now - then;
    const mark = best === node.move.move ? undefined : moveMark(Math.max(loss, 0));
    if (mark) marks.set(node.id, mark);
  });
  return marks;
}

export const percent = (chance: number): string => `${Math.round(chance * 100)}%`;

/** A line's score for the side to move: `+120`, `−35`, `#7`. */
export function score({ centipawns, mate }: SearchLine): string {
  if (mate !== null) return `${mate < 0 ? '−' : ''}#${Math.abs(mate)}`;
  if (centipawns === null) return '';
  return `${centipawns < 0 ? '−' : '+'}${Math.abs(centipawns)}`;
}
