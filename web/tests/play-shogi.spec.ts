import { expect, test } from '@playwright/test';
import { begin, chooser, clickMoves, dragMoves, inHand, move, square, state, targets } from './table';

const GAME =
  '5i4h 8b3b 7i7h 4a4b 7g7f 6c6d 7h7g 5a4a 7g6h 6a7b 9i9h 7a8b 4i5i 7b7a 4h4i 7a6a 8h3c 6a6b 5i4h ' +
  '1a1b 3c2b 6b7b 1g1f 4a5a 1f1e 7b6b 2g2f 3b3c B*1g 6b6c 9g9f 7c7d 4i3h 5a4a 2b3c+ 4b3b R*5a';

test('a whole game by clicks, with drops and promotions taken and declined, ends in checkmate', async ({ page }) => {
  await begin(page);
  await clickMoves(page, GAME);
  await expect(state(page)).toHaveText(/Checkmate\s*Black wins/);
  await expect(move(page, 37)).toHaveText('R*5a');
});

test('a game by drags: an exchange, a drop, and a piece let go where it cannot stand', async ({ page }) => {
  await begin(page);
  await dragMoves(page, '7g7f 3c3d 8h2b+ 3a2b B*5e');
  await expect(square(page, '5e')).toHaveAccessibleName('5e, Black bishop');
  await square(page, '8c').hover();
  await page.mouse.down();
  await square(page, '8e').hover();
  await page.mouse.up();
  await expect(state(page)).toHaveText('White to move');
  await expect(square(page, '8c')).toHaveAccessibleName('8c, White pawn');
});

