// A study: a record with its cursor, edited with undo and kept in this browser.
import { Game, Record, gameInfo, readRecords } from '$pkg';
import type { BoardData, GameName, Header, MoveParts, NodeEvaluation, NotationStyle, Outcome, TreeNode } from '$pkg';
import { lineTo } from '$lib/tree/graph';
import { numberOf } from '$lib/tree/numbers';
import { recordOf, snapshotOf, type Snapshot } from '$lib/tree/snapshot';
import { recall, remember, settings } from '$lib/settings.svelte';

const KEY = 'keisei.study';
/** How many edits can be undone. */
const MEMORY = 200;

/** The notation that moves of `game` are written in, by the settings. */
export function notationOf(game: GameName): NotationStyle {
  const { notations } = gameInfo(game);
  const wished = game === 'chess' ? 'san' : settings.notation;
  return notations.find((style) => style === wished) ?? notations[0] ?? 'usi';
}

export class Study {
  #record: Record;
  #past: Record[] = [];
  #future: Record[] = [];
  #style = $state<NotationStyle>('usi');
  #saving: ReturnType<typeof setTimeout> | undefined;

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
    try {
      const snapshot = recall(KEY) as Snapshot | undefined;
      if (snapshot) return new Study(recordOf(snapshot));
    } catch {
      // What an older version stored may no longer be understood.
    }
    return new Study(new Record('shogi'));
  }

  get style(): NotationStyle {
    return this.#style;
  }

  /** Writes the moves in another notation. */
  spell(style: NotationStyle): void {
    this.#style = style;
    this.nodes = this.#record.nodes(style);
  }

  /** Puts another record in the place of this one; that can be undone. */
  replace(record: Record): void {
    this.#keep();
    this.#record = record;
    this.#refresh();
  }

  snapshot(): Snapshot {
    return snapshotOf(this.#record);
  }

  write(...args: Parameters<Record['write']>): ReturnType<Record['write']> {
    return this.#record.write(...args);
  }

  /** The line of players that leads to a node. */
  lineAt(id: number): string {
    return this.byId.has(id) ? this.#record.positionLine(id) : '';
  }

  /** How the game is over at a node, where there is nothing left to think about. */
  outcomeAt(id: number): Outcome | undefined {
    const game = this.#record.gameAt(id);
    const outcome = game.outcome();
    game.free();
    return outcome;
  }

  /** The record itself, for another study to take over. */
  release(): Record {
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
    this.#moved();
  }
  next(): void {
    this.#record.next();
    this.#moved();
  }
  previous(): void {
    this.#record.previous();
    this.#moved();
  }
  first(): void {
    this.#record.first();
    this.#moved();
  }
  last(): void {
    this.#record.last();
    this.#moved();
  }
  /** To the next or the previous variation of this move; where there is none, to the end or the start of the line. */
  cycle(direction: 1 | -1): void {
    const moved = direction === 1 ? this.#record.sibling() : this.#record.siblingBefore();
    if (moved === undefined) {
      if (direction === 1) this.#record.last();
      else this.#record.first();
    }
    this.#moved();
  }

  // Editing.

  /** Plays a move here. One that is there already is only followed. */
  play(move: string): void {
    const known = this.children.some((child) => child.move?.move === move);
    if (known) {
      this.#record.play(move);
      this.#moved();
    } else {
      this.#edit((record) => record.play(move));
    }
  }
  /** Adds a line of moves here and goes to the end of it. */
  playLine(moves: readonly string[]): void {
    this.#edit((record) => moves.forEach((move) => record.play(move)));
  }
  promote(id: number): void {
    this.#edit((record) => record.promote(id));
  }
  demote(id: number): void {
    this.#edit((record) => record.demote(id));
  }
  makeMain(id: number): void {
    this.#edit((record) => record.makeMain(id));
  }
  remove(id: number): void {
    this.#edit((record) => record.remove(id));
  }
  setComment(id: number, text: string): void {
    if (text !== this.byId.get(id)?.comment) this.#edit((record) => record.setComment(id, text));
  }
  setBookmark(id: number, name: string | null): void {
    this.#edit((record) => record.setBookmark(id, name));
  }
  setHeader(key: string, value: string | null): void {
    this.#edit((record) => record.setHeader(key, value));
  }
  /** Notes what an analysis thinks of a node. That is no edit of its own to undo. */
  evaluate(id: number, evaluation: NodeEvaluation): void {
    const node = this.byId.get(id);
    if (!node) return;
    const others = node.evaluations.filter(({ by, engine }) => by !== evaluation.by || engine !== evaluation.engine);
    this.#record.setEvaluations(id, [...others, evaluation]);
    this.nodes = this.#record.nodes(this.#style);
    this.#save();
  }

  undo(): void {
    const past = this.#past.pop();
    if (!past) return;
    this.#future.push(this.#record);
    this.#record = past;
    this.#refresh();
  }
  redo(): void {
    const future = this.#future.pop();
    if (!future) return;
    this.#past.push(this.#record);
    this.#record = future;
    this.#refresh();
  }

  #edit(change: (record: Record) => unknown): void {
    const before = this.#record.copy();
    change(this.#record);
    this.#past.push(before);
    this.#forget();
    this.#refresh();
  }

  /** Keeps the record as it is for undo. */
  #keep(): void {
    this.#past.push(this.#record);
    this.#forget();
  }

  #forget(): void {
    this.#future.splice(0).forEach((record) => record.free());
    if (this.#past.length > MEMORY) this.#past.shift()?.free();
  }

  #refresh(): void {
    const { game } = this.#record;
    if (game !== this.game || this.nodes.length === 0) this.#style = notationOf(game);
    this.game = game;
    this.nodes = this.#record.nodes(this.#style);
    this.headers = this.#record.headers();
    this.start = this.#record.start;
    this.canUndo = this.#past.length > 0;
    this.canRedo = this.#future.length > 0;
    this.#moved();
  }

  #moved(): void {
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
    this.#save();
  }

  #save(): void {
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => this.save(), 300);
  }

  /** Stores the study now. */
  save(): void {
    clearTimeout(this.#saving);
    remember(KEY, this.snapshot());
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
