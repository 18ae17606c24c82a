// The files that the calls of a run name: the operations on each, their positions in the run, and the links to the
// calls.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { jsonl } from './fixtures.mjs';
import { AXE_PATH } from './harness.mjs';
import { dropText, stage, until } from './reader.mjs';

const it = stage();

/** A session whose calls have these tools and inputs. */
function session(calls) {
  const records = [];
  let at = Date.parse('2026-01-05T10:00:00Z');
  const add = (record) => {
    at += 2000;
    records.push({ uuid: `u-${records.length}`, sessionId: 's-1', version: '2.1.0', timestamp: new Date(at).toISOString(), ...record });
  };
  add({ type: 'user', message: { role: 'user', content: 'Round once' } });
  calls.forEach(([name, input], number) => {
    add({ type: 'assistant', message: {
      id: `msg_${number}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5-20250929',
      usage: { input_tokens: 10, output_tokens: 10 }, content: [{ type: 'tool_use', id: `t${number}`, name, input }],
    } });
    add({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${number}`, content: 'ok' }] } });
  });
  return jsonl(records);
}

const CALLS = [
  ['Read', { file_path: '/shop/src/cart.ts' }],
  ['Read', { file_path: '/shop/README.md' }],
  ['Edit', { file_path: '/shop/src/cart.ts', old_string: 'round(line)', new_string: 'line\nround(sum)' }],
  ['Write', { file_path: '/shop/test/cart.test.ts', content: 'one\ntwo\nthree\n' }],
  ['Edit', { file_path: '/shop/src/cart.ts', old_string: 'line\nround(sum)', new_string: 'round(line)' }],
  ['Bash', { command: 'cat /shop/src/other.ts' }],
];

const heads = (page) => page.locator('.touch__head');

test('files are listed with what was done to them, those that were changed first', async () => {
  const { page, errors } = await it.open('');
  await dropText(page, session(CALLS));
  await page.getByRole('tab', { name: 'Files' }).click();
  await until(async () => await heads(page).count() === 3, 'three files are listed');
  const words = (await heads(page).allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
  assert.deepEqual(words, [
    'src/ cart.ts +3 −3 2 changes, 1 other call 1 edit reverted',
    'test/ cart.test.ts +3 written',
    'README.md 1 call',
  ]);
  assert.match(await page.locator('.touched__said').innerText(), /2 files changed, 1 more mentioned\.\s+Paths are relative to \/shop\//);
  assert.deepEqual(errors, []);
});

test('a file leads to its calls, and a call to its row', async () => {
  const { page } = await it.open('');
  await dropText(page, session(CALLS));
  await page.locator('#timeline').focus();
  await page.keyboard.press('4');
  await heads(page).first().click();
  const calls = page.locator('.touch__calls button');
  assert.deepEqual((await calls.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim()), [
    'Event 3: read', 'Event 7: edited +2 −1', 'Event 11: edited +1 −2 reverts an earlier edit',
  ]);
  assert.match(new URL(page.url()).hash, /tab=files/);
  await calls.nth(1).click();
  const selected = page.locator('[role=treeitem][aria-selected=true]');
  await until(async () => await selected.count() === 1, 'the row is selected');
  assert.match(await selected.innerText(), /Edit/);
  assert.equal(await page.locator('.touched').count(), 0);
});

test('edits that were put back are a finding, which leads to the call that did it', async () => {
  const { page, errors } = await it.open('');
  await dropText(page, session(CALLS));
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.keyboard.press('f');
  const finding = page.locator('.finding').filter({ hasText: 'was edited, then reverted' });
  await finding.waitFor();
  assert.match(await finding.innerText(), /cart\.ts was edited, then reverted/);
  await finding.click();
  await until(async () => /Edit/.test(await page.locator('.row[aria-selected="true"]').innerText()), 'the call is selected');
  assert.deepEqual(errors, []);
});

test('the files of the run stand beside the rows, and a click shows the calls that name one', async () => {
  const { page, errors } = await it.open('');
  await dropText(page, session(CALLS));
  await page.getByRole('tab', { name: 'Timeline' }).click();
  const list = page.getByRole('list', { name: 'Files of the run' }).getByRole('button');
  await until(async () => await list.count() === 3, 'three files are listed');
  assert.match(await list.first().innerText(), /cart\.ts\s+\+3\s*−3$/);
  await list.first().click();
  assert.equal(await page.locator('.filter__term bdi').innerText(), 'file:/shop/src/cart.ts');
  await until(async () => await list.first().getAttribute('aria-pressed') === 'true', 'it is marked');
  await until(async () => /^3 of/.test(await page.locator('.filter__count').innerText()), 'three calls are left');
  await list.first().click();
  await page.locator('.filter__term').waitFor({ state: 'detached' });
  assert.deepEqual(errors, []);
});

test('a run whose calls name no file says so, and a run without tools for files offers no list', async () => {
  const { page } = await it.open('');
  await dropText(page, session([['shell', { command: 'ls' }]]));
  await page.getByRole('tab', { name: 'Files' }).click();
  await until(async () => (await page.locator('.touched__said').innerText()).includes('No call in this run mentions a file'), 'that there is none is said');
  await dropText(page, session([['weather', { city: 'Oslo' }]]));
  await until(async () => await page.getByRole('tab', { name: 'Files' }).count() === 0, 'no list is offered');
});

test('axe finds nothing in the list of files, light and dark, wide and narrow', async () => {
  for (const [scheme, width] of [['light', 1440], ['dark', 390]]) {
    const { page } = await it.open('', { context: { colorScheme: scheme, viewport: { width, height: 844 } } });
    await dropText(page, session(CALLS));
    // On a phone it has no tab until it is shown.
    await page.getByRole('tab', { name: 'Timeline' }).waitFor();
    await page.keyboard.press('4');
    await page.getByRole('tab', { name: 'Files' }).waitFor();
    await heads(page).first().click();
    await page.evaluate(readFileSync(AXE_PATH, 'utf8'));
    const { violations } = await page.evaluate(() => window.axe.run());
    assert.deepEqual(violations.map((fault) => `${fault.id}: ${fault.nodes[0].target}`), []);
  }
});
