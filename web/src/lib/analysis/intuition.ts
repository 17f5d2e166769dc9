// What bare networks think of positions: policy and value, remembered.
import type { Prediction } from '$pkg';
import { Agent } from '$lib/agent/agent';
import { weightsUrl, type NetworkEntry } from '$lib/agent/models';

export class Intuition {
  #agent: Agent | undefined;
  #known = new Map<string, Promise<Prediction>>();

  /** What `network` thinks of a position. */
  ask(network: NetworkEntry, line: string): Promise<Prediction> {
    const key = `${network.id} ${line}`;
    const known = this.#known.get(key);
    if (known) return known;
    this.#agent ??= new Agent();
    const answer = this.#agent.evaluate({ game: network.game, line }, weightsUrl(network));
    answer.catch(() => this.#known.delete(key));
    this.#known.set(key, answer);
    return answer;
  }

  close(): void {
    this.#agent?.close();
  }
}
