// Messages from windows: the page's own, the parent of a frame, an unrelated one.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { claudeCode, jsonl, llmCall, loop, run, small } from './fixtures.mjs';
import { LIMIT_MS, startServer } from './harness.mjs';
import {
  ask, button, dropText, FIXTURES, headline, noShared, settled, SHARED, shown, stage, summary, until,
} from './reader.mjs';

const it = stage();
const SMALL = {
  traceloupe: 1, ok: true, loading: false, format: 'agentdbg', runs: 1, events: 6, llm_calls: 1,
  tool_calls: 3, errors: 1, warnings: 0, findings: [],
};
const EMPTY = {
  traceloupe: 1, ok: true, loading: false, format: null, runs: 0, events: 0, llm_calls: 0,
  tool_calls: 0, errors: 0, warnings: 0, findings: [],
};
const withoutId = ({ id, ...rest }) => rest;

/** Loads a text through a message from the page's own window, as a value of the given kind. */
const load = (page, kind, text, more = {}) => page.evaluate(([how, words, rest, limit]) => new Promise((done) => {
  const bytes = new TextEncoder().encode(words);
  const padded = new Uint8Array(bytes.length + 8);
  padded.set(bytes, 4);
  const trace = {
    string: () => words,
    buffer: () => bytes.buffer,
    view: () => padded.subarray(4, 4 + bytes.length),
    dataView: () => new DataView(padded.buffer, 4, bytes.length),
    blob: () => new Blob([words]),
    file: () => new File([words], 'own-name.jsonl'),
  }[how]();
  addEventListener('message', ({ data }) => data?.id === 7 && data.ok !== undefined && done(data));
  setTimeout(() => done('silence'), limit);
  window.postMessage({ traceloupe: 1, id: 7, cmd: 'load', trace, ...rest }, '*');
}), [kind, text, more, LIMIT_MS]);

/**
 * A page that frames ours: `tell(message)` sends a message to the frame and resolves to the reply with its id, or to
 * 'silence'.
 */
async function parentOf(origin, address) {
  const { page } = await it.visit(`${origin}/t/html/parent`);
  await page.evaluate((src) => new Promise((ready) => {
    const frame = document.createElement('iframe');
    frame.src = src;
    frame.style.cssText = 'width:900px;height:600px';
    window.heard = [];
    addEventListener('message', (event) => {
      window.heard.push(event.data);
      if (event.data?.event === 'ready') ready();
    });
    document.body.append(frame);
    window.tell = (message, wait) => new Promise((done) => {
      const id = Math.random();
      const hear = ({ data }) => data?.id === id && data.ok !== undefined && done(data);
      addEventListener('message', hear);
      setTimeout(() => done('silence'), wait);
      frame.contentWindow.postMessage({ traceloupe: 1, id, ...message }, '*');
    });
  }), address);
  const frame = page.frames()[1];
  return {
    page,
    frame,
    tell: (message) => page.evaluate(([sent, wait]) => window.tell(sent, wait), [message, LIMIT_MS]),
  };
}

test('PING is answered', async () => {
  const { page } = await it.open();
  assert.equal(await page.evaluate(() => new Promise((done) => {
    addEventListener('message', (event) => event.data === 'PONG' && done('PONG'));
    window.postMessage('PING', '*');
  })), 'PONG');
});

test('getSummary of the empty page, of a trace, and after close; no content in it', async () => {
  const { page } = await it.open();
  assert.deepEqual(withoutId(await summary(page)), EMPTY);
  await dropText(page, small());
  const said = await summary(page);
  assert.deepEqual(withoutId(said), SMALL);
  assert.equal(/station|Zürich|small run/.test(JSON.stringify(said)), false);
  assert.deepEqual(withoutId(await ask(page, { cmd: 'close' })), EMPTY);
  await button(page, 'Choose files…').waitFor();
});

test('findings are reported by rule, position and number', async () => {
  const { page } = await it.open();
  await dropText(page, loop(8));
  assert.deepEqual((await summary(page)).findings, [
    { rule: 'repeat', severity: 'critical', run: 1, first: 2, last: 9, repetitions: 8 },
  ]);
});

test('load takes a string, a buffer, a view, a Blob and a File; the answer is the summary', async () => {
  const { page, errors } = await it.open();
  for (const kind of ['string', 'buffer', 'view', 'dataView', 'blob', 'file']) {
    const said = await load(page, kind, small(), { fileName: `${kind}.jsonl` });
    assert.deepEqual(withoutId(said), SMALL, kind);
    await shown(page, `${kind}.jsonl`);
  }
  assert.deepEqual(errors, []);
});

