import { expect, test } from '@playwright/test';
import { begin, clickMoves, dragMoves, inHand, square, state, targets } from './table';

test('animal shogi by clicks: the lion left in reach is caught', async ({ page }) => {
  await begin(page, { game: 'Animal shogi' });
  await clickMoves(page, '2c2b 3a3b 2b2a');
  await expect(state(page)).toHaveText(/Lion caught\s*Black wins/);
});

test('a captured chick is dropped by a drag', async ({ page }) => {
  await begin(page, { game: 'Animal shogi' });
  await clickMoves(page, '2c2b 2a2b');
  await inHand(page, 'first', 'C').click();
  expect((await targets(page)).sort()).toEqual(['1b', '1c', '2a', '2c', '3b', '3c']);
  await dragMoves(page, 'C*2c', 3);
  await expect(square(page, '2c')).toHaveAccessibleName('2c, Black chick');
});
