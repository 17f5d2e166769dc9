// What bare networks think of positions: policy and value, remembered.
import type { GameName, Prediction } from '$pkg';
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

/** The networks of a game from the youngest to the oldest. */
export function agesOf(networks: readonly NetworkEntry[], game: GameName): NetworkEntry[] {
  const ages = networks.filter((network) => network.game === game);
  return ages.sort((one, two) => (one.step ?? one.rating ?? 0) - (two.step ?? two.rating ?? 0));
}
