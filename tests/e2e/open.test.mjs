// Every way to open a file: picked, dropped, pasted.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { claudeCode, jsonl, loop, run, small, toolCall, zip } from './fixtures.mjs';
import { dropFiles, pickFiles } from './harness.mjs';
import { alert, button, closeTrace, drop, dropText, headline, labels, row, settled, shown, stage, summary, tree, until } from './reader.mjs';

const it = stage();
const two = () => [{ name: 'a.jsonl', bytes: small() }, { name: 'b.jsonl', bytes: jsonl(claudeCode()) }];
/** A run with an id of its own. */
const other = () => ({ name: 'c.jsonl', bytes: loop().replaceAll('run-1', 'run-2') });
/** The counts of the two files, as the page reports them. */
const TWO = { runs: 2, events: 10, tool_calls: 4, llm_calls: 3, errors: 1, loading: false };

async function counts(page, wanted) {
  const said = await summary(page);
  for (const [key, value] of Object.entries(wanted)) assert.equal(said[key], value, `${key} of ${JSON.stringify(said)}`);
}

/** Pastes the clipboard data set by `fill`. */
const paste = (page, kind, text) => page.evaluate(([how, words]) => {
  const data = new DataTransfer();
  if (how === 'file') data.items.add(new File([words], 'clip.jsonl'));
  else data.setData('text/plain', words);
  document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
}, [kind, text]);

test('the picker: one file, several, the same one again', async () => {
  const { page, errors, violations } = await it.open();
  await pickFiles(page, '#pick-files', [{ name: 'a.jsonl', bytes: small() }]);
  await shown(page, 'a.jsonl');
  await counts(page, { runs: 1, events: 6, tool_calls: 3, errors: 1, format: 'agentdbg' });
  await pickFiles(page, '#pick-files', two());
  await shown(page, 'a.jsonl and 1 more');
  await counts(page, TWO);
  await pickFiles(page, '#pick-files', [{ name: 'a.jsonl', bytes: small() }]);
  await until(async () => (await headline(page)).includes('a.jsonl ·'), 'the first is back');
  await pickFiles(page, '#pick-files', [{ name: 'a.jsonl', bytes: loop() }]);
  await until(async () => (await summary(page)).events === 11, 'the file of the same name was read again');
  assert.deepEqual(errors, []);
  assert.deepEqual(await violations(), []);
});

test('the button opens the picker', async () => {
  const { page } = await it.open();
  const chooser = page.waitForEvent('filechooser');
  await button(page, 'Choose files…').click();
  assert.equal((await chooser).isMultiple(), true);
  const again = page.waitForEvent('filechooser');
  await button(page, 'Open…').click();
  await again;
});

test('a folder: its files are opened together, and what is left out is said', async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'traceloupe-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const { name, bytes } of [
    { name: 'one/events.jsonl', bytes: small() },
    { name: 'two/deep/events.jsonl', bytes: loop().replaceAll('run-1', 'run-2') },
    { name: 'two/shot.png', bytes: 'no picture' },
  ]) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), bytes);
  }
  const { page } = await it.open();
  await page.locator('#pick-folder').setInputFiles(folder);
  await shown(page, `${path.basename(folder)}/`);
  await counts(page, { runs: 2, events: 17 });
  assert.match(await alert(page).innerText(), /Left out 1 file \(1 \.png\)/);
  assert.equal(await alert(page).getAttribute('data-tone'), 'info', 'it is no fault');
});

test('dropped: one, several, on an open trace, and the order does not matter', async () => {
  const { page, errors } = await it.open();
  await dropText(page, small(), 'a.jsonl');
  await counts(page, { runs: 1, events: 6 });
  await drop(page, two(), 'a.jsonl and 1 more');
  await counts(page, TWO);
  const first = await labels(page);
  await drop(page, [{ name: 'c.jsonl', bytes: small() }], 'c.jsonl');
  await counts(page, { runs: 1, events: 6 });
  await drop(page, two().toReversed(), 'a.jsonl and 1 more');
  assert.deepEqual(await labels(page), first);
  assert.deepEqual(errors, []);
});

test('dragging over the window shows a hint until the pointer leaves', async () => {
  const { page } = await it.open();
  const over = page.getByText('Drop files or a folder to open them');
  await page.evaluate(() => document.body.dispatchEvent(new DragEvent('dragover', { bubbles: true, cancelable: true })));
  await over.waitFor();
  await page.evaluate(() => document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true })));
  await over.waitFor({ state: 'detached' });
});

