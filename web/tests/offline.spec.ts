import { expect, test } from '@playwright/test';
import { begin, clickMoves, move } from './table';

test('without a network the site opens again and the agent still plays', async ({ page, context }) => {
  await page.goto('./');
  // Installed: all files are kept, the weights too.
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller) {
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
    }
  });
  await context.setOffline(true);
  await page.reload();
  await begin(page, { second: 'Keisei, first thought' });
  await clickMoves(page, '7g7f');
  await expect(move(page, 2)).toBeVisible();
  for (const name of ['Study', 'Problems', 'Watch']) {
    await page.getByRole('navigation').getByRole('link', { name }).click();
    await expect(page).toHaveTitle(new RegExp(`^${name}`));
  }
});