test('load takes a title and a format', async () => {
  const { page } = await it.open();
  const said = await load(page, 'string', small(), { title: 'My title', format: 'records' });
  assert.equal(said.format, 'records');
  assert.match(await headline(page), /My title/);
});

test('what cannot be done is answered with a code', async () => {
  const { page } = await it.open();
  const cases = [
    [{ cmd: 'load', trace: { url: it.server.address('x.jsonl') } }, 'sealed'],
    [{ cmd: 'load', trace: 7 }, 'bad-trace'],
    [{ cmd: 'load' }, 'bad-trace'],
    [{ cmd: 'dance' }, 'unknown-command'],
    [{ cmd: 'load', trace: '' }, 'empty'],
    [{ cmd: 'load', trace: '<!doctype html><p>hello' }, 'looks-like-html'],
  ];
  for (const [message, code] of cases) {
    const said = await ask(page, message);
    assert.equal(said.ok, false, JSON.stringify(message));
    assert.equal(said.error.code, code, JSON.stringify(said));
    assert.ok(said.error.message.length > 5);
  }
  // After all of that, a trace can still be opened.
  assert.deepEqual(withoutId(await load(page, 'string', small())), SMALL);
});

test('messages not meant for the page are ignored', async () => {
  const { page, errors } = await it.open();
  await page.evaluate(() => {
    for (const odd of [
      null, 7, 'hello', [], {}, { traceloupe: 2, cmd: 'close' }, { traceloupe: 1 }, { traceloupe: 1, cmd: 3 },
      { traceloupe: 1, cmd: {} }, { traceloupe: '1', cmd: 'close' }, { source: 'react-devtools', payload: {} },
    ]) window.postMessage(odd, '*');
  });
  await settled(page);
  assert.deepEqual(withoutId(await summary(page)), EMPTY);
  assert.deepEqual(errors, []);
});

test('a parent of the same site may load into the frame and ask about it', async () => {
  const { frame, tell } = await parentOf(it.server.origin, it.server.address('#embed=1'));
  assert.deepEqual(withoutId(await tell({ cmd: 'load', trace: small() })), SMALL);
  await frame.getByRole('treeitem', { name: /station_search/ }).waitFor();
  assert.deepEqual(withoutId(await tell({ cmd: 'getSummary' })), SMALL);
  assert.equal((await tell({ cmd: 'close' })).events, 0);
});

test('a parent of another site: the same for what it loaded, nothing about what the user opens', async (t) => {
  const other = await startServer();
  t.after(() => other.close());
  // Not a loopback name, because loopback counts as the user's own machine.
  const { page, frame, tell } = await parentOf(other.origin.replace('127.0.0.1', 'site.test'), it.server.address());
  assert.deepEqual(withoutId(await tell({ cmd: 'load', trace: small() })), SMALL);
  await frame.getByRole('treeitem', { name: /station_search/ }).waitFor();
  assert.equal((await tell({ cmd: 'getSummary' })).events, 6);

  // The user opens a file in that frame.
  await frame.locator('#pick-files').setInputFiles([{ name: 'mine.jsonl', mimeType: 'x/y', buffer: Buffer.from(loop()) }]);
  await frame.getByRole('treeitem', { name: /finish/ }).waitFor();
  const heard = await page.evaluate(() => window.heard.length);
  for (const cmd of ['getSummary', 'close']) {
    const said = await tell({ cmd });
    assert.equal(said.ok, false, cmd);
    assert.equal(said.error.code, 'refused', cmd);
    assert.equal(said.events, undefined);
  }
  // Replacing it with another trace needs the user's consent.
  const answer = tell({ cmd: 'load', trace: small() });
  const dialog = frame.getByRole('dialog', { name: 'Open this trace?' });
  await dialog.waitFor();
  assert.match(await dialog.textContent(), /site\.test/);
  assert.equal(await frame.evaluate(() => document.activeElement.textContent), 'Don\'t open');
  await dialog.getByRole('button', { name: 'Don\'t open' }).click();
  assert.equal((await answer).error.code, 'refused');
  await frame.getByRole('treeitem', { name: /finish/ }).waitFor();
  // Nothing but the three replies has arrived.
  assert.equal(await page.evaluate(() => window.heard.length), heard + 3);
});

test('a stranger is not answered', async () => {
  const { page } = await it.open();
  await dropText(page, small());
  // A frame inside our page is neither parent, opener, nor opened by us.
  await page.evaluate(() => document.body.append(document.createElement('iframe')));
  const stranger = page.frames()[1];
  await stranger.evaluate(() => {
    window.heard = [];
    addEventListener('message', (event) => window.heard.push(event.data));
    parent.postMessage({ traceloupe: 1, id: 1, cmd: 'getSummary' }, '*');
    parent.postMessage({ traceloupe: 1, id: 2, cmd: 'close' }, '*');
  });
  await settled(page);
  assert.deepEqual(await stranger.evaluate(() => window.heard), []);
  assert.deepEqual(withoutId(await summary(page)), SMALL);
});

