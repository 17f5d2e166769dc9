// Names of the drawings in Symbols.svelte, which is put into the document when the first board is.
import { mount } from 'svelte';
import type { GameName, Piece } from '../types';
import { SECOND_KING } from './shogi';
import Symbols from './Symbols.svelte';

mount(Symbols, { target: document.body });

/** The reference of a piece's drawing, for `<use href>`. */
export function drawing(game: GameName, { kind, side }: Piece): string {
  if (game === 'chess') return `#chess-${side}-${kind}`;
  if (game === 'shogi' && kind === 'K' && side === 'second') return `#shogi-${SECOND_KING}`;
  return `#${game}-${kind}`;
}
