// Records on their way into the study page and out of it: files that are odd, many games, the server's folder, the clipboard.
import { expect, test, type Locator, type Page } from '@playwright/test';

// What the network answers is the tests' own here.
test.use({ serviceWorkers: 'block' });

const moves = (page: Page): Locator => page.getByRole('list', { name: 'Moves', exact: true });
const square = (page: Page, name: string): Locator => page.locator(`[data-name="${name}"]`);
const files = (page: Page): Locator => page.locator('.toolbar input[type=file]');
const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

async function openStudy(page: Page) {
  await page.goto('./#/study');
  await expect(moves(page)).toBeVisible();
}

async function openLine(page: Page, game: string, line: string) {
  await page.goto(`./#/study?${new URLSearchParams({ game, line })}`);
  await expect(page).toHaveURL(/#\/study$/);
  await expect(moves(page)).toBeVisible();
}

test('a header that a file gives twice is shown once with both values', async ({ page }) => {
  const problems: Error[] = [];
  page.on('pageerror', (problem) => problems.push(problem));
  await openStudy(page);
  await files(page).setInputFiles(file('twice.pgn', '[Event "One"]\n[Event "Two"]\n[White "Ada"]\n[White "Ada"]\n[Black "Bob"]\n\n1. e4 *\n'));
  await expect(page.getByText('Ada – Bob')).toBeVisible();
  await page.getByRole('tab', { name: 'Record' }).click();
  await expect(page.getByLabel('Event', { exact: true })).toHaveValue('One / Two');
  await page.getByLabel('White', { exact: true }).fill('Eve');
  await expect(page.getByText('Eve – Bob')).toBeVisible();
  expect(problems).toEqual([]);
});

test('the games of a file are told apart, and found among many', async ({ page }) => {
  const games = Array.from({ length: 12 }, (_, place) =>
    `[Event "Cup"]\n[Date "2024.01.${String(place + 10)}"]\n[Round "${place + 1}"]\n[White "Ada"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n`);
  await openStudy(page);
  await files(page).setInputFiles(file('cup.pgn', games.join('\n')));
  const dialog = page.getByRole('dialog', { name: 'Which game?' });
  const rows = dialog.getByRole('listitem');
  await expect(rows).toHaveCount(12);
  await expect(rows.nth(6)).toContainText('7');
  await expect(rows.nth(6)).toContainText('Cup · round 7 · 2024.01.16');
  await expect(rows.nth(6)).toContainText('White wins · 2 moves');
  await dialog.getByRole('searchbox').fill('ada 2024.01.20');
  await expect(rows).toHaveCount(1);
  await rows.getByRole('button').click();
  await page.getByRole('tab', { name: 'Record' }).click();
  await expect(page.getByLabel('Round', { exact: true })).toHaveValue('11');
});

test('moves of chess are numbered as its players do, from the number of the start on', async ({ page }) => {
  const numbers = moves(page).locator('.number');
  await openLine(page, 'chess', 'startpos moves e2e4 e7e5 g1f3');
  await expect(numbers).toHaveText(['', '1.', '1…', '2.']);
  await openLine(page, 'chess', 'fen 4k3/8/8/8/8/8/4P3/4K3 b - - 0 41 moves e8e7 e2e4');
  await expect(numbers).toHaveText(['', '41…', '42.']);
});

test('an empty file leaves the study as it is and says why', async ({ page }) => {
  await openLine(page, 'shogi', 'startpos moves 7g7f 3c3d');
  await files(page).setInputFiles(file('empty.kif', ''));
  await expect(page.getByRole('alert')).toContainText('empty.kif cannot be read: there is nothing in it');
  await expect(moves(page).locator('.text')).toHaveText(['Start', 'P-7f', 'P-3d']);
});

test('what is copied arrives also where pages have no clipboard of their own', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await openLine(page, 'shogi', 'startpos moves 7g7f');
  for (const [opener, content] of [['Share', /#\/study\?record=/], ['Export', /７六歩/]] as const) {
    await page.getByRole('button', { name: opener }).click();
    await page.getByRole('button', { name: 'Copy' }).click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Paste' }).click();
    await page.getByRole('textbox', { name: 'Paste a record' }).focus();
    await page.keyboard.press('Control+v');
    await expect(page.getByRole('textbox', { name: 'Paste a record' })).toHaveValue(content);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  }
});

test('a game is played from the position shown', async ({ page }) => {
  await openLine(page, 'shogi', 'startpos moves 7g7f 3c3d');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: 'Play from here' }).click();
  await expect(page).toHaveURL(/#\/play$/);
  await expect(square(page, '7f').locator('.piece')).toBeVisible();
  await expect(square(page, '3c').locator('.piece')).toBeVisible();
});

test('rules that could not be loaded are asked for again', async ({ page }) => {
  let broken = true;
  await page.route('**/*.wasm', (route) => (broken ? route.abort() : route.continue()));
  await page.goto('./#/study');
  await expect(page.getByRole('alert')).toContainText('could not be loaded');
  broken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(moves(page)).toBeVisible();
});

test('records are opened from the server\'s folder and saved there, over others only on request', async ({ page }) => {
  const saved: { path: string; replace: string; text: string }[] = [];
  await page.route('**/api/**', (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    if (pathname.endsWith('/server')) {
      const limits = { nodes: 1000, move_time_ms: 1000, lines: 5 };
      return route.fulfill({ json: { version: '0', games: ['shogi', 'chess', 'animal'], records: true, limits } });
    }
    if (pathname.endsWith('/records')) {
      const entry = (name: string, path: string, folder: boolean) => ({ name, path, folder, bytes: 20, modified: '2024-01-02T03:04:05Z' });
      return route.fulfill({
        json: searchParams.get('folder') === '2024' ? [entry('a.usi', '2024/a.usi', false)] : [entry('2024', '2024', true)],
      });
    }
    if (pathname.endsWith('/record') && route.request().method() === 'PUT') {
      const [path, replace] = [searchParams.get('path') ?? '', searchParams.get('replace') ?? ''];
      if (replace !== 'true') return route.fulfill({ status: 409, json: { detail: 'there is one already', value: path } });
      saved.push({ path, replace, text: route.request().postData() ?? '' });
      return route.fulfill({ status: 201 });
    }
    if (pathname.endsWith('/record')) return route.fulfill({ body: 'startpos moves 2g2f 8c8d\n' });
    return route.fulfill({ json: [] });
  });
  await openStudy(page);
  await page.getByRole('button', { name: 'Open from server' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: '2024' }).click();
  await dialog.getByRole('button', { name: 'a.usi' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(moves(page).locator('.text')).toHaveText(['Start', 'P-2f', 'P-8d']);
  await page.getByRole('button', { name: 'Export' }).click();
  await dialog.getByText('USI', { exact: true }).click();
  await dialog.getByLabel('Name on the server').fill('2024/b.usi');
  await dialog.getByRole('button', { name: 'Save to server' }).click();
  await expect(dialog.getByRole('alert')).toContainText('already a record 2024/b.usi');
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await expect(dialog.getByRole('button', { name: 'Saved' })).toBeVisible();
  expect(saved).toEqual([{ path: '2024/b.usi', replace: 'true', text: expect.stringContaining('2g2f 8c8d') }]);
});
