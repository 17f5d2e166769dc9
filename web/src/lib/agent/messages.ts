// What the page and the agent's worker say to each other.
import type {
  Answer, GameName, Judgement, MateLimits, MateProgress, Prediction, SearchLimits, SearchLine, SearchSettings,
} from '$pkg';

/** Who thinks: a network whose weights are given, or a classical player by its name. */
export type Mind = { weights: Uint8Array } | { named: string };

/** `position` is what `Game.positionLine()` gives: a start and the moves since. */
export type Request =
  | { type: 'load'; game: GameName; mind: Mind }
  | { type: 'search'; position: string; limits: SearchLimits; settings: Partial<SearchSettings> }
  | { type: 'evaluate'; position: string }
  | { type: 'solve'; game: GameName; position: string; limits: MateLimits }
  | { type: 'judge'; game: GameName; position: string; move: string; plies: number; nodes: number }
  | { type: 'stop' };

export interface Results {
  load: undefined;
  search: Answer;
  evaluate: Prediction;
  solve: MateProgress;
  judge: Judgement;
  stop: undefined;
}

/** Each request is answered once; a search tells its lines before. */
export type Reply =
  | { id: number; lines: SearchLine[] }
  | { id: number; result: Results[keyof Results] }
  | { id: number; problem: string };
