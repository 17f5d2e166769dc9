// The study page: records in and out, branches, keys, analysis, statistics, sharing.
import { readFileSync } from 'node:fs';
import { expect, test, type Locator, type Page } from '@playwright/test';

const FILE = 'tests/data/branched.kif';

async function open(page: Page, file = FILE) {
  await page.goto('./#/study');
  await page.locator('.toolbar input[type=file]').setInputFiles(file);
  await expect(page.getByText('先手太郎 – 後手花子')).toBeVisible();
}

const moves = (page: Page): Locator => page.getByRole('list', { name: 'Moves' });
const current = (page: Page): Locator => moves(page).locator('[aria-current=step] .text');
const texts = async (page: Page) => (await moves(page).locator('.text').allTextContents()).slice(1);
const continuations = (page: Page): Locator => page.getByRole('list', { name: 'Next moves' }).locator('.go');
const square = (page: Page, name: string): Locator => page.locator(`[data-name="${name}"]`);

async function press(page: Page, ...keys: string[]) {
  for (const key of keys) await page.keyboard.press(key);
}

test('a branched Shift_JIS KIF is written again byte for byte', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByText('Shift_JIS', { exact: true }).click();
  await expect(page.getByText('The format holds everything.')).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/\.kif$/);
  expect(readFileSync(await file.path())).toEqual(readFileSync(FILE));
});

test('what a format cannot hold is listed before it is written', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('dialog').getByText('CSA', { exact: true }).click();
  const losses = page.locator('.losses');
  await expect(losses).toContainText('things are lost');
  await expect(losses.locator('li', { hasText: 'variation' })).toHaveCount(2);
  await page.getByRole('dialog').getByText('KIF', { exact: true }).click();
  await expect(losses).toContainText('holds everything');
});

test('the move list is written in every notation', async ({ page }) => {
  await open(page);
  const style = page.getByLabel('Notation');
  for (const [name, first] of [
    ['Japanese', '☗７六歩'], ['Western', 'P-7f'], ['KIF', '７六歩(77)'], ['USI', '7g7f'],
  ] as const) {
    await style.selectOption({ label: name });
    await expect(moves(page).locator('.text').nth(1)).toHaveText(first);
  }
});

