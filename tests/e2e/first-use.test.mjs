// Problems that first-time users had: hidden failures, numbers that claim too much, buttons without an
// effect, lost scroll positions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claudeCode, jsonl, llmCall, loop, run, small, toolCall } from './fixtures.mjs';
import { dropFiles } from './harness.mjs';
import { active, body, button, choose, closeTrace, drop, drawn, dropText, headline, openSettings, row, rows, stage, summary, tree, until } from './reader.mjs';

const it = stage();
const CLIPBOARD = { context: { permissions: ['clipboard-read', 'clipboard-write'] } };

/** A run of alternating LLM and tool calls, each with different text. */
const long = (pairs = 40) => jsonl(run('a long run', Array.from({ length: pairs }, (_, at) => [
  llmCall(2 * at + 1, [{ role: 'user', content: `question ${at}` }], { role: 'assistant', content: `answer ${at}` }),
  toolCall(2 * at + 2, `tool_${at}`, { at }, `result ${at}`),
]).flat()));

/** The position of a row on the screen, in pixels. */
const top = async (line) => (await line.boundingBox()).y;

test('the minimal mode shows failed calls', async () => {
  const { page } = await it.open();
  await dropText(page, small());
  await button(page, 'Minimal').click();
  await row(page, /book/).waitFor({ state: 'detached' });
  assert.equal(await row(page, /fare.*Timeout/).count(), 1);
});

test('output tokens of an unfinished response are a lower bound, in the row and in the sum', async () => {
  const { page } = await it.open();
  const session = claudeCode();
  await dropText(page, jsonl(session), 'whole.jsonl');
  const facts = page.getByRole('region', { name: 'Facts' });
  assert.match(await facts.innerText(), /30 → 13\s+tokens in → out\s/);
  session[1].message.stop_reason = null;
  await dropText(page, jsonl(session), 'cut.jsonl');
  await until(async () => /30 → ≥ 13\s+tokens in → out, at least/.test(await facts.innerText()), 'the sum is a bound');
  const tokens = await rows(page).and(page.locator(':not(.row--turn)')).locator('.row__tok').allTextContents();
  assert.deepEqual(tokens.filter(Boolean), ['10 → ≥ 5', '20 → 8']);
  await page.keyboard.press('i');
  await page.getByRole('tabpanel', { name: 'Statistics' }).getByRole('button', { name: 'Model', exact: true }).click();
  await page.getByRole('tabpanel', { name: 'Statistics' }).getByText('≥ 13').first().waitFor();
});

test('the context meter uses the documented window of the model, or shows only tokens', async () => {
  const { page } = await it.open();
  const call = (model) => jsonl(run('one', [
    { ...llmCall(1, [{ role: 'user', content: 'q' }], { role: 'assistant', content: 'a' }, model) },
  ])).replace('"prompt_tokens":120', '"prompt_tokens":110000');
  const meter = page.locator('.fact--meter');
  await dropText(page, call('claude-sonnet-4-5-20250929'), 'known.jsonl');
  assert.equal(await meter.getAttribute('data-tone'), 'warn', '55% of 200k, not 86% of 128k');
  assert.match(await meter.innerText(), /55%\s+of 200k context/);
  await dropText(page, call('my-own-model'), 'unknown.jsonl');
  assert.equal(await meter.getAttribute('data-tone'), '');
  assert.match(await meter.innerText(), /110k\s+tokens of context/);
  assert.equal(await page.getByRole('meter').count(), 0);
});

test('the fold of the formats is filled by a worker of its own, and a file is opened afterwards', async () => {
  const { page } = await it.open();
  const fold = page.locator('.empty details');
  // Its worker is not the one that waits for a file, and this browser refuses it at first.
  await page.evaluate(() => {
    window.kept = window.Worker;
    window.Worker = class { constructor() { throw new Error('refused'); } };
  });
  await fold.locator('summary').click();
  await fold.getByRole('status').getByText('cannot be shown').waitFor();
  await page.evaluate(() => { window.Worker = window.kept; });
  await fold.locator('summary').click();
  await fold.locator('summary').click();
  const line = fold.getByRole('row', { name: /^Claude Code 1/ });
  assert.match(await line.innerText(), /~\/\.claude\/projects/);
  assert.ok(await fold.getByRole('row').count() > 100);
  assert.equal(await fold.getByRole('status').innerText(), '');
  await dropText(page, small());
  assert.equal((await summary(page)).format, 'agentdbg');
});

test('Annotate opens the form in any tab', async () => {
  const { page } = await it.open();
  await dropText(page, small());
  await row(page, /fare/).click();
  const opened = body(page, await active(page));
  for (const name of ['JSON', 'Raw', 'Details']) {
    await opened.getByRole('tab', { name }).click();
    await button(opened, 'Annotate').click();
    const form = opened.getByRole('form', { name: 'Annotation' });
    await form.waitFor();
    assert.equal(await opened.getByRole('tab', { name }).getAttribute('aria-selected'), 'true');
    await button(form, 'Cancel').click();
    await form.waitFor({ state: 'detached' });
  }
});

test('the browser tab is named after the open trace until it is closed', async () => {
  const { page } = await it.open();
  assert.equal(await page.title(), 'Traceloupe');
  await dropText(page, small());
  await until(async () => await page.title() === 'small run · events.jsonl · Traceloupe', 'the tab is named');
  await dropText(page, loop(), 'other.jsonl');
  await until(async () => /^a loop · other\.jsonl/.test(await page.title()), 'it has another name');
  await closeTrace(page);
  await until(async () => await page.title() === 'Traceloupe', 'the name is gone');
});

