// Changes between two calls, between two picked rows, between the repetitions of a loop, in a file, and between runs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { jsonl } from './fixtures.mjs';
import { AXE_PATH } from './harness.mjs';
import { drop, shown, stage, until } from './reader.mjs';

const it = stage();

/** A session of Claude Code: the user's message, and the calls with their results. */
function session(id, question, calls, { usage = () => ({ input_tokens: 10, output_tokens: 5 }) } = {}) {
  const start = Date.UTC(2026, 4, 3, 9);
  const records = [];
  const add = (type, minutes, message) => {
    const number = records.length;
    records.push({
      sessionId: id, uuid: `${id}-${number}`, parentUuid: number ? `${id}-${number - 1}` : null, version: '2.1.0', type,
      timestamp: new Date(start + minutes * 60_000 + number * 1000).toISOString(), message,
    });
  };
  add('user', 0, { role: 'user', content: question });
  calls.forEach(({ name, input, result, minutes = 0 }, at) => {
    const content = name ? [{ type: 'tool_use', id: `${id}-c${at}`, name, input }] : [{ type: 'text', text: input }];
    add('assistant', minutes, {
      id: `${id}-m${at}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5-20250929', usage: usage(at), content,
    });
    if (name) {
      add('user', minutes, { role: 'user', content: [{ type: 'tool_result', tool_use_id: `${id}-c${at}`, content: result }] });
    }
  });
  return jsonl(records);
}

const edit = (from, to, file = '/shop/cart.py') => ({
  name: 'Edit', input: { file_path: file, old_string: from, new_string: to }, result: 'ok',
});
const bash = (command, result) => ({ name: 'Bash', input: { command }, result });
const said = { input: 'All prices are rounded now.' };

const GOOD = [bash('ls', 'cart.py'), edit('a = 1', 'a = 2'), bash('pytest', '3 passed'), said];
const BAD = [
  bash('ls', 'cart.py\nold.py'), edit('a = 1', 'a = 3'), edit('a = 3', 'a = 4'), edit('b', 'c', '/shop/old.py'),
  edit('c', 'b', '/shop/old.py'), bash('pytest', '1 failed'), bash('pytest', '2 failed'),
];

const rows = (page) => page.locator('[role=treeitem]');
const changes = (page) => page.locator('.body__panel').last();
const text = async (locator) => (await locator.innerText()).replace(/\s+/g, ' ');

async function opened(files, options) {
  const all = await it.open('', options);
  const list = Object.entries(files).map(([name, bytes]) => ({ name, bytes }));
  await drop(all.page, list, list[0].name);
  await all.page.keyboard.press('2');
  return all;
}

test('an LLM call: what was sent before it, tokens, and why the cache was lost', async () => {
  const usage = (at) => [
    { input_tokens: 20, cache_creation_input_tokens: 30_000, cache_read_input_tokens: 0, output_tokens: 9 },
    { input_tokens: 20, cache_creation_input_tokens: 31_000, cache_read_input_tokens: 0, output_tokens: 9 },
  ][at];
  const calls = [bash('ls', 'cart.py'), { ...said, minutes: 12 }];
  const { page, errors } = await opened({ 's.jsonl': session('s', 'Round the prices', calls, { usage }) });
  await rows(page).filter({ hasText: 'All prices are rounded' }).click();
  await page.keyboard.press('d');
  await page.getByText('the previous LLM call of this agent').waitFor();
  const words = await text(changes(page));
  assert.match(words, /Written to the cache 30,000 31,000 \(\+1,000\)/);
  assert.match(words, /Only 0 tokens came from the cache, after 30,000 had been in it\. Possible reasons: 12 min 2 s passed/);
  assert.match(words, /Between the two calls: 1 tool call \(Bash\)/);
  assert.deepEqual(errors, []);
});

test('a call: the last one with the same arguments, and a row that was picked', async () => {
  const { page } = await opened({ 's.jsonl': session('s', 'Round the prices', BAD) });
  const pytest = rows(page).filter({ hasText: 'pytest' });
  await pytest.last().click();
  await page.keyboard.press('d');
  await page.getByText('the last call with the same arguments').waitFor();
  assert.match(await text(changes(page)), /Result.* 1 failed .* 2 failed.*The same: Command/);
  await page.keyboard.press('Escape');
  await rows(page).filter({ has: page.locator('.row__sum', { hasText: /^ls$/ }) }).first().click();
  await page.keyboard.press('D');
  await pytest.last().click();
  await page.keyboard.press('d');
  await page.getByText('chosen; earlier than this one').waitFor();
  assert.match(await text(changes(page)), /Command .*ls.*pytest/);
  await changes(page).getByRole('button', { name: 'Compare with the previous event' }).click();
  await page.getByText('the last call with the same arguments').waitFor();
});

test('the edits of a file, and what they come to', async () => {
  const { page } = await opened({ 's.jsonl': session('s', 'Round the prices', BAD) });
  await page.getByRole('tab', { name: 'Files' }).click();
  const file = (name) => page.locator('.touch').filter({ hasText: name });
  await file('cart.py').locator('.touch__head').click();
  await file('cart.py').getByRole('button', { name: 'Net change' }).click();
  await file('cart.py').locator('.diff').waitFor();
  assert.match(await text(file('cart.py').locator('.diff')), /\+1 −1 − removed: a = 1 \+ added: a = 4/);
  await file('old.py').locator('.touch__head').click();
  await file('old.py').getByRole('button', { name: 'Net change' }).click();
  await file('old.py').getByText('2 edits that cancel each other').waitFor();
});

test('two runs: numbers, the steps that differ, and the way to each', async () => {
  const { page, errors } = await opened({
    'bad.jsonl': session('bad', 'Round the prices', BAD), 'good.jsonl': session('good', 'Round the prices', GOOD),
  });
  await page.getByRole('tab', { name: 'Compare' }).click();
  const status = page.locator('.pairs__bar [role=status]');
  await until(async () => /^First difference at step \d+/.test(await status.innerText()), 'runs are aligned');
  const numbers = await text(page.locator('.pairs__numbers'));
  assert.match(numbers, /Tool calls 7 3 −4/);
  assert.match(numbers, /Calls by tool .*Edit 4 1 −3 Bash 3 2 −1/);
  const pair = (fate) => page.locator(`.pairs__pair[data-fate=${fate}]`);
  assert.match(await text(pair('result').first()), /ls/);
  assert.match(await text(page.locator('.pairs__parting')), /^First difference, step \d+: Bash has a different result$/);
  assert.equal(await page.locator('.pairs__parting + .pairs__pair[data-fate=result]').count(), 1, 'it stands where they part');
  assert.ok(await pair('first').count() > 0, 'steps of one run alone');
  assert.ok(await page.locator('.pairs__strip path').count() > 2, 'all steps as a strip');
  assert.match(await text(page.locator('.pairs__turn')), /1 Round the prices A .*B /, 'the message of both, and how long its turns took');
  await page.getByRole('button', { name: /^Only in A/ }).click();
  const fates = await page.locator('.pairs__pair').evaluateAll((pairs) => pairs.map((one) => one.dataset.fate));
  assert.deepEqual([...new Set(fates)], ['first']);
  await page.getByRole('button', { name: /^Differences/ }).click();
  assert.equal(await page.locator('.pairs__pair[data-fate=same]').count(), 0);
  await page.getByRole('button', { name: /^All/ }).click();
  await page.evaluate(readFileSync(AXE_PATH, 'utf8'));
  const found = await page.evaluate(() => globalThis.axe.run('.pairs'));
  assert.deepEqual(found.violations.map((violation) => violation.id), []);
  await pair('result').first().getByRole('button', { name: 'different result' }).click();
  await page.getByText(/chosen; (earlier|later) than this one/).waitFor();
  assert.match(await text(changes(page)), /old\.py/);
  assert.deepEqual(errors, []);
});

test('words that differ between two steps are marked', async () => {
  const steps = (file) => [bash(`pytest tests/${file}.py --quiet`, '1 passed'), said];
  const { page } = await opened({
    'one.jsonl': session('one', 'Round the prices', steps('cart')), 'two.jsonl': session('two', 'Round the prices', steps('total')),
  });
  await page.getByRole('tab', { name: 'Compare' }).click();
  const pair = page.locator('.pairs__pair[data-fate=changed]').filter({ hasText: 'pytest' });
  await pair.waitFor();
  assert.deepEqual(await pair.locator('.diff__changed').allTextContents(), ['cart', 'total']);
  assert.match(await text(pair), /pytest tests\/cart\.py --quiet .*pytest tests\/total\.py --quiet/, 'nothing of the words is lost');
});

test('what is the same is folded, keys lead from difference to difference, and either run can be chosen', async () => {
  const many = (last) => [...Array.from({ length: 9 }, (_, at) => bash(`cat ${at}.py`, 'ok')), bash('pytest', last), said];
  const { page, errors } = await opened({
    'one.jsonl': session('one', 'Round the prices', many('1 failed')), 'two.jsonl': session('two', 'Round the prices', many('3 passed')),
    'zero.jsonl': session('zero', 'Round the prices again', BAD),
  });
  await page.getByRole('tab', { name: 'Compare' }).click();
  const run = (letter) => page.locator(`.pairs__run:has(> b:text-is("${letter}")) select`);
  await run('A').selectOption({ index: 0 });
  await run('B').selectOption({ label: 'Round the prices' });
  const fold = page.getByRole('button', { name: /steps the same in both/ });
  await fold.waitFor();
  const folded = Number((await fold.innerText()).match(/\d+/)[0]);
  assert.ok(folded > 3);
  const pairs = page.locator('.pairs__pair');
  const n = await pairs.count();
  await fold.click();
  assert.equal(await pairs.count(), n + folded);
  await page.locator('.pairs__number').first().hover();
  await page.keyboard.press('J');
  await page.locator('.pairs__pair[data-now=true]').first().waitFor();
  assert.match(await text(page.locator('.pairs__bar [role=status]')), /^Difference 1 of 1$/);
  assert.match(await page.evaluate(() => document.activeElement.textContent), /pytest/, 'its step has the focus');
  assert.equal(await page.getByRole('button', { name: 'Next' }).isDisabled(), true, 'it is the last one');

  const chosen = (letter) => run(letter).evaluate((select) => select.selectedOptions[0].value);
  const [first, second] = [await chosen('A'), await chosen('B')];
  await page.getByRole('button', { name: 'Swap the two runs' }).click();
  await until(async () => await chosen('A') === second && await chosen('B') === first, 'they have changed places');
  await run('A').selectOption(first);
  await until(async () => await chosen('A') === first && await chosen('B') === second, 'choosing the other one does, too');
  const third = ['0', '1', '2'].find((at) => at !== first && at !== second);
  await run('A').selectOption(third);
  await until(async () => await chosen('A') === third && await chosen('B') === second, 'the other one stays');
  assert.deepEqual(errors, []);
});

test('two links: #trace= and compare= lead to the comparison', async () => {
  it.server.put('good.jsonl', session('good', 'Round the prices', GOOD));
  it.server.put('bad.jsonl', session('bad', 'Round the prices', BAD));
  const { page } = await it.open('#trace=good.jsonl&compare=bad.jsonl');
  await page.locator('.pairs__pair').first().waitFor();
  assert.equal(await page.getByRole('tab', { name: 'Compare' }).getAttribute('aria-selected'), 'true');
});

test('the open trace is compared with a file that is chosen', async () => {
  const { page } = await opened({ 'trace.jsonl': session('good', 'Round the prices', GOOD) });
  assert.equal(await page.getByRole('tab', { name: 'Compare' }).count(), 0);
  await page.getByRole('button', { name: 'Open…' }).click();
  await page.getByRole('button', { name: /Compare the open trace/ }).waitFor();
  await page.locator('#pick-to-compare').setInputFiles({
    name: 'trace.jsonl', mimeType: 'text/plain', buffer: Buffer.from(session('bad', 'Round the prices', BAD)),
  });
  await page.locator('.pairs__pair').first().waitFor();
});
