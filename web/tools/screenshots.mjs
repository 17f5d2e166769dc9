// Takes pictures of the pages in their states, in both themes and languages, on a desktop and on a phone:
// `keisei serve`, then node tools/screenshots.mjs FOLDER [ADDRESS] [WORD …]
// With words, only pictures whose names hold them all are taken. Those of a run need one to be served.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';

const [folder = 'screenshots', address = 'http://localhost:8700/', ...words] = process.argv.slice(2);
const SCREENS = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const BRANCHED = fileURLToPath(new URL('../tests/data/branched.kif', import.meta.url));
const OPENING =
  '7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d 2b3c 3d3f 3a2b ' +
  '8h3c+ 2b3c P*8g 8f8e';

/** A game as the play page remembers it. */
const remembered = (terms, moves, ended = null) => ({
  terms: {
    start: null,
    handicap: false,
    seats: { first: { kind: 'human' }, second: { kind: 'human' } },
    time: { main: 600, byoyomi: 30, increment: 0 },
    ...terms,
  },
  moves: moves.split(' '),
  ended,
  clocks: Array(moves.split(' ').length + 1).fill({ first: 523_000, second: 411_000 }),
  flipped: false,
});
const AGAINST_AGENT = { first: { kind: 'human' }, second: { kind: 'level', id: 'shogi-800' } };
const GAMES = {
  shogi: remembered({ game: 'shogi', seats: AGAINST_AGENT }, OPENING),
  handicap: remembered({ game: 'shogi', start: 'two', handicap: true }, '3a4b 7g7f 5a5b 2g2f'),
  chess: remembered({ game: 'chess' }, 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1 f7f6 d2d4 e5d4 f3d4 c6c5 d4b3 d8d1 f1d1'),
  animal: remembered({ game: 'animal' }, '2c2b 2a2b', null),
  ended: remembered({ game: 'shogi', seats: AGAINST_AGENT }, OPENING, { winner: 'second', reason: 'resignation' }),
};

const goto = (place, query = {}) => (page) => page.goto(`${address}#/${place}?${new URLSearchParams(query)}`);
const click = (role, ...names) => (page) => page.getByRole(role, { name: new RegExp(`^(${names.join('|')})`) }).first().click();
const press = (...keys) => async (page) => {
  for (const key of keys) await page.keyboard.press(key);
};
const wait = (seconds) => (page) => page.waitForTimeout(seconds * 1000);
const down = (page) => page.mouse.wheel(0, 2000);

const play = (game, ...acts) => [
  goto('watch'),
  (page) => page.evaluate((kept) => localStorage.setItem('keisei.play', JSON.stringify(kept)), GAMES[game]),
  goto('play'),
  (page) => page.getByRole('grid').waitFor(),
  ...acts,
];
const board = (page) => page.getByRole('grid').waitFor();
const study = (...acts) => [goto('study', { game: 'shogi', line: `startpos moves ${OPENING}` }), board, press('End'), ...acts];
const branched = (...acts) => [
  goto('study'),
  (page) => page.locator('.toolbar input[type=file]').setInputFiles(BRANCHED),
  wait(1),
  press('ArrowRight', 'ArrowRight', 'ArrowRight'),
  ...acts,
];
const newGame = click('button', 'New game', '新規対局');
/** The run that was begun last, or the oldest, which is the likeliest to be on the ladder. */
const run = (view, ...acts) => [
  goto('watch'),
  (page) => page.locator('main a[href*="#/watch/"]')[view === 'ladder' ? 'last' : 'first']().click(),
  async (page) => page.goto(`${page.url().split('?')[0]}/${view}`),
  wait(2),
  ...acts,
];

/** What is on each picture, as the way that leads there. */
const SCENES = {
  'play': play('shogi', (page) => page.locator('[data-hand=first] [data-kind=B]').click()),
  'play-handicap': play('handicap'),
  'play-chess': play('chess'),
  'play-animal': play('animal'),
  'play-ended': play('ended'),
  'play-new': play('shogi', newGame),
  'play-editor': play('shogi', newGame, click('button', 'Set up', '局面を編集')),
  'play-editor-chess': play('chess', newGame, click('button', 'Set up', '局面を編集')),
  'study': study(),
  'study-branched': branched(),
  'study-analysis': study(press('Home'), click('tab', 'Analysis', '解析'), click('button', 'Analyse the whole', '手順全体'), wait(20), press('End', 'a'), wait(6)),
  'study-network': study(click('tab', 'Network', 'ネットワーク'), press('h'), wait(3), click('button', 'Ask all', '全段階'), wait(6)),
  'study-statistics': study(click('tab', 'Statistics', '統計')),
  'study-record': branched(click('tab', 'Record', '棋譜情報')),
  'study-help': study(press('?')),
  'study-export': branched(click('button', 'Export', '書き出し')),
  'study-paste': study(click('button', 'Paste', '貼り付け')),
  'study-share': study(click('button', 'Share', '共有')),
  'problems': [goto('problems')],
  'problems-chess': [goto('problems/chess/1')],
  'problems-refuted': [goto('problems/shogi/40'), wait(1), click('button', 'Show', '正解'), wait(4)],
  'settings': [goto('play'), wait(1), click('button', 'Settings', '設定')],
  'watch': [goto('watch')],
  'watch-curves': run(''),
  'watch-curves-below': run('', down),
  'watch-compare': run('', async (page) => page.locator('fieldset:has(legend) label:has(input[type=checkbox])').first().click()),
  'watch-games': run('games'),
  'watch-ladder': run('ladder'),
  'watch-checkpoints': run('checkpoints'),
  'watch-settings': run('settings'),
};

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const [screen, viewport] of Object.entries(SCREENS)) {
  for (const colorScheme of ['light', 'dark']) {
    for (const locale of ['ja-JP', 'en-GB']) {
      for (const [scene, acts] of Object.entries(SCENES)) {
        const name = `${scene}_${screen}_${colorScheme}_${locale.slice(0, 2)}`;
        if (!words.every((word) => `_${name}_`.includes(word))) continue;
        const context = await browser.newContext({ viewport, colorScheme, locale, deviceScaleFactor: Number(process.env.SCALE ?? 2) });
        const page = await context.newPage();
        page.setDefaultTimeout(20_000);
        try {
          for (const act of acts) await act(page);
          await page.waitForLoadState('networkidle');
          await page.waitForTimeout(500);
        } catch (error) {
          console.error(`${name}: ${error.message.split('\n')[0]}`);
          process.exitCode = 1;
        }
        await page.screenshot({ path: `${folder}/${name}.png` });
        await context.close();
      }
    }
  }
}
await browser.close();
