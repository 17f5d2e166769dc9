// What the page and the agent's worker say to each other.
import type { Answer, GameName, MateProgress, MoveJudgement, Prediction, SearchLine, SearchSettings } from '$pkg';

/** A position as players take it: `startpos moves …`, `sfen … moves …`. */
export type PositionLine = string;

export interface Position {
  game: GameName;
  line: PositionLine;
}

/** A network by the address of its weights, or a classical player by name (`ab:2`). */
export type Thinker = { weights: string } | { name: string; seed?: number };

export interface Limits {
  nodes?: number;
  milliseconds?: number;
  depth?: number;
  infinite?: boolean;
  clock?: { first: number; second: number; incrementFirst: number; incrementSecond: number; byoyomi: number };
}

export type Request =
  | { call: 'prepare'; thinker: Thinker; game: GameName }
  | { call: 'search'; position: Position; thinker: Thinker; settings: Partial<SearchSettings>; limits: Limits }
  | { call: 'evaluate'; position: Position; weights: string }
  | { call: 'solve'; position: Position; plies?: number; nodes?: number }
  | { call: 'judge'; position: Position; move: string; plies: number; nodes: number };

export interface Results {
  prepare: null;
  search: Answer;
  evaluate: Prediction;
  solve: MateProgress;
  judge: MoveJudgement;
}

/** What the agent needs is not on this device, and no network brings it. */
export class Unreachable extends Error {}

export type ToWorker = { id: number; request: Request } | { stop: true };

export type FromWorker =
  | { id: number; lines: SearchLine[] }
  | { id: number; result: Results[keyof Results] }
  | { id: number; problem: string; unreachable: boolean };
