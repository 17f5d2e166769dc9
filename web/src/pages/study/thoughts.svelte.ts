// What the bare network thinks, at the age that is chosen: of the position shown, and over the line.
import { untrack } from 'svelte';
import type { Prediction } from '$pkg';
import { agesOf, models, type NetworkEntry } from '$lib/agent/models';
import { Intuition } from '$lib/analysis/intuition';
import type { Study } from './study.svelte';

export class Thoughts {
  readonly intuition = new Intuition();
  readonly #study: Study;
  readonly #wanted: () => boolean;
  #networks = $state.raw<readonly NetworkEntry[]>([]);
  #chosen = $state.raw<NetworkEntry>();
  #values = $state.raw<ReadonlyMap<string, number>>(new Map());

  #answer = $state.raw<{ line: string; of: NetworkEntry; prediction: Prediction }>();

  ages = $derived.by(() => agesOf(this.#networks, this.#study.game));
  /** The age that is asked: the present one until another is chosen. */
  network = $derived.by(() => (this.#chosen?.game === this.#study.game ? this.#chosen : this.ages.at(-1)));

  /** Of the position shown, as soon as it is known; never of the one before. */
  prediction = $derived.by(() => {
    const answer = this.#answer;
    return answer?.line === this.#study.positionLine && answer.of === this.network ? answer.prediction : null;
  });

  /** To be made by a component as it begins. Nothing is asked while it is not `wanted`. */
  constructor(study: Study, wanted: () => boolean) {
    this.#study = study;
    this.#wanted = wanted;
    models().then(
      ({ networks }) => (this.#networks = networks),
      () => (this.#networks = []),
    );
    $effect(() => this.#askHere());
    $effect(() => this.#askAlong());
  }

  choose(age: NetworkEntry): void {
    this.#chosen = age;
  }

  /** The chance of the first side at a node, by the network alone. */
  valueAt(id: number): number | undefined {
    return this.#values.get(this.#key(id));
  }

  close(): void {
    this.intuition.close();
  }

  #key(id: number): string {
    return `${this.network?.id} ${this.#study.lineAt(id)}`;
  }

  #askHere(): void {
    const { positionLine: line, moves } = this.#study;
    const of = this.network;
    if (!this.#wanted() || !of || moves.length === 0) return;
    this.intuition.ask(of, line).then(
      (prediction) => (this.#answer = { line, of, prediction }),
      () => undefined,
    );
  }

  #askAlong(): (() => void) | undefined {
    const { network } = this;
    if (!this.#wanted() || !network) return undefined;
    let stale = false;
    const nodes = this.#study.line.filter((node) => node.ending === null);
    void (async () => {
      for (const node of nodes) {
        if (stale) return;
        const key = this.#key(node.id);
        if (untrack(() => this.#values.has(key)) || this.#study.outcomeAt(node.id)) continue;
        const { winRate } = await this.intuition.ask(network, this.#study.lineAt(node.id)).catch(() => ({ winRate: null }));
        if (winRate !== null) this.#values = new Map(this.#values).set(key, node.turn === 'first' ? winRate : 1 - winRate);
      }
    })();
    return () => (stale = true);
  }
}
