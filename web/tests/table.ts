// How tests sit down at the table: new games, squares, hands and moves as a player makes them.
import { expect, type Locator, type Page } from '@playwright/test';

export const square = (page: Page, name: string): Locator => page.locator(`[role=gridcell][data-name="${name}"]`);

export const inHand = (page: Page, side: 'first' | 'second', kind: string): Locator =>
  page.locator(`[data-hand=${side}] [data-kind="${kind}"]`);

export const chooser = (page: Page): Locator => page.getByRole('toolbar', { name: 'Promote?' });

/** What is said of the game: who is to move, or how it ended. */
export const state = (page: Page): Locator => page.locator('[data-state]');

export const move = (page: Page, ply: number): Locator => page.locator(`[data-ply="${ply}"]`);

interface Wanted {
  game?: 'Shogi' | 'Chess' | 'Animal shogi';
  first?: string;
  second?: string;
  start?: string;
  time?: string;
  /** SFEN or FEN, typed into the editor. */
  position?: string;
}

export async function openPlay(page: Page): Promise<void> {
  await page.goto('./#/play');
  await expect(page.getByRole('grid')).toBeVisible();
}

/** Opens the page and begins a game, between people unless told otherwise. */
export async function begin(page: Page, wanted: Wanted = {}): Promise<void> {
  await openPlay(page);
  await page.getByRole('button', { name: 'New game' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(wanted.game ?? 'Shogi', { exact: true }).click();
  await dialog.locator('[data-seat=first]').selectOption({ label: wanted.first ?? 'Human' });
  await dialog.locator('[data-seat=second]').selectOption({ label: wanted.second ?? 'Human' });
  if (wanted.start) await dialog.locator('[data-start]').selectOption({ label: wanted.start });
  if (wanted.time) await dialog.locator('[data-time]').selectOption({ label: wanted.time });
  if (wanted.position) {
    await dialog.getByRole('button', { name: 'Set up a position' }).click();
    await page.getByRole('textbox', { name: /Position/ }).fill(wanted.position);
    await page.getByRole('button', { name: 'Play from here' }).click();
  } else {
    await dialog.getByRole('button', { name: 'Begin' }).click();
  }
  await expect(dialog).toHaveCount(0);
}

interface Parts {
  from: Locator;
  to: Locator;
  promotion: string;
}

function parts(page: Page, ply: number, text: string): Parts {
  const [, origin = '', to = '', promotion = ''] = /^(..)(..)(.?)$/.exec(text) ?? [];
  // Sides take turns, and the first side begins in all games here.
  const side = ply % 2 === 1 ? 'first' : 'second';
  const from = origin.endsWith('*') ? inHand(page, side, origin.charAt(0)) : square(page, origin);
  return { from, to: square(page, to), promotion };
}

/** Answers the question of promotion, if it is asked, and waits for the move to be in the list. */
async function finish(page: Page, ply: number, promotion: string): Promise<void> {
  await expect(move(page, ply).or(chooser(page))).toBeVisible();
  if (await chooser(page).isVisible()) {
    const pieces: Record<string, string> = { q: 'queen', r: 'rook', b: 'bishop', n: 'knight' };
    const name = promotion === '' ? /do not promote/ : new RegExp(`promote to ${pieces[promotion] ?? ''}`);
    await chooser(page).getByRole('button', { name }).click();
  }
  await expect(move(page, ply)).toBeVisible();
}

/** Plays moves written as USI or UCI by clicking on pieces and squares, from ply `from` on. */
export async function clickMoves(page: Page, moves: string, from = 1): Promise<void> {
  for (const [i, text] of moves.split(' ').entries()) {
    const { from: origin, to, promotion } = parts(page, from + i, text);
    await origin.click();
    await to.click();
    await finish(page, from + i, promotion);
  }
}

/** Plays moves by dragging pieces. */
export async function dragMoves(page: Page, moves: string, from = 1): Promise<void> {
  for (const [i, text] of moves.split(' ').entries()) {
    const { from: origin, to, promotion } = parts(page, from + i, text);
    await origin.hover();
    await page.mouse.down();
    await to.hover();
    await page.mouse.up();
    await finish(page, from + i, promotion);
  }
}

/** The names of the squares that are marked as targets. */
export async function targets(page: Page): Promise<string[]> {
  return page.locator('.target').evaluateAll((cells) => cells.map((cell) => (cell as HTMLElement).dataset['name'] ?? ''));
}
