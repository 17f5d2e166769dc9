import { expect, test, type Page } from '@playwright/test';
import { begin, inHand, square, state } from './table';

/** Walks with the arrow keys from the focused square to another. */
async function walk(page: Page, to: string): Promise<void> {
  const place = (name: string) =>
    square(page, name).evaluate((cell) => {
      const row = cell.parentElement!;
      return [[...row.children].indexOf(cell), [...row.parentElement!.children].indexOf(row)] as const;
    });
  const from = await page.evaluate(() => (document.activeElement as HTMLElement).dataset['name'] ?? '');
  const [[x0, y0], [x1, y1]] = [await place(from), await place(to)];
  for (let x = x0; x !== x1; x += Math.sign(x1 - x0)) await page.keyboard.press(x1 > x0 ? 'ArrowRight' : 'ArrowLeft');
  for (let y = y0; y !== y1; y += Math.sign(y1 - y0)) await page.keyboard.press(y1 > y0 ? 'ArrowDown' : 'ArrowUp');
  await expect(square(page, to)).toBeFocused();
}

async function press(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) {
    await walk(page, name);
    await page.keyboard.press('Enter');
  }
}

/** Tabs until something in the board has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let i = 0; i < 60; i++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reaches ${selector}`);
}

test('a whole game by keyboard alone', async ({ page }) => {
  await begin(page, { game: 'Chess' });
  await tabTo(page, '[role=gridcell]');
  await press(page, 'f2', 'f3', 'e7', 'e5', 'g2', 'g4', 'd8', 'h4');
  await expect(state(page)).toHaveText(/Checkmate\s*Black wins/);
  await expect(page.locator('[role=status][aria-live]')).toContainText('Black: Qh4#. Checkmate. Black wins');
});

test('a drop and a promotion by keyboard, and what is said of them', async ({ page }) => {
  await begin(page);
  await tabTo(page, '[role=gridcell]');
  await press(page, '7g', '7f', '3c', '3d', '8h', '2b');
  await expect(page.getByRole('button', { name: 'promote to horse' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('button', { name: 'do not promote, stay bishop' })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(square(page, '2b')).toBeFocused();
  await press(page, '3a', '2b');
  await tabTo(page, '[data-hand=first] button');
  while (!(await inHand(page, 'first', 'B').evaluate((slot) => slot === document.activeElement))) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await expect(page.locator('[role=status][aria-live]')).toContainText('bishop picked up');
  await press(page, '5e');
  await expect(square(page, '5e')).toHaveAccessibleName('5e, Black bishop');
});
