// Which problems were solved or tried, kept in this browser by their positions.
import { recall, remember } from '$lib/settings.svelte';
import type { Problem } from './problems';

const KEY = 'keisei.problems';
export type State = 'solved' | 'tried';

export class Progress {
  #states = $state<Record<string, State>>({});

  constructor() {
    const stored = recall(KEY);
    if (typeof stored === 'object' && stored !== null) this.#states = stored as Record<string, State>;
  }

  of({ game, position }: Problem): State | undefined {
    return this.#states[`${game} ${position}`];
  }

  /** Notes how an attempt went. What was solved once stays solved. */
  note(problem: Problem, state: State): void {
    if (this.of(problem) === 'solved') return;
    this.#states[`${problem.game} ${problem.position}`] = state;
    remember(KEY, this.#states);
  }

  solved(problems: readonly Problem[]): number {
    return problems.filter((problem) => this.of(problem) === 'solved').length;
  }
}
