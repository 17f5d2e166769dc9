import { expect, test } from '@playwright/test';

test('every page opens from the navigation and by its address', async ({ page }) => {
  await page.goto('./');
  for (const name of ['Study', 'Problems', 'Watch', 'Play']) {
    await page.getByRole('navigation').getByRole('link', { name }).click();
    await expect(page).toHaveTitle(new RegExp(`^${name}`));
  }
  await page.goto('./#/watch');
  await expect(page.getByRole('link', { name: 'Watch' })).toHaveAttribute('aria-current', 'page');
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
