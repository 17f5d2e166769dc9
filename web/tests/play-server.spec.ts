// Players of a real server at the table.
import { expect, test } from '@playwright/test';
import { Keisei } from './keisei';
import { clickMoves, move, state } from './table';

test.describe.configure({ mode: 'serial' });

const keisei = new Keisei();

test.beforeAll(async () => {
  test.setTimeout(180_000);
  expect(keisei.train('first', 1024)).toMatchObject({ status: 0 });
  await keisei.serve();
});

test.afterAll(() => keisei.end());

test('a player of the server answers, and what it thinks about can be taken back', async ({ page }) => {
  await page.goto(`${keisei.address}#/play`);
  await page.getByRole('button', { name: 'New game' }).click();
  const seat = page.locator('[data-seat=second]');
  await expect(seat.locator('optgroup[label="On the server"] option', { hasText: 'ab:2' }).first()).toBeAttached();
  await seat.selectOption({ label: 'ab:2' });
  await page.getByRole('button', { name: 'Begin' }).click();
  await expect(page.locator('[data-side=second]')).toContainText('ab:2');
  await clickMoves(page, '7g7f');
  await expect(move(page, 2)).toBeVisible();
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(move(page, 1)).toHaveCount(0);
  await clickMoves(page, '2g2f');
  await expect(move(page, 2)).toBeVisible();
  await expect(state(page)).toHaveText(/^Black to move/);
});

test('the network of a run plays from the address that its checkpoint links to', async ({ page }) => {
  await page.goto(`${keisei.address}#/watch/first/checkpoints`);
  await page.getByRole('main').getByRole('link', { name: 'Play this one' }).first().click();
  await expect(page.getByRole('grid')).toBeVisible();
  await expect(page.locator('[data-side=second]')).toContainText('first');
  await clickMoves(page, '7g7f');
  await expect(move(page, 2)).toBeVisible();
});
