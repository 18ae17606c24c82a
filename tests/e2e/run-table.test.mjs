// The table of all runs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { jsonl, loop, small } from './fixtures.mjs';
import { AXE_PATH, dropFiles } from './harness.mjs';
import { row, rows, shown, stage, until } from './reader.mjs';

const it = stage();

/** Five runs on different days: the third has a loop, all others a failed call. */
const five = () => Array.from({ length: 5 }, (_, at) => ({
  name: `${at}.jsonl`,
  bytes: (at === 2 ? loop() : small().replaceAll('small run', `small run ${at}`))
    .replaceAll('run-1', `run-${at}`).replaceAll('2026-01-05', `2026-01-0${at + 1}`),
}));

const table = (page) => page.getByRole('tabpanel', { name: 'Runs' });
const names = (page) => table(page).locator('tbody button').allInnerTexts();
const tab = (page, name) => page.getByRole('tab', { name, exact: true });

test('several runs open as a table, which is sorted, filtered and saved, and a click opens a run', async () => {
  const { page } = await it.open('', { view: null });
  await dropFiles(page, five());
  await table(page).waitFor();
  assert.equal((await names(page)).length, 5);
  assert.match(await table(page).getByRole('status').innerText(), /^5 runs · .* active/);
  assert.equal(await page.getByRole('region', { name: 'Facts' }).isVisible(), false, 'what is said of one run is hidden');

  assert.equal(await table(page).locator('td.runs__shape svg').count(), 5, 'the steps of each run are drawn');
  await table(page).getByRole('button', { name: 'With loops 1' }).click();
  assert.deepEqual(await names(page), ['a loop']);
  await table(page).getByRole('button', { name: 'All 5' }).click();
  assert.equal((await names(page)).length, 5);

  const head = (name) => table(page).getByRole('columnheader', { name });
  await head('Started').getByRole('button').click();
  assert.equal(await head('Started').getAttribute('aria-sort'), 'descending');
  assert.deepEqual((await names(page)).map((name) => name.at(-1)), ['4', '3', 'p', '1', '0']);
  await table(page).getByRole('button', { name: 'Run', exact: true }).click();
  assert.equal((await names(page))[0].at(-1), '0', 'as listed again');
  await head('Loops').getByRole('button').click();
  assert.equal((await names(page))[0], 'a loop');

  const focused = () => page.evaluate(() => document.activeElement.textContent);
  await page.locator('body').click({ position: { x: 700, y: 700 } });
  await page.keyboard.press('j');
  assert.equal(await focused(), 'a loop');
  await page.keyboard.press('j');
  assert.notEqual(await focused(), 'a loop');
  await page.keyboard.press('k');
  assert.equal(await focused(), 'a loop');

  await table(page).getByRole('searchbox', { name: 'Filter runs' }).fill('run 3');
  await until(async () => (await names(page)).length === 1, 'one run is left');
  assert.match(await table(page).getByRole('status').innerText(), /^1 of 5 runs/);

  const [file] = await Promise.all([
    page.waitForEvent('download'), table(page).getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  assert.equal(file.suggestedFilename(), 'runs.csv');

  await table(page).getByRole('button', { name: 'small run 3' }).click();
  await row(page, /station_search/).waitFor();
  assert.equal(await page.evaluate(() => location.hash), '#run=run-3');
  await tab(page, 'Runs').click();
  await table(page).waitFor();
  assert.equal(await table(page).locator('tr[aria-current=true] button').innerText(), 'small run 3');
});

test('two runs are marked and compared, with a click or a key', async () => {
  const { page } = await it.open('', { view: null });
  await dropFiles(page, five());
  await table(page).waitFor();
  const box = (name) => table(page).getByRole('row').filter({ hasText: name }).getByRole('checkbox');
  const chosen = (nth) => page.locator('.pairs__run select').nth(nth).evaluate((select) => select.selectedOptions[0].text);
  await table(page).getByRole('button', { name: 'Compare two…' }).click();
  await box('small run 1').check();
  await table(page).getByRole('button', { name: 'Mark one more' }).waitFor();
  await table(page).getByText('small run 3').click();
  await page.locator('.pairs__list > li').first().waitFor();
  assert.deepEqual([await chosen(0), await chosen(1)], ['small run 1', 'small run 3']);

  await tab(page, 'Runs').click();
  await table(page).waitFor();
  assert.equal(await box('small run 0').count(), 0, 'nothing is marked any more');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  assert.equal(await box('small run 0').isChecked(), true);
  await page.keyboard.press('x');
  assert.equal(await box('small run 0').isChecked(), false, 'it is taken back');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.locator('.pairs__list > li').first().waitFor();
  assert.deepEqual([await chosen(0), await chosen(1)], ['small run 0', 'small run 1']);
});

test('a link to a run, fewer runs, and the last choice of a person open as rows', async () => {
  const linked = await it.open('#run=run-2', { view: null });
  await dropFiles(linked.page, five());
  await row(linked.page, /finish/).waitFor();
  assert.equal(await table(linked.page).count(), 0);

  const { page } = await it.open('', { view: null });
  await dropFiles(page, five().slice(0, 3));
  await shown(page);
  assert.equal(await table(page).count(), 0, 'a few runs are listed beside the rows');
  assert.equal(await tab(page, 'Runs').count(), 1);

  await dropFiles(page, five());
  await table(page).waitFor();
  assert.deepEqual(await page.getByRole('tab').allInnerTexts(), ['Runs', 'Compare'], 'no run was chosen');
  await page.keyboard.press('2');
  await until(async () => await rows(page).count() > 0, 'the rows are there');
  assert.equal(await tab(page, 'Timeline').count(), 1);
  await dropFiles(page, five());
  await until(async () => await page.getByRole('progressbar').count() === 0, 'all is read');
  await shown(page);
  assert.equal(await table(page).count(), 0, 'the rows were chosen last');
});

test('where a link names the table of a trace that has one run, the keys move in its rows', async () => {
  const { page } = await it.open('#tab=runs');
  await dropFiles(page, five().slice(0, 1));
  await shown(page);
  await page.keyboard.press('j');
  await until(async () => await page.locator('[role=treeitem][aria-selected=true]').count() === 1, 'a row is selected');
});

test('beside its name stands what a run was asked for, also once other runs are listed', async () => {
  const { page } = await it.open('', { view: null });
  const asked = (n) => `Find the fare of train ${n}`;
  const named = (n) => jsonl([
    { type: 'custom-title', sessionId: `s${n}`, customTitle: `Fares, part ${n}` },
    ...['user', 'assistant'].map((type, at) => ({
      sessionId: `s${n}`, uuid: `s${n}-${at}`, parentUuid: at === 0 ? null : `s${n}-0`, version: '2.1.0', type, cwd: '/fares',
      timestamp: `2026-05-03T09:0${n}:0${at}.000Z`,
      message: type === 'user' ? { role: 'user', content: asked(n) } : {
        id: `m${n}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5-20250929', content: [{ type: 'text', text: 'It is 12.' }],
      },
    })),
  ]);
  await dropFiles(page, [1, 2, 3, 4].map((n) => ({ name: `${n}.jsonl`, bytes: named(n) })));
  await table(page).waitFor();
  const tasks = () => page.locator('.runs__task').allInnerTexts();
  await until(async () => (await tasks()).filter((task) => task !== '').length > 1, 'the first messages are there');
  assert.deepEqual((await tasks()).sort(), [1, 2, 3, 4].map(asked));
});

test('the table has no violations of accessibility, wide and narrow', async () => {
  for (const width of [1440, 390]) {
    const { page } = await it.open('', { view: null, context: { viewport: { width, height: 844 } } });
    await dropFiles(page, five());
    await table(page).waitFor();
    await page.evaluate(readFileSync(AXE_PATH, 'utf8'));
    const found = await page.evaluate(async () => (await window.axe.run()).violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).join(' ')}`));
    assert.deepEqual(found, [], `at ${width}`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `at ${width}`);
  }
});
