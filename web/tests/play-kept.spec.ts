// What is kept of a game: unfinished ones, their time, and what addresses may ask for.
import { expect, test, type Page } from '@playwright/test';
import { begin, clickMoves, move, square, state } from './table';

const clock = (page: Page, side: 'first' | 'second') => page.locator(`[data-side=${side}]`).getByRole('timer');
const back = (page: Page) => page.getByRole('button', { name: 'Back to the unfinished game' });

test('a game that was not finished waits beside the one that takes its place', async ({ page }) => {
  await begin(page);
  await clickMoves(page, '7g7f 3c3d');
  // A link is followed while the page is open.
  await page.evaluate(() => (location.hash = '#/play?game=chess'));
  await expect(square(page, 'e1')).toHaveAccessibleName('e1, White king');
  await back(page).click();
  await expect(move(page, 2)).toHaveText('P-3d');
  await expect(page.getByRole('button', { name: 'New game' })).toBeVisible();
  await expect(back(page)).toHaveCount(0);
  // Both have moves now, so each waits for the other.
  await begin(page, { game: 'Chess' });
  await clickMoves(page, 'e2e4');
  await page.getByRole('button', { name: 'New game' }).click();
  await back(page).click();
  await expect(move(page, 2)).toHaveText('P-3d');
  await page.getByRole('button', { name: 'New game' }).click();
  await back(page).click();
  await expect(move(page, 1)).toHaveText('e4');
});

test('a new game in another tab leaves the one that is played here', async ({ page, context }) => {
  await begin(page);
  await clickMoves(page, '7g7f');
  const other = await context.newPage();
  await begin(other, { game: 'Chess' });
  await clickMoves(other, 'e2e4');
  await clickMoves(page, '3c3d', 2);
  await page.reload();
  await expect(move(page, 2)).toBeVisible();
  await page.getByRole('button', { name: 'New game' }).click();
  await back(page).click();
  await expect(move(page, 1)).toHaveText('e4');
});

test('a link to what cannot be played says why and leaves the game there is', async ({ page }) => {
  await begin(page);
  await clickMoves(page, '7g7f');
  await page.goto('./#/play?game=shogi&position=garbage');
  await expect(page.getByRole('alert').filter({ hasText: 'The position of this link' })).toBeVisible();
  await expect(move(page, 1)).toBeVisible();
  await page.goto('about:blank');
  await page.goto('./#/play?game=halma');
  await expect(page.getByRole('alert').filter({ hasText: 'halma' })).toBeVisible();
  await expect(move(page, 1)).toBeVisible();
  await expect(page).toHaveURL(/#\/play$/);
});

test('time that was spent in the running turn is spent after a reload and on coming back', async ({ page }) => {
  await page.clock.install();
  await begin(page, { time: '10 min + 30 s byoyomi' });
  await page.clock.runFor(120_000);
  await page.reload();
  await expect(clock(page, 'first')).toHaveText(/^\s*[0-7]:\d\d$/);
  await page.clock.runFor(120_000);
  await page.getByRole('navigation').getByRole('link', { name: 'Problems' }).click();
  await expect(page).toHaveTitle(/^Problems/);
  await page.getByRole('navigation').getByRole('link', { name: 'Play' }).click();
  await expect(clock(page, 'first')).toHaveText(/^\s*[0-5]:\d\d$/);
});

test('a game needs some time to be played in, and an increment is enough', async ({ page }) => {
  await begin(page);
  await page.getByRole('button', { name: 'New game' }).click();
  const dialog = page.getByRole('dialog');
  await page.locator('[data-seat=second]').selectOption({ label: 'Human' });
  await page.locator('[data-time]').selectOption({ label: 'Own' });
  for (const field of ['Main time (min)', 'Byoyomi (s)', 'Increment (s)']) await dialog.getByLabel(field).fill('0');
  await dialog.getByRole('button', { name: 'Begin' }).click();
  await expect(dialog.getByLabel('Main time (min)')).toBeFocused();
  await dialog.getByLabel('Increment (s)').fill('600');
  await dialog.getByRole('button', { name: 'Begin' }).click();
  await expect(clock(page, 'first')).toHaveText(/^\s*(10|9):\d\d$/);
  await expect(state(page)).toHaveText('Black to move');
});

test('a checkpoint is called by its run and step, also where a new game is agreed on', async ({ page }) => {
  const player = 'net:/home/runs/first/models/shogi_ppo_agent_step_1024.safetensors';
  await page.goto(`./#/play?game=shogi&player=${encodeURIComponent(player)}`);
  const name = page.locator('[data-side=second]').getByText('first · 1024');
  await expect(name).toHaveAttribute('title', player);
  await page.getByRole('button', { name: 'New game' }).click();
  await expect(page.locator('[data-seat=second] option:checked')).toHaveText('first · 1024');
});

test('a player of the server that could not be reached is asked again', async ({ page }) => {
  let reachable = false;
  await page.routeWebSocket(/api\/think/, (socket) => {
    if (!reachable) void socket.close();
    socket.onMessage((message) => {
      const { type, id } = JSON.parse(String(message)) as { type: string; id: number };
      if (type === 'think') socket.send(JSON.stringify({ type: 'answer', id, answer: 'play', move: '3c3d', ponder: null }));
    });
  });
  await page.goto('./#/play?game=shogi&player=ab:2');
  await clickMoves(page, '7g7f');
  await expect(state(page)).toContainText('The server does not answer.');
  reachable = true;
  await state(page).getByRole('button', { name: 'Try again' }).click();
  await expect(move(page, 2)).toHaveText('P-3d');
});

test('the dialog of a new game gives the focus back, however it is left', async ({ page }) => {
  await begin(page);
  const open = page.getByRole('button', { name: 'New game' });
  for (const leave of ['Cancel', 'Begin', 'Escape']) {
    await open.click();
    await page.locator('[data-seat=second]').selectOption({ label: 'Human' });
    if (leave === 'Escape') await page.keyboard.press('Escape');
    else await page.getByRole('dialog').getByRole('button', { name: leave }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(open).toBeFocused();
  }
});
