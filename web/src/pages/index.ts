// The pages of the client: a page is a folder here and a line in this list.
import type { Component } from 'svelte';
import { text } from '../shell';

export interface Page {
  /** The first part of its address: `#/name`. */
  name: string;
  title: () => string;
  /** A path of SVG drawn in a square of 24 × 24 with a stroke. */
  icon: string;
  load: () => Promise<{ default: Component }>;
}

export const PAGES: readonly [Page, ...Page[]] = [
  {
    name: 'play',
    title: () => text.play,
    icon: 'M12 3.2 17.6 5.4 19.4 20.8H4.6L6.4 5.4Z',
    load: () => import('./play/Play.svelte'),
  },
  {
    name: 'study',
    title: () => text.study,
    icon: 'M6 4v16M6 12c8 0 4-6 11-6M6 17c7 0 5-2 11-2M17 4a2 2 0 1 0 .01 0M17 13a2 2 0 1 0 .01 0',
    load: () => import('./study/Study.svelte'),
  },
  {
    name: 'problems',
    title: () => text.problems,
    icon: 'M12 3a9 9 0 1 0 .01 0M12 8a4 4 0 1 0 .01 0M12 1v4M12 19v4M1 12h4M19 12h4',
    load: () => import('./problems/Problems.svelte'),
  },
  {
    name: 'watch',
    title: () => text.watch,
    icon: 'M3 20h18M4 16l5-6 4 3 7-9',
    load: () => import('./watch/Watch.svelte'),
  },
];
