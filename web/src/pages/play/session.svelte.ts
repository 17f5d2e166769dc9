// The game on the play page: its rules are the package's, its sides people or opponents that think.
// Whatever happens is stored, so that a reload continues where it was.
import { Unreachable } from '$lib/agent/messages';
import { models } from '$lib/agent/models';
import { announce } from '$lib/announce.svelte';
import type { Arrow, Side } from '$lib/board/types';
import { other } from '$lib/board/types';
import { reasonName, resultText } from '$lib/endings';
import { refusalText } from '$lib/refusals';
import { ServerUnreachable } from '$lib/server';
import { recall, remember, settings } from '$lib/settings.svelte';
import { sound } from '$lib/sounds';
import { snapshotOf, type Snapshot } from '$lib/tree/snapshot';
import { sideName } from '$lib/words';
import { Game, type BoardData, type Declaration, type MoveParts, type NotationStyle, type Outcome, type Reason } from '$pkg';
import { Clock, type Reading, type Remaining } from './clock.svelte';
import { hint, opponent, seatName, stopThinking, type Opponent } from './opponent';
import type { Terms } from './terms';
import { text } from './text';

const KEY = 'keisei.play';
/** Where a game waits that was not finished when another one was begun. */
const ASIDE = 'keisei.play.aside';

/** A game as it is stored. */
interface Saved {
  /** Tells one game from another. */
  id?: string;
  terms: Terms;
  moves: string[];
  /** An end that the moves do not show: resignation, time, a claim. */
  ended: { winner: Side | null; reason: Reason } | null;
  over?: boolean;
  /** Time left before each move and now. */
  clocks: Remaining[];
  /** How long each move took, in seconds; without a clock nobody counts. */
  seconds?: number[];
  flipped: boolean;
}

/** An opponent's move is not shown sooner after the last one, so that eyes can follow. */
const PACE_MS = 280;
/** The last seconds of a clock are heard. */
const TICKS_BELOW_MS = 10_000;

