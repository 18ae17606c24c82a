// The brief of a run: what it says, where its lines lead, and what can be copied of it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { jsonl } from './fixtures.mjs';
import { AXE_PATH, dropFiles } from './harness.mjs';
import { dropText, stage, until } from './reader.mjs';

const it = stage();

/** A session with edits, failures, a possible loop and a commit. */
function session() {
  const records = [];
  let at = Date.parse('2026-01-05T10:00:00Z');
  const add = (record) => {
    at += 1000;
    records.push({ uuid: `u-${records.length}`, sessionId: 's-1', version: '2.1.0', cwd: '/shop', timestamp: new Date(at).toISOString(), ...record });
  };
  const answer = (content) => add({ type: 'assistant', message: {
    id: `msg_${records.length}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5-20250929',
    stop_reason: content.type === 'text' ? 'end_turn' : 'tool_use',
    usage: { input_tokens: 100, cache_read_input_tokens: 20000, output_tokens: 50 }, content: [content],
  } });
  const call = (name, input, content, is_error = false) => {
    const id = `t${records.length}`;
    answer({ type: 'tool_use', id, name, input });
    add({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error }] } });
  };
  add({ type: 'user', message: { role: 'user', content: 'The total is <b>one cent</b> off' } });
  call('Edit', { file_path: '/shop/total.ts', old_string: 'a', new_string: 'b\nc' }, 'ok');
  for (let n = 0; n < 5; n += 1) call('Bash', { command: 'npm run lint' }, 'Exit code 1\nerror: total is unused', true);
  call('Bash', { command: 'ls /missing' }, 'Exit code 2\nls: cannot access /missing', true);
  call('Bash', { command: 'git add -A && git commit -m x' }, '[main 1a2b3c4] Fix the total\n 1 file changed');
  answer({ type: 'text', text: 'The total is right now.' });
  return jsonl(records);
}

const brief = (page) => page.getByRole('tabpanel', { name: 'Brief' });
const part = (page, id) => brief(page).locator(`[data-part="${id}"]`);
const said = async (page, id) => (await part(page, id).innerText()).replace(/\s+/g, ' ');

test('the brief says what was asked, what came of it and what it took, and leads to the events', async () => {
  const { page, errors } = await it.open('');
  await dropText(page, session());
  await page.locator('#timeline').focus();
  await page.keyboard.press('0');
  await until(async () => (await brief(page).count()) === 1 && /1a2b3c4/.test(await brief(page).innerText()), 'the brief is complete');
  assert.match(await said(page, 'asked'), /The total is <b>one cent<\/b> off/);
  assert.match(await said(page, 'outcome'), /Ended with an answer.*The total is right now\./);
  assert.match(await said(page, 'files'), /total\.ts \+2 −1 1 change ?event 3.*Commit main 1a2b3c4: Fix the total/);
  assert.match(await said(page, 'failures'), /6 events failed; 1 never fixed; 5 in possible loops.*ls \/missing/);
  assert.match(await said(page, 'loops'), /npm run lint was called 5 times/);
  assert.match(await said(page, 'tokens'), /Input from a cache 180,000/);
  assert.match(await said(page, 'time'), /Tools/);
  assert.match(await page.evaluate(() => location.hash), /tab=brief/);
  await part(page, 'files').getByRole('button', { name: 'Go to event 3' }).click();
  await until(async () => await brief(page).count() === 0, 'the rows are shown');
  assert.match(await page.locator('[role="treeitem"][aria-selected="true"]').first().innerText(), /Edit/);
  assert.deepEqual(errors, []);
});

test('a link opens the brief first, and it is accessible in both themes and on a phone', async () => {
  for (const [theme, width] of [['light', 1440], ['dark', 390]]) {
    const { page } = await it.open(`#view=brief&theme=${theme}`);
    await page.setViewportSize({ width, height: 800 });
    await dropFiles(page, [{ name: 'session.jsonl', bytes: session() }]);
    await until(async () => (await brief(page).count()) === 1 && /1a2b3c4/.test(await brief(page).innerText()), 'the brief is shown');
    await page.evaluate(readFileSync(AXE_PATH, 'utf8'));
    const faults = await page.evaluate(async () => (await globalThis.axe.run('.brief')).violations.map((one) => one.id));
    assert.deepEqual(faults, []);
    const overflow = await brief(page).evaluate((one) => one.scrollWidth - one.clientWidth);
    assert.ok(overflow <= 0, `${overflow} pixels too wide`);
    if (process.env.TRACELOUPE_SHOTS) await page.screenshot({ path: `${process.env.TRACELOUPE_SHOTS}/brief-${theme}-${width}.png` });
  }
});

test('a text for an LLM has the evidence and keeps to its number of tokens', async () => {
  const { page, errors } = await it.open('');
  await dropText(page, session());
  await page.locator('#timeline').focus();
  await page.keyboard.press('0');
  await until(async () => (await brief(page).count()) === 1 && /1a2b3c4/.test(await brief(page).innerText()), 'the brief is complete');
  await page.keyboard.press('Y');
  const dialog = page.getByRole('dialog', { name: 'Copy for an LLM' });
  const text = () => dialog.locator('pre').innerText();
  await until(async () => /### Event \d+: `Bash`/.test(await text()), 'the events have arrived');
  const whole = await text();
  assert.match(whole, /## Brief of the run/);
  assert.match(whole, /npm run lint/);
  assert.match(whole, /cannot access \/missing/);
  assert.match(await dialog.getByRole('status').innerText(), /≈ [\d,]+ tokens, estimated/);
  await dialog.getByRole('spinbutton').fill('300');
  await dialog.getByRole('spinbutton').press('Tab');
  await until(async () => /Left out: /.test(await dialog.getByRole('status').innerText()), 'something is left out');
  assert.ok((await text()).length <= 300 * 4);
  await dialog.getByRole('button', { name: '8k' }).click();
  await until(async () => (await text()) === whole, 'the text is whole again');
  if (process.env.TRACELOUPE_SHOTS) await page.screenshot({ path: `${process.env.TRACELOUPE_SHOTS}/llm.png` });
  assert.deepEqual(errors, []);
});
