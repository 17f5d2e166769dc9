// The agent in the browser: networks with search, and the mate solver, in a worker of their own.
import type { Answer, MateProgress, MoveJudgement, Prediction, SearchLine, SearchSettings } from '$pkg';
import { Unreachable, type FromWorker, type Limits, type Position, type Request, type Results, type Thinker } from './messages';

interface Pending {
  resolve: (result: never) => void;
  reject: (problem: Error) => void;
  lines?: ((lines: SearchLine[]) => void) | undefined;
}

export interface SearchRequest {
  position: Position;
  thinker: Thinker;
  limits: Limits;
  settings?: Partial<SearchSettings>;
  /** Told the best lines so far, again and again. */
  lines?: (lines: SearchLine[]) => void;
}

/** One worker. Requests are answered in turn; `stop` ends the one under way. */
export class Agent {
  #worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  #pending = new Map<number, Pending>();
  #last = 0;

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data);
    this.#worker.onerror = ({ message }) => {
      for (const { reject } of this.#pending.values()) reject(new Error(message));
      this.#pending.clear();
    };
  }

  /** Loads what `thinker` needs before it is asked. */
  prepare(game: Position['game'], thinker: Thinker): Promise<null> {
    return this.#ask({ call: 'prepare', game, thinker });
  }

  search({ position, thinker, limits, settings = {}, lines }: SearchRequest): Promise<Answer> {
    return this.#ask({ call: 'search', position, thinker, settings, limits }, lines);
  }

  /** What the bare network thinks: its policy and its value. */
  evaluate(position: Position, weights: string): Promise<Prediction> {
    return this.#ask({ call: 'evaluate', position, weights });
  }

  solve(position: Position, limits: { plies?: number; nodes?: number } = {}): Promise<MateProgress> {
    return this.#ask({ call: 'solve', position, ...limits });
  }

  /** What a move of a mate problem is worth. */
  judge(position: Position, move: string, plies: number, nodes = 200_000): Promise<MoveJudgement> {
    return this.#ask({ call: 'judge', position, move, plies, nodes });
  }

  /** Ends what is under way: a search answers with the best move so far. */
  stop(): void {
    this.#worker.postMessage({ stop: true });
  }

  /** Ends the worker and all it was asked. */
  close(): void {
    this.#worker.terminate();
    for (const { reject } of this.#pending.values()) reject(new Error('closed'));
    this.#pending.clear();
  }

  #ask<C extends Request['call']>(request: Request & { call: C }, lines?: Pending['lines']): Promise<Results[C]> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, lines });
      this.#worker.postMessage({ id, request });
    });
  }

  #hear(message: FromWorker): void {
    const pending = this.#pending.get(message.id);
    if ('lines' in message) {
      pending?.lines?.(message.lines);
      return;
    }
    this.#pending.delete(message.id);
    if ('problem' in message) pending?.reject(new (message.unreachable ? Unreachable : Error)(message.problem));
    else pending?.resolve(message.result as never);
  }
}
