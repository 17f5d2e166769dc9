// What is agreed before a game: who plays, from where, with how much time.
import type { GameName, Side } from '$lib/board/types';

/**
 * Who sits at a side: a person here, a level of models.json, an age of the agent with as much search
 * as is wished, or a player that the server knows.
 */
export type Seat =
  | { kind: 'human' }
  | { kind: 'level'; id: string }
  | { kind: 'age'; id: string; simulations: number }
  | { kind: 'server'; name: string };

/** In seconds. Byoyomi begins when the main time is used up; the increment is added after each move. */
export interface TimeControl {
  main: number;
  byoyomi: number;
  increment: number;
}

export interface Terms {
  game: GameName;
  /** SFEN or FEN, the name of a handicap, or `null` for the usual start. */
  start: string | null;
  /** Whether `start` is the name of a handicap, in which the second side gives odds and moves first. */
  handicap: boolean;
  seats: Record<Side, Seat>;
  time: TimeControl | null;
  /** The game is drawn after so many moves, 0 for never; without it, as people usually play. */
  moveLimit?: number;
}

export const HUMAN: Seat = { kind: 'human' };

export function sameSeat(a: Seat, b: Seat): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
