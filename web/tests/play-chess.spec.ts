import { expect, test } from '@playwright/test';
import { begin, chooser, clickMoves, dragMoves, move, square, state } from './table';

test("scholar's mate by drags", async ({ page }) => {
  await begin(page, { game: 'Chess' });
  await dragMoves(page, 'e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7');
  await expect(state(page)).toHaveText(/Checkmate\s*White wins/);
  await expect(move(page, 7)).toHaveText('Qxf7#');
});

test('en passant, a promotion to a knight and castling', async ({ page }) => {
  await begin(page, { game: 'Chess' });
  await clickMoves(page, 'e2e4 a7a6 e4e5 d7d5 e5d6');
  await expect(square(page, 'd5')).toHaveAccessibleName('d5, empty');
  await clickMoves(page, 'b8c6 d6c7 g8f6', 6);
  await square(page, 'c7').click();
  await square(page, 'd8').click();
  await expect(chooser(page).getByRole('button')).toHaveCount(4);
  await chooser(page).getByRole('button', { name: 'promote to knight' }).click();
  await expect(square(page, 'd8')).toHaveAccessibleName('d8, White knight');
  await clickMoves(page, 'e8d8 g1f3 e7e6 f1e2 f8e7 e1g1', 10);
  await expect(move(page, 15)).toHaveText('O-O');
  await expect(square(page, 'f1')).toHaveAccessibleName('f1, White rook');
  await expect(page.getByRole('img', { name: /White: captured pieces.*queen 1/ })).toBeVisible();
});

test('stalemate is a draw by its name', async ({ page }) => {
  await begin(page, { game: 'Chess', position: '7k/5K2/8/6Q1/8/8/8/8 w - - 0 1' });
  await clickMoves(page, 'g5g6');
  await expect(state(page)).toHaveText(/Stalemate\s*Draw/);
});

test('moves are numbered from the position that the game began with', async ({ page }) => {
  await begin(page, { game: 'Chess', position: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 14' });
  await clickMoves(page, 'b8c6 g1f3 g8f6');
  await expect(page.getByRole('region', { name: 'Moves' }).getByRole('list')).toHaveText(/^\s*14\s*…\s*Nc6\s*15\s*Nf3\s*Nf6\s*$/);
});
