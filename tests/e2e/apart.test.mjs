// Repetitions with other calls between them, sub-agents that did well, runs that ended with an answer: what is folded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonl } from './fixtures.mjs';
import { drop, dropText, labels, row, stage, until } from './reader.mjs';

const it = stage();

const edit = (to) => ({ name: 'Edit', input: { file_path: '/shop/cart.py', old_string: 'a', new_string: to }, result: 'ok' });
const fails = { name: 'Bash', input: { command: 'pytest cart' }, result: 'Exit code 1\nAssertionError: expected 4 to be 5', failed: true };
const passes = { name: 'Bash', input: { command: 'pytest cart' }, result: '3 passed' };
const read = { name: 'Read', input: { file_path: '/shop/cart.py' }, result: 'a = 1' };
const answer = { text: 'The `cart` is **right** now.' };

/** A session of Claude Code in which each step is a call or a text of the model. */
function session(id, steps) {
  const start = Date.UTC(2026, 4, 3, 9);
  const records = [];
  const add = (type, message) => records.push({
    sessionId: id, uuid: `${id}-${records.length}`, parentUuid: records.length ? `${id}-${records.length - 1}` : null,
    version: '2.1.0', type, cwd: '/shop', timestamp: new Date(start + records.length * 10_000).toISOString(), message,
  });
  add('user', { role: 'user', content: 'Make the cart right' });
  steps.forEach((step, at) => {
    const content = step.name ? { type: 'tool_use', id: `${id}-c${at}`, name: step.name, input: step.input } : { type: 'text', text: step.text };
    add('assistant', {
      id: `${id}-m${at}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5-20250929', content: [content],
      stop_reason: step.name ? 'tool_use' : 'end_turn', usage: { input_tokens: 1000, output_tokens: 50 },
    });
    if (step.name) {
      add('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: `${id}-c${at}`, content: step.result, is_error: step.failed === true }] });
    }
  });
  return jsonl(records);
}

const LOOPS = [fails, edit('b'), fails, read, edit('c'), fails, edit('d'), fails, passes, answer];
const N_FAILED = 4;
const failed = (page) => page.locator('.row[data-failed="true"]');

test('repetitions fold with what was done between, and are unfolded', async () => {
  const { page, errors } = await it.open();
  await dropText(page, session('one', LOOPS), 'one.jsonl');
  await page.keyboard.press('2');
  const fold = row(page, /3 more calls that failed in the same way, 3 edits and 1 read between them/);
  await fold.waitFor();
  assert.equal(await failed(page).count(), 1, 'the first one is shown');
  assert.match(await fold.locator('.row__tok').innerText(), /^7\.0k → 350$/, 'the seven calls that it stands for');
  assert.match(await fold.locator('.row__dur').innerText(), /min/);
  assert.ok((await fold.locator('.row__loop').boundingBox()).width > 10, 'it has a bar');
  const n = (await labels(page)).length;
  await fold.click();
  await until(async () => await failed(page).count() === N_FAILED, 'all of them are shown');
  await fold.click();
  await until(async () => (await labels(page)).length === n, 'they are folded again');
  // In a conversation what was said between belongs to it.
  await page.keyboard.press('1');
  await until(async () => await failed(page).count() === N_FAILED, 'a transcript has all of them');
  assert.deepEqual(errors, []);
});

test('a finding that is chosen shows the rows it stands on, and why they are a loop', async () => {
  const { page } = await it.open('', { context: { viewport: { width: 1440, height: 900 } } });
  await dropText(page, session('one', LOOPS), 'one.jsonl');
  await page.keyboard.press('2');
  await row(page, /3 more calls that failed/).waitFor();
  await page.keyboard.press('f');
  await until(async () => await failed(page).count() === N_FAILED, 'its rows are unfolded');
  const evidence = page.getByRole('region', { name: 'Evidence' });
  assert.match(await evidence.innerText(), /The same arguments and the same error each time, 3 edits and 1 read between them\./);
});

test('a run that ends with an answer says so, whatever failed before', async () => {
  const { page } = await it.open();
  await dropText(page, session('one', LOOPS), 'one.jsonl');
  await page.keyboard.press('2');
  assert.equal(await page.locator('.outcome').innerText(), 'Answered');
  assert.ok((await labels(page)).some((label) => label.includes('The cart is right now.')), 'without signs of Markdown');
  const { page: other } = await it.open();
  await dropText(other, session('two', LOOPS.slice(0, -2)), 'two.jsonl');
  assert.equal(await other.locator('.outcome').innerText(), 'Has errors');
});

test('a comparison folds the repetitions that one run has alone', async () => {
  const { page } = await it.open();
  await drop(page, [
    { name: 'one.jsonl', bytes: session('one', LOOPS) },
    { name: 'two.jsonl', bytes: session('two', [fails, passes, answer]) },
  ]);
  await page.getByRole('tab', { name: 'Compare' }).click();
  const fold = page.locator('.pairs__same[data-loop]');
  await fold.waitFor();
  assert.match(await fold.innerText(), /more calls that failed in the same way, 3 edits and 1 read between them · \d+ steps only in [AB]/);
  const n = await page.locator('.pairs__pair').count();
  await fold.getByRole('button').click();
  await until(async () => await page.locator('.pairs__pair').count() > n + 3, 'its steps are shown');
});
