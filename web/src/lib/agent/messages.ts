// What the page and the agent's worker say to each other.
<<<<<<< HEAD
import type {
  Answer, GameName, Judgement, MateLimits, MateProgress, Prediction, SearchLimits, SearchLine, SearchSettings,
} from '$pkg';
=======
import type { Answer, GameName, Judgement, MateProgress, Prediction, SearchLine, SearchSettings } from '$pkg';
>>>>>>> main

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
<<<<<<< HEAD
  | { type: 'load'; game: GameName; mind: Mind }
  | { type: 'search'; position: string; limits: SearchLimits; settings: Partial<SearchSettings> }
  | { type: 'evaluate'; position: string }
  | { type: 'solve'; game: GameName; position: string; limits: MateLimits }
  | { type: 'judge'; game: GameName; position: string; move: string; plies: number; nodes: number }
  | { type: 'stop' };
=======
  | { call: 'prepare'; thinker: Thinker; game: GameName }
  | { call: 'search'; position: Position; thinker: Thinker; settings: Partial<SearchSettings>; limits: Limits }
  | { call: 'evaluate'; position: Position; weights: string }
  | { call: 'solve'; position: Position; plies?: number; nodes?: number }
  | { call: 'judge'; position: Position; move: string; plies: number; nodes: number };
>>>>>>> main

export interface Results {
  prepare: null;
  search: Answer;
  evaluate: Prediction;
  solve: MateProgress;
  judge: Judgement;
<<<<<<< HEAD
  stop: undefined;
=======
>>>>>>> main
}

export type ToWorker = { id: number; request: Request } | { stop: true };

export type FromWorker =
  | { id: number; lines: SearchLine[] }
  | { id: number; result: Results[keyof Results] }
  | { id: number; problem: string };
