import { devices, expect, test } from '@playwright/test';
import { begin, chooser, inHand, move, square } from './table';

const { defaultBrowserType: _, ...phone } = devices['Pixel 7'];
test.use({ ...phone, viewport: { width: 390, height: 844 } });

test('on a phone the board, both players and the actions fit, and pieces obey the finger', async ({ page }) => {
  await begin(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBe(390);
  // Everything a player needs lies between the header and the tabs without scrolling.
  const tabs = (await page.getByRole('navigation').boundingBox())!;
  const resign = (await page.getByRole('button', { name: 'Resign' }).boundingBox())!;
  expect(resign.y + resign.height).toBeLessThanOrEqual(tabs.y);

  const tap = async (...names: string[]) => {
    for (const name of names) await square(page, name).tap();
  };
  await tap('7g', '7f', '3c', '3d', '8h', '2b');
  await chooser(page).getByRole('button', { name: 'promote to horse' }).tap();
  await tap('3a', '2b');
  await inHand(page, 'first', 'B').tap();
  await tap('5e');
  await expect(move(page, 5)).toHaveText('B*5e');
  // A finger slides a pawn forward.
  const [from, to] = [(await square(page, '8c').boundingBox())!, (await square(page, '8d').boundingBox())!];
  const touch = await page.context().newCDPSession(page);
  const at = (box: typeof from) => [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(to) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect(move(page, 6)).toHaveText('P-8d');
});