test('a message about copying is visible, also over a dialog', async () => {
  const { page } = await it.open('', CLIPBOARD);
  await dropText(page, small());
  const toast = page.locator('.toast');
  assert.equal(await toast.isVisible(), false);
  await choose(page, 'Copy link');
  await toast.getByText(/Link copied/).waitFor();
  assert.equal(await toast.isVisible(), true);
  await choose(page, 'Copy id');
  await toast.getByText('Id copied').waitFor();
  // Nothing covers the message.
  const { x, y, width, height } = await toast.boundingBox();
  assert.ok(x >= 0 && y + height <= page.viewportSize().height && width > 40);
  await toast.waitFor({ state: 'hidden' });
});

test('a change of mode keeps the opened row open and in its place', async () => {
  const { page } = await it.open();
  await dropText(page, long());
  await button(page, 'Normal').click();
  const line = row(page, /tool_12\b/);
  for (let steps = 0; steps < 20 && await line.count() === 0; steps += 1) {
    await page.locator('.list').evaluate((list) => { list.scrollTop += 200; });
    await drawn(page);
  }
  await line.click();
  const opened = body(page, await active(page));
  await opened.getByText('result 12').waitFor();
  const before = await top(line);
  for (const mode of ['Verbose', 'Normal']) {
    await button(page, mode).click();
    await until(async () => await opened.getByText('result 12').count() > 0, `it is open in ${mode}`);
    await until(async () => Math.abs(await top(line) - before) < 40, `it stays in its place in ${mode}`);
  }
  // A mode that hides the row, and back.
  await button(page, 'Minimal').click();
  await line.waitFor({ state: 'detached' });
  await button(page, 'Normal').click();
  await line.waitFor();
  await opened.getByText('result 12').waitFor();
  const box = await line.boundingBox();
  assert.ok(box.y > 0 && box.y < page.viewportSize().height, 'it is in the window again');
});

test('Open… with a trace open: files, a folder, an address, text', async () => {
  const { page } = await it.open();
  await dropText(page, small());
  const dialog = page.getByRole('dialog', { name: 'Open another trace' });
  for (const [name, isFolder] of [['Choose files…', false], ['Choose a folder…', true]]) {
    await button(page, 'Open…').click();
    const chooser = page.waitForEvent('filechooser');
    await button(dialog, name).click();
    const asked = await chooser;
    assert.equal(await asked.element().evaluate((one) => one.webkitdirectory), isFolder);
    await dialog.waitFor({ state: 'hidden' });
  }
  await until(() => button(page, 'Open…').evaluate((one) => one === document.activeElement), 'the focus is back');
  await page.keyboard.press('o');
  await dialog.getByRole('textbox').fill(loop());
  await button(dialog, 'Open').click();
  await until(async () => (await headline(page)).includes('pasted text'), 'the text is open');
  assert.equal((await summary(page)).events, 11);
  await dialog.waitFor({ state: 'hidden' });
  // An address typed on this page is loaded without a confirmation.
  it.server.put('other.jsonl', small());
  await button(page, 'Open…').click();
  await dialog.getByRole('textbox').fill(it.server.address('other.jsonl'));
  await button(dialog, 'Open').click();
  await until(async () => page.url().includes('trace='), 'the address is in the link');
  await tree(page).waitFor({ state: 'attached' });
  await until(async () => (await headline(page)).includes('other.jsonl'), 'the address is open');
});

test('pasting into the dialog opens the text at once', async () => {
  const { page } = await it.open('', CLIPBOARD);
  await dropText(page, small());
  await page.evaluate((text) => navigator.clipboard.writeText(text), loop());
  await button(page, 'Open…').click();
  await page.getByRole('dialog', { name: 'Open another trace' }).getByRole('textbox').focus();
  await page.keyboard.press('Control+v');
  await until(async () => (await headline(page)).includes('pasted text'), 'the text is open');
});

test('only tabs with content are shown', async () => {
  const { page } = await it.open();
  const definition = {
    name: 'gemm', op_type: 'gemm', axes: { M: { type: 'var' } }, inputs: { A: { shape: ['M'], dtype: 'float16' } },
    outputs: { C: { shape: ['M'], dtype: 'float16' } }, reference: 'def run(A):\n    return A',
  };
  const solved = {
    definition: 'gemm', workload: { uuid: 'u', axes: { M: 4 }, inputs: { A: { type: 'random' } } }, solution: 'mine',
    evaluation: { status: 'PASSED', log: '', performance: { latency_ms: 1, reference_latency_ms: 2, speedup_factor: 2 } },
  };
  const names = () => page.getByRole('tablist', { name: 'Views' }).getByRole('tab').allTextContents();
  await drop(page, [{ name: 'definition.json', bytes: JSON.stringify(definition) }]);
  assert.deepEqual(await names(), ['Kernel signature', 'Agent inspector']);
  await drop(page, [{ name: 'traces.jsonl', bytes: jsonl([solved]) }], 'traces.jsonl');
  await until(async () => (await names()).join() === 'Result,Agent inspector', 'there is no empty tab');
  await dropFiles(page, [{ name: 'a.jsonl', bytes: small() }]);
  await until(async () => (await names()).join() === 'Brief,Timeline,Statistics', 'a trace without such content has no such tabs');
});

test('every click on the theme button changes the theme', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const { page } = await it.open('', { context: { colorScheme } });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const first = await background();
    await button(page, 'Theme').click();
    const second = await background();
    assert.notEqual(second, first, `the first click, where the system is ${colorScheme}`);
    await button(page, 'Theme').click();
    assert.equal(await background(), first);
    await openSettings(page);
    const choices = page.getByRole('dialog', { name: 'Settings' }).getByRole('group', { name: 'Theme' }).getByRole('radio');
    assert.equal(await choices.count(), 3);
  }
});
