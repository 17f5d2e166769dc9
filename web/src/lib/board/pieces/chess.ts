// The pieces of chess, of our own drawing, in a box of 100 × 100: filled shapes and lines over them.
import type { Kind } from '../types';

interface Drawing {
  shapes: readonly string[];
  lines?: string;
}

const disc = (x: number, y: number, r: number) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
const foot = (half: number) =>
  `M${50 - half} 87h${2 * half}v-4.5q0-6-7-8.5H${50 - half + 7}q-7 2.5-7 8.5Z`;
const collar = (half: number, y: number) => `M${50 - half} ${y}h${2 * half}q3 0 3 3t-3 3H${50 - half}q-3 0-3-3t3-3Z`;

export const CHESS: Record<Kind, Drawing> = {
  P: {
    shapes: [foot(24), 'M42 48Q41 63 33 74H67Q59 63 58 48Z', collar(12, 44), disc(50, 33, 12.5)],
  },
  R: {
    shapes: [foot(28), 'M35 42L32 74H68L65 42Z', 'M28 22H37.5V28H45V22H55V28H62.5V22H72V37L66 43H34L28 37Z'],
    lines: 'M34 43H66',
  },
  N: {
    shapes: [
      foot(27),
      'M32 74C32 60 47 57 48 46C43 50 37 50 33 54C28 59 19 55 20 48C21 43 27 38 29 32C31 26 36 23 40 21L42 12L49 19C66 19 76 34 75 54C75 62 73 68 70 74Z',
    ],
    lines: 'M55 25C65 32 69 44 67 60M24 49.5L26 48M39 32.5L41.5 31.5',
  },
  B: {
    shapes: [
      foot(26),
      'M42 56Q41 66 34 74H66Q59 66 58 56Z',
      'M50 21C62 29 67 38 63 47C61.5 50 59 51 57 51H43C41 51 38.5 50 37 47C33 38 38 29 50 21Z',
      collar(13, 51),
      disc(50, 17, 4.5),
    ],
    lines: 'M50 31V44M43.5 37H56.5',
  },
  Q: {
    shapes: [
      foot(29),
      'M36 57Q36 66 31 74H69Q64 66 64 57Z',
      'M22 27L32 54H68L78 27L64.5 41L61 20L50 38L39 20L35.5 41Z',
      collar(18, 53),
      disc(21, 24, 4.5),
      disc(39, 17, 4.5),
      disc(61, 17, 4.5),
      disc(79, 24, 4.5),
    ],
  },
  K: {
    shapes: [
      foot(29),
      'M36 57Q36 66 31 74H69Q64 66 64 57Z',
      'M46.5 10H53.5V15.5H59V22H53.5V33H46.5V22H41V15.5H46.5Z',
      'M34 54C22 44 23 32 34 30C41 29 47 32 50 38C53 32 59 29 66 30C77 32 78 44 66 54Z',
      collar(18, 53),
    ],
    lines: 'M50 38V52',
  },
};
