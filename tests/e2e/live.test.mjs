// Growing traces: a stream is shown while it arrives, stopped, interrupted, followed.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { mounted } from './harness.mjs';
import { alert, ask, body, button, dropText, labels, openSettings, row, rows, shown, stage, summary, until } from './reader.mjs';

const it = stage();

const event = (type, rest) => JSON.stringify({ type, ...rest, conversation_id: 42 });
const META = JSON.stringify({ type: 'meta', event: 'stream_started', padding: ' '.repeat(2048) });
const start = (n) => event('tool_start', {
  tool_call_id: `c${n}`, tool_name: `tool_${n}`, tool_args: { query: `question ${n}` },
  timestamp: new Date(Date.UTC(2026, 10, 20, 8, 0, n % 60)).toISOString(),
});
const output = (n) => event('tool_output', {
  tool_call_id: `c${n}`, output: `answer ${n}`, truncated: false, full_length: null,
  timestamp: new Date(Date.UTC(2026, 10, 20, 8, 0, n % 60)).toISOString(),
});
const FINAL = event('final', { response: 'All done.', archi_msg_id: 2, message_id: 2, user_message_id: 1, trace_id: 't' });

/**
 * A server whose responses are sent by the test, piece by piece.
 */
function slowServer() {
  const it = { streams: [] };
  const server = createServer((request, response) => {
    const kind = request.url.includes('sse') ? 'text/event-stream' : 'application/x-ndjson';
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': kind });
    response.flushHeaders();
    it.streams.push(response);
  });
  before(() => new Promise((go) => server.listen(0, '127.0.0.1', go)));
  after(() => {
    server.closeAllConnections();
    return new Promise((go) => server.close(go));
  });
  it.address = (name) => `http://127.0.0.1:${server.address().port}/${name}`;
  /** The response to the latest request. */
  it.stream = async () => {
    await until(() => it.streams.length > 0, 'the address was asked for');
    return it.streams.at(-1);
  };
  return it;
}

const slow = slowServer();

async function live(name, options = {}) {
  slow.streams.length = 0;
  const link = `#trace=${encodeURIComponent(slow.address(name))}`;
  const { page } = await it.visit(it.server.address(link), options);
  await mounted(page);
  return { page, stream: await slow.stream() };
}

const names = async (page) => (await labels(page)).map((label) => label.replace(/^\d+\. /, ''));
const running = (page) => page.locator('.badge[data-tone="running"]');

test('rows appear as they arrive, and events without an end are running', async () => {
  const { page, stream } = await live('answer.ndjson');
  stream.write(`${META}\n`);
  await row(page, /Run start/).waitFor();
  // The response has not ended: a page that waited for its end would show no row.
  stream.write(`${start(1)}\n`);
  await row(page, /tool_1/).waitFor();
  await page.locator('.progress').filter({ hasText: /Live: answer\.ndjson.*2 events/ }).waitFor();
  assert.equal(await running(page).count(), 1);
  await until(async () => (await names(page))[1].includes('question 1'), 'its arguments are read');
  // The opened row is read from the bytes so far, and again when more of it has arrived.
  await row(page, /tool_1/).click();
  await body(page, 'row-1').getByText('question 1').waitFor();
  stream.write(`${output(1)}\n`);
  await body(page, 'row-1').getByText('answer 1').waitFor();
  await until(async () => await running(page).count() === 0, 'it runs no longer');
  stream.end(`${FINAL}\n`);
  await shown(page);
  assert.deepEqual((await summary(page)).events, 4);
  assert.equal(await alert(page).count(), 0);
  // Everything has been kept, so it can be read as another format.
  await page.locator('.file button').click();
  await page.getByRole('combobox', { name: 'Read as…' }).selectOption('records');
  await until(async () => (await summary(page)).format === 'records', 'it is read as records');
  assert.equal((await summary(page)).events, 4);
});

test('server-sent events, with text that grows in place', async () => {
  const { page, stream } = await live('sse');
  const send = (words) => stream.write(`data: ${event('text', { content: words, delta: false })}\n\n`);
  stream.write(': keep alive\n\n');
  send('Let me');
  await row(page, /Let me/).waitFor();
  send('Let me think about it');
  await row(page, /Let me think about it/).waitFor();
  assert.equal(await rows(page).count(), 1);
  stream.end(`data: ${event('cancelled', { reason: 'user' })}\n\n`);
  await shown(page);
  await row(page, /Run end: cancelled/).waitFor();
});

test('stop ends the stream at once and keeps what came', async () => {
  const { page, stream } = await live('stop.ndjson');
  stream.write(`${META}\n${start(1)}\n`);
  await row(page, /tool_1/).waitFor();
  await button(page, 'Stop and keep').click();
  // Nothing more is sent, and nothing ends the response: the page closes the connection on its own.
  await until(() => stream.closed, 'the connection is given up');
  assert.equal(stream.writableEnded, false);
  await shown(page);
  assert.equal((await summary(page)).events, 2);
  assert.equal(await running(page).count(), 0);
  assert.match(await page.locator('.notes').textContent(), /Reading was stopped after/);
  assert.equal(await alert(page).count(), 0, 'what the person did is no fault');
});

