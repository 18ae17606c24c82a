// A folder of many files: its runs are listed before they are read; one is opened with a click, or several together.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { jsonl } from './fixtures.mjs';
import { AXE_PATH } from './harness.mjs';
import { stage, summary, until } from './reader.mjs';

const it = stage();
const base = mkdtempSync(join(tmpdir(), 'traceloupe-folder-'));
// The folder's name is part of each path, which is searched as well, so it must not contain digits.
const folder = join(base, 'sessions');
after(() => rmSync(base, { recursive: true }));

/** A session of Claude Code that begins on a given day of May. */
function session(id, title, day, n = 1) {
  const at = (second) => new Date(Date.UTC(2026, 4, day, 9, 0, second)).toISOString();
  const record = (second, rest) => ({ sessionId: id, uuid: `${id}-${second}`, parentUuid: null, version: '2.1.0', timestamp: at(second), ...rest });
  const records = [record(0, { type: 'user', message: { role: 'user', content: title } })];
  for (let number = 1; number <= n; number += 1) {
    records.push(record(number, { type: 'assistant', message: {
      id: `m${number}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5-20250929',
      usage: { input_tokens: 10, output_tokens: 10 }, content: [{ type: 'text', text: `Step ${number} of ${title}.` }],
    } }));
  }
  return jsonl(records);
}

const SUBJECTS = ['carts', 'prices', 'maps'];

mkdirSync(join(folder, 'shop', 's-3'), { recursive: true });
for (let number = 0; number < 30; number += 1) {
  const title = `Round ${SUBJECTS[number % 3]} number ${number}`;
  writeFileSync(join(folder, 'shop', `s-${number}.jsonl`), session(`s-${number}`, title, number + 1, number + 1));
}
writeFileSync(join(folder, 'shop', 's-3', 'agent-a.jsonl'),
  session('s-3', 'Look for roundings', 4).replaceAll('"version"', '"isSidechain":true,"agentId":"a","version"').replaceAll('"s-3-', '"a-').replaceAll('"m1"', '"m-a"'));
writeFileSync(join(folder, 'shop', 'notes.txt'), 'nothing of interest\n');
writeFileSync(join(folder, 'shop', 'package.json'), '{"name":"shop","version":"1.0.0"}');
// The first record is longer than the part of each file that is read at first.
writeFileSync(join(folder, 'shop', 'long.jsonl'), session('s-long', `Long ${'words '.repeat(20_000)}`, 31));

const lines = (page) => page.locator('.folder tbody tr');
const titles = (page) => page.locator('.folder tbody th .named').allInnerTexts();

/** The page with the folder listed. */
async function listed(options) {
  const opened = await it.open('', options);
  await opened.page.locator('#pick-folder').setInputFiles(folder);
  await until(async () => /31 runs in 34 files/.test(await opened.page.locator('.folder__state').innerText()), 'all is listed');
  return opened;
}

test('runs are listed by title, producer, time and size, the newest first', async () => {
  const { page, errors } = await listed();
  assert.equal(await lines(page).count(), 31);
  const all = await titles(page);
  assert.match(all[0], /^Long words/);
  assert.equal(all[1], 'Round maps number 29');
  assert.equal(all[30], 'Round carts number 0');
  const line = lines(page).filter({ hasText: 'number 3' }).filter({ hasText: 's-3.jsonl' });
  assert.match((await line.innerText()).replace(/\s+/g, ' '), /Round carts number 3 .*s-3\.jsonl and 1 more file Claude Code 2026-05-04/);
  assert.deepEqual(errors, []);
});

test('the list is searched and sorted, and shows what is no trace when asked', async () => {
  const { page } = await listed();
  await page.locator('#folder-search').fill('prices 2');
  await until(async () => (await titles(page)).every((title) => /prices.*2/.test(title)), 'only prices');
  assert.deepEqual(await titles(page), [28, 25, 22].map((number) => `Round prices number ${number}`));
  await page.locator('#folder-search').fill('');
  await page.getByRole('button', { name: 'Size' }).click();
  await page.getByRole('button', { name: 'Size' }).click();
  await until(async () => (await titles(page))[0] === 'Round carts number 0', 'the smallest first');
  assert.equal(await page.locator('.folder th[aria-sort="ascending"]').innerText(), 'Size');
  await page.getByLabel('Show 2 files without a trace').check();
  await until(async () => await lines(page).count() === 33, 'the other files are listed as well');
});

test('a click opens one run with all its files, and the list can be returned to', async () => {
  const { page, errors } = await listed();
  await page.getByRole('button', { name: 'Round carts number 3', exact: true }).click();
  // Four steps after the question, and those of the sub-agent in a file of its own.
  await until(async () => {
    const { runs, events } = await summary(page);
    return runs === 1 && events === 7;
  }, 'the run with the events of both files');
  await page.getByRole('button', { name: 'Back to the list of runs…' }).click();
  await until(async () => await lines(page).count() === 31, 'the list is there again');
  await page.getByRole('button', { name: 'Round prices number 1', exact: true }).click();
  await until(async () => /Step 1 of Round prices number 1\./.test(await page.locator('main').innerText()), 'the other run');
  assert.deepEqual(errors, []);
});

test('several are opened together', async () => {
  const { page } = await listed();
  await page.getByLabel('Select Round maps number 29').check();
  await page.getByLabel('Select Round maps number 26').check();
  await page.getByRole('button', { name: 'Open 2 runs together' }).click();
  await until(async () => await page.locator('.side__run').count() === 2, 'two runs');
});

test('the list is accessible, wide and narrow', async () => {
  for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 800 }]) {
    const { page } = await listed({ viewport });
    await page.evaluate(readFileSync(AXE_PATH, 'utf8'));
    const { violations } = await page.evaluate(() => globalThis.axe.run(document.querySelector('dialog')));
    assert.deepEqual(violations.map((it) => [it.id, it.nodes[0].html]), []);
    const dialog = await page.locator('.folder').evaluate((element) => [element.scrollWidth, element.clientWidth]);
    assert.ok(dialog[0] <= dialog[1], `nothing is cut off: ${dialog}`);
  }
});