test('a page that opened ours in a window may load into it', async () => {
  const { page, context } = await it.visit(`${it.server.origin}/t/html/opener`);
  const said = await page.evaluate(([address, trace, limit]) => new Promise((done) => {
    addEventListener('message', ({ data }) => {
      if (data?.event === 'ready') window.other.postMessage({ traceloupe: 1, id: 1, cmd: 'load', trace }, '*');
      if (data?.id === 1 && data.ok !== undefined) done(data);
    });
    window.other = window.open(address);
    setTimeout(() => done('silence'), limit);
  }), [it.server.address(), small(), LIMIT_MS]);
  assert.deepEqual(withoutId(said), SMALL);
  assert.equal(context.pages().length, 2);
});

test('a page of this computer that opened ours asks before it replaces what the user opened', async (t) => {
  const other = await startServer();
  t.after(() => other.close());
  const { page, context } = await it.visit(`${other.origin}/t/html/opener`);
  await page.evaluate((address) => new Promise((ready) => {
    addEventListener('message', ({ data }) => data?.event === 'ready' && ready());
    window.other = window.open(address);
  }), it.server.address());
  const tell = (cmd, trace) => page.evaluate(([sent, text, limit]) => new Promise((done) => {
    const id = Math.random();
    addEventListener('message', ({ data }) => data?.id === id && data.ok !== undefined && done(data));
    window.other.postMessage({ traceloupe: 1, id, cmd: sent, trace: text }, '*');
    setTimeout(() => done('silence'), limit);
  }), [cmd, trace, LIMIT_MS]);
  const ours = context.pages()[1];
  assert.deepEqual(withoutId(await tell('load', small())), SMALL, 'nothing is open: no question');
  assert.deepEqual(withoutId(await tell('load', small())), SMALL, 'nor for its own trace');
  await dropText(ours, loop(), 'mine.jsonl');
  assert.equal((await tell('close')).error.code, 'refused');
  const answer = tell('load', small());
  const dialog = ours.getByRole('dialog', { name: 'Open this trace?' });
  await dialog.waitFor();
  await dialog.getByRole('button', { name: 'Don\'t open' }).click();
  assert.equal((await answer).error.code, 'refused');
  await ours.getByRole('treeitem', { name: /finish/ }).waitFor();
});

test('messages sent while the page is still loading are not lost', async () => {
  it.server.delay('.wasm');
  const { page } = await it.visit(it.server.address(), { wait: 'domcontentloaded' });
  const answer = load(page, 'string', small());
  await until(() => it.server.count('.wasm') > 0, 'the page is being loaded');
  it.server.release();
  assert.deepEqual(withoutId(await answer), SMALL);
});

test('the counts of a session: usage and calls once', async () => {
  const { page } = await it.open();
  const said = await load(page, 'string', jsonl(claudeCode()));
  assert.deepEqual([said.format, said.runs, said.llm_calls, said.tool_calls], ['claude-code', 1, 2, 1]);
  const calls = await load(page, 'string', jsonl(run('x', [llmCall(1, 'p', 'r'), llmCall(2, 'p', 'r')])));
  assert.deepEqual([calls.events, calls.llm_calls], [4, 2]);
});

test('every AgentDbg and Maida file gives a summary through a message', async (t) => {
  const own = ['agentdbg', 'maida'].map((name) => path.join(FIXTURES, name));
  const folders = noShared(t, true) ? own : [...own, path.join(SHARED, 'traces/agentdbg')];
  const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, name))
    .filter((name) => /\.jsonl?$/.test(name) && statSync(name).isFile()))
    // Test vectors for the loop rule, and the expectations of the fixtures: not traces.
    .filter((name) => !['maida-conformance-loop-vectors.json', 'expect.json'].includes(path.basename(name)));
  assert.ok(files.length >= (folders.length > 2 ? 60 : 20), `${files.length} files`);
  const { page, errors } = await it.open();
  const odd = [];
  for (const name of files) {
    const text = readFileSync(name, 'utf8');
    const said = await load(page, 'string', text, { fileName: path.basename(name) });
    const good = said.ok === true && said.loading === false && ['agentdbg', 'maida'].includes(said.format) && said.runs >= 1;
    if (!good) odd.push(`${name}: ${JSON.stringify(said)}`);
  }
  // One worker and its reader for this trace, and another pair ready for the next.
  await until(async () => page.workers().length <= 4, 'those of the last and the next trace alone are left');
  assert.deepEqual(odd, []);
  assert.deepEqual(errors, []);
});
