// The studies that this browser keeps: the open one, and the last ones that made way for others.
import { gameInfo } from '$pkg';
import type { Snapshot } from '$lib/tree/snapshot';

const OPEN = 'keisei.study';
const RECENT = 'keisei.study.recent';
/** How many studies are kept besides the open one. */
const MOST = 12;

/** A study as it is kept. */
export interface Kept extends Snapshot {
  /** Nobody has changed it since it was opened, so it can be had again where it came from. */
  untouched?: true;
}

export interface Recent {
  /** When it made way for another, in milliseconds since 1970. */
  at: number;
  study: Kept;
}

export const isOpenStudy = (key: string | null): boolean => key === OPEN;

/** The study in a stored text, or `null` where there is none. */
export function parsed(text: string | null): Kept | null {
  try {
    return text === null ? null : (JSON.parse(text) as Kept);
  } catch {
    return null;
  }
}

/** The open study as it is stored. */
export function stored(): string | null {
  try {
    return localStorage.getItem(OPEN);
  } catch {
    return null;
  }
}

/** Stores the open study. Where the browser has no room left, earlier studies make room for it. */
export function store(text: string): void {
  for (let tries = 0; tries <= MOST; tries++) {
    try {
      return localStorage.setItem(OPEN, text);
    } catch {
      const all = recent();
      // Storage is forbidden or too small for this study alone: the page works on without a memory.
      if (all.length === 0) return;
      all.splice(leastMissed(all), 1);
      keep(all);
    }
  }
}

/** The studies that made way for others, the last one first. */
export function recent(): Recent[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(RECENT) ?? '[]');
    return Array.isArray(found) ? (found as Recent[]) : [];
  } catch {
    return [];
  }
}

/** Keeps a study that makes way for another, unless there is nothing in it. */
export function setAside(study: Kept): void {
  if (isBlank(study)) return;
  const others = recent().filter((one) => !isSame(one.study, study));
  const all = [{ at: Date.now(), study }, ...others];
  if (all.length > MOST) all.splice(leastMissed(all), 1);
  keep(all);
}

/** Takes a study off the list: it is open again. */
export function takeBack(study: Kept): void {
  const all = recent();
  const others = all.filter((one) => !isSame(one.study, study));
  if (others.length < all.length) keep(others);
}

/** Whether two studies differ in nothing but the place of the cursor. */
export function isSame(one: Kept | null, other: Kept | null): boolean {
  return one !== null && other !== null && contents(one) === contents(other);
}

const contents = ({ game, start, headers, root, steps }: Kept) => JSON.stringify([game, start, headers, root, steps]);

function isBlank({ game, start, headers, root, steps }: Kept): boolean {
  return steps.length === 0 && headers.length === 0 && Object.keys(root).length === 0 && start === gameInfo(game).start;
}

/** The place of the study that can best be done without: the oldest untouched one, or else the oldest. */
function leastMissed(all: readonly Recent[]): number {
  const untouched = all.findLastIndex(({ study }, place) => study.untouched && place > 0);
  return untouched > 0 ? untouched : all.length - 1;
}

function keep(all: Recent[]): void {
  while (all.length > 0) {
    try {
      return localStorage.setItem(RECENT, JSON.stringify(all));
    } catch {
      // No room for all of them.
      all.splice(leastMissed(all), 1);
    }
  }
  try {
    localStorage.removeItem(RECENT);
  } catch {
    // Storage is forbidden.
  }
}
