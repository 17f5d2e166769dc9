// The pieces of shogi: pentagons with characters or with letters and the ways they move.
import type { Kind } from '../types';
import glyphs from './glyphs.json';

/** Pieces of shogi are drawn in a box of this width and height; squares have the same proportions. */
export const WIDTH = 100;
export const HEIGHT = 109;

type Style = keyof typeof glyphs;
interface Glyph {
  size: number[];
  path: string;
}

/** A character fitted into a part of the piece. */
export interface Character {
  path: string;
  transform: string;
}

/** Kings, and what is written on each kind: two characters, one. The first side plays the jewelled king. */
const WRITING: Record<Kind, readonly [two: string, one: string]> = {
  K: ['玉将', '玉'],
  R: ['飛車', '飛'],
  B: ['角行', '角'],
  G: ['金将', '金'],
  S: ['銀将', '銀'],
  N: ['桂馬', '桂'],
  L: ['香車', '香'],
  P: ['歩兵', '歩'],
  '+R': ['龍王', '龍'],
  '+B': ['龍馬', '馬'],
  '+S': ['成銀', '全'],
  '+N': ['成桂', '圭'],
  '+L': ['成香', '杏'],
  '+P': ['と', 'と'],
};

export const SHOGI_KINDS = Object.keys(WRITING);

/** The king of the stronger or elder player: 王 where the other has 玉. */
export const SECOND_KING = 'K2';

function writing(kind: Kind): readonly [string, string] {
  return kind === SECOND_KING ? ['王将', '王'] : (WRITING[kind] ?? ['', '']);
}

/** How large a kind is beside the king. */
export function scaleOf(kind: Kind): number {
  const base = kind.replace('+', '').charAt(0);
  return { K: 1, R: 0.97, B: 0.97, G: 0.94, S: 0.94, N: 0.9, L: 0.88, P: 0.85 }[base] ?? 1;
}

function fit(style: Style, character: string, [x, y, width, height]: readonly number[], stretch: number): Character {
  const glyph = (glyphs[style] as Record<string, Glyph>)[character]!;
  const [w = 1, h = 1] = glyph.size;
  // Characters are stretched towards the box, but only so far that they keep their look.
  const scale = Math.min(width! / w, height! / h);
  const across = Math.min(width! / w, scale * stretch);
  const down = Math.min(height! / h, scale * stretch);
  const left = x! + (width! - w * across) / 2;
  const top = y! + (height! - h * down) / 2;
  const numbers = [across, 0, 0, down, left, top].map((value) => value.toFixed(3));
  return { path: glyph.path, transform: `matrix(${numbers.join(' ')})` };
}

export function twoKanji(kind: Kind): Character[] {
  const [upper = '', lower] = writing(kind)[0];
  if (lower === undefined) return [fit('brush', upper, [27, 32, 46, 58], 1.1)];
  return [fit('brush', upper, [29, 19, 42, 39], 1.35), fit('brush', lower, [27, 58, 46, 40], 1.35)];
}

export function oneKanji(kind: Kind): Character[] {
  return [fit('mincho', writing(kind)[1], [24, 28, 52, 62], 1.12)];
}

/** How each kind moves in the eight directions, ahead and on clockwise: a step, a slide or not at all. */
const GOLD = 'sss-s-ss';
const REACH: Record<Kind, string> = {
  K: 'ssssssss',
  R: 'l-l-l-l-',
  B: '-l-l-l-l',
  G: GOLD,
  S: 'ss-s-s-s',
  N: '',
  L: 'l-------',
  P: 's-------',
  '+R': 'lslslsls',
  '+B': 'slslslsl',
  '+S': GOLD,
  '+N': GOLD,
  '+L': GOLD,
  '+P': GOLD,
};

/** The letter of a kind, and strokes around it that show how it moves. */
export function international(kind: Kind): { letter: Character; strokes: string } {
  const plain = kind === SECOND_KING ? 'K' : kind;
  const letter = fit('mincho', plain.replace('+', ''), [34.5, 44, 31, 36], 1.1);
  const strokes = [...(REACH[plain] ?? '')].map((reach, direction) => {
    if (reach === '-') return '';
    const angle = (direction * Math.PI) / 4;
    const [x, y] = [Math.sin(angle), -Math.cos(angle)];
    const at = (radius: number) => `${(50 + x * radius).toFixed(1)} ${(61 + y * radius * 1.12).toFixed(1)}`;
    const [from, to] = reach === 'l' ? [26, 37] : [30, 30.2];
    return `M${at(from)}L${at(to)}`;
  });
  if (plain === 'N') strokes.push('M44.5 36L40 24M55.5 36L60 24');
  return { letter, strokes: strokes.join('') };
}
