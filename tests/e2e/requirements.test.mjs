// Requirements that no other test covers: see tests/requirements.md.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, jsonl, loop, run, small, toolCall } from './fixtures.mjs';
import {
  active, ask, body, button, drop, dropText, labels, row, rows, stage, until, warnings,
} from './reader.mjs';

const it = stage();

const lines = (values) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const stream = (type, second, rest) => ({
  type, conversation_id: 42, timestamp: `2026-11-20T08:00:${String(second).padStart(2, '0')}Z`, ...rest,
});
const start = (id, second) => stream('tool_start', second, { tool_call_id: id, tool_name: `tool_${id}`, tool_args: { id } });
const output = (id, second) => stream('tool_output', second, { tool_call_id: id, output: `answer ${id}`, truncated: false, full_length: null });
const end = (id, second, rest) => stream('tool_end', second, { tool_call_id: id, ...rest });
const open = async (page, name) => {
  await row(page, name).click();
  const opened = body(page, await active(page));
  await until(async () => await opened.locator('section, pre').count() > 0, 'the row has been read');
  return opened;
};
const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());

test('calls at the same time: each is at work, then has its time and its result, and a failed one its mark', async () => {
  const { page } = await it.open();
  const spinner = (id) => row(page, `tool_${id}`).locator('.badge[data-tone="running"] .spinner');
  const tell = async (values, more = {}) => {
    assert.equal((await ask(page, { cmd: 'append', text: lines(values), ...more })).ok, true);
  };
  await ask(page, { cmd: 'load', trace: lines([start('a', 1)]), fileName: 'live.jsonl' });
  await tell([start('b', 2), start('c', 3)]);
  for (const id of ['a', 'b', 'c']) await spinner(id).waitFor();
  // They end in a different order than they began.
  await tell([output('b', 4), end('b', 4, { status: 'success', duration_ms: 1333 })]);
  await spinner('b').waitFor({ state: 'detached' });
  assert.equal(await row(page, /tool_b/).locator('.row__dur').textContent(), '1.3 s');
  assert.equal(await spinner('a').count() + await spinner('c').count(), 2, 'the others are still at work');
  await tell([end('c', 5, { status: 'error', duration_ms: 250, error_message: 'it broke' }), output('a', 6)], { end: true });
  await spinner('a').waitFor({ state: 'detached' });
  assert.equal(await row(page, /tool_a/).locator('.badge').count(), 0, 'success has no mark');
  const failed = row(page, /tool_c/);
  assert.equal(await failed.getAttribute('data-failed'), 'true');
  assert.equal(await failed.locator('.badge[data-tone=error] svg').count(), 1, 'a sign that needs no colour');
  assert.equal(await failed.locator('.row__dur').textContent(), '250 ms');
  assert.match(await (await open(page, /tool_c/)).innerText(), /it broke/);
  assert.match(await (await open(page, /tool_b/)).innerText(), /answer b/);
});

test('thinking is in the timeline with its duration, and is cut', async () => {
  const { page } = await it.open();
  const words = 'I should look. '.repeat(80).trim();
  await dropText(page, lines([
    stream('thinking_start', 1, { step_id: 's' }),
    stream('thinking_end', 4, { step_id: 's', duration_ms: 2500, thinking_content: words }),
    start('a', 5), output('a', 5),
  ]));
  assert.match((await labels(page))[0], /I should look.*2\.5 s/);
  const opened = await open(page, /I should look/);
  await opened.getByText(/Showing 500 of 1,199 characters/).waitFor();
  await opened.getByRole('button', { name: /^Show all/ }).click();
  await until(async () => (await opened.innerText()).includes(words), 'all of it is shown');
});

