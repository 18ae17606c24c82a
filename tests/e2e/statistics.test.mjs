// The statistics: where the time went, calls by their origin, and the links to the events.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { jsonl, loop, small } from './fixtures.mjs';
import { AXE_PATH, dropFiles } from './harness.mjs';
import { drop, dropText, row, rows, shown, stage, until } from './reader.mjs';

const it = stage();
const two = () => [
  { name: 'a.jsonl', bytes: small() }, { name: 'b.jsonl', bytes: loop().replaceAll('run-1', 'run-2') },
];
const hash = (page) => page.evaluate(() => location.hash);
const statistics = (page) => page.getByRole('tabpanel', { name: 'Statistics' });
const table = (page, by) => statistics(page).getByRole('region', { name: `Calls by ${by}` });
const names = (page, by) => table(page, by).locator('tbody button').allInnerTexts();

/** A writer of Claude Code records: each call has its duration in milliseconds. */
function writer(more = {}) {
  const records = [];
  let at = Date.parse('2026-01-05T10:00:00Z');
  const add = (ms, record) => {
    at += ms;
    records.push({ uuid: `${more.agentId ?? 'u'}-${records.length}`, sessionId: 's-1', version: '2.1.0', timestamp: new Date(at).toISOString(), ...more, ...record });
  };
  return {
    records,
    ask: (content) => add(1000, { type: 'user', message: { role: 'user', content } }),
    call: (ms, name, input, rest = {}) => {
      const id = `${more.agentId ?? 't'}${records.length}`;
      add(2000, { type: 'assistant', message: {
        id: `msg_${id}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5-20250929', stop_reason: 'tool_use',
        usage: { input_tokens: 1000, output_tokens: 10 }, content: [{ type: 'tool_use', id, name, input }],
      } });
      add(ms, { type: 'user', ...rest, message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] } });
    },
  };
}

/** Two turns; the last of their calls takes longest. */
function session() {
  const { records, ask, call } = writer();
  ask('Why is the cart one cent off?');
  call(3000, 'Read', { file_path: '/shop/src/cart.ts' });
  call(1000, 'Read', { file_path: '/shop/README.md' });
  ask('Fix it');
  call(500, 'Edit', { file_path: '/shop/src/cart.ts', old_string: 'a', new_string: 'b' });
  call(30_000, 'Bash', { command: 'npm test' });
  return jsonl(records);
}

/** A session that starts an agent, each in a file of its own. */
function withAgent() {
  const main = writer();
  const agent = writer({ isSidechain: true, agentId: 'one' });
  main.ask('Find the rounding fault');
  main.call(9000, 'Task', { subagent_type: 'Explore', description: 'Look', prompt: 'Look' }, { toolUseResult: { agentId: 'one', totalDurationMs: 9000 } });
  agent.ask('Look');
  agent.call(1000, 'Bash', { command: 'grep round' });
  agent.call(1000, 'Bash', { command: 'false' });
  return [{ name: 'session.jsonl', bytes: jsonl(main.records) }, { name: 'agent-one.jsonl', bytes: jsonl(agent.records) }];
}

const ready = async (suffix = '', options = {}) => {
  const opened = await it.open(suffix, options);
  await dropText(opened.page, session());
  return opened;
};

test('statistics: calls by name with their durations, of one run and of all', async () => {
  const { page } = await it.open();
  await drop(page, two());
  await page.keyboard.press('i');
  const view = page.getByRole('tabpanel', { name: 'Statistics' });
  const line = (name) => view.getByRole('row').filter({ hasText: name });
  await line('station_search').waitFor();
  assert.match(await line('fare').innerText(), /fare\s+1\s+1/, 'one call, one failed');
  assert.match(await line('model-1').innerText(), /model-1\s+1\s+120/);
  await view.getByRole('button', { name: 'All runs' }).click();
  await line(/^search/).filter({ hasText: '8' }).waitFor();
  const calls = view.getByRole('row').filter({ hasText: /^Tool calls/ });
  assert.match(await calls.innerText(), /2 of 2\s+6\s+3\s+9\s+9\s+9/, 'three and nine tool calls');
});

test('statistics: sorted by a column, with totals, and saved as CSV', async () => {
  const { page } = await it.open();
  await dropText(page, small());
  await page.keyboard.press('i');
  const view = page.getByRole('tabpanel', { name: 'Statistics' });
  const table = view.getByRole('region', { name: 'Calls by tool' });
  await table.getByRole('row').nth(1).waitFor();
  const calls = async () => (await table.locator('tbody tr td:nth-child(2)').allInnerTexts()).map(Number);
  const head = table.getByRole('columnheader', { name: 'Calls' });
  await head.getByRole('button').click();
  assert.equal(await head.getAttribute('aria-sort'), 'descending');
  const falling = await calls();
  assert.deepEqual(falling, [...falling].sort((a, b) => b - a));
  await head.getByRole('button').click();
  assert.deepEqual(await calls(), [...falling].reverse());
  const total = Number(await table.locator('tfoot td').first().innerText());
  assert.equal(total, falling.reduce((sum, n) => sum + n, 0));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    view.getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  const csv = readFileSync(await download.path(), 'utf8').split('\r\n');
  assert.match(csv[0], /^kind,name,calls,failed,no_result,time_ms,/);
  assert.equal(csv.filter((line) => line !== '').length, falling.length + 1);
});

test('the switch counts calls by tool, model and agent, and each line leads to its events', async () => {
  const { page, errors } = await ready();
  await page.keyboard.press('5');
  await table(page, 'tool').waitFor();
  assert.equal(await hash(page), '#tab=statistics');
  assert.deepEqual(await names(page, 'tool'), ['Bash', 'Read', 'Edit'], 'the largest time comes first');
  const by = (name) => statistics(page).getByRole('group', { name: 'Calls by' }).getByRole('button', { name });
  assert.deepEqual(await by(/./).allInnerTexts(), ['Tool', 'Command', 'Model', 'Turn', 'File'], 'one agent is no choice');
  const bars = await table(page, 'tool').locator('td[data-column="time_ms"]').evaluateAll((all) => all.map((one) => parseFloat(one.style.backgroundSize)));
  assert.equal(bars[0], 84);
  assert.ok(bars[1] > 5 && bars[1] < 25 && bars[2] < bars[1], `${bars}`);

  await by('Model').click();
  assert.equal(await by('Model').getAttribute('aria-pressed'), 'true');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Model', 'the keyboard stays at the switch');
  assert.deepEqual(await names(page, 'model'), ['claude-sonnet-4-5-20250929']);
  await by('Tool').click();
  await table(page, 'tool').getByRole('columnheader', { name: 'Calls' }).getByRole('button').click();
  assert.deepEqual(await names(page, 'tool'), ['Read', 'Bash', 'Edit']);
  await table(page, 'tool').getByRole('button', { name: 'Read' }).click();
  await until(async () => await rows(page).count() === 2, 'the calls of the tool are left');
  assert.equal(await hash(page), '#filter=tool:Read');
  await page.keyboard.press('i');
  await table(page, 'tool').waitFor();
  assert.equal(await hash(page), '#filter=tool:Read&tab=statistics', 'the filter is kept');
  assert.deepEqual(await names(page, 'tool'), ['Read', 'Bash', 'Edit'], 'and so is the order');
  assert.deepEqual(errors, []);
});

test('the view has no overview; its head copies the statistics as Markdown', async () => {
  const { page, errors } = await ready('', { context: { permissions: ['clipboard-read', 'clipboard-write'] } });
  await page.keyboard.press('5');
  await table(page, 'tool').waitFor();
  assert.equal(await page.locator('.overview').isVisible(), false);
  await statistics(page).getByRole('button', { name: 'Copy as Markdown' }).click();
  await page.getByText('Statistics copied').first().waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^## Statistics: .+\n\nWhere the time went:\n\n- Shell: 30/);
  assert.match(copied, /\n\n\| Calls by tool \| Calls \|.+\n\| --- \| ---: \|.+\n\| Bash \| 1 \| ≈ 30/, 'in the order of the page');
  assert.match(copied, /\| Total \| 4 \|/);
  assert.deepEqual(errors, []);
});

test('the context of each agent with several calls can be shown', async () => {
  const { page, errors } = await it.open();
  await drop(page, withAgent());
  await page.keyboard.press('5');
  await table(page, 'tool').waitFor();
  const whose = statistics(page).getByRole('group', { name: 'Whose context' });
  // The main agent has called its model once, which is not enough for a chart.
  assert.equal(await whose.count(), 0);
  await statistics(page).getByRole('heading', { name: 'Context over calls' }).waitFor();
  await statistics(page).getByRole('button', { name: /^Call \d, event/ }).waitFor();
  const main = writer();
  const agent = writer({ isSidechain: true, agentId: 'one' });
  for (const words of ['One', 'Two']) main.ask(words), main.call(10, 'Bash', { command: words });
  main.call(9000, 'Task', { subagent_type: 'Explore', description: 'Look', prompt: 'Look' }, { toolUseResult: { agentId: 'one', totalDurationMs: 9000 } });
  agent.ask('Look');
  for (const command of ['ls', 'pwd']) agent.call(1000, 'Bash', { command });
  const both = await it.open();
  await drop(both.page, [{ name: 'session.jsonl', bytes: jsonl(main.records) }, { name: 'agent-one.jsonl', bytes: jsonl(agent.records) }]);
  await both.page.keyboard.press('5');
  const group = statistics(both.page).getByRole('group', { name: 'Whose context' });
  await group.waitFor();
  assert.deepEqual((await group.getByRole('button').allInnerTexts()).length, 2);
  const calls = () => both.page.locator('.context__calls span').last().textContent();
  assert.equal(await calls(), 'call 3');
  await group.getByRole('button').last().click();
  await until(async () => await calls() === 'call 2', 'the calls of the other agent');
  assert.deepEqual([...errors, ...both.errors], []);
});

test('each turn has its calls, time, tokens and cost, and leads to its message', async () => {
  const { page, errors } = await ready();
  await page.keyboard.press('5');
  await statistics(page).getByRole('button', { name: 'Turn', exact: true }).click();
  await until(async () => (await names(page, 'turn')).join() === '2 Fix it,1 Why is the cart one cent off?', 'the longest comes first');
  const cells = await table(page, 'turn').locator('tbody tr').evaluateAll((all) => all.map((one) => [...one.querySelectorAll('td')].map((cell) => cell.textContent)));
  assert.deepEqual(cells.map((row) => row[0]), ['4', '4'], 'two LLM calls and two tool calls each');
  assert.ok(cells.every((row) => row.includes('2.0k')), `tokens in: ${JSON.stringify(cells)}`);
  const sum = await table(page, 'turn').locator('tfoot td').first().innerText();
  assert.equal(sum, '8');
  await table(page, 'turn').getByRole('button', { name: /Fix it/ }).click();
  await until(async () => await statistics(page).count() === 0, 'the rows are shown');
  await until(async () => /Fix it/.test(await page.locator('[role=treeitem][aria-selected=true]').innerText()), 'its message is selected');
  assert.deepEqual(errors, []);
});

test('calls are counted by file, and a file shows the calls that name it', async () => {
  const { page, errors } = await ready();
  await page.keyboard.press('5');
  await statistics(page).getByRole('button', { name: 'File', exact: true }).click();
  await until(async () => (await names(page, 'file')).join() === '/shop/src/cart.ts,/shop/README.md', 'the longest time comes first');
  const counts = await table(page, 'file').locator('tbody tr td:nth-child(2)').allInnerTexts();
  assert.deepEqual(counts, ['2', '1']);
  await table(page, 'file').getByRole('button', { name: /cart/ }).click();
  await until(async () => await rows(page).count() === 2, 'its calls are left');
  assert.match(await hash(page), /filter=file:/);
  assert.deepEqual(errors, []);
});

test('calls are counted by command, and a command shows the calls that run it', async () => {
  const { records, ask, call } = writer();
  ask('Fix it');
  call(100, 'Bash', { command: 'cd shop && git -C . commit -m "a && b"' });
  call(30_000, 'Bash', { command: 'npm test -- cart' });
  call(20_000, 'Bash', { command: 'npm test' });
  call(100, 'Read', { file_path: '/shop/npm' });
  const { page, errors } = await it.open();
  await dropText(page, jsonl(records));
  await page.keyboard.press('5');
  await statistics(page).getByRole('button', { name: 'Command', exact: true }).click();
  await until(async () => (await names(page, 'command')).join() === 'npm test,git commit', 'the longest time comes first');
  assert.deepEqual(await table(page, 'command').locator('tbody tr td:nth-child(2)').allInnerTexts(), ['2', '1']);
  await table(page, 'command').getByRole('button', { name: 'git commit' }).click();
  await until(async () => await rows(page).count() === 1, 'its call is left');
  assert.equal(await hash(page), '#filter=kind:shell%20git%20commit');
  assert.deepEqual(errors, []);
});

test('calls are counted by agent where there are several', async () => {
  const { page } = await it.open();
  await drop(page, withAgent());
  await page.keyboard.press('5');
  await statistics(page).getByRole('button', { name: 'Agent', exact: true }).click();
  const found = await names(page, 'agent');
  assert.equal(found.length, 2, `${found}`);
  await table(page, 'agent').getByRole('button', { name: found.find((name) => name !== 'main') }).click();
  await until(async () => await statistics(page).count() === 0 && /filter=agent:/.test(await hash(page)), 'the rows of the agent are shown');
  assert.ok(await rows(page).count() > 0);
});

test('the slowest step leads to its event, and the list keeps its place', async () => {
  const { page } = await ready();
  await page.setViewportSize({ width: 1000, height: 420 });
  await row(page, /README/).click();
  const place = () => page.evaluate(() => document.querySelector('.list').scrollTop);
  await page.locator('.body__blocks').waitFor();
  await until(async () => {
    await page.evaluate(() => { const list = document.querySelector('.list'); list.scrollTop = list.scrollHeight; });
    return await place() > 0;
  }, 'the list is at its end');
  const before = await place();
  await page.getByRole('tab', { name: 'Statistics' }).click();
  const steps = statistics(page).locator('.steps').last().getByRole('listitem');
  await until(async () => /Bash\s+npm test/.test(await steps.first().innerText()), 'the longest comes first, with its words');
  assert.match(await steps.first().innerText(), /30/);
  await page.keyboard.press('2');
  await until(async () => await statistics(page).count() === 0, 'the rows are back');
  assert.equal(await place(), before);
  await page.keyboard.press('5');
  await steps.first().getByRole('button').click();
  await until(async () => await page.locator('[role=treeitem][aria-selected=true]').filter({ hasText: 'npm test' }).count() === 1, 'the call is selected');
  assert.equal(await statistics(page).count(), 0);
});

test('a link opens the statistics; numbers of the run and the menu lead there; without calls there are none', async () => {
  const { page } = await it.open('#tab=statistics');
  await dropFiles(page, [{ name: 'session.jsonl', bytes: session() }]);
  await table(page, 'tool').waitFor();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('region', { name: 'Facts' }).getByRole('button', { name: /run time/ }).click();
  await table(page, 'tool').waitFor();
  await page.getByRole('region', { name: 'Facts' }).getByRole('button', { name: /tool calls: show only/ }).click();
  await until(async () => await rows(page).count() === 4 && await statistics(page).count() === 0, 'a filter shows the rows');
  const bare = await it.open('#tab=statistics');
  await dropText(bare.page, jsonl([{ a: 1 }, { a: 2 }]));
  await shown(bare.page);
  assert.equal(await statistics(bare.page).count(), 0);
  await bare.page.keyboard.press('5');
  await until(async () => /Not available for this run/.test(await bare.page.locator('.live').textContent()), 'it says so');
});

test('the statistics have no violations of accessibility, wide and narrow, and do not scroll sideways', async () => {
  for (const [width, colorScheme] of [[1440, 'light'], [390, 'dark']]) {
    const { page } = await ready('', { context: { viewport: { width, height: 844 }, colorScheme } });
    await page.keyboard.press('5');
    await table(page, 'tool').waitFor();
    await page.evaluate(readFileSync(AXE_PATH, 'utf8'));
    const found = await page.evaluate(async () => (await window.axe.run()).violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).join(' ')}`));
    assert.deepEqual(found, [], `at ${width}`);
    const panel = await statistics(page).evaluate((one) => one.scrollWidth <= one.clientWidth);
    assert.ok(panel && await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `at ${width}`);
  }
});

test('a table with thousands of names is drawn in parts', async () => {
  const { records, ask, call } = writer();
  ask('Call everything once');
  for (let at = 0; at < 3000; at += 1) call(1 + (at % 7), `tool_${at}`, {});
  const { page } = await it.open();
  await dropText(page, jsonl(records), 'many.jsonl');
  await page.keyboard.press('5');
  const lines = table(page, 'tool').locator('tbody tr');
  await until(async () => await lines.count() === 200, '200 lines are drawn');
  await statistics(page).getByRole('button', { name: 'Show 200 more' }).click();
  await until(async () => await lines.count() === 400, '400 lines are drawn');
  assert.equal(await table(page, 'tool').locator('tfoot td').first().innerText(), '3,000', 'the total is of all');
});
