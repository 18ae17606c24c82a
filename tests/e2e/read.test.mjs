// The timeline: its rows, the contents of opened rows, and the view modes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { mounted } from './harness.mjs';
import { claudeCode, event, jsonl, llmCall, loop, run, small, toolCall } from './fixtures.mjs';
import { active, alert, body, button, drop, dropText, FIXTURES, labels, openSettings, row, rows, shown, stage, summary, tree, until, warnings } from './reader.mjs';

const it = stage();
const ready = async (text, name) => {
  const opened = await it.open();
  await dropText(opened.page, text, name);
  return opened;
};
const attributes = (page) => rows(page).evaluateAll((all) => all
  .toSorted((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))
  .map((one) => ['level', 'posinset', 'setsize', 'expanded'].map((name) => one.getAttribute(`aria-${name}`)).join(' ')));
const open = async (page, name) => {
  await row(page, name).click();
  const opened = body(page, await active(page));
  await until(async () => await opened.locator('section, pre').count() > 0, 'the row has been read');
  return opened;
};

test('rows carry level, position, number and state; unknown numbers are blank', async () => {
  const { page } = await ready(jsonl(claudeCode()));
  assert.deepEqual(await attributes(page), ['1 1 3 ', '1 2 3 true', '2 1 1 ', '1 3 3 ']);
  assert.deepEqual(await labels(page), [
    '1. User message, List the files, 3 calls, 3.0 s, 30 → 13 tokens',
    '2. LLM call, claude-x, I list them., 1.0 s, 10 → 5 tokens',
    '3. Tool call, Bash, ls, 1.0 s',
    '4. LLM call, claude-x, I list them., 1.0 s, 20 → 8 tokens',
  ]);
  assert.equal(await page.locator('#row-2 .row__tok').textContent(), '');
  await row(page, /^3 /).click();
  assert.deepEqual((await attributes(page))[2], '2 1 1 ', 'an open body is nothing nested');
  assert.equal(await page.locator('#row-2').getAttribute('data-open'), 'true');
});

test('runs are a list named Runs: name, state, start, counts; another is shown on a click', async () => {
  const { page } = await it.open();
  await drop(page, [
    { name: 'a.jsonl', bytes: small() }, { name: 'b.jsonl', bytes: loop().replaceAll('run-1', 'run-2') },
  ]);
  const runs = page.getByRole('list', { name: 'Runs' }).getByRole('button');
  assert.equal(await runs.count(), 2);
  assert.match(await runs.nth(0).textContent(), /small run.*5 s.*2026-01-05 10:00:00 UTC.*6 events/s);
  assert.equal(await runs.nth(0).getAttribute('aria-current'), 'true');
  assert.match(await runs.nth(1).textContent(), /a loop.*11 events.*possible loops/s);
  await runs.nth(1).click();
  await row(page, /finish/).waitFor();
  assert.equal(await runs.nth(1).getAttribute('aria-current'), 'true');
  assert.equal(await row(page, /station_search/).count(), 0);
});

test('an opened call: arguments as a table, result, place; its error with the stack', async () => {
  const { page } = await ready(small());
  const call = await open(page, /station_search/);
  const table = call.getByRole('table');
  assert.deepEqual(await table.getByRole('rowheader').allTextContents(), ['city', 'limit']);
  assert.deepEqual((await table.getByRole('cell').allTextContents()).map((text) => text.trim()), ['Zürich', '3']);
  assert.match(await call.innerText(), /Result\s+\{ stations: \[ ?"Zürich HB" ?\] \}/);
  assert.match(await call.locator('.body__place').textContent(), /^line 3 · byte \d+$/);
  const failed = await open(page, /fare/);
  const said = await failed.innerText();
  for (const words of ['Timeout', 'no answer', 'at fare']) assert.ok(said.includes(words), said);
});

test('messages: only what is new, the rest one click away', async () => {
  const first = [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'Question one?' }];
  const second = [...first, { role: 'assistant', content: 'Answer one.' }, { role: 'user', content: 'Question two?' }];
  const { page } = await ready(jsonl(run('talk', [
    llmCall(1, first, { role: 'assistant', content: 'Answer one.' }),
    llmCall(2, second, { role: 'assistant', content: 'Answer two.' }),
  ])));
  const opened = await open(page, /Answer two/);
  const section = opened.locator('.block--messages').first();
  const texts = () => section.locator('.message').evaluateAll((all) => all.map((one) => one.innerText.replace(/\s+/g, ' ')));
  const before = await texts();
  assert.equal(before.some((text) => text.includes('Question one?')), false);
  assert.equal(before.some((text) => text.includes('Question two?')), true);
  await section.getByRole('button', { name: /^Show \d earlier messages?$/ }).click();
  const after = await texts();
  for (const words of ['Be brief.', 'Question one?', 'Question two?']) {
    assert.equal(after.filter((text) => text.includes(words)).length, 1, words);
  }
  assert.match(after[0], /^system/);
});