test('pasted: the text of a trace, a file', async () => {
  const { page } = await it.open();
  await paste(page, 'text', small());
  await shown(page, 'pasted text');
  await counts(page, { events: 6, format: 'agentdbg' });
  await paste(page, 'file', loop());
  await shown(page, 'clip.jsonl');
  await counts(page, { events: 11 });
});

test('text pasted into a field is not opened', async () => {
  const { page } = await it.open();
  await page.locator('#address').evaluate((field, words) => {
    const data = new DataTransfer();
    data.setData('text/plain', words);
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  }, small());
  await settled(page);
  assert.equal(await tree(page).count(), 0);
});

test('gzip, zip with one entry', async () => {
  const { page } = await it.open();
  await drop(page, [{ name: 'a.jsonl.gz', bytes: gzipSync(small()) }], 'a.jsonl.gz');
  await counts(page, { events: 6, format: 'agentdbg' });
  await drop(page, [{ name: 'a.zip', bytes: zip([{ name: 'in/a.jsonl', bytes: loop() }]) }], 'a.zip');
  await counts(page, { events: 11, format: 'agentdbg' });
});

/** So many files that the archive is listed before it is opened. */
const notes = Array.from({ length: 24 }, (_, at) => ({ name: `notes-${at}.txt`, bytes: 'nothing' }));

test('a zip with few files opens as its folder does', async () => {
  const { page } = await it.open();
  const archive = zip([...two(), { name: 'in/a.png', bytes: 'nothing' }]);
  await dropFiles(page, [{ name: 'all.zip', bytes: archive }]);
  await shown(page, 'all.zip');
  await counts(page, TWO);
  await page.getByText('Left out 1 file (1 .png)').waitFor();
});

test('a zip with many: its runs are listed, and what is chosen is opened together', async () => {
  const { page } = await it.open();
  const archive = zip([...two(), other(), ...notes]);
  await dropFiles(page, [{ name: 'all.zip', bytes: archive }]);
  const dialog = page.getByRole('dialog', { name: 'Which run?' });
  await dialog.getByText('3 runs in 27 files').waitFor();
  const titles = await dialog.locator('tbody .named').allInnerTexts();
  assert.ok(['a loop', 'small run'].every((title) => titles.includes(title)), `titles of the runs: ${titles}`);
  await dialog.getByRole('checkbox', { name: 'Select all that are listed' }).check();
  await dialog.getByRole('checkbox', { name: 'Select a loop' }).uncheck();
  await dialog.getByRole('button', { name: 'Open 2 runs together' }).click();
  await shown(page, 'all.zip');
  await dialog.waitFor({ state: 'hidden' });
  await counts(page, TWO);
});

test('a click opens one run of a zip, and the list can be returned to', async () => {
  const { page, errors } = await it.open();
  await dropFiles(page, [{ name: 'all.zip', bytes: zip([...two(), other(), ...notes]) }]);
  const dialog = page.getByRole('dialog', { name: 'Which run?' });
  const opened = (events) => until(async () => {
    const said = await summary(page);
    return said.runs === 1 && said.events === events && !said.loading;
  }, `one run of ${events} events`);
  await dialog.getByRole('button', { name: 'a loop' }).click();
  await opened(11);
  await button(page, 'Back to the list of runs…').click();
  await dialog.getByRole('button', { name: 'small run' }).first().click();
  await opened(6);
  assert.deepEqual(errors, []);
});

