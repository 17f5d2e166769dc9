// A study: a record with its cursor, edited with undo and kept in this browser.
import { Game, Record, gameInfo, readRecords } from '$pkg';
import type { BoardData, GameName, Header, MoveParts, NodeEvaluation, NotationStyle, Outcome, TreeNode } from '$pkg';
import { lineTo } from '$lib/tree/graph';
import { numberOf } from '$lib/tree/numbers';
import { recordOf, snapshotOf, type Snapshot } from '$lib/tree/snapshot';
import { settings } from '$lib/settings.svelte';
import { isOpenStudy, isSame, parsed, setAside, store, stored, takeBack, type Kept } from './kept';

/** How many edits can be undone. */
const MEMORY = 200;

/** The notation that moves of `game` are written in, by the settings. */
export function notationOf(game: GameName): NotationStyle {
  const { notations } = gameInfo(game);
  const wished = game === 'chess' ? 'san' : settings.notation;
  return notations.find((style) => style === wished) ?? notations[0] ?? 'usi';
}

/** A record to go back or forward to. */
interface Version {
  record: Record;
  /** The step there is to another study altogether. */
  other: boolean;
}

export class Study {
  #record: Record;
  #past: Version[] = [];
  #future: Version[] = [];
  #style = $state<NotationStyle>('usi');
  #saving: ReturnType<typeof setTimeout> | undefined;
  /** The field that is being written in: letter after letter is one edit to undo. */
  #field = '';
  /** The stored text that this tab wrote or read last. */
  #known: string | null = null;
  /** A person has changed the study here, and that is not stored yet. */
  #edited = false;
  /** What is not stored yet is of less weight: the cursor, evaluations. */
  #strayed = false;
  /** Nobody has changed the study since it was opened. */
  #untouched = true;

  game = $state<GameName>('shogi');
  nodes = $state.raw<readonly TreeNode[]>([]);
  current = $state(0);
  board = $state.raw<BoardData>()!;
  /** The moves that may be played here. */
  moves = $state.raw<readonly MoveParts[]>([]);
  headers = $state.raw<readonly Header[]>([]);
  /** The start as SFEN or FEN. */
  start = $state('');
  /** The position here as a line for players: the start and the moves. */
  positionLine = $state('');
  canUndo = $state(false);
  canRedo = $state(false);
  /** Grows when another record takes the place of this one: its nodes are others. */
  generation = $state(0);
  #end = $state(0);

