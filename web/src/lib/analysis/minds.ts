// Who analyses: the agent in the browser, a classical player there, or a player of the server.
import type { GameName, SearchLine } from '$pkg';
import { Agent } from '$lib/agent/agent';
import { agesOf, models, nameOf, weightsUrl, type NetworkEntry } from '$lib/agent/models';
import * as server from '$lib/server';

/** Somebody who can be asked for the best lines of a position. */
export interface Thinker {
  id: string;
  game: GameName;
  label: string;
  /** Where it thinks. */
  place: 'browser' | 'server';
  open: () => Mind;
}

export interface Mind {
  /** Looks at `nodes` positions, unless it is stopped before, and tells its best lines on the way. */
  search(line: string, nodes: number, count: number, lines: (lines: SearchLine[]) => void): Promise<void>;
  stop(): void;
  close(): void;
}

function local(game: GameName, thinker: { weights: string } | { name: string }): Mind {
  const agent = new Agent();
  return {
    async search(line, nodes, count, lines) {
      agent.stop();
      await agent.search({ position: { game, line }, thinker, limits: { nodes }, settings: { multiPv: count }, lines });
    },
    stop: () => agent.stop(),
    close: () => agent.close(),
  };
}

function remote(game: GameName, name: string): Mind {
  const player = new server.RemotePlayer(game, name);
  return {
    async search(line, nodes, count, lines) {
      const best: SearchLine[] = [];
      const report = ({ line: rank, depth, nodes, time_ms, score, win_rate, moves }: server.ThinkLine) => {
        best[rank - 1] = {
          rank, depth, nodes, moves,
          selectiveDepth: null,
          centipawns: 'cp' in score ? score.cp : null,
          mate: 'mate' in score ? score.mate : null,
          winRate: win_rate,
          milliseconds: time_ms,
        };
        lines(best.filter((known) => known !== undefined));
      };
      await player.think(line, { nodes }, report, count);
    },
    stop: () => player.stop(),
    close: () => player.close(),
  };
}

/** Everybody who can analyse `game`: the agent now and at its ages, a classical player, the server's players. */
export async function thinkers(game: GameName): Promise<Thinker[]> {
  const [{ networks }, there] = await Promise.all([
    models().catch(() => ({ networks: [] as NetworkEntry[] })),
    server.info(),
  ]);
  const known = there ? await server.players(game).catch(() => []) : [];
  const ours = agesOf(networks, game).reverse();
  const place = 'browser' as const;
  return [
    ...ours.map((network) => ({
      id: network.id, game, place,
      label: nameOf(network),
      open: () => local(game, { weights: weightsUrl(network) }),
    })),
    { id: 'ab', game, place, label: 'Alpha-beta', open: () => local(game, { name: 'ab:3,quiescence' }) },
    ...known.filter(({ kind }) => kind === 'net' || kind === 'engine').map(({ name }) => ({
      id: `server ${name}`, game, label: name,
      place: 'server' as const,
      open: () => remote(game, name),
    })),
  ];
}
