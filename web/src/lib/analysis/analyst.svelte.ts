// Live analysis of one position after another, by the agent in the browser or by a player of the server.
import type { GameName, SearchLine } from '$pkg';
import { Agent } from '$lib/agent/agent';
import { models, nameOf, type NetworkEntry } from '$lib/agent/models';

/** Who analyses. */
export interface Thinker {
  id: string;
  game: GameName;
  label: string;
  network?: NetworkEntry;
  /** A classical player in the browser. */
  named?: string;
}

/** The players in the browser that can analyse `game`, the strongest first. */
export async function thinkers(game: GameName): Promise<Thinker[]> {
  const { networks } = await models().catch(() => ({ networks: [] as NetworkEntry[] }));
  const rated = networks.filter((network) => network.game === game);
  rated.sort((one, two) => (two.rating ?? 0) - (one.rating ?? 0) || (two.step ?? 0) - (one.step ?? 0));
  const agents: Thinker[] = rated.map((network) => ({ id: network.id, game, label: nameOf(network), network }));
  return [...agents, { id: 'ab:3,quiescence', game, label: 'Alpha-beta 3', named: 'ab:3,quiescence' }];
}

/** A position to analyse. One where the game is over has nothing to think about. */
export interface Question {
  game: GameName;
  line: string;
  over: boolean;
}

/** How many positions the agent looks at in each move of a whole game. */
const NODES_A_MOVE = 240;
/** A live search ends by itself here: the tree fills the memory it may have. */
const NODES_LIVE = 200_000;
/** The cursor often runs over several moves before it rests. */
const REST_MS = 90;

export class Analyst {
  #agent: Agent | undefined;
  #loaded: Thinker | undefined;
  #question: Question | undefined;
  #turn = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  on = $state(false);
  /** How many lines are wanted. */
  count = $state(3);
  thinker = $state.raw<Thinker>();
  lines = $state.raw<readonly SearchLine[]>([]);
  /** The position that `lines` are about. */
  about = $state('');
  problem = $state('');
  /** How far the analysis of a whole game is; `null` while none is under way. */
  progress = $state.raw<{ done: number; all: number } | null>(null);

  /** Turns to another position. */
  ask(question: Question): void {
    this.#question = question;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#think(), REST_MS);
  }

  switch(on: boolean): void {
    this.on = on;
    void this.#think();
  }

  choose(thinker: Thinker): void {
    this.thinker = thinker;
    void this.#think();
  }

  show(count: number): void {
    this.count = count;
    void this.#think();
  }

  async #ready(): Promise<Agent> {
    const { thinker } = this;
    if (!thinker) throw new Error('nobody to ask');
    this.#agent ??= new Agent();
    if (this.#loaded !== thinker) {
      this.#loaded = thinker;
      if (thinker.network) await this.#agent.load(thinker.network);
      else await this.#agent.use(thinker.game, { named: thinker.named ?? 'ab:2' });
    }
    return this.#agent;
  }

  async #think(): Promise<void> {
    const question = this.#question;
    if (this.progress) return;
    const turn = ++this.#turn;
    this.#agent?.stop();
    this.problem = '';
    if (question?.line !== this.about) this.lines = [];
    if (!this.on || !question || question.over || question.game !== this.thinker?.game) return;
    try {
      const agent = await this.#ready();
      if (turn !== this.#turn) return;
      await agent.search(question.line, { nodes: NODES_LIVE, settings: { multiPv: this.count } }, (lines) => {
        if (turn !== this.#turn) return;
        this.about = question.line;
        this.lines = lines;
      });
    } catch (error) {
      if (turn === this.#turn) this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  /** Looks at one position after the other and hands on what it finds of each. */
  async sweep(questions: readonly Question[], found: (index: number, line: SearchLine) => void): Promise<void> {
    this.#turn++;
    this.#agent?.stop();
    this.problem = '';
    this.progress = { done: 0, all: questions.length };
    try {
      const agent = await this.#ready();
      for (const [index, { line, over }] of questions.entries()) {
        if (!this.progress) break;
        let best: SearchLine | undefined;
        if (!over) {
          await agent.search(line, { nodes: NODES_A_MOVE, settings: { multiPv: 1 } }, (lines) => {
            best = lines.find(({ rank }) => rank === 1) ?? best;
          });
        }
        if (!this.progress) break;
        if (best) found(index, best);
        this.progress = { done: index + 1, all: questions.length };
      }
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.progress = null;
      void this.#think();
    }
  }

  /** Ends the analysis of a whole game. */
  halt(): void {
    this.progress = null;
    this.#agent?.stop();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.progress = null;
    this.#turn++;
    this.#agent?.terminate();
    this.#agent = undefined;
  }
}
