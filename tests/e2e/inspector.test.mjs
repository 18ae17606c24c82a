// Agent Inspector and FlashInfer-Bench: the order in an opened request, collapsible messages, and the tabs
// that show definitions and results.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AXE_PATH, dropFiles } from './harness.mjs';
import { active, body, button, drop, headline, row, rows, stage, until, warnings } from './reader.mjs';

const it = stage();

const request = (conversation, message, more = {}) => ({
  type: 'llm_request', model: 'gpt-4o', conversation,
  response: { model: 'gpt-4o', choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }] },
  ...more,
});
const agent = [
  request(
    [{ role: 'system', content: 'You write kernels.' }, { role: 'user', content: 'Make it\nfast.' }],
    {
      content: 'I compile it.',
      tool_calls: [{ id: 'call_7', type: 'function', function: { name: 'compile', arguments: '{"file":"k.cu","flags":"-O3\\n-v"}' } }],
    },
  ),
  { type: 'tool_call', tool_name: 'compile', arguments: { file: 'k.cu', flags: '-O3\n-v' }, result: 'built', cli_output: '\u001b[31mline one\u001b[0m\nline two' },
  { type: 'mcp', server: 'bench', payload: { a: 1 }, text: 'first\nsecond' },
];
const definition = {
  name: 'gemm', op_type: 'gemm', axes: { M: { type: 'var' }, N: { type: 'const', value: 4096 } },
  inputs: { A: { shape: ['M', 'N'], dtype: 'float16' }, s: { shape: null, dtype: 'float32' } },
  outputs: { C: { shape: ['M', 'N'], dtype: 'float16' } },
  reference: 'import torch\n\ndef run(A, s):\n    return A * s', constraints: ['M > 0'], tags: ['status:verified'],
};
const solution = {
  name: 'mine', definition: 'gemm', author: 'me', spec: { language: 'cuda', entry_point: 'k.cu::run' },
  sources: [{ path: 'k.h', content: '// header' }, { path: 'k.cu', content: '__global__ void k() {}' }],
};
const trace = (name, evaluation) => ({
  definition: 'gemm', workload: { uuid: `u-${name}`, axes: { M: 4 }, inputs: { A: { type: 'random' } } }, solution: name, evaluation,
});
const passed = (speedup, diff) => ({
  status: 'PASSED', environment: { hardware: 'B200', libs: { cuda: '12.8' } }, timestamp: '2026-02-03T12:00:00', log: 'all good\n',
  correctness: { max_relative_error: 1e-6, max_absolute_error: diff },
  performance: { latency_ms: 0.012, reference_latency_ms: 0.045, speedup_factor: speedup },
});
const failed = (status, log) => ({
  status, environment: { hardware: 'B200', libs: {} }, timestamp: '2026-02-03T12:01:00', log, correctness: null, performance: null,
});
const traces = [
  trace('mine', passed(1.5, 'Infinity')),
  trace('other', failed('COMPILE_ERROR', '\u001b[31merror:\u001b[0m no such thing')),
  trace('slow', failed('TIMEOUT', '')),
  trace('mine', passed(2.5, 3.2e-6)),
  trace(null, null),
];
const json = (name, value) => ({ name, bytes: JSON.stringify(value) });
const files = () => [
  json('agent.json', agent), json('definition.json', definition), json('solution.json', solution),
  { name: 'traces.jsonl', bytes: traces.map((one) => JSON.stringify(one)).join('\n') },
];

const tab = (page, name) => page.getByRole('tab', { name, exact: true });
const panel = (page) => page.getByRole('tabpanel');
const texts = async (locator) => (await locator.allTextContents()).map((text) => text.trim());
const ready = async (given = files(), suffix = '', options = {}) => {
  const opened = await it.open(suffix, options);
  await drop(opened.page, given);
  return opened;
};
const open = async (page, name) => {
  await row(page, name).click();
  const opened = body(page, await active(page));
  await until(async () => await opened.locator('section, pre').count() > 0, 'the row has been read');
  return opened;
};

