import { expect, test, type Page } from '@playwright/test';

test('every page opens from the navigation and by its address', async ({ page }) => {
  await page.goto('./');
  for (const name of ['Study', 'Problems', 'Watch', 'Play']) {
    await page.getByRole('navigation').getByRole('link', { name }).click();
    await expect(page).toHaveTitle(new RegExp(`^${name}`));
  }
  await page.goto('./#/watch');
  await expect(page.getByRole('link', { name: 'Watch' })).toHaveAttribute('aria-current', 'page');
});

test('an address that is not well written opens its page all the same', async ({ page }) => {
  await page.goto('./#/problems/%');
  await expect(page.getByRole('grid')).toBeVisible();
});

test('language and theme change at once and outlive a reload', async ({ page }) => {
  await page.goto('./');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByText('Dark', { exact: true }).click();
  await page.getByText('日本語', { exact: true }).click();
  await expect(page.getByRole('link', { name: '対局' })).toBeVisible();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
});

/** How many listeners the window and the document have. */
async function listeners(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  let count = 0;
  for (const expression of ['window', 'document']) {
    const { result } = await session.send('Runtime.evaluate', { expression });
    count += (await session.send('DOMDebugger.getEventListeners', { objectId: result.objectId! })).listeners.length;
  }
  await session.detach();
  return count;
}

test('a page that is left hears nothing and thinks no more', async ({ page }) => {
  const go = async (name: string) => {
    await page.getByRole('navigation').getByRole('link', { name }).click();
    await expect(page).toHaveTitle(new RegExp(`^${name}`));
    await expect(page.locator('main').getByText(/./).first()).toBeVisible();
  };
  await page.goto('./#/watch');
  await expect(page.getByText('keisei serve')).toBeVisible();
  const tour = async () => {
    for (const name of ['Play', 'Study', 'Problems']) {
      await go(name);
      await expect(page.getByRole('grid')).toBeVisible();
    }
    await go('Study');
    await page.getByRole('button', { name: 'Analyse', exact: true }).click();
    await expect(page.getByRole('list', { name: 'Lines' }).getByRole('listitem')).toHaveCount(3);
    expect(page.workers().length).toBeGreaterThan(0);
    await go('Watch');
    await expect(page.getByText('keisei serve')).toBeVisible();
    // Nobody was played against, so no worker stays; the browser ends them in its own time.
    await expect.poll(() => page.workers().length).toBe(0);
  };
  // The first tour leaves what the whole site shares: what is delegated to the document.
  await tour();
  const before = await listeners(page);
  await tour();
  await expect.poll(() => listeners(page)).toBe(before);
});
