// The second wasm (.ci/split/): ordinary work never needs it, the rest does, and the page says so when it
// does not come.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { small } from './fixtures.mjs';
import { dropFiles, mounted } from './harness.mjs';
import { REAL, ordinary, readThrough } from './ordinary.mjs';
import {
  active, alert, body, button, drop, dropText, noShared, row, rows, SHARED, shown, stage, until,
} from './reader.mjs';

const it = stage();

/** Whether a page or a worker has begun to use its second wasm: the first of its functions is in the table. */
const isLoaded = (target) => target.evaluate(async () => {
  const { later } = await wasm_bindgen();
  if (!(later instanceof WebAssembly.Table)) throw new Error('the page was not built as two');
  return later.get(0) !== null;
});

/** How many of the workers that index have begun to use it. A worker that is ending does not answer. */
async function workersLoaded(page) {
  const gone = () => new Promise((done) => setTimeout(done, 3000, null));
  const asked = page.workers().map((worker) => Promise.race([
    worker.evaluate(() => typeof wasm_bindgen === 'function')
      .then((indexes) => (indexes ? isLoaded(worker) : null)).catch(() => null),
    gone(),
  ]));
  const answers = (await Promise.all(asked)).filter((answer) => answer !== null);
  assert.ok(answers.length > 0, 'a worker answers');
  return answers.filter(Boolean).length;
}

test('opening, scrolling, opening rows and searching never use the second wasm', async () => {
  const { page, errors } = await it.open();
  await page.waitForTimeout(1500); // the worker practises
  assert.equal(await workersLoaded(page), 0, 'practice');
  for (const [name, text, query] of ordinary()) {
    await dropText(page, text, name);
    await readThrough(page, query);
    assert.equal(await isLoaded(page), false, `${name}, page`);
    assert.equal(await workersLoaded(page), 0, `${name}, worker`);
  }
  assert.deepEqual(errors, []);
});

test('nor do real traces of these formats', async (t) => {
  if (noShared(t)) return;
  const traces = path.join(SHARED, 'traces');
  const { page, errors } = await it.open();
  for (const [file, query] of REAL) {
    const name = path.basename(file);
    await dropText(page, readFileSync(path.join(traces, file)), name);
    await readThrough(page, query);
    assert.equal(await isLoaded(page), false, `${file}, page`);
    assert.equal(await workersLoaded(page), 0, `${file}, worker`);
  }
  assert.deepEqual(errors, []);
});

const compact = '- role: assistant\n  content: Let me look.\n  tool_calls:\n    - tool: getWeather\n      input: { city: "NYC" }\n      output: "72°F"\n';
const result = JSON.stringify({
  test_id: 'first', suite: 'demo', target: 'mock', score: 1,
  output: [{ role: 'assistant', content: 'I look.', tool_calls: [{ tool: 'getWeather', input: { q: 'REST' }, output: 'found' }] }],
});

for (const [name, bytes] of [['index.jsonl', result], ['expected.yaml', compact], ['packed.jsonl.gz', gzipSync(result)]]) {
  test(`${name}: what is seldom read uses it, and is shown`, async () => {
    const { page, errors } = await it.open();
    await drop(page, [{ name, bytes }]);
    assert.equal(await workersLoaded(page), 1);
    await row(page, /getWeather/).click();
    const opened = body(page, await active(page));
    await until(async () => await opened.locator('section').count() > 0, 'the row has been read');
    assert.deepEqual(errors, []);
  });
}

test('what is asked for before it is there waits, and nothing breaks', async () => {
  it.server.delay('-later-');
  const { page, errors } = await it.visit(it.server.address(), { wait: 'domcontentloaded' });
  await mounted(page);
  for (const key of ['j', ']', 'x', '/', 'n', 'c', 'e', 'w', 'i', 'b', 'B', '*', '-', 's', 'p', 't', 'o', 'Escape']) {
    await page.keyboard.press(key);
  }
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.setData('text/plain', 'words that are no trace');
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true }));
  });
  assert.equal(page.workers().length, 0);
  await button(page, 'Settings', false).first().click();
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.evaluate(() => window.postMessage({ traceloupe: 1, id: 'a', cmd: 'getSummary' }, '*'));
  // A trace that is dropped meanwhile is read when the page is whole.
  const dropped = dropText(page, small(), 'small.jsonl');
  await page.waitForTimeout(300);
  assert.deepEqual(errors, []);
  it.server.release();
  await page.getByRole('dialog', { name: 'Settings' }).waitFor();
  await page.keyboard.press('Escape');
  await dropped;
  assert.equal(await rows(page).count(), 6);
  assert.deepEqual(errors, []);
});

test('when it does not come the page says so, and a reload heals it', async () => {
  let isBroken = true;
  const { page } = await it.visit(it.server.address(), {
    wait: 'domcontentloaded',
    prepare: (made) => made.route(/-later-/, (route) => (isBroken ? route.abort() : route.continue())),
  });
  await mounted(page);
  await alert(page).waitFor();
  assert.match(await alert(page).innerText(), /part of this page did not arrive[^]*Reload it/);
  // A file that is opened all the same says it again, and does not load for ever.
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await dropFiles(page, [{ name: 'small.jsonl', bytes: small() }]);
  await alert(page).waitFor();
  assert.equal(await page.locator('.progress').count(), 0);
  isBroken = false;
  await page.reload();
  await mounted(page);
  await dropText(page, small(), 'small.jsonl');
  await shown(page);
  assert.equal(await rows(page).count(), 6);
});

test('it is asked for when core is there, and not before', async () => {
  it.server.delay('-core-');
  const { page } = await it.visit(it.server.address(), { wait: 'domcontentloaded' });
  await page.waitForTimeout(300);
  const before = it.server.hits.filter((hit) => hit.includes('-later-')).length;
  it.server.release();
  await mounted(page);
  await until(() => it.server.hits.filter((hit) => hit.includes('-later-')).length === before + 1, 'it is fetched');
});
