// The problems that come with the site: problems/GAME.txt, a line each: position;plies;a solution.
import type { GameName } from '$pkg';

export interface Problem {
  game: GameName;
  /** From 1, in the order of the file: short and easy ones first. */
  number: number;
  position: string;
  plies: number;
  /** One solution: the shortest mate against the best defence. */
  line: readonly string[];
}

/** The games that there are problems of. */
export const GAMES = ['shogi', 'chess'] as const satisfies readonly GameName[];

export function parse(game: GameName, text: string): Problem[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line, index) => {
    const [position = '', plies = '', moves = ''] = line.split(';');
    return { game, number: index + 1, position, plies: Number(plies), line: moves.split(' ') };
  });
}

const fetched = new Map<GameName, Promise<Problem[]>>();

export function problemsOf(game: GameName): Promise<Problem[]> {
  const found = fetched.get(game);
  if (found) return found;
  const list = fetch(new URL(`problems/${game}.txt`, document.baseURI)).then(async (response) => {
    if (!response.ok) throw new Error(`${response.status}`);
    return parse(game, await response.text());
  });
  list.catch(() => fetched.delete(game));
  fetched.set(game, list);
  return list;
}
