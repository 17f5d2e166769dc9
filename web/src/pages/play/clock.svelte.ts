// Two clocks with main time, byoyomi and increment, of which one runs.
import { other, type Side } from '$lib/board/types';
import type { TimeControl } from './terms';

export type Remaining = Record<Side, number>;

export interface Reading {
  /** Milliseconds left of what is running down: main time, then byoyomi. */
  left: number;
  byoyomi: boolean;
}

const TICK_MS = 100;

export class Clock {
  readonly control: TimeControl;
  /**
   * Main time left to each side at the start of the running turn, in milliseconds. Below nothing: the
   * part of its byoyomi that a side had spent when the clock was stopped in its turn.
   */
  #main = $state.raw<Remaining>({ first: 0, second: 0 });
  #running = $state.raw<{ side: Side; since: number } | null>(null);
  #now = $state(0);
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #ontick: (side: Side, reading: Reading) => void;

  constructor(control: TimeControl, ontick: (side: Side, reading: Reading) => void, main?: Remaining) {
    this.control = control;
    this.#ontick = ontick;
    // Without main time and byoyomi the first move is made in the time of an increment.
    const first = (control.main || (control.byoyomi ? 0 : control.increment)) * 1000;
    this.#main = main ?? { first, second: first };
  }

  /** Time left to each side at the start of the running turn. */
  get remaining(): Remaining {
    return this.#main;
  }

  /** Time left to each side at this moment. */
  get now(): Remaining {
    if (!this.#running) return this.#main;
    const { side, since } = this.#running;
    return { ...this.#main, [side]: this.#main[side] - (performance.now() - since) };
  }

  get running(): Side | null {
    return this.#running?.side ?? null;
  }

  read(side: Side): Reading {
    const spent = this.#running?.side === side ? Math.max(0, this.#now - this.#running.since) : 0;
    const main = this.#main[side] - spent;
    if (main > 0) return { left: main, byoyomi: false };
    return { left: Math.max(0, main + this.control.byoyomi * 1000), byoyomi: this.control.byoyomi > 0 };
  }

  start(side: Side): void {
    this.stop();
    this.#now = performance.now();
    this.#running = { side, since: this.#now };
    this.#timer = setInterval(() => {
      this.#now = performance.now();
      this.#ontick(side, this.read(side));
    }, TICK_MS);
  }

  /** Stops the running clock: the time it showed is spent. Returns how many milliseconds that was. */
  stop(): number {
    clearInterval(this.#timer);
    if (!this.#running) return 0;
    const spent = performance.now() - this.#running.since;
    this.#main = this.now;
    this.#running = null;
    return spent;
  }

  /** The side that was running has moved: it gets its increment, and the other clock starts. */
  press(side: Side): number {
    const spent = this.stop();
    // Byoyomi is given anew with every move.
    this.#main = { ...this.#main, [side]: Math.max(0, this.#main[side]) + this.control.increment * 1000 };
    this.start(other(side));
    return spent;
  }

  /** Back to an earlier state, as when a move is taken back. */
  reset(main: Remaining): void {
    this.stop();
    this.#main = main;
  }
}

/** `1:02:03`, `12:34`, and tenths in the last ten seconds. */
export function clockText(milliseconds: number): string {
  if (milliseconds < 10_000) return `0:0${(Math.floor(milliseconds / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(milliseconds / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
