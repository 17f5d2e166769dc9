import { expect, test } from '@playwright/test';
import { begin, clickMoves, move, square, state } from './table';

test('the network answers in the browser, gives a hint, and both moves are taken back', async ({ page }) => {
  await begin(page, { second: 'Keisei, 32 simulations' });
  await clickMoves(page, '7g7f');
  await expect(move(page, 2)).toBeVisible();
  await expect(state(page)).toHaveText(/^Black to move/);
  await page.getByRole('button', { name: 'Hint' }).click();
  await expect(page.locator('path.hint, circle.ring')).toHaveCount(1);
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(move(page, 1)).toHaveCount(0);
  await expect(square(page, '7g')).toHaveAccessibleName('7g, Black pawn');
  await clickMoves(page, '2g2f');
  await expect(move(page, 2)).toBeVisible();
});

test('the agent moves first when it has the first side, and the board is turned', async ({ page }) => {
  await begin(page, { first: 'Keisei, first thought' });
  await expect(move(page, 1)).toBeVisible();
  await expect(page.locator('[role=gridcell]').first()).toHaveAttribute('data-name', '1i');
});

test('two agents play each other to the end, with a pause', async ({ page }) => {
  await begin(page, { game: 'Animal shogi', first: 'Looks 3 moves ahead', second: 'Random mover' });
  // At once: a game against a random mover may be over in a few moves.
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(move(page, 2)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Rematch' })).toBeVisible({ timeout: 45_000 });
  await expect(state(page)).toHaveText(/wins|Draw/);
});

test('chess is played against a classical player', async ({ page }) => {
  await begin(page, { game: 'Chess', second: 'Looks 2 moves ahead' });
  await clickMoves(page, 'e2e4');
  await expect(move(page, 2)).toBeVisible();
});

test('every age of the agent can be played, with as much search as is wished', async ({ page }) => {
  await begin(page);
  await page.getByRole('button', { name: 'New game' }).click();
  const seat = page.locator('[data-seat=second]');
  const ages = seat.locator('optgroup[label="The agent at its ages"] option');
  await expect.poll(() => ages.count()).toBeGreaterThanOrEqual(8);
  const youngest = await ages.first().innerText();
  await seat.selectOption({ label: youngest });
  await page.locator('[data-search=second]').selectOption({ label: 'first thought' });
  await page.getByRole('button', { name: 'Begin' }).click();
  await expect(page.locator('[data-side=second]')).toContainText(`${youngest}, first thought`);
  await clickMoves(page, '7g7f');
  await expect(move(page, 2)).toBeVisible();
});

test('the network for chess plays', async ({ page }) => {
  await begin(page, { game: 'Chess', second: 'Keisei, first thought' });
  await clickMoves(page, 'e2e4');
  await expect(move(page, 2)).toBeVisible();
});
