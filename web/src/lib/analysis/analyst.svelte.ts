// Live analysis of one position after another, and of whole games.
import type { GameName, SearchLine } from '$pkg';
import type { Mind, Thinker } from './minds';

/** A position to analyse. One where the game is over has nothing to think about. */
export interface Question {
  game: GameName;
  line: string;
  over: boolean;
}

/** How many positions are looked at in each move of a whole game. */
const NODES_A_MOVE = 240;
/** A live search ends by itself here: the tree fills the memory it may have. */
const NODES_LIVE = 100_000;
/** The cursor often runs over several moves before it rests. */
const REST_MS = 90;

export class Analyst {
  #mind: { of: Thinker; mind: Mind } | undefined;
  #question: Question | undefined;
  #turn = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  on = $state(false);
  /** How many lines are wanted. */
  count = $state(3);
  thinker = $state.raw<Thinker>();
  lines = $state.raw<readonly SearchLine[]>([]);
  /** The position that `lines` are about. */
  #about = $state.raw<Pick<Question, 'game' | 'line'>>();
  problem = $state('');
  /** How far the analysis of a whole game is; `null` while none is under way. */
  progress = $state.raw<{ done: number; all: number } | null>(null);

  /** What is found at a position; nothing while another is being looked at. */
  linesAt(game: GameName, line: string): readonly SearchLine[] {
    return this.#about?.line === line && this.#about.game === game ? this.lines : [];
  }

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

  /** The mind of whoever is chosen. */
  #open(): Mind {
    const { thinker } = this;
    if (!thinker) throw new Error('nobody to ask');
    if (this.#mind?.of !== thinker) {
      this.#mind?.mind.close();
      this.#mind = { of: thinker, mind: thinker.open() };
    }
    return this.#mind.mind;
  }

  async #think(): Promise<void> {
    const question = this.#question;
    if (this.progress) return;
    const turn = ++this.#turn;
    this.#mind?.mind.stop();
    this.problem = '';
    if (question?.line !== this.#about?.line || question?.game !== this.#about?.game) this.lines = [];
    if (!this.on || !question || question.over || question.game !== this.thinker?.game) return;
    try {
      await this.#open().search(question.line, NODES_LIVE, this.count, (lines) => {
        if (turn !== this.#turn) return;
        this.#about = question;
        this.lines = lines;
      });
    } catch (error) {
      if (turn === this.#turn) this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  /** Looks at one position after the other and hands on what it finds of each. */
  async sweep(questions: readonly Question[], found: (index: number, line: SearchLine) => void): Promise<void> {
    const turn = ++this.#turn;
    this.#mind?.mind.stop();
    this.problem = '';
    this.progress = { done: 0, all: questions.length };
    let failure = '';
    try {
      const mind = this.#open();
      for (const [index, { line, over }] of questions.entries()) {
        let best: SearchLine | undefined;
        if (!over) {
          await mind.search(line, NODES_A_MOVE, 1, (lines) => {
            best = lines.find(({ rank }) => rank === 1) ?? best;
          });
        }
        if (!this.progress || turn !== this.#turn) break;
        if (best) found(index, best);
        this.progress = { done: index + 1, all: questions.length };
      }
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
    // One that was halted may have been followed by another.
    if (turn !== this.#turn) return;
    this.progress = null;
    void this.#think();
    if (failure) this.problem = failure;
  }

  /** Ends the analysis of a whole game. */
  halt(): void {
    this.progress = null;
    this.#mind?.mind.stop();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.progress = null;
    this.#turn++;
    this.#mind?.mind.close();
    this.#mind = undefined;
  }
}
