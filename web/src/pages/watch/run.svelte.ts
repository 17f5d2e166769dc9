// A run on the page: its curves, kept up with what training writes.
import * as server from '$lib/server';
import type { Axis, Curve, RunGames, Scale } from '$lib/server';
import { text } from './text';

/** How many points a curve has; as many again are added live before it is fetched anew. */
const POINTS = 500;
const RETRY_MS = 2_000;

export interface View {
  x: Axis;
  scale: Scale;
  /** The part that is looked at; the whole run without one. */
  zoom: { from: number; to: number } | null;
}

export class FollowedRun {
  readonly name: string;
  summary: server.Run | undefined = $state.raw();
  curves: ReadonlyMap<string, Curve> = $state.raw(new Map());
  games: RunGames | undefined = $state.raw();
  finished = $state(false);
  models = $state(0);
  /** How often it was evaluated while it was followed. */
  evaluations = $state(0);
  /** Whether the server stopped answering. */
  lost = $state(false);
  problem: string | undefined = $state();
  /** How far the run is, live. */
  step = $state(0);
  seconds = $state(0);
  speed: number | null = $state(null);
  elo: number | null = $state(null);
  eloError: number | null = $state(null);

  #view: View = { x: 'step', scale: 'linear', zoom: null };
  #leave: (() => void) | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #added = 0;
  #turn = 0;
  #closed = false;

  constructor(name: string) {
    this.name = name;
  }

  /** Shows the curves in another way, and follows the run from then on. */
  async show(view: View): Promise<void> {
    this.#view = view;
    const turn = ++this.#turn;
    try {
      this.summary ??= await server.showRun(this.name);
      const { x, scale, zoom } = view;
      const found = await server.curves(this.name, { x, scale, points: POINTS, ...zoom });
      if (turn !== this.#turn || this.#closed) return;
      this.curves = new Map(found.curves.map((curve) => [curve.name, curve]));
      this.#added = 0;
      this.lost = false;
      this.problem = undefined;
      const { step, seconds, speed, elo, elo_error, finished } = this.summary;
      if (this.step === 0) {
        Object.assign(this, { step, seconds, speed, elo, eloError: elo_error, finished });
      }
      this.#follow(found);
    } catch (problem) {
      if (turn !== this.#turn || this.#closed) return;
      if (problem instanceof server.ServerProblem) this.problem = problem.status === 404 ? text.noSuchRun(this.name) : problem.message;
      else this.#again();
    }
  }

  close(): void {
    this.#closed = true;
    this.#leave?.();
    clearTimeout(this.#retry);
  }

  #follow(from: { records: number; generation: number }): void {
    this.#leave?.();
    this.#leave = server.follow(
      this.name,
      from,
      (message) => this.#hear(message),
      () => this.#again(),
    );
  }

  #again(): void {
    this.lost = true;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.show(this.#view), RETRY_MS);
  }

  #hear(message: server.LiveMessage): void {
    if (message.type === 'restart') void this.show(this.#view);
    if (message.type === 'games') this.games = message;
    if (message.type === 'state') ({ finished: this.finished, models: this.models } = message);
    if (message.type === 'metrics' && message.rows.length > 0) this.#add(message.rows);
  }

  #add(rows: readonly server.MetricsRow[]): void {
    for (const { step, seconds, values } of rows) {
      [this.step, this.seconds] = [step, seconds];
      this.speed = values['charts/SPS'] ?? this.speed;
      if (Object.keys(values).some((name) => name.startsWith('eval/'))) this.evaluations++;
      this.elo = values['eval/elo'] ?? this.elo;
      this.eloError = values['eval/elo_err'] ?? this.eloError;
    }
    this.#added += rows.length;
    if (this.#view.zoom) return;
    if (this.#added > POINTS) {
      void this.show(this.#view);
      return;
    }
    const curves = new Map(this.curves);
    const grown = new Set<string>();
    for (const { step, seconds, values } of rows) {
      const x = this.#view.x === 'step' ? step : seconds;
      for (const [name, value] of Object.entries(values)) {
        const before = curves.get(name) ?? { name, x: [], mean: [], min: [], max: [], count: 0 };
        const curve = grown.has(name) ? before : copy(before);
        curve.x.push(x);
        for (const list of [curve.mean, curve.min, curve.max]) list.push(value);
        curve.count++;
        curves.set(name, curve);
        grown.add(name);
      }
    }
    this.curves = curves;
  }
}

const copy = ({ name, x, mean, min, max, count }: Curve): Curve => ({
  name, x: [...x], mean: [...mean], min: [...min], max: [...max], count,
});