/** A stored game, or `undefined` where there is none. */
const kept = (key: string) => recall(key) as Saved | undefined;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class Session {
  readonly terms: Terms;
  readonly #id: string;
  readonly #game: Game;
  readonly #start: Game;
  readonly #opponents: Record<Side, Opponent | null>;

  /** The positions from the start to now. */
  boards = $state.raw<BoardData[]>([]);
  legal = $state.raw<MoveParts[]>([]);
  moves = $state.raw<string[]>([]);
  outcome = $state.raw<Outcome | null>(null);
  declaration = $state.raw<Declaration | null>(null);
  /** A draw that may be claimed now. */
  claimable = $state.raw<Outcome | null>(null);
  repeated = $state(1);
  clock = $state.raw<Clock | null>(null);
  thinking = $state(false);
  paused = $state(false);
  problem = $state<string | null>(null);
  arrows = $state.raw<Arrow[]>([]);
  flipped = $state(false);
  /** The position shown, if it is an earlier one. */
  #looking = $state<number | null>(null);

  #clocks: Remaining[] = [];
  #seconds: number[] = [];
  #ended: Saved['ended'] = null;
  /** Changes when what an opponent is thinking about is no longer the game. */
  #turn = 0;

  constructor(terms: Terms, saved?: Saved) {
    this.terms = terms;
    this.#id = saved ? (saved.id ?? '') : Math.random().toString(36).slice(2);
    this.#start = new Game(terms.game, terms.start, terms.moveLimit === undefined ? {} : { moveLimit: terms.moveLimit });
    this.#game = this.#start.copy();
    const seated = (side: Side) => {
      const seat = terms.seats[side];
      return seat.kind === 'human' ? null : opponent(terms.game, seat);
    };
    this.#opponents = { first: seated('first'), second: seated('second') };
    this.boards = [this.#game.board()];
    for (const move of saved?.moves ?? []) {
      this.#game.play(move);
      this.boards.push(this.#game.board());
    }
    if (saved?.ended) this.#game.adjudicate(saved.ended.winner, saved.ended.reason);
    this.#ended = saved?.ended ?? null;
    this.#clocks = saved?.clocks.slice(0, -1) ?? [];
    this.#seconds = saved?.seconds ?? [];
    const onlyHuman = terms.seats.second.kind === 'human' && terms.seats.first.kind !== 'human';
    this.flipped = saved?.flipped ?? onlyHuman;
    if (terms.time) this.clock = new Clock(terms.time, (side, reading) => this.#tick(side, reading), saved?.clocks.at(-1));
    this.#refresh();
  }

  /** The stored game, if there is one that can still be played. */
  static stored(): Session | null {
    return Session.#restored(KEY);
  }

  /** The game that was not finished when another one was begun. */
  static aside(): Session | null {
    return Session.#restored(ASIDE);
  }

  static #restored(key: string): Session | null {
    const saved = kept(key);
    if (!saved) return null;
    try {
      return new Session(saved.terms, saved);
    } catch {
      // A game of an older version of the rules: a new one is begun instead.
      return null;
    }
  }

  /** Starts clocks and opponents. */
  begin(): void {
    if (this.outcome) return;
    this.clock?.start(this.#game.turn);
    this.#save();
    for (const mind of Object.values(this.#opponents)) {
      // What fails now is tried again, and told, when it is to move.
      mind?.prepare().catch(() => {});
    }
    void this.#next();
  }

  /** Ends clocks and opponents; the game stays stored. */
  leave(): void {
    this.#turn++;
    this.clock?.stop();
    this.keepTime();
    this.#stopThinking();
  }

  /** Stores how much time is left, unless another tab has stored another game since, or gone on with this one. */
  keepTime(): void {
    const stored = this.clock && kept(KEY);
    if (stored && (stored.id ?? '') === this.#id && stored.moves.join() === this.moves.join()) this.#save();
  }

  get turn(): Side {
    return this.boards.at(-1)!.turn;
  }

  /** Whether a person may move now. */
  get humanToMove(): boolean {
    return !this.outcome && !this.paused && this.terms.seats[this.turn].kind === 'human' && this.#looking === null;
  }

  get board(): BoardData {
    return this.boards[this.ply] ?? this.boards.at(-1)!;
  }

  /** How many moves were played before the position shown. */
  get ply(): number {
    return this.#looking ?? this.moves.length;
  }

  get looking(): boolean {
    return this.#looking !== null;
  }

  look(ply: number): void {
    const bounded = Math.max(0, Math.min(this.moves.length, ply));
    this.#looking = bounded === this.moves.length ? null : bounded;
    this.arrows = [];
  }

  /** Everything is one side's against itself: nobody here plays. */
  get spectated(): boolean {
    return this.terms.seats.first.kind !== 'human' && this.terms.seats.second.kind !== 'human';
  }

  /** Chess: the number of the first move, which is Black's where Black is to move first. */
  get firstNumber(): number {
    return Number(this.#start.position.split(' ')[5] ?? 1);
  }

  get style(): NotationStyle {
    return this.terms.game === 'chess' ? 'san' : settings.notation;
  }

  /** The moves as people write them. */
  get moveTexts(): string[] {
    return this.#start.lineText(this.moves, this.style);
  }

  /** The start and the moves, as engines take them. */
  get line(): string {
    return this.#game.positionLine();
  }

  /** The game as the study page takes it: who played, how long they thought, how it ended, at the position shown. */
  async snapshot(): Promise<Snapshot> {
    const listed = await models().catch(() => null);
    const record = this.#game.record();
    for (const side of ['first', 'second'] as const) record.setPlayer(side, seatName(this.terms.seats[side], listed));
    const [start, ...steps] = record.nodes('usi').filter(({ ending }) => ending === null).map(({ id }) => id);
    steps.forEach((id, at) => record.setSeconds(id, this.#seconds[at] ?? null));
    record.jump(steps[this.ply - 1] ?? start ?? 0);
    return snapshotOf(record);
  }

  name(side: Side): string {
    return sideName(this.terms.game, side, this.terms.handicap);
  }

  // ---- What people do.

  play(move: string): void {
    if (this.outcome) return;
    const side = this.#game.turn;
    const written = this.#game.moveText(move, this.style);
    if (this.clock) this.#clocks.push(this.clock.remaining);
    const { captured } = this.#game.play(move);
    if (this.clock) this.#seconds.push(Math.round(this.clock.press(side) / 1000));
    this.boards = [...this.boards, this.#game.board()];
    this.#looking = null;
    this.#refresh();
    sound(this.board.check !== null ? 'check' : captured ? 'capture' : 'move');
    this.#say([text.moveMade(this.name(side), written), this.board.check !== null && !this.outcome ? text.inCheck : '']);
    this.#changed();
  }

  /** A move as a person types it, in any notation. Throws why it cannot be played. */
  type(typed: string): void {
    this.play(this.#game.readMove(typed));
  }

  /** Back to the last time that a person was to move. */
  takeBack(): void {
    if (this.moves.length === 0) return;
    this.#turn++;
    this.#stopThinking();
    let clocks: Remaining | undefined;
    do {
      this.#game.undo();
      clocks = this.#clocks.pop() ?? clocks;
      this.#seconds.pop();
    } while (this.#game.ply > 0 && !this.spectated && this.terms.seats[this.#game.turn].kind !== 'human');
    this.#ended = null;
    this.boards = this.boards.slice(0, this.#game.ply + 1);
    this.#looking = null;
    this.#refresh();
    if (clocks) this.clock?.reset(clocks);
    if (this.spectated) this.paused = true;
    else this.clock?.start(this.#game.turn);
    announce(text.takenBack);
    this.#changed();
  }

  resign(): void {
    // Against an opponent the person resigns, whoever is to move.
    const seats = this.terms.seats;
    const person = seats[this.turn].kind === 'human' ? this.turn : other(this.turn);
    this.#end(other(person), 'resignation');
  }

  /** Claims a draw, or declares an entered king. */
  claim(): void {
    const { winner, reason } = this.#game.claim();
    this.#ended = { winner, reason };
    this.#refresh();
    this.#changed();
  }

  async hint(): Promise<void> {
    const turn = this.#turn;
    this.thinking = true;
    try {
      const move = await hint(this.terms.game, this.line);
      const parts = this.legal.find((legal) => legal.move === move);
      if (turn !== this.#turn || !parts || this.looking) return;
      this.arrows = [{ from: parts.from ?? parts.drop ?? 0, to: parts.to, side: this.turn }];
      announce(text.hintIs(this.#game.moveText(parts.move, this.style)));
    } catch (error) {
      if (turn === this.#turn) this.#fail(error);
    } finally {
      if (turn === this.#turn) this.thinking = false;
    }
  }

  pause(paused: boolean): void {
    this.paused = paused;
    if (paused) {
      this.#turn++;
      this.#stopThinking();
      this.clock?.stop();
    } else {
      this.clock?.start(this.turn);
      void this.#next();
    }
  }

  /** Asks again who could not answer: the opponent, or whoever gives hints. */
  retry(): void {
    this.problem = null;
    if (!this.#opponents[this.turn]) {
      void this.hint();
    } else {
      this.clock?.start(this.turn);
      void this.#next();
    }
  }

  flip(): void {
    this.flipped = !this.flipped;
    this.#save();
  }

  // ---- What follows from it.

  #end(winner: Side | null, reason: Reason): void {
    this.#game.adjudicate(winner, reason);
    this.#ended = { winner, reason };
    this.#refresh();
    this.#changed();
  }

  #tick(side: Side, { left, byoyomi }: Reading): void {
    const second = Math.ceil(left / 1000);
    if (left <= TICKS_BELOW_MS && (byoyomi || this.terms.time?.byoyomi === 0) && second !== this.#heard) {
      this.#heard = second;
      sound('tick');
    }
    if (left <= 0) this.#end(other(side), 'timeout');
  }
  #heard = 0;

  #refresh(): void {
    const game = this.#game;
    this.moves = game.moves();
    this.legal = game.legalMoves();
    this.outcome = game.outcome() ?? null;
    this.declaration = game.declaration() ?? null;
    this.claimable = (!this.outcome && game.claimable()) || null;
    this.repeated = game.repetition().times;
    this.arrows = [];
    this.problem = null;
  }

  #changed(): void {
    this.#turn++;
    this.#stopThinking();
    this.#save();
    if (this.outcome) {
      this.clock?.stop();
      sound('end');
      this.#say([reasonName(this.terms.game, this.outcome), resultText(this.terms.game, this.outcome, this.terms.handicap)]);
      return;
    }
    void this.#next();
  }

  #spoken = '';
  /** Says what happened after what was said of the move in the same moment. */
  #say(parts: string[]): void {
    const said = parts.filter((part) => part !== '').join('. ');
    this.#spoken = this.#spoken ? `${this.#spoken}. ${said}` : said;
    queueMicrotask(() => {
      if (this.#spoken) announce(this.#spoken);
      this.#spoken = '';
    });
  }

  async #next(): Promise<void> {
    const mind = this.#opponents[this.turn];
    if (!mind || this.paused || this.outcome) return;
    const turn = this.#turn;
    this.thinking = true;
    try {
      const [answer] = await Promise.all([mind.answer(this.line), pause(PACE_MS)]);
      if (turn !== this.#turn) return;
      this.thinking = false;
      if (answer.kind === 'move' && answer.move) this.play(answer.move);
      else if (answer.kind === 'win') this.claim();
      else this.#end(other(this.turn), 'resignation');
    } catch (error) {
      if (turn !== this.#turn) return;
      // Nobody loses on time because nobody could be reached.
      this.clock?.stop();
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.thinking = false;
    if (error instanceof Unreachable) this.problem = text.needsNetwork;
    else if (error instanceof ServerUnreachable) this.problem = error.message;
    else this.problem = text.agentFailed(refusalText(this.terms.game, error));
  }

  #stopThinking(): void {
    if (this.thinking) {
      stopThinking();
      this.#opponents.first?.stop();
      this.#opponents.second?.stop();
    }
    this.thinking = false;
  }

  #save(): void {
    const clocks = this.clock ? [...this.#clocks, this.clock.now] : [];
    this.#putAside();
    const saved: Saved = {
      id: this.#id,
      terms: this.terms,
      moves: this.moves,
      ended: this.#ended,
      over: this.outcome !== null,
      clocks,
      seconds: this.#seconds,
      flipped: this.flipped,
    };
    remember(KEY, saved);
  }

  /** There is room for one game. Another one that was not finished, perhaps in another tab, is kept beside it. */
  #putAside(): void {
    const before = kept(KEY);
    if (before && (before.id ?? '') !== this.#id && before.moves.length > 0 && !before.over) remember(ASIDE, before);
    else if ((kept(ASIDE)?.id ?? '') === this.#id) remember(ASIDE, undefined);
  }
}
