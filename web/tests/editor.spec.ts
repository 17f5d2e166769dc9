import { expect, test } from '@playwright/test';
import { begin, inHand, openPlay, square } from './table';

test('a position is set up with stamps, hands and drags, and played', async ({ page }) => {
  await openPlay(page);
  await page.getByRole('button', { name: 'New game' }).click();
  await page.locator('[data-seat=second]').selectOption({ label: 'Human' });
  await page.getByRole('button', { name: 'Set up a position' }).click();
  await page.getByRole('button', { name: 'Clear' }).click();
  const stamp = (name: string) => page.getByRole('button', { name, exact: true });
  await stamp('White king').click();
  await square(page, '5a').click();
  await stamp('Black king').click();
  await square(page, '5i').click();
  await stamp('Black king').click();
  // With no stamp chosen pieces are moved about.
  await square(page, '5i').click();
  await square(page, '4i').click();
  await expect(square(page, '4i')).toHaveAccessibleName('4i, Black king');
  await page.getByRole('group', { name: 'In hand: Black' }).getByRole('button', { name: 'one more gold' }).click();
  await expect(page.getByRole('textbox', { name: /SFEN/ })).toHaveValue('4k4/9/9/9/9/9/9/9/5K3 b G 1');
  await page.getByRole('button', { name: 'Play from here' }).click();
  await inHand(page, 'first', 'G').click();
  await square(page, '5b').click();
  await expect(page.locator('[data-ply="1"]')).toHaveText('G*5b');
});

test('what is wrong with a position is said precisely', async ({ page }) => {
  await openPlay(page);
  await page.getByRole('button', { name: 'New game' }).click();
  await page.getByRole('button', { name: 'Set up a position' }).click();
  const position = page.getByRole('textbox', { name: /SFEN/ });
  const verdict = page.locator('.verdict');
  await position.fill('4k4/4p4/4p4/9/9/9/9/9/4K4 b - 1');
  await expect(verdict).toHaveText('nifu: White has two pawns on file 5, on 5b and on 5c');
  await position.fill('4k4/4R4/9/9/9/9/9/9/4K4 b - 1');
  await expect(verdict).toHaveText('Black is to move, but the king of White on 5a is in check from 5b');
  await expect(page.getByRole('button', { name: 'Play from here' })).toBeDisabled();
  await page.getByText('White', { exact: true }).last().click();
  await expect(verdict).toHaveText('The position is legal.');
});

test('chess is set up with its castling rights', async ({ page }) => {
  await begin(page, { game: 'Chess', position: 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1' });
  await square(page, 'e1').click();
  await square(page, 'c1').click();
  await expect(page.locator('[data-ply="1"]')).toHaveText('O-O-O');
});
