// The networks that come with the site and the levels to play against: models/models.json, beside
// the weights. A new age of the agent is an entry there.
import type { GameName } from '$lib/board/types';
import { Unreachable } from './messages';
import { settings, type Language } from '$lib/settings.svelte';

type Named = Record<Language, string>;

/** An age of the agent. Those of a game stand in order, the present one last. */
export interface NetworkEntry {
  id: string;
  game: GameName;
  /** Beside models.json. */
  file: string;
  name: Named;
  /** On the ladder of the game, where it was measured. */
  rating?: number;
  /** Moves of self-play it had learned from. */
  moves?: number;
}

/** An opponent: a network with so much search, or a classical player by its name. */
export interface Level {
  id: string;
  game: GameName;
  name: Named;
  network?: string;
  /** Positions looked at for each move; 0 plays the network's first thought. */
  simulations?: number;
  /** How freely it chooses among good moves. */
  temperature?: number;
  named?: string;
  /** Offered first to those who have not chosen. */
  usual?: boolean;
  rating?: number;
}

export interface Models {
  networks: NetworkEntry[];
  levels: Level[];
}

const at = (file: string) => new URL(`models/${file}`, document.baseURI);

let listing: Promise<Models> | undefined;

export function models(): Promise<Models> {
  listing ??= fetch(at('models.json')).then(
    (response) => {
      if (!response.ok) throw new Error(`models.json: ${response.status}`);
      return response.json() as Promise<Models>;
    },
    (error: Error) => {
      throw new Unreachable(error.message);
    },
  );
  // What failed may be asked for again.
  listing.catch(() => (listing = undefined));
  return listing;
}

/** The ages of the agent in a game, the youngest first. */
export const agesOf = (networks: readonly NetworkEntry[], game: GameName): NetworkEntry[] =>
  networks.filter((network) => network.game === game);

/** How much search any age may be given: positions looked at for each move, 0 for its first thought. */
export const SIMULATIONS = [0, 32, 200, 800, 3200] as const;

/** Where the weights of a network lie. */
export const weightsUrl = ({ file }: NetworkEntry): string => at(file).href;

export function usualLevel({ levels }: Models, game: GameName): Level | undefined {
  const offered = levels.filter((level) => level.game === game);
  return offered.find(({ usual }) => usual) ?? offered[0];
}

/** A network's or level's name, with its rating where it was measured. */
export function nameOf({ name, rating }: { name: Named; rating?: number }): string {
  return rating === undefined ? name[settings.language] : `${name[settings.language]} (${Math.round(rating)})`;
}
