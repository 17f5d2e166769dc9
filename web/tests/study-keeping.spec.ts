// What the study page keeps: over reloads, beside other tabs, of comments, and of studies that others replace.
import { expect, test, type Locator, type Page } from '@playwright/test';

const moves = (page: Page): Locator => page.getByRole('list', { name: 'Moves', exact: true });
const current = (page: Page): Locator => moves(page).locator('[aria-current=step] .text');
const square = (page: Page, name: string): Locator => page.locator(`[data-name="${name}"]`);
const comment = (page: Page): Locator => page.getByLabel('Comment', { exact: true });

async function openStudy(page: Page) {
  await page.goto('./#/study');
  await expect(moves(page)).toBeVisible();
}

async function paste(page: Page, text: string) {
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, text);
}

async function openLine(page: Page, ...played: string[]) {
  await paste(page, `position startpos moves ${played.join(' ')}`);
  await expect(moves(page).locator('.text')).toHaveCount(played.length + 1);
}

async function play(page: Page, ...names: string[]) {
  for (const name of names) await square(page, name).click();
}

/** How many steps the stored study has. */
const storedSteps = (page: Page) =>
  page.evaluate(() => {
    const study = JSON.parse(localStorage.getItem('keisei.study') ?? '{"steps":[]}') as { steps: unknown[] };
    return study.steps.length;
  });

const recent = (page: Page): Locator => page.getByRole('dialog', { name: 'Recent studies' }).getByRole('listitem');

test('a tab in which nothing was done does not erase the study of another', async ({ context }) => {
  const [first, second] = [await context.newPage(), await context.newPage()];
  await openStudy(first);
  await openStudy(second);
  await first.bringToFront();
  await play(first, '7g', '7f', '3c', '3d', '2g', '2f');
  await expect.poll(() => storedSteps(first)).toBe(3);
  await expect(current(second)).toHaveText('P-2f');
  await first.close();
  await second.bringToFront();
  await second.getByRole('link', { name: 'Play', exact: true }).click();
  await expect(second).toHaveURL(/#\/play/);
  await expect(second.locator('.desk')).toHaveCount(0);
  expect(await storedSteps(second)).toBe(3);
});

test('what another tab stored meanwhile is kept among the recent studies', async ({ page }) => {
  await openStudy(page);
  await play(page, '7g', '7f');
  await expect.poll(() => storedSteps(page)).toBe(1);
  // As another tab does whose message has not arrived.
  await page.evaluate(() => {
    const study = JSON.parse(localStorage.getItem('keisei.study')!) as { steps: object[] };
    study.steps = [{ at: 0, move: '2g2f' }, { at: 1, move: '8c8d' }];
    localStorage.setItem('keisei.study', JSON.stringify(study));
  });
  await play(page, '3c', '3d', '2g', '2f');
  await expect.poll(() => storedSteps(page)).toBe(3);
  await page.getByRole('button', { name: 'Recent' }).click();
  await recent(page).getByRole('button', { name: '2 moves' }).click();
  await expect(moves(page).locator('.text')).toHaveText(['Start', 'P-2f', 'P-8d']);
});

test('a comment is kept while it is being written', async ({ page }) => {
  await openStudy(page);
  await comment(page).focus();
  await page.keyboard.type('Unfinished');
  await page.reload();
  await expect(comment(page)).toHaveValue('Unfinished');
});

test('the first move after a comment is made, and the comment is one step to undo', async ({ page }) => {
  await openStudy(page);
  await comment(page).focus();
  await page.keyboard.type('A plan');
  await play(page, '7g', '7f');
  await expect(current(page)).toHaveText('P-7f');
  await page.keyboard.press('Control+z');
  await expect(current(page)).toHaveText('Start');
  await expect(comment(page)).toHaveValue('A plan');
  await page.keyboard.press('Control+z');
  await expect(comment(page)).toHaveValue('');
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true });

  test('a comment and the name of a bookmark stay with the move they were written at', async ({ page }) => {
    await openStudy(page);
    await comment(page).tap();
    await page.keyboard.type('Before the first move');
    await square(page, '7g').tap();
    await square(page, '7f').tap();
    await expect(current(page)).toHaveText('P-7f');
    await expect(comment(page)).toHaveValue('');
    await page.getByRole('button', { name: 'Bookmark' }).tap();
    const name = page.getByLabel('Name of the bookmark');
    await name.fill('Seven');
    await square(page, '3c').tap();
    await square(page, '3d').tap();
    await expect(current(page)).toHaveText('P-3d');
    await expect(name).toHaveCount(0);
    await page.getByRole('button', { name: 'Back' }).tap();
    await expect(name).toHaveValue('Seven');
    await page.getByRole('button', { name: 'Back' }).tap();
    await expect(comment(page)).toHaveValue('Before the first move');
  });
});

test('a study that another one replaced is brought back after a reload', async ({ page }) => {
  await openStudy(page);
  await play(page, '7g', '7f', '3c', '3d');
  await expect(current(page)).toHaveText('P-3d');
  await page.goto(`./#/study?${new URLSearchParams({ game: 'chess', line: 'startpos moves e2e4' })}`);
  await expect(moves(page).locator('.text')).toHaveText(['Start', 'e4']);
  await page.reload();
  await page.getByRole('button', { name: 'Recent' }).click();
  await recent(page).getByRole('button', { name: 'Shogi · 2 moves' }).click();
  await expect(current(page)).toHaveText('P-3d');
  await page.getByRole('button', { name: 'Recent' }).click();
  await expect(recent(page)).toHaveCount(1);
  await expect(recent(page)).toContainText('Chess · 1 move');
});

test('records that were only looked at do not push a study of one\'s own out of the recent ones', async ({ page }) => {
  await openStudy(page);
  await play(page, '7g', '7f', '3c', '3d');
  const firsts = ['1g1f', '2g2f', '3g3f', '4g4f', '5g5f', '6g6f', '7g7f', '8g8f', '9g9f', '1i1h', '9i9h', '3i4h', '5i5h', '6i7h'];
  for (const move of firsts) await openLine(page, move);
  await page.getByRole('button', { name: 'Recent' }).click();
  await expect(recent(page)).toHaveCount(12);
  await expect(recent(page).last()).toContainText('2 moves');
});

test('the analysis of a line ends when another game is opened', async ({ page }) => {
  await openStudy(page);
  const round = (...moves: string[]) => [moves, moves, moves, moves, moves, moves].flat();
  await openLine(page, ...round('5i5h', '5a5b', '5h5i', '5b5a'));
  await page.getByRole('button', { name: 'Analyse the whole line' }).click();
  await expect(moves(page).locator('.chance').nth(1)).toHaveText(/%/);
  await expect(page.locator('progress')).toBeVisible();
  await openLine(page, ...round('4i4h', '4a4b', '4h4i', '4b4a'), '2g2f');
  await page.keyboard.press('End');
  // Had the analysis gone on, it would be of these moves by the end of it.
  await expect(page.locator('progress')).toHaveCount(0);
  await expect(moves(page).locator('.chance', { hasText: '%' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Analyse the whole line' }).click();
  await expect(moves(page).locator('.chance').nth(1)).toHaveText(/%/);
});

test('the setting of the notation reaches the study that is open', async ({ page }) => {
  await openStudy(page);
  await openLine(page, '7g7f');
  await expect(moves(page).locator('.text').nth(1)).toHaveText('P-7f');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.locator('#settings').getByText('KIF', { exact: true }).click();
  await expect(moves(page).locator('.text').nth(1)).toHaveText('７六歩(77)');
});
