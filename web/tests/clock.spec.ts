// Time, limits and sounds.
import { expect, test, type Page } from '@playwright/test';
import { begin, clickMoves, move, state } from './table';

const clock = (page: Page, side: 'first' | 'second') => page.locator(`[data-side=${side}]`).getByRole('timer');

test('an increment is added after each move and taken back with it', async ({ page }) => {
  await begin(page);
  await page.getByRole('button', { name: 'New game' }).click();
  await page.locator('[data-time]').selectOption({ label: 'Own' });
  await page.getByLabel('Byoyomi (s)').fill('0');
  // Long enough to be seen whatever time a slow machine takes to move.
  await page.getByLabel('Increment (s)').fill('120');
  await page.getByRole('button', { name: 'Begin' }).click();
  await expect(clock(page, 'first')).toHaveText(/1[45]:\d\d/);
  await clickMoves(page, '7g7f');
  await expect(clock(page, 'first')).toHaveText(/1[67]:\d\d/);
  await expect(clock(page, 'second')).toHaveText(/1[45]:\d\d/);
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(clock(page, 'first')).toHaveText(/1[45]:\d\d/);
});

test('after the main time byoyomi runs, is given anew with every move, and ends the game', async ({ page }) => {
  await page.clock.install();
  await begin(page, { time: '30 s a move' });
  await page.clock.runFor(20_000);
  await expect(clock(page, 'first')).toHaveText(/byoyomi 0:(10|0\d)/);
  await clickMoves(page, '7g7f');
  await page.clock.runFor(1000);
  await expect(clock(page, 'first')).toHaveText('byoyomi 0:30');
  await page.clock.runFor(31_000);
  await expect(state(page)).toContainText('Time');
  await expect(state(page)).toContainText('Black wins');
});

test('a game that reaches its limit of moves is drawn, and that is said by name', async ({ page }) => {
  await page.goto('./#/play');
  await expect(page.getByRole('grid')).toBeVisible();
  await page.evaluate(() => {
    const saved = {
      terms: { game: 'shogi', start: null, handicap: false, seats: { first: { kind: 'human' }, second: { kind: 'human' } }, time: null, moveLimit: 6 },
      moves: ['7g7f', '3c3d', '2g2f', '8c8d'],
      ended: null, clocks: [], flipped: false,
    };
    localStorage.setItem('keisei.play', JSON.stringify(saved));
  });
  await page.reload();
  await expect(move(page, 4)).toBeVisible();
  await clickMoves(page, '2f2e 8d8e', 5);
  await expect(state(page)).toContainText('Move limit');
  await expect(state(page)).toContainText('Draw');
});

test('the limit of moves is agreed on before a game', async ({ page }) => {
  await page.goto('./#/play');
  await page.getByRole('button', { name: 'New game' }).click();
  await page.locator('[data-seat=second]').selectOption({ label: 'Human' });
  await page.locator('[data-limit]').selectOption({ label: '100 moves' });
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.getByRole('button', { name: 'New game' }).click();
  await expect(page.locator('[data-limit]')).toHaveValue(/100/);
});

/** Counts what the page's audio starts: one source for a knock, an oscillator for a bell. */
async function listen(page: Page): Promise<() => Promise<{ knocks: number; bells: number }>> {
  await page.addInitScript(() => {
    const heard = { knocks: 0, bells: 0 };
    Object.assign(window, { heard });
    const { start: knock } = AudioBufferSourceNode.prototype;
    AudioBufferSourceNode.prototype.start = function (...at) {
      heard.knocks++;
      knock.apply(this, at);
    };
    const { start: bell } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (...at) {
      heard.bells++;
      bell.apply(this, at);
    };
  });
  return () => page.evaluate(() => ({ ...(window as unknown as { heard: { knocks: number; bells: number } }).heard }));
}

test('moves knock, captures knock twice, a check rings, and silence is a setting', async ({ page }) => {
  const heard = await listen(page);
  await begin(page);
  await clickMoves(page, '7g7f');
  expect(await heard()).toEqual({ knocks: 1, bells: 0 });
  await clickMoves(page, '3c3d', 2);
  await clickMoves(page, '8h2b+', 3);
  expect(await heard()).toEqual({ knocks: 4, bells: 0 });
  await clickMoves(page, '3a2b B*1e', 4);
  expect((await heard()).bells).toBe(1);
  const { knocks } = await heard();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('group', { name: 'Sounds' }).or(page.getByRole('radiogroup', { name: 'Sounds' })).getByText('Off').click();
  await page.keyboard.press('Escape');
  await clickMoves(page, '4a4b', 6);
  expect((await heard()).knocks).toBe(knocks);
});