test('promotion is asked for only when it is a choice', async ({ page }) => {
  await begin(page, { position: '4k4/1P7/9/2P6/9/9/9/9/4K4 b - 1' });
  // Forced: a pawn on the last rank.
  await clickMoves(page, '8b8a');
  await expect(square(page, '8a')).toHaveAccessibleName('8a, Black tokin');
  await clickMoves(page, '5a5b', 2);
  // Optional: taken up, thought over, cancelled, and declined.
  await square(page, '7d').click();
  await square(page, '7c').click();
  await expect(chooser(page).getByRole('button')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(chooser(page)).toHaveCount(0);
  await expect(square(page, '7d')).toHaveAccessibleName('7d, Black pawn');
  await clickMoves(page, '7d7c', 3);
  await expect(square(page, '7c')).toHaveAccessibleName('7c, Black pawn');
});

test('a pawn is not offered a file that has one, nor a drop that mates', async ({ page }) => {
  await begin(page, { position: '7nk/7p1/7SN/9/9/9/P8/9/4K4 b P 1' });
  await inHand(page, 'first', 'P').click();
  const offered = await targets(page);
  expect(offered).toContain('1d');
  // Nifu: file 9 has a pawn. Uchifuzume: 1b would mate.
  expect(offered.filter((name) => name.startsWith('9'))).toEqual([]);
  expect(offered).not.toContain('1b');
  expect(offered.filter((name) => name.endsWith('a'))).toEqual([]);
});

test('in a handicap game uwate is named and moves first', async ({ page }) => {
  await begin(page, { start: 'Two pieces' });
  await expect(state(page)).toHaveText('Uwate to move');
  await expect(square(page, '8b')).toHaveAccessibleName('8b, empty');
  await square(page, '6a').click();
  await square(page, '6b').click();
  await expect(move(page, 1)).toHaveText('G-6b');
  await expect(state(page)).toHaveText('Shitate to move');
});

test('moves are taken back one by one between people', async ({ page }) => {
  await begin(page);
  await clickMoves(page, '7g7f 3c3d');
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(move(page, 2)).toHaveCount(0);
  await expect(state(page)).toHaveText('White to move');
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(square(page, '7g')).toHaveAccessibleName('7g, Black pawn');
});

test('repetition is announced as sennichite, and perpetual check by its name', async ({ page }) => {
  await begin(page);
  const circle = '2h3h 8b7b 3h2h 7b8b';
  await clickMoves(page, [circle, circle, circle].join(' '));
  await expect(state(page)).toHaveText(/Sennichite.*Draw/);

  await begin(page, { position: '4k4/9/9/9/9/9/9/9/R3K4 b - 1' });
  const chase = '9a9b 5b5a 9b9a 5a5b';
  await clickMoves(page, `9i9a 5a5b ${chase} ${chase} 9a9b 5b5a 9b9a`);
  await expect(state(page)).toHaveText(/Perpetual check.*White wins/);
});

test('a declaration shows its points and what is missing', async ({ page }) => {
  await begin(page, { position: '1K7/+R+R4S2/PPPPP4/9/9/9/9/9/4k4 b 2B3G2N2L4P 1' });
  await page.getByRole('button', { name: 'Declare' }).click();
  const dialog = page.getByRole('dialog', { name: 'Entering-king declaration' });
  await expect(dialog.getByText('8 other pieces there (10 needed)')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Declare' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await begin(page, { position: '1K7/+R+RGGSS3/PPPPP4/9/9/9/9/9/4k4 b 2B2N2L4P 1' });
  await page.getByRole('button', { name: 'Declare' }).click();
  await expect(dialog.getByText('37 points (28 to win)')).toBeVisible();
  await dialog.getByRole('button', { name: 'Declare' }).click();
  await expect(state(page)).toHaveText(/Declaration\s*Black wins/);
});

test('time runs out by name, and byoyomi begins when the main time is used up', async ({ page }) => {
  await begin(page, { time: '30 s a move' });
  await expect(page.locator('[data-side=first] [role=timer]')).toContainText('byoyomi');
  await page.getByRole('button', { name: 'New game' }).click();
  await page.locator('[data-time]').selectOption({ label: 'Own' });
  await page.getByLabel('Main time (min)').fill('0.02');
  await page.getByLabel('Byoyomi (s)').fill('0');
  await page.getByRole('button', { name: 'Begin' }).click();
  await expect(state(page)).toHaveText(/Time\s*White wins/);
});

test('resignation ends the game', async ({ page }) => {
  await begin(page);
  await page.getByRole('button', { name: 'Resign', exact: true }).click();
  await page.getByRole('button', { name: 'Really resign?' }).click();
  await expect(state(page)).toHaveText(/Resignation\s*White wins/);
});

test('moves are typed in any notation, and refused with the reason', async ({ page }) => {
  await begin(page);
  const input = page.getByRole('textbox', { name: 'Type a move' });
  for (const text of ['７六歩', '3c3d', 'Bx2b+']) {
    await input.fill(text);
    await input.press('Enter');
    await expect(input).toHaveValue('');
  }
  await expect(square(page, '2b')).toHaveAccessibleName('2b, Black horse');
  await input.fill('7c7e');
  await input.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('7c7e is illegal: a pawn cannot go from 7c to 7e');
});

test('an earlier position can be looked at, and the game goes on', async ({ page }) => {
  await begin(page);
  await clickMoves(page, '7g7f 3c3d 2g2f');
  await move(page, 1).click();
  await expect(square(page, '2g')).toHaveAccessibleName('2g, Black pawn');
  await expect(state(page)).toContainText('An earlier position');
  await page.keyboard.press('End');
  await clickMoves(page, '8c8d', 4);
});

test('a game in progress survives a reload', async ({ page }) => {
  await begin(page);
  await clickMoves(page, '7g7f 3c3d');
  await page.getByRole('button', { name: 'Flip board' }).click();
  await page.reload();
  await expect(move(page, 2)).toHaveText('P-3d');
  await expect(page.locator('[role=gridcell]').first()).toHaveAttribute('data-name', '1i');
  await clickMoves(page, '8h2b+', 3);
});

test('arrows are drawn with the other button and wiped with a click', async ({ page }) => {
  await begin(page);
  await square(page, '7g').hover();
  await page.mouse.down({ button: 'right' });
  await square(page, '7f').hover();
  await page.mouse.up({ button: 'right' });
  await expect(page.locator('path.mine')).toHaveCount(1);
  await square(page, '5e').click();
  await expect(page.locator('path.mine')).toHaveCount(0);
});

test('a game goes to the study page with one click', async ({ page }) => {
  await begin(page, { start: 'Two pieces' });
  await square(page, '6a').click();
  await square(page, '6b').click();
  await page.getByRole('button', { name: 'Study this game' }).click();
  await expect(page).toHaveTitle(/^Study/);
  await expect(page.getByText('G-6b').first()).toBeVisible();
  await expect(square(page, '8b')).toHaveAccessibleName('8b, empty');
});

test('a finished game is studied with its players, times and end', async ({ page }) => {
  await begin(page, { second: 'Level 1 (232)', time: '10 min + 30 s byoyomi' });
  await clickMoves(page, '7g7f');
  await expect(move(page, 2)).toBeVisible();
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Really resign?' }).click();
  await page.getByRole('button', { name: 'Study this game' }).click();
  await expect(page.getByText('Human – Level 1 (232)')).toBeVisible();
  await page.keyboard.press('End');
  const moves = page.getByRole('list', { name: 'Moves' });
  await expect(moves.locator('[aria-current=step]')).toContainText('resigns');
  await expect(moves.getByText(/^0:0\d$/)).toHaveCount(2);
});

test('a promotion asked for by the mouse is answered by Enter', async ({ page }) => {
  await begin(page);
  await clickMoves(page, '7g7f 3c3d');
  await square(page, '8h').click();
  await square(page, '2b').click();
  await expect(chooser(page).getByRole('button', { name: 'promote to horse' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(move(page, 3)).toHaveText(/^Bx2b\+/);
});
