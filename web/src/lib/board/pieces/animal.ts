// The pieces of animal shogi, of our own drawing, in a box of 100 × 100: a face and, at the edge of
// the tile, a dot for each way it may step.
import type { Kind } from '../types';
import glyphs from './glyphs.json';

/** A filled shape: its colour is a custom property of the theme or the colour of a line. */
export interface Shape {
  fill: string;
  path: string;
}

const disc = (x: number, y: number, r: number, s = r) =>
  `M${x - r} ${y}a${r} ${s} 0 1 0 ${2 * r} 0a${r} ${s} 0 1 0 ${-2 * r} 0Z`;
const eyes = (y: number, apart: number, r = 3.2) => ({
  fill: '#2b2018',
  path: disc(50 - apart, y, r) + disc(50 + apart, y, r),
});
const petals = Array.from({ length: 12 }, (_, i) => {
  const angle = (i * Math.PI) / 6;
  return disc(50 + 22 * Math.sin(angle), 52 - 22 * Math.cos(angle), 9.5);
}).join('');

export const FACES: Record<Kind, readonly Shape[]> = {
  C: [
    { fill: '#e9b32c', path: 'M46 28Q44 20 40 18Q50 17 52 26Q56 19 61 20Q56 24 55 30Z' },
    { fill: '#f4cb45', path: disc(50, 53, 26) },
    { fill: '#ee9d3c', path: disc(33, 61, 4.5, 3.2) + disc(67, 61, 4.5, 3.2) },
    eyes(50, 11),
    { fill: '#dd6f22', path: 'M43 56Q50 52 57 56Q54 65 50 66Q46 65 43 56Z' },
  ],
  '+C': [
    { fill: '#c7382a', path: disc(40, 27, 7) + disc(50, 22, 8) + disc(60, 27, 7) },
    { fill: '#fffaf0', path: disc(50, 54, 26) },
    { fill: '#c7382a', path: disc(46, 71, 4.2, 6) + disc(54, 71, 4.2, 6) },
    eyes(50, 11),
    { fill: '#e09a2b', path: 'M42 56Q50 51 58 56Q55 67 50 68Q45 67 42 56Z' },
  ],
  E: [
    { fill: '#8595a5', path: disc(25, 46, 14, 17) + disc(75, 46, 14, 17) },
    { fill: '#c9b3b6', path: disc(25, 47, 8, 11) + disc(75, 47, 8, 11) },
    { fill: '#9aa9b7', path: disc(50, 46, 22, 21) },
    { fill: '#9aa9b7', path: 'M41 52H59V72Q59 81 67 80Q70 79 72 81Q70 88 62 87Q41 86 41 72Z' },
    { fill: '#fffaf0', path: 'M38 60Q33 66 35 73Q40 70 41 62ZM62 60Q67 66 65 73Q60 70 59 62Z' },
    eyes(44, 12),
  ],
  G: [
    { fill: '#8a5a2b', path: disc(42, 17, 4) + disc(58, 17, 4) + 'M40.5 17H43.5L45 34H41ZM56.5 17H59.5L59 34H55Z' },
    { fill: '#d9a441', path: 'M34 36Q22 26 18 34Q22 44 36 43ZM66 36Q78 26 82 34Q78 44 64 43Z' },
    { fill: '#eabf5a', path: 'M34 38Q36 28 50 28Q64 28 66 38L64 66Q63 84 50 84Q37 84 36 66Z' },
    { fill: '#b97a34', path: disc(41, 36, 4, 3) + disc(58, 34, 4.5, 3.2) + disc(50, 40, 3, 2.5) },
    { fill: '#f6e3b4', path: disc(50, 73, 14, 11) },
    { fill: '#5a3a1c', path: disc(45, 70, 1.8) + disc(55, 70, 1.8) + 'M44 77Q50 81 56 77L56 78.5Q50 83 44 78.5Z' },
    eyes(51, 11),
  ],
  L: [
    { fill: '#b0622a', path: petals },
    { fill: '#c97a38', path: disc(50, 52, 25) },
    { fill: '#eebc62', path: disc(34, 33, 6) + disc(66, 33, 6) + disc(50, 53, 19.5) },
    { fill: '#f8e2b0', path: disc(45, 62, 6.5, 5.5) + disc(55, 62, 6.5, 5.5) },
    { fill: '#4a2c16', path: 'M45 55H55Q54 61 50 61Q46 61 45 55Z' },
    eyes(48, 9.5, 2.8),
  ],
};

const WRITING: Record<Kind, string> = { C: '雛', '+C': '鶏', E: '象', G: '麒', L: '獅' };

/** The character of a kind, for those who prefer reading to drawings. */
export function character(kind: Kind): { path: string; transform: string } {
  const glyph = (glyphs.mincho as Record<string, { size: number[]; path: string }>)[WRITING[kind] ?? '象']!;
  const [w = 1, h = 1] = glyph.size;
  const scale = 54 / Math.max(w, h);
  return { path: glyph.path, transform: `translate(${50 - (w * scale) / 2} ${50 - (h * scale) / 2}) scale(${scale})` };
}

const STEPS: Record<Kind, readonly number[]> = {
  C: [0],
  '+C': [0, 1, 2, 4, 6, 7],
  E: [1, 3, 5, 7],
  G: [0, 2, 4, 6],
  L: [0, 1, 2, 3, 4, 5, 6, 7],
};

/** The dots at the edge: the eighths of a turn, clockwise from ahead, in which the kind steps. */
export function dots(kind: Kind): string {
  return (STEPS[kind] ?? [])
    .map((eighth) => {
      const angle = (eighth * Math.PI) / 4;
      const [x, y] = [Math.sin(angle), -Math.cos(angle)];
      const reach = 38 / Math.max(Math.abs(x), Math.abs(y));
      return disc(50 + x * reach, 50 + y * reach, 2.6);
    })
    .join('');
}

export const ANIMAL_KINDS = Object.keys(FACES);