test('an opened request: model, conversation, output, tool calls as key and value', async () => {
  const { page, errors } = await ready([json('agent.json', agent)]);
  assert.equal(await tab(page, 'Result').count(), 0, 'there are no results');
  const opened = await open(page, /I compile it/);
  const heads = await texts(opened.locator('.body__blocks > section > h3'));
  assert.deepEqual(heads, ['Model', 'Messages', 'Response', 'Tool call: compile', 'Other fields']);
  assert.match(await opened.innerText(), /model name\s+gpt-4o/);
  const call = opened.locator('section').filter({ hasText: 'Tool call:' }).getByRole('table');
  assert.deepEqual(await texts(call.getByRole('rowheader')), ['file', 'flags']);
  assert.equal(await call.getByRole('cell').nth(1).locator('pre').textContent(), '-O3\n-v', 'in two lines');
  assert.deepEqual(errors, []);
});

test('the first click opens the first row', async () => {
  const { page } = await ready([json('agent.json', agent)]);
  await rows(page).first().click();
  await page.locator('#body-0').waitFor();
});

test('each message is a drop-down, closed and opened by mouse and keyboard', async () => {
  const { page } = await ready([json('agent.json', agent)]);
  const opened = await open(page, /I compile it/);
  const user = opened.getByRole('button', { name: 'user', exact: true });
  assert.equal(await user.getAttribute('aria-expanded'), 'true');
  const words = opened.locator('.message[data-role="user"] pre');
  assert.equal(await words.textContent(), 'Make it\nfast.');
  await user.click();
  assert.equal(await user.getAttribute('aria-expanded'), 'false');
  assert.equal(await words.isVisible(), false);
  assert.match(await opened.locator('.message[data-role="user"]').innerText(), /Make it fast\./);
  await user.press('Enter');
  assert.equal(await words.isVisible(), true);
});

test('a tool call shows all of its fields, MCP as well', async () => {
  const { page } = await ready([json('agent.json', agent)]);
  const call = await open(page, /^2 /);
  assert.deepEqual(await texts(call.locator('.body__blocks > section > h3')), ['Arguments', 'Result', 'CLI output']);
  assert.equal(await call.locator('[data-word="log"] pre').textContent(), 'line one\nline two');
  const mcp = await open(page, /^3 /);
  assert.deepEqual(await texts(mcp.getByRole('rowheader')), ['server', 'payload', 'text']);
  assert.equal(await mcp.getByRole('cell').last().locator('pre').textContent(), 'first\nsecond');
});

test('an example with trailing commas opens and says on which line', async () => {
  const text = JSON.stringify(agent.slice(0, 1), null, 2).replace('}\n    ],', '},\n    ],');
  const { page } = await ready([{ name: 'printed.json', bytes: text }]);
  // The step, and the call that it requests, whose result is not among these elements.
  assert.equal(await rows(page).count(), 2);
  await warnings(page).locator('summary').click();
  const line = text.slice(0, text.indexOf('},\n    ],')).split('\n').length;
  assert.match(await warnings(page).innerText(), new RegExp(`trailing comma[^]*line ${line},`));
});

test('with a definition and results there are three tabs; the agent is the timeline', async () => {
  const { page, errors } = await ready();
  assert.deepEqual(await texts(page.getByRole('tablist', { name: 'Views' }).getByRole('tab')), ['Kernel signature', 'Result', 'Brief', 'Agent inspector', 'Statistics']);
  assert.equal(await tab(page, 'Agent inspector').getAttribute('aria-selected'), 'true');
  assert.match(await headline(page), /agent\.json/);
  assert.equal(await rows(page).count(), 3);
  await tab(page, 'Kernel signature').click();
  const said = await panel(page).innerText();
  for (const words of ['gemm', 'Axes', '4096', '[M, N]', 'scalar', 'float16', 'def run(A, s):', 'M > 0', 'status:verified']) {
    await until(async () => (await panel(page).innerText()).includes(words), `${words} stands in ${said}`);
  }
  assert.equal(await page.getByRole('tree', { name: 'Timeline' }).isVisible(), false, 'the timeline is behind');
  assert.deepEqual(errors, []);
});

