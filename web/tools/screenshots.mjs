// Takes a picture of each page in both themes and languages, on a desktop and on a phone:
// npm run preview, then node tools/screenshots.mjs FOLDER [ADDRESS]
import { mkdirSync } from 'node:fs';
import { chromium } from '@playwright/test';

const [folder = 'screenshots', address = 'http://localhost:4173/'] = process.argv.slice(2);
const PAGES = ['play', 'study', 'problems', 'watch'];
const SCREENS = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/** A game under way, so that there is something to see. */
const GAME = {
  terms: {
    game: 'shogi',
    start: null,
    handicap: false,
    seats: { first: { kind: 'human' }, second: { kind: 'level', id: 'shogi-800' } },
    time: { main: 600, byoyomi: 30, increment: 0 },
  },
  moves: (
    '7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d 2b3c 3d3f 3a2b ' +
    '8h3c+ 2b3c P*8g 8f8e'
  ).split(' '),
  ended: null,
  clocks: Array(23).fill({ first: 523_000, second: 411_000 }),
  flipped: false,
};
const LINE = `startpos moves ${GAME.moves.join(' ')}`;

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const [screen, viewport] of Object.entries(SCREENS)) {
  for (const colorScheme of ['light', 'dark']) {
    for (const locale of ['ja-JP', 'en-GB']) {
      const context = await browser.newContext({ viewport, colorScheme, locale, deviceScaleFactor: 2 });
      await context.addInitScript((game) => localStorage.setItem('keisei.play', JSON.stringify(game)), GAME);
      const page = await context.newPage();
      for (const name of PAGES) {
        const query = name === 'study' ? `?${new URLSearchParams({ game: 'shogi', line: LINE })}` : '';
        await page.goto(`${address}#/${name}${query}`);
        await page.locator('main > *').first().waitFor();
        await page.waitForLoadState('networkidle');
        if (name === 'play') await page.locator('[data-hand=first] [data-kind=B]').click();
        await page.screenshot({ path: `${folder}/${name}-${screen}-${colorScheme}-${locale.slice(0, 2)}.png` });
      }
      await context.close();
    }
  }
}
await browser.close();
