// The board in windows of unusual shapes: low ones, and those of tablets held upright.
import { expect, test } from '@playwright/test';
import { begin, square, state } from './table';

for (const [width, height, least] of [
  [667, 375, 200],
  [640, 400, 200],
  [844, 390, 250],
  [1280, 420, 280],
  [768, 1024, 480],
] as const) {
  test(`in a window of ${width} by ${height} the board is large and the state of the game in sight`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await begin(page);
    const board = (await page.getByRole('grid').boundingBox())!;
    expect(board.width).toBeGreaterThan(least);
    expect(board.y + board.height).toBeLessThanOrEqual(height);
    await expect(square(page, '5i')).toBeInViewport({ ratio: 1 });
    await expect(state(page)).toHaveText('Black to move');
    await expect(state(page)).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
}
