import { expect, test, type Page } from '@playwright/test';
import { begin, clickMoves, move, openPlay, state } from './table';

/** Opens the site and waits until it is installed: all files are kept, the weights too. */
async function install(page: Page): Promise<void> {
  await page.goto('./');
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller) {
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
    }
  });
}

test('without a network the site opens again and the agent still plays, at the usual level and at its best', async ({ page, context }) => {
  await install(page);
  await context.setOffline(true);
  await page.reload();
  await openPlay(page);
  await expect(page.locator('[data-side=second]')).toContainText('Level');
  await clickMoves(page, '7g7f');
  await expect(move(page, 2)).toBeVisible();
  await begin(page, { second: 'Keisei, first thought' });
  await clickMoves(page, '7g7f');
  await expect(move(page, 2)).toBeVisible();
  for (const name of ['Study', 'Problems', 'Watch']) {
    await page.getByRole('navigation').getByRole('link', { name }).click();
    await expect(page).toHaveTitle(new RegExp(`^${name}`));
  }
});

test('an opponent that is not on the device asks for a network, and plays when there is one', async ({ page, context }) => {
  await install(page);
  await context.setOffline(true);
  await page.reload();
  await openPlay(page);
  await page.getByRole('button', { name: 'New game' }).click();
  await page.locator('[data-seat=second]').selectOption({ value: JSON.stringify({ kind: 'level', id: 'shogi-1' }) });
  await page.getByRole('button', { name: 'Begin' }).click();
  await clickMoves(page, '7g7f');
  await expect(state(page)).toContainText('connect to the network');
  await context.setOffline(false);
  await state(page).getByRole('button', { name: 'Try again' }).click();
  await expect(move(page, 2)).toBeVisible();
});
