// Repetitions with other calls between them, look-ups in a row, sub-agents that succeeded, runs that ended with an
// answer: which rows are folded, and which parts of two runs are compared.
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

/** A session of Claude Code in which each step is a call, a text of the model or the user's next message. */
function session(id, steps, stepMs = 10_000) {
  const start = Date.UTC(2026, 4, 3, 9);
  const records = [];
  const add = (type, message) => records.push({
    sessionId: id, uuid: `${id}-${records.length}`, parentUuid: records.length ? `${id}-${records.length - 1}` : null,
    version: '2.1.0', type, cwd: '/shop', timestamp: new Date(start + records.length * stepMs).toISOString(), message,
  });
  add('user', { role: 'user', content: 'Make the cart right' });
  steps.forEach((step, at) => {
    if (step.asks) return void add('user', { role: 'user', content: step.asks });
    if (step.compacts) {
      add('system', undefined);
      return void Object.assign(records.at(-1), { subtype: 'compact_boundary', content: 'Conversation compacted', compactMetadata: { trigger: 'auto', preTokens: 1000 } });
    }
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

const LOOPS = [fails, edit('b'), fails, read, edit('c'), fails, edit('d'), fails, edit('e'), fails, passes, answer];
const N_FAILED = 5;
const failed = (page) => page.locator('.row[data-failed="true"]');

test('repetitions fold with what was done between, and are unfolded', async () => {
  const { page, errors } = await it.open();
  await dropText(page, session('one', LOOPS), 'one.jsonl');
  await page.keyboard.press('2');
  const fold = row(page, /4 more calls that failed in the same way, 4 edits and 1 read between them/);
  await fold.waitFor();
  assert.equal(await failed(page).count(), 1, 'the first one is shown');
  assert.match(await fold.locator('.row__tok').innerText(), /^9\.0k → 450$/, 'the nine calls that it stands for');
  assert.match(await fold.locator('.row__dur').innerText(), /min/);
  assert.ok((await fold.locator('.row__loop').boundingBox()).width > 10, 'it has a bar');
  const n = (await labels(page)).length;
  await fold.click();
  await until(async () => await failed(page).count() === N_FAILED, 'all of them are shown');
  await fold.click();
  await until(async () => (await labels(page)).length === n, 'they are folded again');
  // In a conversation they are folded too, with their duration and cost; a waterfall shows when each of them happened.
  await page.keyboard.press('1');
  await row(page, /4 more calls that failed in the same way, .* between them: .*min.* · ≈ \$/).waitFor();
  await page.keyboard.press('3');
  await until(async () => await failed(page).count() === N_FAILED, 'a waterfall has all of them');
  assert.deepEqual(errors, []);
});

test('a finding that is chosen shows the rows it stands on, and why they are a loop', async () => {
  const { page } = await it.open('', { context: { viewport: { width: 1440, height: 900 } } });
  await dropText(page, session('one', LOOPS), 'one.jsonl');
  await page.keyboard.press('2');
  await row(page, /4 more calls that failed/).waitFor();
  await page.keyboard.press('f');
  await until(async () => await failed(page).count() === N_FAILED, 'its rows are unfolded');
  const evidence = page.getByRole('region', { name: 'Evidence' });
  assert.match(await evidence.innerText(), /The same arguments and the same error each time, 4 edits and 1 read between them\./);
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
  assert.match(await fold.innerText(), /more calls that failed in the same way, 4 edits and 1 read between them · \d+ steps only in [AB]/);
  const n = await page.locator('.pairs__pair').count();
  await fold.getByRole('button').click();
  await until(async () => await page.locator('.pairs__pair').count() > n + 3, 'its steps are shown');
});

const look = (n) => ({ name: 'Read', input: { file_path: `/shop/part${n}.py` }, result: `part = ${n}` });
const find = { name: 'Grep', input: { pattern: 'round' }, result: 'cart.py:3' };
const LOOKS = [look(1), look(2), look(3), find, look(4), look(5), edit('b'), answer];

test('look-ups in a row fold behind the first two, and a hit or a key shows them', async () => {
  const { page, errors } = await it.open();
  await dropText(page, session('one', LOOKS, 2_000), 'one.jsonl');
  await page.keyboard.press('2');
  const fold = row(page, /4 more steps: 3 reads, 1 search/);
  await fold.waitFor();
  const reads = page.locator('.row[data-look="read"]');
  assert.equal(await reads.count(), 2, 'the first ones are shown');
  assert.match(await fold.locator('.row__tok').innerText(), /^4\.0k → 200$/);
  await fold.click();
  await until(async () => await reads.count() === 5, 'all of them are shown');
  await fold.click();
  await until(async () => await reads.count() === 2, 'they are folded again');
  await page.keyboard.press('/');
  await page.keyboard.type('part4');
  await page.keyboard.press('Enter');
  await until(async () => (await labels(page)).some((label) => label.includes('part4.py')), 'a hit is shown');
  // A transcript and the verbose mode fold none of them.
  await page.keyboard.press('Escape');
  await page.keyboard.press('1');
  await until(async () => await reads.count() === 5, 'a transcript has all of them');
  assert.deepEqual(errors, []);
});

test('where one run goes on both are counted to the turn at which the other stops', async () => {
  const { page } = await it.open('', { context: { viewport: { width: 1440, height: 900 } } });
  const more = [{ asks: 'Write tests, too' }, look(1), edit('q'), { text: 'There are tests now.' }];
  await drop(page, [
    { name: 'one.jsonl', bytes: session('one', [edit('b'), passes, answer, ...more]) },
    { name: 'two.jsonl', bytes: session('two', [look(7), edit('c'), passes, answer]) },
  ]);
  await page.getByRole('tab', { name: 'Compare' }).click();
  const numbers = page.locator('.pairs__numbers');
  await numbers.getByText(/Counted up to the end of turn 1, where [AB] stops\./).waitFor();
  const calls = async () => {
    const cells = await numbers.locator('tr', { hasText: 'Tool calls' }).locator('td').allInnerTexts();
    return cells.slice(0, 2).sort();
  };
  assert.deepEqual(await calls(), ['2', '3']);
  await numbers.getByRole('button', { name: 'Count whole runs' }).click();
  await until(async () => (await calls()).join() === '3,4', 'the whole runs are counted');
  // Both edited the file; one of them made the edit twice, so the resulting lines differ.
  const file = numbers.locator('.pairs__files tbody tr');
  assert.match((await file.innerText()).replace(/\s+/g, ' '), /cart\.py (\+2 −2 \+1 −1|\+1 −1 \+2 −2) ≠/);
  assert.match(await numbers.locator('.pairs__signs').innerText(), /different text or arguments/);
});

test('a finding that is chosen shows its repetitions from the first on', async () => {
  const { page } = await it.open('', { context: { viewport: { width: 1440, height: 700 } } });
  const before = Array.from({ length: 14 }, (_, n) => edit(`x${n}`));
  await dropText(page, session('one', [...before, ...LOOPS]), 'one.jsonl');
  await page.keyboard.press('2');
  await row(page, /4 more calls that failed/).waitFor();
  await page.keyboard.press('f');
  await until(async () => await failed(page).count() === N_FAILED, 'its rows are drawn');
  const list = await page.locator('.list').first().boundingBox();
  await until(async () => {
    const boxes = await Promise.all((await failed(page).all()).map((it) => it.boundingBox()));
    return boxes.every((box) => box && box.y >= list.y && box.y + box.height <= list.y + list.height);
  }, 'all of them are in sight');
});

test('what is shown of an opened row is copied', async () => {
  const { page } = await it.open('', { context: { permissions: ['clipboard-read', 'clipboard-write'] } });
  await dropText(page, session('one', [fails, answer]), 'one.jsonl');
  await page.keyboard.press('2');
  await row(page, /pytest cart/).click();
  await page.locator('.body__tabs').getByRole('button', { name: 'Copy' }).click();
  await until(async () => (await page.evaluate(() => navigator.clipboard.readText())).includes('expected 4 to be 5'), 'it is in the clipboard');
});

test('a finding lists its repetitions with what was between, and compactions are findings, too', async () => {
  const { page, errors } = await it.open();
  await dropText(page, session('compacted', [...LOOPS, { compacts: true }, { asks: 'Say it again' }, answer]), 'one.jsonl');
  await page.keyboard.press('2');
  await page.keyboard.press('f');
  const panel = page.getByRole('complementary', { name: 'All findings' });
  await panel.getByText('The context was compacted: 1.0k → 1.0k').waitFor();
  assert.match(await panel.innerText(), /Compactions \(1\)/);
  // Each repetition is counted from the previous one, so that their sum is the total above: four or more steps of ten
  // seconds each.
  const times = await panel.locator('.evidence tbody tr td:nth-last-child(3)').allInnerTexts();
  const cost = (await panel.locator('.evidence tbody tr td:last-child').allInnerTexts()).map((it) => Number(it.replace('$', '')));
  const whole = Number((await panel.locator('.evidence__figures').innerText()).match(/\$([\d.]+)/)[1]);
  assert.equal(cost.length, N_FAILED, times.join());
  const sum = cost.slice(1).reduce((all, one) => all + one, 0);
  assert.ok(Math.abs(sum - whole) < 0.002, `${cost} make up ${whole}`);
  assert.deepEqual(errors, []);
});

test('where one run goes on, its further turns are one line, and the buttons count up to there', async () => {
  const { page, errors } = await it.open();
  const more = [{ asks: 'Now the docs' }, edit('e'), edit('f'), answer, { asks: 'And the tests' }, read, edit('g'), answer];
  await drop(page, [
    { name: 'long.jsonl', bytes: session('long', [read, fails, edit('b'), passes, answer, ...more]) },
    { name: 'short.jsonl', bytes: session('short', [fails, edit('b'), passes, answer]) },
  ]);
  await page.keyboard.press('C');
  const beyond = page.locator('.pairs__same').last();
  await until(async () => /2 turns only in A: “Now the docs”, “And the tests”/.test(await beyond.innerText()), 'they are one line');
  assert.match(await page.locator('.pairs__parting').innerText(), /only A calls Read .*cart\.py/);
  const count = async () => Number((await page.getByRole('button', { name: /^Only in A/ }).innerText()).match(/\d+/)[0]);
  assert.equal(await count(), 1, 'the call before');
  const pairs = await page.locator('.pairs__pair').count();
  await beyond.getByRole('button').click();
  await until(async () => await page.locator('.pairs__pair').count() === pairs + 8, 'they can be shown');
  await page.getByRole('button', { name: 'Count whole runs' }).click();
  await until(async () => await count() === 9, 'all of them count');
  assert.deepEqual(errors, []);
});