test('arrow keys step, cycle a fork and go to the ends; f turns the board; ? explains the keys', async ({ page }) => {
  await open(page);
  await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight');
  await expect(current(page)).toHaveText('P-2f');
  await press(page, 'ArrowDown');
  await expect(current(page)).toHaveText('S-6h');
  expect(await texts(page)).toEqual(['P-7f', 'P-8d', 'S-6h', 'P-3d']);
  await press(page, 'ArrowUp', 'ArrowLeft');
  await expect(current(page)).toHaveText('P-8d');
  await press(page, 'ArrowDown');
  await expect(current(page)).toHaveText('resigns');
  await press(page, 'ArrowUp');
  await expect(current(page)).toHaveText('Start');
  await press(page, 'End');
  await expect(current(page)).toHaveText('resigns');
  await press(page, 'Home', 'f');
  const first = page.locator('[role=gridcell]').first();
  await expect(first).toHaveAttribute('data-name', '1i');
  await press(page, '?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await press(page, 'Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('variations are promoted, demoted, made the main line and deleted, and all of it is undone', async ({ page }) => {
  await open(page);
  await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight');
  await expect(continuations(page)).toHaveText(['P-8e', 'P-3d']);
  await page.getByRole('button', { name: 'Move up: P-3d' }).click();
  await expect(continuations(page)).toHaveText(['P-3d', 'P-8e']);
  await page.getByRole('button', { name: 'Move down: P-3d' }).click();
  await expect(continuations(page)).toHaveText(['P-8e', 'P-3d']);
  await press(page, 'ArrowDown');
  await expect(current(page)).toHaveText('S-6h');
  await press(page, 'm', 'Home', 'End');
  expect(await texts(page)).toEqual(['P-7f', 'P-8d', 'S-6h', 'P-3d']);
  await expect(page.getByRole('button', { name: 'Make main line' })).toBeDisabled();
  await press(page, 'ArrowLeft', 'Delete');
  await expect(current(page)).toHaveText('P-8d');
  await expect(continuations(page)).toHaveText(['P-2f']);
  await press(page, 'Control+z');
  await expect(current(page)).toHaveText('S-6h');
  await press(page, 'Control+z', 'Control+z', 'Control+z');
  await press(page, 'Home', 'ArrowRight', 'ArrowRight');
  await expect(continuations(page)).toHaveText(['P-2f', 'S-6h']);
  await press(page, 'Control+y', 'Control+y', 'Control+y', 'Control+y');
  await press(page, 'Home', 'ArrowRight', 'ArrowRight');
  await expect(continuations(page)).toHaveText(['P-2f']);
});

test('a dot of the branch tree goes to its move, and the order can be changed by keys', async ({ page }) => {
  await open(page);
  const tree = page.getByRole('group', { name: 'Branch tree' });
  await expect(tree.getByRole('button')).toHaveCount(13);
  await tree.getByRole('button', { name: '6 B-3c' }).click();
  expect(await texts(page)).toEqual(['P-7f', 'P-8d', 'P-2f', 'P-3d', 'P-2e', 'B-3c']);
  await press(page, 'ArrowLeft', 'ArrowLeft', 'Shift+ArrowUp', 'ArrowLeft');
  await expect(continuations(page)).toHaveText(['P-3d', 'P-8e']);
});

test('a move on the board adds a line, and one that is there is followed', async ({ page }) => {
  await open(page);
  await square(page, '2g').click();
  await square(page, '2f').click();
  await expect(current(page)).toHaveText('P-2f');
  await press(page, 'ArrowLeft');
  await expect(continuations(page)).toHaveText(['P-7f', 'P-2f']);
  await square(page, '7g').click();
  await square(page, '7f').click();
  await press(page, 'ArrowLeft');
  await expect(continuations(page)).toHaveText(['P-7f', 'P-2f']);
});

test('the same position reached in another order is marked', async ({ page }) => {
  await page.goto('./#/study');
  const play = async (...names: string[]) => {
    for (const name of names) await square(page, name).click();
  };
  await play('7g', '7f', '3c', '3d', '2g', '2f');
  await press(page, 'Home');
  await play('2g', '2f', '3c', '3d', '7g', '7f');
  const same = page.locator('section', { has: page.getByRole('heading', { name: 'Same position' }) }).last();
  await expect(same).toBeVisible();
  await same.getByRole('button', { name: '3 P-2f' }).click();
  await expect(current(page)).toHaveText('P-2f');
});

test('comments and bookmarks are kept over a reload, like the cursor', async ({ page }) => {
  await open(page);
  await press(page, 'ArrowRight', 'b', 'c');
  await page.keyboard.type('A classic.');
  await page.getByLabel('Name of the bookmark').fill('Opening');
  await page.getByLabel('Name of the bookmark').blur();
  await page.reload();
  await expect(current(page)).toHaveText('P-7f');
  await expect(page.getByLabel('Comment', { exact: true })).toHaveValue('A classic.');
  await page.getByRole('tab', { name: 'Record' }).click();
  await press(page, 'End');
  await page.getByRole('list', { name: 'Bookmarks' }).getByRole('button', { name: 'Opening' }).click();
  await expect(current(page)).toHaveText('P-7f');
});

test('a shared link opens the whole study somewhere else', async ({ page, browser }) => {
  await open(page);
  await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight');
  await page.getByRole('button', { name: 'Share' }).click();
  const link = await page.getByLabel('Link', { exact: true }).inputValue();
  const other = await browser.newPage();
  await other.goto(link);
  await expect(other.getByText('先手太郎 – 後手花子')).toBeVisible();
  await expect(other).toHaveURL(/#\/study$/);
  await expect(current(other)).toHaveText('P-2f');
  await expect(continuations(other)).toHaveText(['P-8e', 'P-3d']);
  await expect(other.getByLabel('Comment', { exact: true })).toHaveValue('３手目の選択。');
  await other.goto(link.slice(0, -30));
  await expect(other.getByRole('alert')).toContainText('no study');
  await other.close();
});

const pasted = (page: Page, text: string) =>
  page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, text);

test('records of any format are pasted, and a text that is none is refused', async ({ page }) => {
  await page.goto('./#/study');
  await expect(moves(page)).toBeVisible();
  await pasted(page, 'position startpos moves 2g2f 8c8d 2f2e');
  await press(page, 'End');
  expect(await texts(page)).toEqual(['P-2f', 'P-8d', 'P-2e']);
  await pasted(page, 'PI\n+\n+7776FU\n-3334FU\n%TORYO\n');
  await press(page, 'End');
  expect(await texts(page)).toEqual(['P-7f', 'P-3d', 'resigns']);
  await pasted(page, '☗７六歩 ☖３四歩 ☗２二角成');
  await press(page, 'End');
  expect(await texts(page)).toEqual(['P-7f', 'P-3d', 'Bx2b+']);
  await page.getByRole('button', { name: 'Paste' }).click();
  await page.getByRole('textbox', { name: 'Paste a record' }).fill('[White "Ada"]\n[Black "Bob"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *');
  await page.getByRole('button', { name: 'Read' }).click();
  await expect(page.getByText('Ada – Bob')).toBeVisible();
  await press(page, 'End');
  expect(await texts(page)).toEqual(['e4', 'e5', 'Nf3']);
  await page.getByRole('button', { name: 'Paste' }).click();
  await page.getByRole('textbox', { name: 'Paste a record' }).fill('once upon a time');
  await page.getByRole('button', { name: 'Read' }).click();
  await expect(page.getByRole('alert')).toContainText('cannot be read');
});

test('a record is dropped on the page', async ({ page }) => {
  await page.goto('./#/study');
  await expect(moves(page)).toBeVisible();
  const bytes = [...readFileSync(FILE)];
  await page.evaluate((bytes) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(bytes)], 'game.kif'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, bytes);
  await expect(page.getByText('先手太郎 – 後手花子')).toBeVisible();
});

test('analysis shows lines that can be played, arrows, a bar and the graph of the game', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  const lines = page.getByRole('list', { name: 'Lines' }).getByRole('listitem');
  await expect(lines).toHaveCount(3);
  await expect(page.locator('[role=grid] path.hint').first()).toBeAttached();
  await page.getByRole('button', { name: 'Stop' }).click();
  const word = await lines.first().locator('.step').first().textContent();
  await lines.first().locator('.step').first().click();
  await expect(current(page)).toHaveText(word ?? '');
  await press(page, 'Home');
  await continuations(page).filter({ hasText: 'P-7f' }).click();
  await page.getByRole('button', { name: 'Analyse the whole line' }).click();
  await expect(page.locator('figure path.curve')).toHaveAttribute('d', /M.*L/, { timeout: 40_000 });
  await expect(page.getByRole('meter')).toHaveAttribute('aria-label', /\d+%/);
  await expect(moves(page).locator('.chance').last()).toHaveText('');
  await expect(moves(page).locator('.chance').nth(3)).toHaveText(/%/);
  const graph = page.getByRole('slider', { name: 'Chances over the game' });
  const box = (await graph.boundingBox())!;
  await graph.click({ position: { x: box.width - 7, y: 20 } });
  await press(page, 'ArrowRight');
  await expect(current(page)).toHaveText('resigns');
});

test('the graph ends at the side that has mated, though nobody evaluates a mate', async ({ page }) => {
  const line = 'startpos moves f2f3 e7e5 g2g4 d8h4';
  await page.goto(`./#/study?${new URLSearchParams({ game: 'chess', line })}`);
  await expect(current(page)).toBeVisible();
  await expect(page.getByText('Analyse the game to see')).toBeVisible();
  await page.getByRole('button', { name: 'Analyse the whole line' }).click();
  const curve = page.locator('figure path.curve');
  const heights = async () => ((await curve.getAttribute('d')) ?? '').split(/[ML]/).slice(1).map((point) => Number(point.split(' ')[1]));
  await expect.poll(async () => (await heights()).length, { timeout: 40_000 }).toBe(5);
  // Black has mated: the last point lies at the lower edge, below every other.
  const drawn = await heights();
  expect(drawn.at(-1)).toBeGreaterThan(Math.max(...drawn.slice(0, 3)));
  await press(page, 'End');
  await expect(page.getByRole('slider', { name: 'Chances over the game' })).toHaveAttribute('aria-valuetext', /Qh4# 0%/);
  await expect(page.getByRole('meter')).toHaveAttribute('aria-label', /: 0%/);
});

test('the policy of the network is a heat map, and every age has its say', async ({ page }) => {
  await open(page);
  await page.getByRole('tab', { name: 'Network' }).click();
  const policy = page.getByRole('list', { name: 'What the network would play' }).getByRole('listitem');
  await expect(policy).toHaveCount(8);
  await page.getByText('Targets', { exact: true }).click();
  const hot = page.locator('[role=gridcell][style*="--heat-here"]');
  await expect(hot.first()).toBeAttached();
  expect(await hot.count()).toBeGreaterThan(5);
  await page.getByRole('tabpanel').getByText('Off', { exact: true }).click();
  await expect(hot).toHaveCount(0);
  await page.getByRole('button', { name: 'Ask all ages' }).click();
  const rows = page.locator('table tbody tr');
  await expect(rows.first().locator('.candidate')).toHaveCount(3);
  await expect(page.locator('figure path.value')).toHaveAttribute('d', /M.*L/, { timeout: 40_000 });
});

test('what the network would play follows the cursor', async ({ page }) => {
  const problems: Error[] = [];
  page.on('pageerror', (problem) => problems.push(problem));
  await open(page);
  await page.getByRole('tab', { name: 'Network' }).click();
  const policy = page.getByRole('list', { name: 'What the network would play' }).getByRole('listitem');
  await expect(policy).toHaveCount(8);
  const atStart = await policy.allTextContents();
  for (let step = 0; step < 4; step++) {
    const before = await policy.allTextContents();
    await press(page, 'ArrowRight');
    await expect(policy).toHaveCount(8);
    await expect.poll(() => policy.allTextContents()).not.toEqual(before);
  }
  await press(page, 'Home');
  await expect.poll(() => policy.allTextContents()).toEqual(atStart);
  expect(problems).toEqual([]);
});

test('statistics count the moves of several records; favourites stay', async ({ page }) => {
  await page.goto('./#/study');
  await page.getByRole('tab', { name: 'Statistics' }).click();
  const record = (name: string, line: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(line) });
  await page.getByLabel('Choose files').setInputFiles([
    record('a.usi', 'startpos moves 7g7f 3c3d resign\n'),
    record('b.usi', 'startpos moves 7g7f 8c8d\n'),
    record('c.csa', 'PI\n+\n+2726FU\n%TORYO\n'),
    record('d.csa', 'nonsense'),
    record('notes.txt', 'no record'),
  ]);
  await expect(page.getByText('3 games')).toBeVisible();
  await expect(page.getByText('1 file could not be read')).toBeVisible();
  const rows = page.locator('table tbody tr');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('P-7f');
  await expect(rows.first()).toContainText('2');
  await expect(rows.nth(1)).toContainText('100%');
  await page.getByRole('button', { name: 'Favourite: P-2f' }).click();
  await page.reload();
  await page.getByRole('tab', { name: 'Statistics' }).click();
  await expect(page.getByRole('button', { name: 'Favourite: P-2f' })).toHaveAttribute('aria-pressed', 'true');
  await rows.first().getByRole('button', { name: 'P-2f', exact: true }).click();
  await expect(current(page)).toHaveText('P-2f');
});

test('on a phone the moves are a tab among the others', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  await page.getByRole('button', { name: 'Forward' }).click();
  await expect(current(page)).toHaveText('P-7f');
  await page.getByRole('tab', { name: 'Analysis' }).click();
  await expect(page.getByRole('button', { name: 'Analyse', exact: true })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

for (const wait of [0, 30, 60]) {
  test(`a line in the address is opened ${wait} ms after the page`, async ({ page }) => {
    await page.goto('./#/study');
    await page.waitForTimeout(wait);
    await page.goto(`./#/study?game=shogi&line=${encodeURIComponent('startpos moves 7g7f 3c3d')}`);
    await expect(moves(page).locator('.text')).toHaveText(['Start', 'P-7f', 'P-3d']);
  });
}