test('the facts of a run are in the dialog about the trace', async () => {
  const { page } = await it.open();
  const of = (role, rest) => ({
    schema_version: 'agentv.transcript.v1', test_id: 't', target: 'mock', suite: 'demo', role,
    transcript_token_usage: { input: 900, output: 220 }, transcript_cost_usd: 0.5,
    source: { provider: 'copilot', session_id: 's-77', model: 'gpt-x' }, ...rest,
  });
  await drop(page, [{
    name: 'transcript.jsonl',
    bytes: lines([of('user', { message_index: 0, content: 'q' }), of('assistant', { message_index: 1, content: 'a' })]),
  }]);
  assert.match(await page.getByRole('region', { name: 'Facts' }).innerText(), /900 → 220\s+tokens/);
  await page.locator('.file').getByRole('button').click();
  const dialog = page.getByRole('dialog', { name: 'About this trace' });
  const facts = (await dialog.getByRole('row').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
  for (const fact of ['Provider copilot', 'Session s-77', 'Model gpt-x', 'Cost in USD 0.5', 'Target mock']) {
    assert.ok(facts.includes(fact), `${fact} is one of ${facts.join(' | ')}`);
  }
});

test('a value and the JSON of a row are copied', async () => {
  const { page } = await it.open();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const result = { stations: ['Zürich HB', 'Zürich Oerlikon'], note: 'a text that is long enough to stand on a line of its own' };
  const call = toolCall(1, 'look', { at: 1 }, result);
  await dropText(page, jsonl(run('copied', [call])));
  const opened = await open(page, /look/);
  const press = async (where) => {
    await where.getByRole('button', { name: 'Copy', exact: true }).first().click();
    await until(async () => (await clipboard(page)) !== '', 'it is copied');
  };
  await press(opened.locator('[data-word="result"]'));
  assert.match(await clipboard(page), /Zürich Oerlikon[^]*a text that is long enough/);
  await opened.getByRole('tab', { name: 'JSON' }).click();
  await opened.locator('.body__raw pre').waitFor();
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await press(opened);
  const copied = await clipboard(page);
  for (const words of ['event_id', 'payload', 'meta', 'Zürich HB']) assert.ok(copied.includes(words), copied);
  await opened.getByRole('tab', { name: 'Raw' }).click();
  await until(async () => (await opened.locator('.body__raw pre').innerText()).trim() === JSON.stringify(call), 'the bytes of the line');
});

test('the list of runs shows the outcome of each run', async () => {
  const { page } = await it.open();
  const named = (id, text) => ({ name: `${id}.jsonl`, bytes: text.replaceAll('run-1', id) });
  const calls = [1, 2, 3, 4, 5].map((at) => toolCall(at, 'search', { query: 'x' }, { hits: 0 }));
  const young = Date.now() - 5000;
  await drop(page, [
    named('r-1', jsonl(run('fine', [toolCall(1, 'look', {}, 1)]))),
    named('r-2', jsonl(run('broken', [toolCall(1, 'look', {}, 1)], 'error'))),
    named('r-3', jsonl(run('circling', calls))),
    named('r-4', jsonl([event(0, 'RUN_START', 'working', { run_name: 'working' }, { ts: new Date(young).toISOString() })])),
    named('r-5', jsonl([event(0, 'RUN_START', 'lost', { run_name: 'lost' })])),
  ]);
  const said = await page.locator('.side__run').evaluateAll((all) => Object.fromEntries(all.map((one) => [
    one.querySelector('.side__name').textContent, `${one.dataset.status}: ${one.querySelector('.sr').textContent}`,
  ])));
  assert.deepEqual(said, {
    fine: 'ok: ok', broken: 'error: ended with an error', circling: 'warning: ok, with possible loops',
    working: 'running: still running', lost: 'unended: no end in the file',
  });
});

test('only the states are shown, and only the messages', async () => {
  const { page } = await it.open();
  const kind = (name) => page.getByRole('list', { name: 'Kinds', exact: true }).getByRole('button', { name });
  await dropText(page, jsonl(run('states', [
    event(1, 'STATE_UPDATE', 'state', { state: { phase: 'plan' }, diff: null }),
    toolCall(2, 'look', {}, 1),
    event(3, 'STATE_UPDATE', 'state', { state: { phase: 'book' }, diff: null }),
  ])));
  assert.match(await kind('States').textContent(), /2$/, 'how many there are');
  await kind('States').click();
  await until(async () => await rows(page).count() === 2, 'two rows are left');
  assert.ok((await labels(page)).every((label) => /^\d+\. State/.test(label)));
  const message = (role, content) => ({ role, content });
  await dropText(page, JSON.stringify([message('user', 'one'), message('assistant', 'two'), message('user', 'three')]), 'talk.json');
  await kind('User messages').click();
  await until(async () => await rows(page).count() === 2, 'two messages are left');
  assert.match(await kind('LLM calls').textContent(), /1$/);
});

test('runs are filtered by their score', async () => {
  const { page } = await it.open();
  const result = (test_id, score) => ({ test_id, suite: 'demo', target: 'mock', score, output: [{ role: 'assistant', content: 'x' }] });
  await drop(page, [{ name: 'index.jsonl', bytes: lines([result('a', 0.2), result('b', 0.8), result('c', 0.9), result('d', 1)]) }]);
  const names = () => page.locator('.side__run .side__name').allTextContents();
  const field = page.getByRole('searchbox', { name: 'Filter runs' });
  for (const [filter, expected] of [['meta:score>=0.8', 3], ['meta:score<0.8', 1], ['meta:score>=0.8 meta:score<1', 2], ['', 4]]) {
    await field.fill(filter);
    await until(async () => (await names()).length === expected, `${filter} leaves ${expected}`);
  }
});

test('source code has line numbers and colours', async () => {
  const { page } = await it.open();
  const definition = {
    name: 'gemm', op_type: 'gemm', axes: { M: { type: 'var' } }, inputs: { A: { shape: ['M'], dtype: 'float16' } },
    outputs: { C: { shape: ['M'], dtype: 'float16' } }, reference: 'import torch\n\ndef run(A):  # all of it\n    return A * 2',
  };
  await drop(page, [{ name: 'definition.json', bytes: JSON.stringify(definition) }]);
  await page.getByRole('tab', { name: 'Kernel signature' }).click();
  const source = page.getByRole('tabpanel').locator('.source__lines');
  await source.waitFor();
  assert.equal(await source.locator('.source__numbers').textContent(), '1\n2\n3\n4\n');
  assert.deepEqual(await source.locator('[data-json="word"]').allTextContents(), ['import', 'def', 'return']);
  assert.deepEqual(await source.locator('[data-json="note"]').allTextContents(), ['# all of it']);
  assert.deepEqual(await source.locator('[data-json="number"]').allTextContents(), ['2']);
});

test('a workload that nothing solves says so', async () => {
  const { page } = await it.open();
  const workload = { definition: 'gemm', workload: { uuid: 'u-1', axes: { M: 4 }, inputs: { A: { type: 'random' } } }, solution: null, evaluation: null };
  await drop(page, [{ name: 'traces.jsonl', bytes: lines([workload]) }]);
  assert.match(await (await open(page, /Workload/)).innerText(), /workload[^]*M[^]*4/i);
  await page.locator('.body').getByText('Only a workload: no solution was evaluated on it').waitFor();
});

test('what Explorer would refuse is listed with its position, and shown anyway', async () => {
  const { page } = await it.open();
  const set = (index, messages) => ({ index, messages, annotations: [], metadata: {} });
  const user = { role: 'user', content: 'hi' };
  await drop(page, [{ name: 'set.jsonl', bytes: lines([set(1, [user, { role: 5 }, { role: 'assistant', content: 'still here' }]), set(1, [user])]) }]);
  await row(page, /still here/).waitFor();
  assert.equal(await rows(page).count(), 3, 'a message that cannot be understood is a row');
  await warnings(page).locator('summary').click();
  assert.match(await warnings(page).innerText(), /line 2, byte \d+: duplicate index 1/);
});

test('one line of a text gets a vote, and the address of a note is shown', async () => {
  const { page } = await it.open();
  await dropText(page, lines([{ messages: [{ role: 'user', content: 'first line of it\nsecond line\nthird' }], index: 1 }]), 'set.jsonl');
  await row(page, /first line/).click();
  // The first row has the members of the file beside its messages.
  await body(page, 'row-1').locator('pre.text').evaluate((pre) => getSelection().collapse(pre.firstChild, pre.firstChild.length));
  await body(page, 'row-1').getByRole('button', { name: 'Annotate', exact: true }).click();
  const form = page.getByRole('form', { name: 'Annotation' });
  await form.getByLabel('Line 3').check();
  await form.getByRole('button', { name: '▲ Good' }).click();
  const comment = body(page, 'row-1').locator('.comment');
  await comment.waitFor();
  assert.match(await comment.textContent(), /Vote up/);
  assert.equal(await comment.locator('.comment__address').textContent(), 'messages[0].content:L2');
});

test('each repetition of a loop is one click away', async () => {
  const { page } = await it.open();
  await dropText(page, loop(4));
  await page.keyboard.press('f');
  const findings = page.getByRole('complementary', { name: 'All findings' });
  const rounds = findings.getByRole('button', { name: /^Go to event/ });
  assert.deepEqual(await rounds.allTextContents(), ['2', '3', '4', '5']);
  await rounds.nth(2).click();
  await until(async () => await active(page) === 'row-3', 'the third call has the keyboard');
});

test('a trace opens in the normal mode with every row closed', async () => {
  const { page } = await it.open();
  await dropText(page, small());
  assert.equal(await button(page, 'Normal').getAttribute('aria-pressed'), 'true');
  assert.equal(await page.locator('.list .body').count(), 0);
  assert.equal((await labels(page)).length, 6);
});
