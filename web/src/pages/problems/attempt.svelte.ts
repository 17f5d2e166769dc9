// An attempt at a problem: the solver judges each move and answers for the defence.
import { Game } from '$pkg';
import type { BoardData, MoveParts, NotationStyle } from '$pkg';
import type { Agent } from '$lib/agent/agent';
import type { Problem } from './problems';

export type Verdict =
  | { kind: 'ready' }
  | { kind: 'judging' }
  | { kind: 'correct' }
  | { kind: 'solved' }
  | { kind: 'refuted'; answer: string }
  | { kind: 'slow'; answer: string; late: number }
  | { kind: 'noCheck' }
  | { kind: 'unknown' }
  | { kind: 'shown' };

/** How long the answer to a move waits, so that the move is seen. */
const ANSWER_MS = 450;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export class Attempt {
  readonly problem: Problem;
  #game: Game;
  #agent: Agent;
  #style: NotationStyle;
  /** How many of the moves on the board belong to the attempt; what follows refutes it. */
  #sound = 0;
  #closed = false;
  /** Grows with whatever is asked of the attempt: what was waited for is not shown over something newer. */
  #turn = 0;

  board = $state.raw<BoardData>()!;
  moves = $state.raw<readonly MoveParts[]>([]);
  /** The moves on the board as people write them. */
  words = $state.raw<readonly string[]>([]);
  verdict = $state.raw<Verdict>({ kind: 'ready' });
  /** How many plies are left to the mate. */
  left = $state(0);
  /** The move that a hint points at. */
  hint = $state.raw<MoveParts | null>(null);
  /** Whether the solver helped. */
  helped = $state(false);

  constructor(problem: Problem, agent: Agent, style: NotationStyle) {
    this.problem = problem;
    this.#agent = agent;
    this.#style = style;
    this.#game = new Game(problem.game, problem.position);
    this.left = problem.plies;
    this.#show();
  }

  spell(style: NotationStyle): void {
    this.#style = style;
    this.#show();
  }

  /** Whether a move may be made now. */
  get open(): boolean {
    return this.verdict.kind !== 'judging' && this.verdict.kind !== 'solved' && this.verdict.kind !== 'shown'
      && this.#game.ply === this.#sound;
  }

  get positionLine(): string {
    return this.#game.positionLine();
  }

  async play(move: string): Promise<void> {
    if (!this.open) return;
    const turn = ++this.#turn;
    this.hint = null;
    this.verdict = { kind: 'judging' };
    const before = this.#game.positionLine();
    this.#make(move);
    const { game } = this.problem;
    const [{ verdict, reply: answer, left }] = await Promise.all([
      this.#agent.judge({ game, line: before }, move, this.left),
      pause(ANSWER_MS),
    ]);
    if (this.#over(turn)) return;
    const word = answer === null ? '' : this.#game.moveText(answer, this.#style);
    switch (verdict) {
      case 'mated':
        this.#sound = this.#game.ply;
        this.verdict = { kind: 'solved' };
        break;
      case 'correct':
        if (answer) this.#make(answer);
        this.#sound = this.#game.ply;
        this.left = left ?? 0;
        this.verdict = { kind: 'correct' };
        break;
      case 'slow':
        if (answer) this.#make(answer);
        this.verdict = { kind: 'slow', answer: word, late: (left ?? 0) + 2 - this.left };
        break;
      case 'refuted':
        if (answer) this.#make(answer);
        this.verdict = { kind: 'refuted', answer: word };
        break;
      default:
        this.#backToSound();
        this.verdict = { kind: verdict };
    }
    this.#show();
  }

  /** Takes back what did not mate, once that is known. */
  tryAgain(): void {
    if (this.verdict.kind === 'judging') return;
    this.#turn++;
    if (this.verdict.kind === 'solved' || this.verdict.kind === 'shown') {
      this.#game.reset();
      this.#sound = 0;
      this.left = this.problem.plies;
    } else {
      this.#backToSound();
    }
    this.hint = null;
    this.verdict = { kind: 'ready' };
    this.#show();
  }

  /** The next move of the solution. */
  async #best(): Promise<string[]> {
    if (this.#game.ply === 0) return [...this.problem.line];
    const { line } = await this.#agent.solve(
      { game: this.problem.game, line: this.#game.positionLine() },
      { plies: this.left },
    );
    return line;
  }

  /** Shows which man moves. */
  async showHint(): Promise<void> {
    const turn = ++this.#turn;
    this.#backToSound();
    this.verdict = { kind: 'ready' };
    this.#show();
    const [move] = await this.#best();
    this.helped = true;
    if (!this.#over(turn)) this.hint = this.moves.find((legal) => legal.move === move) ?? null;
  }

  /** Plays the solution out on the board. */
  async showSolution(): Promise<void> {
    const turn = ++this.#turn;
    this.#backToSound();
    this.hint = null;
    this.helped = true;
    const line = await this.#best();
    for (const move of line) {
      if (this.#over(turn)) return;
      this.verdict = { kind: 'shown' };
      this.#make(move);
      this.#sound = this.#game.ply;
      await pause(2 * ANSWER_MS);
    }
  }

  /** Whether what began at `turn` is of the past. */
  #over(turn: number): boolean {
    return this.#closed || turn !== this.#turn;
  }

  close(): void {
    this.#closed = true;
    this.#game.free();
  }

  #make(move: string): void {
    this.#game.play(move);
    this.#show();
  }

  #backToSound(): void {
    while (this.#game.ply > this.#sound) this.#game.undo();
    this.#show();
  }

  #show(): void {
    if (this.#closed) return;
    this.board = this.#game.board();
    this.moves = this.#game.legalMoves();
    const start = new Game(this.problem.game, this.problem.position);
    this.words = start.lineText(this.#game.moves(), this.#style);
    start.free();
  }
}