test('a connection that breaks keeps what came and says so', async () => {
  const { page, stream } = await live('cut.ndjson');
  stream.write(`${META}\n${start(1)}\n${output(1)}\n{"type":"tool_st`);
  await row(page, /tool_1/).waitFor();
  stream.destroy();
  await shown(page);
  assert.match(await alert(page).textContent(), /connection to 127\.0\.0\.1:\d+ was interrupted.*shown/);
  assert.ok((await summary(page)).events >= 2);
  await row(page, /tool_1/).waitFor();
});

test('a view at the end follows new rows, a view further up announces them', async () => {
  const { page, stream } = await live('long.ndjson');
  for (let n = 0; n < 80; n += 1) stream.write(`${start(n)}\n${output(n)}\n`);
  await until(async () => (await summary(page)).events === 80, 'all are here');
  const list = page.locator('.list');
  await page.keyboard.press('End');
  await row(page, /tool_79/).waitFor();
  stream.write(`${start(80)}\n`);
  await row(page, /tool_80/).waitFor();
  await until(async () => await row(page, /tool_80/).isVisible()
    && await list.evaluate((it) => it.scrollTop + it.clientHeight > it.scrollHeight - 40), 'it is in sight');
  await page.keyboard.press('Home');
  await row(page, /tool_0\b/).waitFor();
  const top = await list.evaluate((it) => it.scrollTop);
  stream.write(`${output(80)}\n${start(81)}\n${start(82)}\n`);
  await button(page, '↓ 2 new').waitFor();
  assert.equal(await list.evaluate((it) => it.scrollTop), top, 'nothing has moved');
  await button(page, '↓ 2 new').click();
  await row(page, /tool_82/).waitFor();
  await until(async () => await page.locator('.list__new').count() === 0, 'nothing is new any more');
});

test('records of an unknown format appear after a second', async () => {
  const { page, stream } = await live('plain.ndjson');
  stream.write('{"level":"info","msg":"one"}\n');
  await row(page, /one/).waitFor();
  stream.write('{"level":"info","msg":"two"}\n');
  await row(page, /two/).waitFor();
  stream.end();
  await shown(page);
  assert.equal((await summary(page)).events, 2);
});

/** A stand-in for the handle of a file that the test writes; a real handle needs a user's permission. */
function stubHandle(text) {
  window.growing = { text, stamp: 1 };
  const handle = {
    kind: 'file',
    name: 'growing.jsonl',
    getFile: async () => new File([window.growing.text], 'growing.jsonl', { lastModified: window.growing.stamp }),
  };
  DataTransferItem.prototype.getAsFileSystemHandle = () => Promise.resolve(handle);
}

const rewrite = (page, text) => page.evaluate((written) => {
  window.growing = { text: written, stamp: window.growing.stamp + 1 };
}, text);

test('a growing file is followed, and read again when it is rewritten', async () => {
  const { page } = await it.open('', { prepare: (made) => made.addInitScript(stubHandle, `${start(0)}\n`) });
  await dropText(page, `${start(0)}\n`, 'growing.jsonl');
  await button(page, 'Follow').click();
  await button(page, '● Following').waitFor();
  await until(async () => await running(page).count() === 1, 'its call is at work');
  await rewrite(page, `${start(0)}\n${output(0)}\n${start(1)}\n`);
  await row(page, /tool_1/).waitFor();
  assert.equal(await running(page).count(), 1, 'the first call has its result');
  await rewrite(page, `${start(7)}\n`);
  await row(page, /tool_7/).waitFor();
  await until(async () => await rows(page).count() === 1, 'nothing of the old file is left');
  await button(page, '● Following').click();
  await shown(page);
  assert.equal((await summary(page)).events, 1);
  assert.equal(await page.getByText(/Reading was stopped/).count(), 0);
  await rewrite(page, `${start(7)}\n${start(8)}\n`);
  // Longer than the interval at which the file is checked again: only waiting can show that nothing arrives.
  await page.waitForTimeout(1500);
  assert.equal(await rows(page).count(), 1, 'it is no longer followed');
});

test('a browser without file handles does not offer to follow a file', async () => {
  const without = () => {
    delete DataTransferItem.prototype.getAsFileSystemHandle;
    delete window.showOpenFilePicker;
  };
  const { page } = await it.open('', { prepare: (made) => made.addInitScript(without) });
  await dropText(page, `${start(0)}\n`);
  assert.equal(await button(page, 'Follow').count(), 0);
});

const ahead = (page) => page.locator('.row[data-ahead="true"]').count();