  byId = $derived(new Map(this.nodes.map((node) => [node.id, node])));
  node = $derived(this.byId.get(this.current));
  /** The nodes of the line visited last, from the start to its end. */
  line = $derived(lineTo(this.byId, this.#end));
  /** The nodes from the start to the cursor. */
  path = $derived(lineTo(this.byId, this.current));
  children = $derived((this.node?.children ?? []).flatMap((id) => this.byId.get(id) ?? []));
  bookmarks = $derived(this.nodes.filter((node) => node.bookmark !== null));

  constructor(record: Record) {
    this.#record = record;
    this.#refresh();
  }

  /** The study that was left here, or an empty one. */
  static restored(): Study {
    const text = stored();
    const kept = parsed(text);
    let study: Study | undefined;
    try {
      if (kept) study = new Study(recordOf(kept));
    } catch {
      // What an older version stored may no longer be understood.
    }
    study ??= new Study(new Record('shogi'));
    study.#known = text;
    study.#untouched = kept?.untouched ?? false;
    return study;
  }

  get style(): NotationStyle {
    return this.#style;
  }

  /** Writes the moves in another notation. */
  spell(style: NotationStyle): void {
    this.#style = style;
    this.nodes = this.#record.nodes(style);
  }

  /** Puts another record in the place of this one. That can be undone, and this one is kept among the recent ones. */
  replace(record: Record, untouched = true): void {
    setAside(this.#kept());
    this.#past.push({ record: this.#record, other: true });
    this.#forget();
    this.#record = record;
    this.#generation();
    takeBack(this.#kept());
    this.#edit();
    this.#untouched = untouched;
    this.#refresh();
  }

  snapshot(): Snapshot {
    return snapshotOf(this.#record);
  }

  write(...args: Parameters<Record['write']>): ReturnType<Record['write']> {
    return this.#record.write(...args);
  }

  /** The line of players that leads to a node; empty where there is no such node any more. */
  lineAt(id: number): string {
    if (!this.byId.has(id)) return '';
    try {
      return this.#record.positionLine(id);
    } catch {
      // An effect that ends still sees the nodes as they were.
      return '';
    }
  }

  /** How the game is over at a node, where there is nothing left to think about. */
  outcomeAt(id: number): Outcome | undefined {
    if (!this.byId.has(id)) return undefined;
    const game = this.#record.gameAt(id);
    const outcome = game.outcome();
    game.free();
    return outcome;
  }

  /** The record as it is now, by which those who think for long know whether it is still the same. */
  get record(): Record {
    return this.#record;
  }

  /** The number before the move that led to a node. */
  numberOf(node: TreeNode): string {
    return numberOf(this.game, this.start, node);
  }

  /** That move with its number. */
  wordsOf(node: TreeNode): string {
    return `${this.numberOf(node)} ${node.text}`.trim();
  }

  /** A line of moves from here as people write them. */
  words(moves: readonly string[]): string[] {
    const game = this.#gameHere();
    try {
      return game.lineText([...moves], this.#style);
    } finally {
      game.free();
    }
  }

  /** Moves that could be played here, each as people write it. */
  names(moves: readonly string[]): string[] {
    const game = this.#gameHere();
    try {
      return moves.map((move) => game.moveText(move, this.#style));
    } finally {
      game.free();
    }
  }

  /** With its past, which Japanese notation refers to. */
  #gameHere(): Game {
    return this.#record.gameAt(this.current);
  }

  // Moving the cursor.

  jump(id: number): void {
    this.#record.jump(id);
    this.#stray();
  }
  next(): void {
    this.#record.next();
    this.#stray();
  }
  previous(): void {
    this.#record.previous();
    this.#stray();
  }
  first(): void {
    this.#record.first();
    this.#stray();
  }
  last(): void {
    this.#record.last();
    this.#stray();
  }
  /** To the next or the previous variation of this move; where there is none, to the end or the start of the line. */
  cycle(direction: 1 | -1): void {
    const moved = direction === 1 ? this.#record.sibling() : this.#record.siblingBefore();
    if (moved === undefined) {
      if (direction === 1) this.#record.last();
      else this.#record.first();
    }
    this.#stray();
  }

  // Editing.

  /** Plays a move here. One that is there already is only followed. */
  play(move: string): void {
    const known = this.children.some((child) => child.move?.move === move);
    if (known) {
      this.#record.play(move);
      this.#stray();
    } else {
      this.#change((record) => record.play(move));
    }
  }
  /** Adds a line of moves here and goes to the end of it. */
  playLine(moves: readonly string[]): void {
    this.#change((record) => moves.forEach((move) => record.play(move)));
  }
  promote(id: number): void {
    this.#change((record) => record.promote(id));
  }
  demote(id: number): void {
    this.#change((record) => record.demote(id));
  }
  makeMain(id: number): void {
    this.#change((record) => record.makeMain(id));
  }
  remove(id: number): void {
    this.#change((record) => record.remove(id));
  }
  setComment(id: number, text: string): void {
    const node = this.byId.get(id);
    if (node && node.comment !== text) this.#note(`comment ${id}`, (record) => record.setComment(id, text));
  }
  setBookmark(id: number, name: string | null): void {
    const node = this.byId.get(id);
    if (!node || node.bookmark === name) return;
    const renamed = name !== null && node.bookmark !== null;
    this.#note(renamed ? `bookmark ${id}` : '', (record) => record.setBookmark(id, name));
  }
  setHeader(key: string, value: string | null): void {
    this.#note(value ? `header ${key}` : '', (record) => record.setHeader(key, value));
  }
  /** Notes what an analysis thinks of a node. That is no edit of its own to undo. */
  evaluate(id: number, evaluation: NodeEvaluation): void {
    const node = this.byId.get(id);
    if (!node) return;
    const others = node.evaluations.filter(({ by, engine }) => by !== evaluation.by || engine !== evaluation.engine);
    this.#record.setEvaluations(id, [...others, evaluation]);
    this.nodes = this.#record.nodes(this.#style);
    this.#untouched = false;
    this.#strayed = true;
    this.#saveSoon();
  }

  undo(): void {
    this.#step(this.#past, this.#future);
  }
  redo(): void {
    this.#step(this.#future, this.#past);
  }

  #step(from: Version[], to: Version[]): void {
    const version = from.pop();
    if (!version) return;
    if (version.other) setAside(this.#kept());
    to.push({ record: this.#record, other: version.other });
    this.#record = version.record;
    this.#generation();
    if (version.other) takeBack(this.#kept());
    this.#edit();
    this.#refresh();
  }

  /** Changes the tree. */
  #change(change: (record: Record) => unknown): void {
    const before = this.#record.copy();
    change(this.#record);
    this.#past.push({ record: before, other: false });
    this.#forget();
    this.#edit();
    this.#refresh();
  }

  /** Changes what is written beside the moves; the board stays as it is. */
  #note(field: string, change: (record: Record) => unknown): void {
    const goesOn = field !== '' && field === this.#field;
    if (!goesOn) {
      this.#past.push({ record: this.#record.copy(), other: false });
      this.#forget();
    }
    change(this.#record);
    this.#edit();
    this.#field = field;
    this.#tell();
  }

  #forget(): void {
    this.#future.splice(0).forEach(({ record }) => record.free());
    if (this.#past.length > MEMORY) this.#past.shift()?.record.free();
  }

  #generation(): void {
    this.generation++;
    this.#field = '';
  }

  #refresh(): void {
    const { game } = this.#record;
    if (game !== this.game || this.nodes.length === 0) this.#style = notationOf(game);
    this.game = game;
    this.#tell();
    this.#show();
  }

  /** Tells what is in the record. */
  #tell(): void {
    this.nodes = this.#record.nodes(this.#style);
    this.headers = this.#record.headers();
    this.start = this.#record.start;
    this.canUndo = this.#past.length > 0;
    this.canRedo = this.#future.length > 0;
  }

  /** Tells where the cursor stands. */
  #show(): void {
    const record = this.#record;
    this.current = record.current;
    this.#end = record.last();
    record.jump(this.current);
    this.board = record.board();
    this.positionLine = record.positionLine(this.current);
    // A study may go on after a repetition, so the moves are those of the board alone.
    const bare = new Game(record.game, this.board.position);
    this.moves = this.node?.ending === null ? bare.legalMoves() : [];
    bare.free();
  }

  // Storing.

  #edit(): void {
    this.#field = '';
    this.#untouched = false;
    this.#edited = true;
    this.#saveSoon();
  }

  /** The cursor has moved. */
  #stray(): void {
    this.#field = '';
    this.#strayed = true;
    this.#show();
    this.#saveSoon();
  }

  #kept(): Kept {
    return { ...this.snapshot(), ...(this.#untouched && { untouched: true }) };
  }

  #saveSoon(): void {
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => this.save(), 300);
  }

  /** Stores the study now, if there is anything new in it. */
  save(): void {
    clearTimeout(this.#saving);
    if (!this.#edited && !this.#strayed) return;
    const text = stored();
    const other = text === this.#known ? null : parsed(text);
    if (other && !isSame(other, parsed(this.#known))) {
      // Another tab has stored something in the meantime.
      if (!this.#edited) return this.#takeOver(other, text);
      setAside(other);
    }
    this.#edited = this.#strayed = false;
    this.#known = JSON.stringify(this.#kept());
    store(this.#known);
  }

  /** Another tab has stored something: it is shown here too, unless there are edits here that are not stored yet. */
  heed({ key, newValue }: StorageEvent): void {
    const other = isOpenStudy(key) ? parsed(newValue) : null;
    if (!other || this.#edited) return;
    if (isSame(other, this.#kept())) this.#known = newValue;
    else this.#takeOver(other, newValue);
  }

  #takeOver(study: Kept, text: string | null): void {
    let record: Record;
    try {
      record = recordOf(study);
    } catch {
      // Another version of this page may write what this one does not understand.
      return;
    }
    this.#past.splice(0).forEach((version) => version.record.free());
    this.#forget();
    this.#record = record;
    this.#known = text;
    this.#untouched = study.untouched ?? false;
    this.#edited = this.#strayed = false;
    clearTimeout(this.#saving);
    this.#generation();
    this.#refresh();
  }
}

/** The records in a file or a pasted text. */
export function recordsIn(bytes: Uint8Array, fileName: string | null = null): Record[] {
  const records = readRecords(bytes, null, fileName);
  records.forEach(mergeHeaders);
  return records;
}

/** A header that a file gives several times becomes one with all its values: a name stands for one header here. */
function mergeHeaders(record: Record): void {
  const values = new Map<string, string[]>();
  for (const { key, value } of record.headers()) {
    const known = values.get(key) ?? [];
    values.set(key, known.includes(value) ? known : [...known, value]);
  }
  if (values.size === record.headers().length) return;
  values.forEach((_, key) => record.setHeader(key, null));
  values.forEach((all, key) => record.setHeader(key, all.filter((value) => value !== '').join(' / ')));
}
