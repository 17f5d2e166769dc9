// What a board shows and tells: plain data in, events out. It knows nothing of rules. Positions and
// moves are those of the package (`BoardData`, `MoveParts` in $pkg), of which it reads these parts.

export type GameName = 'shogi' | 'chess' | 'animal';

/** The side that moves first (sente, White in chess) sits at the bottom unless the board is flipped. */
export type Side = 'first' | 'second';

/** A kind of piece as SFEN or FEN writes it, in capitals: `P`, `+P`, `K`. */
export type Kind = string;

export interface Piece {
  side: Side;
  kind: Kind;
}

export interface HandPiece {
  kind: Kind;
  count: number;
}

/** Squares are numbered row by row from the top left corner as the first side sees the board. */
export interface BoardView {
  game: GameName;
  turn: Side;
  squares: readonly (Piece | null)[];
  /** What the first and the second side hold. */
  hands: readonly [readonly HandPiece[], readonly HandPiece[]];
  /** Chess: what the first and the second side have lost. */
  captured?: readonly [readonly HandPiece[], readonly HandPiece[]];
  /** The square of a king in check. */
  check?: number | null;
  lastMove?: Pick<BoardMove, 'from' | 'to'> | null;
}

/** A move that may be made: from a square, or the drop of a kind in hand. */
export interface BoardMove {
  /** What the package knows it by: USI or UCI. */
  move: string;
  from: number | null;
  drop: Kind | null;
  to: number;
  /** The kind it becomes, where it promotes. */
  promotion: Kind | null;
  piece: Piece;
}

export interface Arrow {
  /** A square, or the kind of a piece in the hand of `side`. */
  from: number | Kind;
  to: number;
  side?: Side;
  /** Shown at its head: 1 for the best move. */
  rank?: number;
  /** 0 to 1: how broadly it is drawn. */
  weight?: number;
}

/** How hot, from 0 to 1, squares (by number) and pieces in the hand of the side to move are. */
export interface HeatMap {
  squares: ReadonlyMap<number, number>;
  hands: ReadonlyMap<Kind, number>;
}

export const other = (side: Side): Side => (side === 'first' ? 'second' : 'first');