test('results: a table with the best so far; code by file, max diff, speed and log of one', async () => {
  const { page, errors } = await ready();
  await tab(page, 'Result').click();
  const table = panel(page).getByRole('table').first();
  const lines = table.locator('tbody tr');
  const cells = async (at) => texts(lines.nth(at).locator('th, td'));
  assert.equal(await lines.count(), 4);
  assert.deepEqual(await cells(0), ['1', 'mine', 'M=4', '✓ PASSED', '1.500×', '1.500×', '12.00 µs', '∞', 'Timeline']);
  assert.deepEqual(await cells(1), ['2', 'other', 'M=4', '✕ COMPILE_ERROR', '', '1.500×', '', '', 'Timeline']);
  assert.deepEqual(await cells(2), ['3', 'slow', 'M=4', '✕ TIMEOUT', '', '1.500×', 'timeout', '', 'Timeline']);
  assert.deepEqual(await cells(3), ['4', 'mine', 'M=4', '✓ PASSED', '2.500×', '2.500×', '12.00 µs', '3.20e-6', 'Timeline']);
  // The best one is selected.
  assert.equal(await lines.nth(3).getAttribute('data-chosen'), 'true');
  const source = panel(page).locator('.source pre.text').first();
  await until(async () => await source.count() === 1 && await source.textContent() === '// header', 'the first file is shown');
  await button(panel(page), 'k.cu').click();
  assert.equal(await source.textContent(), '__global__ void k() {}');
  const facts = await panel(page).locator('.result__facts').innerText();
  assert.match(facts.replace(/\s+/g, ' '), /Max diff 3\.20e-6 Speed 12\.00 µs Speed-up 2\.500×/);
  assert.equal(await panel(page).locator('[data-word="log"] pre').textContent(), 'all good\n');
  await button(lines.nth(1), 'other').click();
  await until(async () => (await panel(page).locator('[data-word="log"] pre').allTextContents())[0] === 'error: no such thing', 'the log of the other');
  assert.match(await panel(page).innerText(), /The source code is not in these files/);
  assert.deepEqual(errors, []);
});

test('a result leads to its event in the timeline', async () => {
  const { page } = await ready();
  await tab(page, 'Result').click();
  await panel(page).getByRole('button', { name: 'Show slow in the timeline' }).click();
  assert.equal(await tab(page, 'Agent inspector').getAttribute('aria-selected'), 'true');
  const opened = page.locator(`#body-${(await active(page)).replace('row-', '')}`);
  await until(async () => (await opened.innerText()).includes('TIMEOUT'), 'the event is open');
});

test('arrow keys move through the tabs; the tab is in the link', async () => {
  const { page } = await ready();
  await tab(page, 'Agent inspector').focus();
  await page.keyboard.press('ArrowRight');
  assert.match(page.url(), /#.*tab=statistics/);
  await page.keyboard.press('ArrowRight');
  assert.equal(await tab(page, 'Kernel signature').getAttribute('aria-selected'), 'true');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Kernel signature');
  assert.match(page.url(), /#.*tab=signature/);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await tab(page, 'Agent inspector').getAttribute('aria-selected'), 'true');
  assert.doesNotMatch(page.url(), /tab=/);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  assert.match(page.url(), /#.*tab=result/);
  const linked = await it.open('#tab=result');
  await dropFiles(linked.page, files());
  await panel(linked.page).waitFor();
  assert.equal(await tab(linked.page, 'Result').getAttribute('aria-selected'), 'true');
});

test('files of FlashInfer-Bench alone: the definition without results', async () => {
  const { page } = await ready([json('definition.json', definition)]);
  assert.equal(await tab(page, 'Result').count(), 0);
  await tab(page, 'Kernel signature').click();
  await until(async () => (await panel(page).innerText()).includes('gemm'), 'the definition is drawn');
  await tab(page, 'Agent inspector').click();
  assert.equal(await rows(page).count(), 1);
});

test('axe finds nothing in the tabs', async () => {
  const { page } = await ready();
  await page.evaluate(readFileSync(AXE_PATH, 'utf8'));
  for (const name of ['Kernel signature', 'Result', 'Brief', 'Agent inspector', 'Statistics']) {
    await tab(page, name).click();
    await until(async () => await page.getByText('Reading…').count() === 0, 'all is drawn');
    const { violations } = await page.evaluate(() => window.axe.run(document));
    assert.deepEqual(violations.map((one) => [one.id, one.nodes.map((node) => node.html)]), [], name);
  }
});