test('NaN, huge and tiny numbers and odd keys are shown as written', async () => {
  const written = {
    x: 'NaN', y: '-Infinity', big: '1180591620717411303424', int64: '9223372036854775807',
    tiny: '5e-324', neg0: '-0.0', long: '0.1000000000000000055511151231257827',
  };
  const args = Object.entries(written).map(([key, value]) => `"${key}": ${value}`).join(', ');
  const text = small().replace('{"city":"Zürich","limit":3}', `{${args}}`);
  const { page, errors } = await ready(text);
  const table = (await open(page, /station_search/)).getByRole('table').first();
  for (const [key, value] of Object.entries(written)) {
    const line = table.getByRole('row').filter({ has: page.getByRole('rowheader', { name: key, exact: true }) });
    assert.equal((await line.getByRole('cell').textContent()).trim(), value, key);
  }
  await warnings(page).waitFor();
  assert.deepEqual(errors, []);
});

test('a state and what changed in it', async () => {
  const { page } = await ready(jsonl(run('states', [
    event(1, 'STATE_UPDATE', 'state', { state: { phase: 'plan', n: 1 }, diff: null }),
    event(2, 'STATE_UPDATE', 'state', { state: { phase: 'book', n: 1 }, diff: { phase: ['plan', 'book'] } }),
  ])));
  const said = await (await open(page, /^3 State/)).innerText();
  assert.match(said, /plan/);
  assert.match(said, /book/);
});

test('a loop is folded into a line that says how many; unfolded and folded again', async () => {
  const { page } = await ready(loop(8));
  const findings = page.getByRole('region', { name: 'Findings' });
  assert.match(await findings.textContent(), /search (x )?was called 8 times with the same arguments and the same result/);
  const fold = row(page, /7 more calls/);
  assert.equal(await fold.locator('.fold__act').textContent(), 'Unfold');
  assert.equal((await labels(page)).length, 5);
  await fold.click();
  await until(async () => (await labels(page)).length === 12, 'all rows are there, and the line');
  assert.equal(await fold.locator('.fold__act').textContent(), 'Fold');
  await fold.click();
  await until(async () => (await labels(page)).length === 5, 'the repeats are folded again');
  await button(page, 'Expand all').click();
  await until(async () => (await labels(page)).length === 12, 'all rows are there');
  await button(page, 'Collapse all').click();
  await until(async () => (await labels(page)).length === 5, 'the repeats are folded with all else');
});

test('first error and first loop are one click away, also when hidden', async () => {
  const { page } = await ready(jsonl(run('both', [
    ...[1, 2, 3, 4, 5].map((at) => toolCall(at, 'search', { query: 'x' }, { hits: 0 })),
    toolCall(6, 'fare', {}, null, { error_type: 'Timeout', message: 'late' }),
  ])));
  const findings = page.getByRole('region', { name: 'Findings' });
  await findings.getByRole('button', { name: 'Show the first error' }).click();
  assert.equal(await active(page), 'row-6');
  await body(page, 'row-6').getByText('late').waitFor();
  await findings.getByText(/fare failed: Timeout: late, never fixed/).waitFor();
  await findings.getByRole('button', { name: /^Show: search x was called 5 times/ }).click();
  assert.equal(await active(page), 'row-1');
});

test('minimal, normal, verbose', async () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n');
  const { page } = await ready(jsonl(run('modes', [
    llmCall(1, [{ role: 'user', content: 'Why?' }], { role: 'assistant', content: 'Because.' }),
    toolCall(2, 'cat', { path: 'a' }, lines),
    toolCall(3, 'fare', {}, null, { error_type: 'Timeout', message: 'late' }),
    ...[4, 5, 6, 7, 8].map((at) => toolCall(at, 'search', { query: 'x' }, { hits: 0 })),
    event(9, 'ERROR', 'ValueError', { error_type: 'ValueError', message: 'broken', stack: null }),
  ])));
  const cut = await open(page, /cat/);
  assert.equal(await cut.getByText('line 29').count(), 0);
  assert.match(await cut.innerText(), /line 9…/);
  await cut.getByRole('button', { name: /^Show all/ }).click();
  await cut.getByText('line 29').waitFor();

  await button(page, 'Minimal').click();
  assert.equal(await button(page, 'Minimal').getAttribute('aria-pressed'), 'true');
  await row(page, /cat/).waitFor({ state: 'detached' });
  assert.equal(await row(page, /Because/).count(), 1, 'answers stay');
  assert.equal(await row(page, /broken|ValueError/).count(), 1, 'errors stay');
  assert.match(await page.locator('.foot').textContent(), /folded or hidden/);

  // Tall enough for all bodies, because rows far outside the window are not drawn.
  await page.setViewportSize({ width: 1280, height: 2400 });
  await button(page, 'Verbose').click();
  await row(page, /^5 Tool call search/).waitFor();
  assert.equal(await row(page, /4 more calls/).count(), 0);
  await page.getByText('line 29').first().waitFor();

  await button(page, 'Normal').click();
  await row(page, /4 more calls/).waitFor();
});

