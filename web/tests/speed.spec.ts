import { expect, test } from '@playwright/test';
import { move, square } from './table';

test('the first move can be made as soon as the page is there', async ({ page }) => {
  await page.goto('./', { waitUntil: 'commit' });
  await square(page, '7g').click();
  await square(page, '7f').click();
  await expect(move(page, 1)).toBeVisible();
  // When the first piece could be picked up, on the page's own clock: measured, because a busy machine is no fault.
  const ready = await page.evaluate(() => performance.getEntriesByName('playable')[0]?.startTime ?? null);
  expect(ready).not.toBeNull();
  test.info().annotations.push({ type: 'first interaction', description: `${Math.round(ready!)} ms` });
  console.log(`first interaction possible after ${Math.round(ready!)} ms`);
});
