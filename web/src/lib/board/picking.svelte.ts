// Picking pieces up and putting them down: what clicks, drags and keys have in common.
import type { BoardMove, Kind, Side } from './types';

/** Where a move begins: a square, or a piece in the hand of the side that may drop it. */
export type Origin = { square: number } | { hand: Kind; side: Side };

export function sameOrigin(a: Origin | null, b: Origin | null): boolean {
  if (a === null || b === null) return a === b;
  if ('square' in a) return 'square' in b && a.square === b.square;
  return 'hand' in b && a.hand === b.hand && a.side === b.side;
}

function begins(move: BoardMove, origin: Origin): boolean {
  if ('square' in origin) return move.from === origin.square;
  return move.drop === origin.hand && move.piece.side === origin.side;
}

/** Several moves that differ in what the piece becomes. */
export interface Choice {
  to: number;
  options: BoardMove[];
}

export class Picking {
  origin: Origin | null = $state.raw(null);
  choice: Choice | null = $state.raw(null);
  readonly #moves: () => readonly BoardMove[];
  readonly #make: (move: BoardMove) => void;

  constructor(moves: () => readonly BoardMove[], make: (move: BoardMove) => void) {
    this.#moves = moves;
    this.#make = make;
  }

  /** The squares that what is picked up can go to. */
  readonly targets = $derived.by(() => {
    const origin = this.origin;
    const moves = origin ? this.#moves().filter((move) => begins(move, origin)) : [];
    return new Set(moves.map(({ to }) => to));
  });

  movable(origin: Origin): boolean {
    return this.#moves().some((move) => begins(move, origin));
  }

  /** Picks up what may move; otherwise lets go of what was held. */
  take(origin: Origin): boolean {
    this.choice = null;
    this.origin = this.movable(origin) ? origin : null;
    return this.origin !== null;
  }

  drop(): void {
    this.origin = null;
    this.choice = null;
  }

  /** Puts the piece down: makes the move, or asks which of several is meant. */
  put(to: number): boolean {
    const origin = this.origin;
    if (!origin) return false;
    const options = this.#moves().filter((move) => begins(move, origin) && move.to === to);
    const [only] = options;
    if (!only) return false;
    if (options.length > 1) this.choice = { to, options };
    else this.make(only);
    return true;
  }

  make(move: BoardMove): void {
    this.drop();
    this.#make(move);
  }
}
