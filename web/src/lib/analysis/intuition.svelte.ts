// What bare networks think of positions: policy and value, remembered.
import type { GameName, Prediction } from '$pkg';
import { Agent } from '$lib/agent/agent';
import type { NetworkEntry } from '$lib/agent/models';

export class Intuition {
  #agent: Agent | undefined;
  #loaded = '';
  #queue: Promise<unknown> = Promise.resolve();
  #known = new Map<string, Promise<Prediction>>();

  /** What `network` thinks of a position. */
  ask(network: NetworkEntry, line: string): Promise<Prediction> {
    const key = `${network.id} ${line}`;
    const known = this.#known.get(key);
    if (known) return known;
    const answer = this.#queue.then(async () => {
      this.#agent ??= new Agent();
      if (this.#loaded !== network.id) {
        await this.#agent.load(network);
        this.#loaded = network.id;
      }
      return this.#agent.evaluate(line);
    });
    this.#queue = answer.catch(() => undefined);
    answer.catch(() => this.#known.delete(key));
    this.#known.set(key, answer);
    return answer;
  }

  close(): void {
    this.#agent?.terminate();
  }
}

/** The newest network of a game is the one that is asked where no age is named. */
export function newest(networks: readonly NetworkEntry[], game: GameName): NetworkEntry | undefined {
  const ages = agesOf(networks, game);
  return ages.at(-1);
}

/** The networks of a game from the youngest to the oldest. */
export function agesOf(networks: readonly NetworkEntry[], game: GameName): NetworkEntry[] {
  const ages = networks.filter((network) => network.game === game);
  return ages.sort((one, two) => (one.step ?? one.rating ?? 0) - (two.step ?? two.rating ?? 0));
}
