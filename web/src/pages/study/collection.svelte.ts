// A collection of records for statistics, and the favourite moves of positions.
import { Library, readRecords } from '$pkg';
import type { GameName, PlayedMove } from '$pkg';
import { recall, remember } from '$lib/settings.svelte';

const FAVOURITES = 'keisei.study.favourites';
/** Files that cannot be records are not even opened. */
const EXTENSIONS = /\.(kif|kifu|kifx|ki2|ki2u|csa|jkf|json|usi|sfen|uci|fen|epd|sfenx|pgn)$/i;

export const isRecordFile = (name: string): boolean => EXTENSIONS.test(name);

export class Collection {
  #library: Library | undefined;
  game = $state<GameName>('shogi');
  games = $state(0);
  unreadable = $state.raw<readonly string[]>([]);
  /** How many files are still to be read. */
  waiting = $state(0);

  /** Reads the records of `game` among the files and adds them. */
  async add(game: GameName, files: readonly File[]): Promise<void> {
    if (game !== this.game || !this.#library) this.clear(game);
    const records = files.filter(({ name }) => isRecordFile(name));
    this.waiting += records.length;
    for (const file of records) {
      try {
        const bytes = new Uint8Array(await file.arrayBuffer());
        for (const record of readRecords(bytes, null, file.name)) {
          if (record.game === game) this.#library?.add(record);
          record.free();
        }
      } catch {
        this.unreadable = [...this.unreadable, file.name];
      }
      this.waiting--;
      this.games = this.#library?.games ?? 0;
    }
  }

  clear(game: GameName): void {
    this.#library?.free();
    this.#library = new Library(game, false);
    this.game = game;
    this.games = 0;
    this.unreadable = [];
  }

  at(game: GameName, position: string): readonly PlayedMove[] {
    return this.#library && game === this.game && this.games > 0 ? this.#library.moves(position) : [];
  }
}

/** A position without its move number: the same one wherever it is met. */
const placeOf = (game: GameName, position: string) =>
  `${game} ${game === 'chess' ? position.split(' ').slice(0, 4).join(' ') : position.replace(/ \d+$/, '')}`;

export class Favourites {
  #moves = $state<Record<string, string[]>>({});

  constructor() {
    const stored = recall(FAVOURITES);
    if (typeof stored === 'object' && stored !== null) this.#moves = stored as Record<string, string[]>;
  }

  of(game: GameName, position: string): readonly string[] {
    return this.#moves[placeOf(game, position)] ?? [];
  }

  toggle(game: GameName, position: string, move: string): void {
    const place = placeOf(game, position);
    const moves = this.#moves[place] ?? [];
    const rest = moves.filter((known) => known !== move);
    const now = rest.length === moves.length ? [...moves, move] : rest;
    if (now.length > 0) this.#moves[place] = now;
    else delete this.#moves[place];
    remember(FAVOURITES, this.#moves);
  }
}
