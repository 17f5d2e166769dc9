// Mate problems: the solver judges, every correct line is accepted, a wrong one refuted.
import { expect, test, type Locator, type Page } from '@playwright/test';

const square = (page: Page, name: string): Locator => page.locator(`[data-name="${name}"]`);
const says = (page: Page): Locator => page.locator('.says[role=status]');

async function move(page: Page, from: string, to: string) {
  await square(page, from).click();
  await square(page, to).click();
}

/** A mate in three: after the only first move two golds mate. */
const TWO_WAYS = './#/problems/shogi/79';

test('a problem is solved along either of two correct lines', async ({ page }) => {
  await page.goto(TWO_WAYS);
  await expect(page.getByRole('heading', { name: 'Mate in 3 plies' })).toBeVisible();
  for (const last of ['7b', '7c']) {
    await move(page, '6c', '7b');
    await expect(says(page)).toContainText('Correct');
    await expect(square(page, '9a')).toHaveAccessibleName(/king/);
    await move(page, last, '8b');
    await expect(says(page)).toContainText('Mate! Solved.');
    await expect(page.getByRole('link', { name: 'Problem 79, solved' })).toBeVisible();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(square(page, '8a')).toHaveAccessibleName(/king/);
  }
});

test('a wrong check is refuted on the board, and a move without check is refused', async ({ page }) => {
  await page.goto(TWO_WAYS);
  await move(page, '7c', '8b');
  await expect(says(page)).toContainText('No mate');
  await expect(square(page, '8b')).toHaveAccessibleName(/king/);
  await expect(page.getByRole('list', { name: 'Moves' }).getByRole('listitem')).toHaveCount(2);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(square(page, '8a')).toHaveAccessibleName(/king/);
  await move(page, '6c', '6b');
  await expect(says(page)).toContainText('no check');
  await expect(square(page, '6c')).toHaveAccessibleName(/silver/);
  await expect(page.getByRole('link', { name: 'Problem 79, tried' })).toBeVisible();
});

test('a hint points at the move and the solution plays itself; neither counts as solved', async ({ page }) => {
  await page.goto(TWO_WAYS);
  await page.getByRole('button', { name: 'Hint' }).click();
  await expect(page.locator('[role=grid] path.hint')).toHaveCount(1);
  await page.getByRole('button', { name: 'Solution' }).click();
  await expect(page.getByRole('list', { name: 'Moves' }).getByRole('listitem')).toHaveCount(3);
  await expect(page.getByRole('link', { name: 'Problem 79, tried' })).toBeVisible();
});

test('problems are chosen by length, in turn and at random, and what was solved is remembered', async ({ page }) => {
  await page.goto(TWO_WAYS);
  await move(page, '6c', '7b');
  await expect(says(page)).toContainText('Correct');
  await move(page, '7b', '8b');
  await expect(says(page)).toContainText('Solved');
  await page.reload();
  await expect(page.getByRole('link', { name: 'Problem 79, solved' })).toBeVisible();
  await page.getByRole('button', { name: '5 plies' }).click();
  await expect(page.getByRole('heading', { name: 'Mate in 5 plies' })).toBeVisible();
  await expect(page.getByText('0 of 60 solved')).toBeVisible();
  const at = async () => Number((await page.evaluate(() => location.hash)).split('/').at(-1));
  const first = await at();
  await page.keyboard.press('n');
  await expect.poll(at).toBe(first + 1);
  await page.keyboard.press('p');
  await expect.poll(at).toBe(first);
  await page.getByRole('button', { name: 'Random' }).click();
  await expect.poll(at).not.toBe(first);
  await expect(page.getByRole('heading', { name: 'Mate in 5 plies' })).toBeVisible();
});

test('chess has problems too, and any of them opens as a study', async ({ page }) => {
  await page.goto(TWO_WAYS);
  await page.getByText('Chess', { exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Mate in 1', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Study it' }).click();
  await expect(page.getByRole('list', { name: 'Moves' })).toContainText('Start');
  await expect(page).toHaveURL(/#\/study$/);
});

test('taking back waits for the judge', async ({ page }) => {
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await page.clock.install();
  await page.goto(TWO_WAYS);
  await expect(square(page, '6c')).toBeVisible();
  // The judge's answer waits until time goes on.
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await move(page, '6c', '7b');
  await expect(says(page)).toContainText('Judging');
  await page.keyboard.press('Backspace');
  await expect(says(page)).toContainText('Judging');
  await page.clock.runFor(2000);
  await expect(says(page)).toContainText('Correct');
  expect(errors).toEqual([]);
});

test('a solution that is asked for anew is played once', async ({ page }) => {
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await page.clock.install();
  await page.goto(TWO_WAYS);
  await expect(square(page, '6c')).toBeVisible();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  const moves = page.getByRole('list', { name: 'Moves' }).getByRole('listitem');
  await page.getByRole('button', { name: 'Solution' }).click();
  await expect(moves).toHaveCount(1);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(moves).toHaveCount(0);
  await page.getByRole('button', { name: 'Solution' }).click();
  await expect(moves).toHaveCount(1);
  await page.clock.runFor(950);
  await expect(moves).toHaveCount(2);
  await page.clock.runFor(950);
  await expect(moves).toHaveCount(3);
  expect(errors).toEqual([]);
});

test('the list shows the problem that an address names', async ({ page }) => {
  await page.goto('./#/problems/shogi/250');
  await expect(page.getByRole('link', { name: 'Problem 250', exact: true })).toBeInViewport();
});