test('Esc on the question about a zip leaves the page as it was, ready for the next file', async () => {
  const { page } = await it.open();
  await dropFiles(page, [{ name: 'all.zip', bytes: zip([...two(), ...notes]) }]);
  const dialog = page.getByRole('dialog', { name: 'Which run?' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await button(page, 'Choose files…').waitFor();
  await dropText(page, small(), 'a.jsonl');
  await counts(page, { events: 6 });
});

test('files that belong together are joined, and each alone works', async () => {
  const { page } = await it.open();
  const run = JSON.stringify({
    spec_version: '0.1', run_id: 'run-1', run_name: 'small run', started_at: '2026-01-05T10:00:00.000Z',
    ended_at: '2026-01-05T10:00:05.000Z', duration_ms: 5000, status: 'ok',
    counts: { llm_calls: 1, tool_calls: 3, errors: 1, loop_warnings: 0 }, last_event_ts: '2026-01-05T10:00:05.000Z',
  });
  await drop(page, [{ name: 'run.json', bytes: run }], 'run.json');
  await counts(page, { runs: 1, llm_calls: 1, tool_calls: 3, errors: 1, format: 'agentdbg' });
  await page.getByText('This file has only the summary of the run').waitFor();
  await drop(page, [{ name: 'run.json', bytes: run }, { name: 'events.jsonl', bytes: small() }], 'events.jsonl and 1 more');
  await counts(page, { runs: 1, events: 6, llm_calls: 1, tool_calls: 3 });
  assert.equal(await page.getByText('This file has only the summary of the run').count(), 0);
});

test('a bad file beside a good one: it is named, the good one is shown', async () => {
  const { page } = await it.open();
  const binary = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 255, 254, 0, 0, 7]);
  await drop(page, [{ name: 'good.jsonl', bytes: small() }, { name: 'bad.bin', bytes: binary }]);
  await alert(page).waitFor();
  assert.match(await alert(page).textContent(), /bad\.bin/);
  await row(page, /station_search/).waitFor();
  await counts(page, { runs: 1, events: 6 });
  await alert(page).getByRole('button', { name: 'Dismiss' }).click();
  await alert(page).waitFor({ state: 'detached' });
  assert.equal((await labels(page)).length, 6);
});

test('Read as…: another format, and back', async () => {
  const { page } = await it.open();
  await dropText(page, small());
  await page.locator('.file').getByRole('button').click();
  const dialog = page.getByRole('dialog', { name: 'About this trace' });
  await dialog.getByText(/Read as AgentDbg: ./).waitFor();
  await dialog.getByRole('combobox', { name: 'Read as…' }).selectOption('records');
  await until(async () => (await summary(page)).format === 'records', 'it is read as records');
  await counts(page, { events: 6, tool_calls: 0 });
  await page.locator('.file').getByRole('button').click();
  await dialog.getByText(/you asked for it/).waitFor();
  await dialog.getByRole('combobox', { name: 'Read as…' }).selectOption('');
  await until(async () => (await summary(page)).format === 'agentdbg', 'it is read as what it looks like');
  await counts(page, { events: 6, tool_calls: 3 });
});

test('Back shows what was open before, Forward the other again', async () => {
  const { page } = await it.open();
  await dropText(page, small(), 'a.jsonl');
  await dropText(page, loop(), 'b.jsonl');
  await page.goBack();
  await shown(page, 'a.jsonl');
  await counts(page, { events: 6 });
  await page.goForward();
  await shown(page, 'b.jsonl');
  await counts(page, { events: 11 });
});

test('Close: the empty page, and nothing can be asked about what was there', async () => {
  const { page } = await it.open();
  await dropText(page, small());
  // The first one reads the trace; others may have started since, to wait for the next trace.
  const [reading] = page.workers();
  assert.ok(reading);
  await closeTrace(page);
  await button(page, 'Choose files…').waitFor();
  assert.equal(await tree(page).count(), 0);
  await counts(page, { runs: 0, events: 0, format: null });
  await until(() => !page.workers().includes(reading), 'the worker is gone');
});

test('a trace can be replaced while it is scrolled, searched, replayed and written on', async () => {
  const { page, errors } = await it.open('', { prepare: (page) => page.clock.install() });
  const many = (name) => jsonl(run(name, Array.from({ length: 300 }, (_, at) => toolCall(at + 1, `step_${at}`, { at }, `word ${at}`))));
  for (const round of [1, 2, 3, 4]) {
    await dropText(page, many(`trace ${round}`));
    await until(async () => (await summary(page)).events === 302, `trace ${round} is read`);
    await page.clock.runFor(500);
    await row(page, /step_2\b/).click();
    await page.locator('#search-input').fill(`word ${round}`);
    await page.locator('.list').evaluate((list) => list.scrollBy(0, 2000));
    await page.keyboard.press('Escape');
    await button(page, 'Replay').click();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.clock.runFor(100);
    // Everything that is pending now (frames, timers, responses) arrives after the next trace has been opened, or this
    // one closed.
    await page.locator('.list').evaluate((list) => list.scrollBy(0, -900));
    if (round === 3) await closeTrace(page);
  }
  await dropText(page, small());
  await until(async () => (await summary(page)).events === 6, 'the last trace is read');
  await page.clock.runFor(1000);
  await row(page, /search/).first().click();
  await page.locator('.body').waitFor();
  assert.deepEqual(errors, []);
});
