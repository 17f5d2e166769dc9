// Watching when the server goes away: its answers are made up here, and withheld.
import { expect, test, type Page } from '@playwright/test';

const RUN = {
  name: 'first', game: 'shogi', preset: 'cpu', began: '2026-01-01T00:00:00Z', finished: false, live: true,
  update: 1, step: 1024, seconds: 60, speed: 100, elo: null, elo_error: null,
};
const GAME = {
  position: 'sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 317',
  began_at: 316, earlier_self: null, end: null,
};

/** A server with one run. What it returns takes it away and brings it back. */
async function server(page: Page): Promise<(there: boolean) => void> {
  let there = true;
  const answers: [RegExp, unknown][] = [
    [/api\/server$/, { version: '1', games: ['shogi'], records: false, limits: { nodes: 1, move_time_ms: 1, lines: 1 } }],
    [/api\/runs$/, [RUN]],
    [/api\/runs\/first$/, { ...RUN, settings: {}, metrics: [] }],
    [/metrics/, { generation: 1, records: 0, x: 'step', curves: [] }],
    [/ladder$/, { game: 'shogi', conditions: 'Nothing was measured.', rows: [], left_out: [] }],
    [/checkpoints$/, []],
    [/games\/update-0000000010-random-greedy.usi$/, null],
    [/games$/, { update: 1, step: 1, playing: [], ended: [], files: ['update-0000000010-random-greedy.usi'] }],
  ];
  await page.route(/\/api\//, (route) => {
    const answer = answers.find(([path]) => path.test(new URL(route.request().url()).pathname));
    if (!there) return route.abort();
    if (!answer) return route.fulfill({ status: 404, json: { detail: 'there is no run of this name' } });
    return answer[1] === null ? route.fulfill({ body: 'position startpos moves 7g7f\n' }) : route.fulfill({ json: answer[1] });
  });
  await page.routeWebSocket(/live/, (socket) => {
    socket.send(JSON.stringify({ type: 'games', update: 1, step: 1, playing: [GAME, GAME], ended: [] }));
  });
  return (wanted) => (there = wanted);
}

test('when the server goes away the list of runs says so and calls none of them at work', async ({ page }) => {
  const there = await server(page);
  await page.goto('./#/watch');
  await expect(page.getByText('Training', { exact: true })).toBeVisible();
  there(false);
  await expect(page.getByText('The connection was lost')).toBeVisible();
  await expect(page.getByText('Training', { exact: true })).toHaveCount(0);
  there(true);
  await expect(page.getByText('Training', { exact: true })).toBeVisible();
});

test('what the server did not answer is asked for again', async ({ page }) => {
  const there = await server(page);
  await page.goto('./#/watch/first');
  await expect(page.getByText('Training', { exact: true })).toBeVisible();
  for (const [view, something] of [['Ladder', 'Nothing was measured.'], ['Checkpoints', 'No checkpoint has been written yet.']] as const) {
    there(false);
    await page.getByRole('link', { name: view }).click();
    await expect(page.getByText('The server does not answer.')).toBeVisible();
    there(true);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText(something)).toBeVisible();
  }
});

test('a server that begins after the page is found without a reload', async ({ page }) => {
  const there = await server(page);
  there(false);
  await page.goto('./#/watch');
  await expect(page.getByText('keisei serve')).toBeVisible();
  there(true);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('link', { name: /first/ })).toBeVisible();
});

test('a run that is not there is told of in the language of the page', async ({ page }) => {
  await server(page);
  await page.goto('./#/watch/second');
  await expect(page.getByText('The server has no run called second.')).toBeVisible();
});

test('small boards tell the number of the position and are one stop for the keyboard', async ({ page }) => {
  await server(page);
  await page.goto('./#/watch/first/games');
  const games = page.getByRole('link', { name: /^Replay: move 316/ });
  await expect(games).toHaveCount(2);
  await expect(games.first().getByRole('button')).toHaveCount(0);
  await games.first().focus();
  await page.keyboard.press('Tab');
  await expect(games.nth(1)).toBeFocused();
});

test('the games of an evaluation are still open on coming back, and can be closed', async ({ page }) => {
  await server(page);
  await page.goto('./#/watch/first/games');
  const file = page.getByRole('button', { name: /^update 10/ });
  await file.click();
  await page.getByRole('link', { name: 'Game 1 of 1' }).click();
  await expect(page).toHaveURL(/#\/study/);
  await page.goBack();
  await expect(page.getByRole('link', { name: 'Game 1 of 1' })).toBeVisible();
  await file.click();
  await expect(page.getByRole('link', { name: 'Game 1 of 1' })).toHaveCount(0);
});