test('the root of a run is not a step: it never starts collapsed', async () => {
  const bytes = readFileSync(path.join(FIXTURES, 'maida/going-round/spans.jsonl'));
  const { page } = await it.open();
  await drop(page, [{ name: 'spans.jsonl', bytes }]);
  assert.equal((await attributes(page))[0].split(' ')[3], 'true');
  assert.ok((await labels(page)).length >= 10);
});

test('a step with more tool calls than the threshold starts collapsed', async () => {
  const lines = claudeCode();
  const call = lines[1].message.content.pop();
  for (let n = 1; n <= 6; n += 1) lines[1].message.content.push({ ...call, id: `toolu_${n}`, input: { command: `ls ${n}` } });
  lines[2].message.content = [1, 2, 3, 4, 5, 6].map((n) => ({ type: 'tool_result', tool_use_id: `toolu_${n}`, content: `${n}` }));
  const { page } = await ready(jsonl(lines));
  assert.equal((await labels(page)).length, 3);
  await openSettings(page);
  const field = page.getByLabel('Collapse steps with more tool calls than');
  await field.fill('6');
  await field.press('Enter');
  await page.keyboard.press('Escape');
  await until(async () => (await labels(page)).length === 9, 'six calls are shown');
});

test('the loop rule follows its settings', async () => {
  const { page } = await ready(loop(4));
  assert.equal((await summary(page)).findings.length, 1);
  await openSettings(page);
  const field = page.getByLabel('Repetitions that count as a loop');
  await field.fill('5');
  await field.press('Enter');
  await page.keyboard.press('Escape');
  await until(async () => (await summary(page)).findings.length === 0, 'four are none any more');
  await page.getByText('No loops or errors found').waitFor();
});

test('filters by kind, tool and failure, and back', async () => {
  const { page } = await ready(small());
  const names = async () => (await labels(page)).map((label) => label.replace(/^\d+\. ([^,]*, [^,]*).*/, '$1'));
  const list = (name) => page.getByRole('list', { name, exact: true });
  await list('Kinds').getByRole('button', { name: 'Other tools' }).click();
  await until(async () => (await labels(page)).length === 2, 'two calls are shown');
  assert.deepEqual(await names(), ['Tool call, fare', 'Tool call, book']);
  await list('Tools').getByRole('button', { name: 'book' }).click();
  await until(async () => (await labels(page)).length === 1, 'one call is shown');
  assert.deepEqual(await names(), ['Tool call, book']);
  assert.match(await page.locator('.foot').textContent(), /5 folded or hidden/);
  await button(page, 'Clear filters').click();
  await until(async () => (await labels(page)).length === 6, 'all rows are back');
  await list('Kinds').getByRole('button', { name: 'Failed' }).click();
  await until(async () => (await labels(page)).length === 1, 'one row is shown');
  assert.deepEqual(await names(), ['Tool call, fare']);
});

test('settings are kept after a reload', async () => {
  const { page } = await ready(small());
  await button(page, 'Minimal').click();
  await openSettings(page);
  await page.getByRole('radio', { name: 'Dark' }).check();
  await page.getByLabel('Shorten outputs after (lines)').fill('3');
  await page.getByLabel('Shorten outputs after (lines)').press('Enter');
  await page.reload();
  await mounted(page);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await dropText(page, small());
  assert.equal(await button(page, 'Minimal').getAttribute('aria-pressed'), 'true');
  await openSettings(page);
  assert.equal(await page.getByLabel('Shorten outputs after (lines)').inputValue(), '3');
  await button(page, 'Restore defaults').click();
  assert.equal(await page.getByLabel('Shorten outputs after (lines)').inputValue(), '10');
});

test('a long trace: only rows near the window are drawn, every row can be reached', async () => {
  const n = 5000;
  const { page } = await ready(jsonl(run('long', Array.from({ length: n }, (_, at) => toolCall(at + 1, `tool_${at}`, { at }, at)))));
  assert.equal((await summary(page)).events, n + 2);
  assert.ok(await rows(page).count() < 150);
  assert.match(await page.locator('#search-input').getAttribute('title'), /The browser's find covers only the rows on screen/);
  await tree(page).focus();
  await page.keyboard.press('End');
  await row(page, /^5002 Run end/).waitFor();
  assert.ok(await rows(page).count() < 150);
  await page.keyboard.press('k');
  const last = page.locator(`#row-${n}`);
  assert.match(await last.textContent(), /tool_4999/);
  // A row is drawn again when its summary arrives; until then it may have no box.
  const box = await until(() => last.boundingBox(), 'the row is drawn');
  assert.ok(box.y > 0 && box.y < 720, `in sight: ${JSON.stringify(box)}`);
  await page.locator('.list').evaluate((list) => { list.scrollTop = list.scrollHeight / 2; });
  await row(page, /tool_25\d\d/).first().waitFor();
});

test('a summary alone, a run that never ended, an empty run', async () => {
  const { page } = await it.open();
  const cut = small().split('\n').slice(0, 3).join('\n');
  await dropText(page, `${cut}\n`);
  assert.match(await page.getByRole('list', { name: 'Runs' }).textContent(), /no (end|status) in the file/);
  assert.equal(await alert(page).count(), 0);
  await shown(page);
  assert.equal((await labels(page)).length, 3);
});
