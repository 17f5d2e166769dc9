import { expect, test } from '@playwright/test';
import { serious } from './axe';

for (const colorScheme of ['light', 'dark'] as const) {
  for (const name of ['play', 'study', 'problems', 'watch']) {
    test(`axe finds nothing serious on the page "${name}" in the ${colorScheme} theme`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await page.goto(`./#/${name}`);
      await expect(page.locator('main')).not.toBeEmpty();
      if (name === 'play') await expect(page.getByRole('grid')).toBeVisible();
      expect(await serious(page)).toEqual([]);
    });
  }
}

test('axe finds nothing serious in the dialogs of play', async ({ page }) => {
  await page.goto('./#/play');
  await page.getByRole('button', { name: 'Settings' }).click();
  expect(await serious(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'New game' }).click();
  expect(await serious(page)).toEqual([]);
  await page.getByRole('button', { name: 'Set up a position' }).click();
  expect(await serious(page)).toEqual([]);
});

test('axe finds nothing serious in the panels and dialogs of study', async ({ page }) => {
  await page.goto('./#/study');
  await page.locator('.toolbar input[type=file]').setInputFiles('tests/data/branched.kif');
  await expect(page.getByRole('group', { name: 'Branch tree' })).toBeVisible();
  for (const name of ['Network', 'Statistics', 'Record', 'Analysis']) {
    await page.getByRole('tab', { name }).click();
    expect(await serious(page)).toEqual([]);
  }
  for (const name of ['New', 'Paste', 'Export', 'Share', 'Keys']) {
    await page.getByRole('button', { name, exact: true }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await serious(page)).toEqual([]);
    await page.keyboard.press('Escape');
  }
});

test('axe finds nothing serious in a mate problem', async ({ page }) => {
  await page.goto('./#/problems/shogi/79');
  await expect(page.getByRole('grid')).toBeVisible();
  expect(await serious(page)).toEqual([]);
});
