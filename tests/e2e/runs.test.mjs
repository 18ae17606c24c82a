// Runs: their counts as filters, links to them, and how runs without an end are shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, jsonl, loop, run, small, toolCall } from './fixtures.mjs';
import { alert, button, choose, drop, dropText, labels, row, rows, shown, stage, until } from './reader.mjs';

const it = stage();
const two = () => [
  { name: 'a.jsonl', bytes: small() }, { name: 'b.jsonl', bytes: loop().replaceAll('run-1', 'run-2') },
];
const current = (page) => page.getByRole('list', { name: 'Runs' }).locator('[aria-current=true]').innerText();
const hash = (page) => page.evaluate(() => location.hash);

test('the numbers of a run show only what they count, and all again', async () => {
  const { page } = await it.open();
  await dropText(page, small());
  const facts = page.getByRole('region', { name: 'Facts' });
  const chip = (name) => facts.getByRole('button', { name });
  const kinds = async () => (await labels(page)).map((label) => label.split(',')[0].replace(/^\d+\. /, ''));
  assert.equal(await chip(/^6 events/).getAttribute('aria-pressed'), 'true');
  await chip(/^1 LLM call/).click();
  await until(async () => await rows(page).count() === 1, 'one row is left');
  assert.deepEqual(await kinds(), ['LLM call']);
  await chip(/^1 LLM call/).click();
  await chip(/^3 tool calls/).click();
  await until(async () => await rows(page).count() === 3, 'three rows are left');
  assert.deepEqual(await kinds(), ['Tool call', 'Tool call', 'Tool call']);
  await chip(/^1 error/).click();
  await until(async () => await rows(page).count() === 1, 'the failed call is left');
  assert.match((await labels(page))[0], /fare/);
  await chip(/^6 events/).click();
  await until(async () => await rows(page).count() === 6, 'all are back');
  assert.equal(await chip(/^1 error/).getAttribute('aria-pressed'), 'false');
});

test('the number of possible loops shows the calls that repeat, unfolded', async () => {
  const { page } = await it.open();
  await dropText(page, loop(6));
  await page.getByRole('button', { name: /^1 possible loop: show only/ }).click();
  await until(async () => await rows(page).count() === 6, 'the six calls are left');
  assert.ok((await labels(page)).every((label) => label.includes('search')));
});

test('a run can be linked to, by its id or the beginning of it; the address follows the choice', async () => {
  const { page } = await it.open('#run=run-2');
  await drop(page, two());
  await row(page, /finish/).waitFor();
  assert.match(await current(page), /a loop/);
  await page.getByRole('list', { name: 'Runs' }).getByRole('button', { name: /small run/ }).click();
  await row(page, /station_search/).waitFor();
  assert.equal(await hash(page), '#run=run-1');
  await page.evaluate(() => { location.hash = '#run_id=run-2'; });
  await row(page, /finish/).waitFor();

  const other = await it.open('#run=run-9');
  await drop(other.page, two());
  assert.match(await alert(other.page).innerText(), /linked run run-9 is not in this trace/);
  assert.match(await current(other.page), /small run/);
});

test('the link and the id of a run are copied', async () => {
  const { page } = await it.open();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await drop(page, two());
  const pasted = () => page.evaluate(() => navigator.clipboard.readText());
  await choose(page, 'Copy id');
  await until(async () => await pasted() === 'run-1', 'the id is in the clipboard');
  await choose(page, 'Copy link');
  await until(async () => (await pasted()).endsWith('#v=1&run=run-1'), 'the link is in the clipboard');
});

test('a run without an end counts as running while its last event is recent', async () => {
  const begun = (since) => jsonl([
    event(0, 'RUN_START', 'r', { run_name: 'r' }, { ts: new Date(since).toISOString() }),
    { ...toolCall(1, 'look', {}, 1), ts: new Date(since + 1000).toISOString() },
  ]);
  const young = await it.open();
  await dropText(young.page, begun(Date.now() - 5000));
  await young.page.getByText(/^Still running: the last event is/).waitFor();
  const old = await it.open();
  await dropText(old.page, begun(Date.now() - 3_600_000));
  await old.page.getByText('Ended without RUN_END').waitFor();
  assert.equal(await old.page.getByText(/Still running/).count(), 0);
  const whole = await it.open();
  await dropText(whole.page, jsonl(run('whole', [toolCall(1, 'look', {}, 1)])));
  await shown(whole.page);
  assert.equal(await whole.page.getByText(/Ended without|Still running/).count(), 0);
});

test('the filter is written to the link and read from it', async () => {
  const { page } = await it.open();
  await dropText(page, small());
  await page.getByRole('button', { name: /^3 tool calls: show/ }).click();
  await page.getByRole('list', { name: 'Tools' }).getByRole('button', { name: /fare/ }).click();
  await until(async () => await hash(page) === '#filter=kind:tool-call%20tool:fare', 'the address has the filter');
  await page.getByRole('button', { name: /^6 events/ }).click();
  await until(async () => await hash(page) === '', 'the address has none');

  // The second link is in the form of an earlier version.
  for (const link of ['#filter=kind:tool-call%20tool:fare', '#filter=tool-call%2Cname:fare']) {
    const other = await it.open(link);
    await dropText(other.page, small());
    await until(async () => await rows(other.page).count() === 1, 'one row is shown');
  }
  const agentdbg = await it.open('#run_id=run-1&filter=llm');
  await dropText(agentdbg.page, small());
  await until(async () => /model-1/.test((await labels(agentdbg.page)).join()), 'the LLM call is shown');
  assert.equal(await rows(agentdbg.page).count(), 1);
});
