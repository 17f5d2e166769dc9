// Watching real runs: `keisei train` beside `keisei serve`, whose embedded pages are opened.
import { expect, test, type Page } from '@playwright/test';
import { serious } from './axe';
import { Keisei } from './keisei';

test.describe.configure({ mode: 'serial' });

const keisei = new Keisei();

test.beforeAll(async () => {
  test.setTimeout(180_000);
  expect(keisei.train('before', 1024)).toMatchObject({ status: 0 });
  keisei.trainOn('live');
  await keisei.serve();
});

test.afterAll(() => keisei.end());

const chart = (page: Page, title: string) => page.getByRole('figure').filter({ has: page.getByRole('heading', { name: title }) });
const open = (page: Page, place: string) => page.goto(`${keisei.address}#/watch/${place}`);

test('the curves of a live run grow while they are looked at', async ({ page }) => {
  await page.goto(`${keisei.address}#/watch`);
  await page.getByRole('link', { name: /live/ }).click();
  await expect(page.getByText('Training', { exact: true })).toBeVisible();
  const line = chart(page, 'Value loss').locator('path.line');
  await expect(line).toBeVisible();
  const [before, step] = [await line.getAttribute('d'), await page.getByTestId('step').textContent()];
  await expect.poll(() => line.getAttribute('d')).not.toBe(before);
  await expect(page.getByTestId('step')).not.toHaveText(step ?? '');
});

test('charts are read and zoomed by keys and by dragging', async ({ page }) => {
  await open(page, 'before');
  const losses = chart(page, 'Value loss');
  const frame = losses.getByRole('application');
  await frame.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(losses.locator('.rule')).toHaveCount(1);
  await page.keyboard.press('+');
  const whole = page.getByRole('button', { name: 'Whole run' });
  await expect(whole).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(whole).toHaveCount(0);
  const box = (await frame.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.4, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.8, box.y + 60, { steps: 4 });
  await page.mouse.up();
  await whole.click();
  await expect(whole).toHaveCount(0);
  const line = losses.locator('path.line');
  await page.getByText('Logarithmic', { exact: true }).click();
  await expect(line).toBeVisible();
  const overMoves = await line.getAttribute('d');
  await page.getByText('Linear', { exact: true }).click();
  await page.getByText('Time', { exact: true }).click();
  await expect(line).not.toHaveAttribute('d', overMoves ?? '');
});

test('a game that is being played opens for replay', async ({ page }) => {
  await open(page, 'live/games');
  await expect(page.getByRole('heading', { name: 'Being played now' })).toBeVisible();
  const game = page.getByRole('link', { name: /^Replay: move [1-9]/ }).first();
  await game.click();
  await expect(page).toHaveURL(/#\/study/);
});

test('runs are compared in the same charts', async ({ page }) => {
  await open(page, 'before');
  await page.getByText('live', { exact: true }).click();
  await expect(page).toHaveURL(/with=live/);
  const lines = chart(page, 'Value loss');
  await expect(lines.locator('path.line')).toHaveCount(2);
  await expect(lines.getByText('live')).toBeVisible();
});

test('a checkpoint can be played', async ({ page }) => {
  await open(page, 'before/checkpoints');
  const newest = page.getByRole('listitem').filter({ hasText: 'newest' });
  await expect(newest).toContainText('1,024 moves');
  const link = newest.getByRole('link', { name: 'Play this one' });
  await expect(link).toHaveAttribute('href', /player=net.*step_1024\.safetensors/);
});

test('the ladder shows ratings and who beat whom', async ({ page }) => {
  test.setTimeout(180_000);
  await open(page, 'before/ladder');
  await expect(page.getByText('keisei ladder runs/before')).toBeVisible();
  const rated = keisei.run(
    'ladder', keisei.folderOf('before'), '--rungs', 'mate1', '--rounds', '1', '--checkpoints', '1', '--max-moves', '60',
  );
  expect(rated).toMatchObject({ status: 0 });
  await page.reload();
  await expect(page.getByRole('rowheader', { name: 'random' }).first()).toBeVisible();
  await expect(page.getByRole('table').nth(1).getByRole('cell', { name: /%/ }).first()).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing serious in the views of a run in the ${colorScheme} theme`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    for (const [view, something] of [
      ['', 'Value loss'],
      ['/games', 'As they stood at the end'],
      ['/ladder', 'Who beat whom'],
      ['/checkpoints', 'newest'],
      ['/settings', 'rollout'],
    ] as const) {
      await open(page, `before${view}`);
      await expect(page.getByText(something).first()).toBeVisible();
      expect(await serious(page), view).toEqual([]);
    }
  });
}

test('without a server the page says how to start one', async ({ page }) => {
  await page.goto('./#/watch');
  await expect(page.getByText('keisei serve')).toBeVisible();
});

test('a player of the server analyses a study', async ({ page }) => {
  await page.goto(`${keisei.address}#/study`);
  const thinkers = page.getByRole('combobox', { name: 'By', exact: true });
  await expect(thinkers.locator('option', { hasText: 'net:shipped (server)' })).toBeAttached();
  await thinkers.selectOption({ label: 'net:shipped (server)' });
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  const lines = page.getByRole('list', { name: 'Lines' }).getByRole('listitem');
  await expect(lines).toHaveCount(3);
  await expect(lines.first()).toContainText('%');
});