test('a run is played back: steps, play to the end, and back to the full view', async () => {
  const { page } = await it.open();
  const lines = [META];
  for (let n = 1; n <= 5; n += 1) lines.push(start(n), output(n));
  await dropText(page, `${lines.join('\n')}\n${FINAL}\n`);
  const total = await rows(page).count();
  await button(page, 'Replay').click();
  const player = page.getByRole('region', { name: 'Replay' });
  await player.waitFor();
  assert.equal(await ahead(page), total - 1, 'only the first row is there');
  await button(page, 'Next event').click();
  await button(page, 'Next event').click();
  assert.equal(await ahead(page), total - 3);
  assert.match(await row(page, /tool_2/).textContent(), /running/);
  await button(page, 'Previous event').click();
  assert.equal(await ahead(page), total - 2);
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('60');
  await button(page, 'Play').focus();
  await page.keyboard.press(' ');
  await until(async () => await ahead(page) === 0, 'all of it has been played');
  await button(page, 'Play').waitFor();
  assert.equal(await running(page).count(), 0);
  await page.getByRole('slider', { name: 'Playhead' }).fill('0');
  assert.ok(await ahead(page) > 0, 'the play head goes back');
  await page.keyboard.press('Escape');
  await player.waitFor({ state: 'detached' });
  assert.equal(await ahead(page), 0);
});

test('a run without times can be stepped through', async () => {
  const { page } = await it.open();
  const chunk = (n) => JSON.stringify({ type: 'step', step_type: 'agent', content: `word ${n}` });
  await dropText(page, [1, 2, 3].map(chunk).join('\n'));
  await button(page, 'Replay').click();
  assert.equal(await ahead(page), 2);
  assert.ok(await button(page, 'Play').isDisabled());
  assert.equal(await page.getByRole('slider', { name: 'Playhead' }).count(), 0);
  await button(page, 'Next event').click();
  assert.equal(await ahead(page), 1);
  await button(page, 'End replay').click();
  assert.equal(await ahead(page), 0);
});

test('a window appends to the trace it loaded until it says that the trace is complete', async () => {
  const { page } = await it.open();
  assert.equal((await ask(page, { cmd: 'append', text: 'x' })).error.code, 'nothing-open');
  const trace = `${start(0)}\n`;
  assert.equal((await ask(page, { cmd: 'load', trace, fileName: 'sent.jsonl' })).events, 1);
  assert.equal(await running(page).count(), 0, 'nothing says that it goes on');
  assert.equal((await ask(page, { cmd: 'append', text: `${output(0)}\n${start(1)}\n` })).ok, true);
  await row(page, /tool_1/).waitFor();
  assert.equal(await running(page).count(), 1);
  const bytes = [...Buffer.from(`${output(1)}\n`)];
  await page.evaluate((all) => {
    const message = { traceloupe: 1, id: 'b', cmd: 'append', bytes: new Uint8Array(all), end: true };
    window.postMessage(message, '*');
  }, bytes);
  await shown(page);
  assert.equal((await summary(page)).events, 2);
  assert.equal(await running(page).count(), 0);
  assert.equal((await ask(page, { cmd: 'append' })).error.code, 'bad-trace');
});

test('the context meter shows how full the window was, where the window is known', async () => {
  const { page } = await it.open();
  const usage = (rest) => FINAL.replace('"response"', `"usage":{"prompt_tokens":90000,"completion_tokens":9${rest}},"response"`);
  await dropText(page, `${META}\n${usage('')}\n`);
  const meter = page.getByRole('meter', { name: 'Context window' });
  assert.equal(await page.locator('.fact--meter').getAttribute('data-tone'), '');
  assert.match(await page.locator('.fact--meter').textContent(), /90k.*tokens of context/);
  assert.equal(await meter.count(), 0);
  await dropText(page, `${META}\n${usage(',"context_window":100000')}\n`, 'known.jsonl');
  assert.equal(await page.locator('.fact--meter').getAttribute('data-tone'), 'error');
  assert.equal(await page.getByRole('tooltip').count(), 0);
  await meter.focus();
  assert.match(await page.getByRole('tooltip').textContent(), /90% of a context window of 100.000\./);
});

test('the settings act and are kept: mode, collapsing, how much of an output is shown', async () => {
  const { page } = await it.open();
  const settings = () => openSettings(page);
  const close = () => page.keyboard.press('Escape');
  const lines = [META, event('thinking_start', { step_id: 's', timestamp: '2026-11-20T08:00:00Z' })];
  for (let n = 1; n <= 6; n += 1) lines.push(start(n), output(n).replace('answer', 'long '.repeat(200)));
  await dropText(page, `${lines.join('\n')}\n`);
  assert.equal(await row(page, /tool_1/).count(), 0, 'a step with six calls starts collapsed');
  await settings();
  await page.getByLabel('Auto-collapse long steps').uncheck();
  await close();
  await row(page, /tool_1/).click();
  await page.getByText(/Showing 500 of 1\D?002 characters/).waitFor();
  await settings();
  await page.getByLabel('Shorten outputs after (characters)').fill('100');
  await page.getByLabel('Shorten outputs after (characters)').blur();
  await page.getByLabel(/^Minimal/).check();
  await close();
  assert.equal(await row(page, /tool_1/).count(), 0, 'the minimal mode hides calls');
  await page.reload();
  await mounted(page);
  await dropText(page, `${lines.join('\n')}\n`);
  assert.equal(await button(page, 'Minimal').getAttribute('aria-pressed'), 'true');
  await button(page, 'Normal').click();
  await row(page, /tool_1/).click();
  await page.getByText(/Showing 100 of 1\D?002 characters/).waitFor();
});
