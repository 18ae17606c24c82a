// Hostile traces: all their content is shown as text. Nothing runs, no request is sent, no element is created.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { claudeCode, event, jsonl, llmCall, run, small, toolCall } from './fixtures.mjs';
import { OWN_REQUEST } from './harness.mjs';
import {
  active, body, button, drawn, drop, dropText, noShared, row, rows, settled, SHARED, shown, stage, summary,
  tree, until,
} from './reader.mjs';
import { VECTORS } from './vectors.mjs';

const it = stage();
/** Runs a script if any part of it becomes markup; sends a request if any part of it becomes an element. */
const attack = (origin) => [
  '<img src=x onerror="window.fired=1">', '<script>window.fired=1</scr', 'ipt>',
  `<img src="${origin}/t/cors/leak.png"><link rel=stylesheet href="${origin}/t/cors/leak.css">`,
  `<svg onload="window.fired=1"></svg><iframe srcdoc="<script>parent.fired=1</script>"></iframe>`,
  '"><b id=planted>bold</b>\'', '[click](javascript:window.fired=1)', '`</code></pre>',
  '\u202e\u0000\u001b[31mred', '{{constructor.constructor("window.fired=1")()}}',
].join('');

/** The number of elements of each kind that our page never creates from a trace. */
const elements = (page) => page.evaluate(() => {
  const count = {};
  // The page's own icon of a row: one path, and no attribute that could act or load.
  const has = (one, names) => one.getAttributeNames().sort().join() === names;
  const isIcon = (one) => one.matches('.row__icon, .glyph') && has(one, 'aria-hidden,class,viewBox') &&
    one.children.length === 1 && one.firstElementChild.matches('path') && has(one.firstElementChild, 'd');
  // The page's own drawings of paths, without attributes that could act or load.
  const harmless = ['aria-hidden', 'class', 'viewBox', 'd', 'data-look', 'id', 'width', 'height', 'patternUnits', 'preserveAspectRatio'];
  const isDrawing = (one) => one.matches('.overview__lane, .overview__hits') &&
    [one, ...one.querySelectorAll('*')].every((part) => ['svg', 'path', 'defs', 'pattern'].includes(part.tagName) &&
      part.getAttributeNames().every((name) => harmless.includes(name)));
  for (const one of document.querySelectorAll('body *')) {
    const tag = one.tagName.toLowerCase();
    if (tag === 'svg' && (isIcon(one) || isDrawing(one))) continue;
    count[tag] = (count[tag] ?? 0) + 1;
  }
  return Object.fromEntries(['script', 'img', 'iframe', 'svg', 'object', 'embed', 'form', 'link', 'style', 'base', 'meta', 'video', 'audio', 'math', 'a', 'b']
    .map((tag) => [tag, count[tag] ?? 0]));
});
const handlers = (page) => page.evaluate(() => [...document.querySelectorAll('*')]
  .flatMap((one) => one.getAttributeNames().filter((name) => name.startsWith('on') || ['srcdoc', 'formaction'].includes(name))));

/** Watches a page for dialogs, other windows, and requests that are not its own. */
function watch(opened) {
  const seen = [];
  opened.page.on('dialog', (dialog) => { seen.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  opened.page.on('popup', () => seen.push('popup'));
  // History entries are not navigations: the address stays the same.
  const own = opened.page.url().replace(/#.*/, '');
  opened.page.on('framenavigated', (frame) => {
    if (frame.url().replace(/#.*/, '') !== own) seen.push(`navigated ${frame.url().slice(0, 80)}`);
  });
  return seen;
}

/** Opens every row, every tab and button in it, and all dialogs. */
async function openAll(page) {
  await button(page, 'Expand all').click();
  const n = await rows(page).count();
  await tree(page).focus();
  await page.keyboard.press('Home');
  for (let at = 0; at < n; at += 1) {
    const id = await active(page);
    if (id.startsWith('row-')) {
      await page.keyboard.press(' ');
      const opened = body(page, id);
      await opened.waitFor();
      await until(async () => !/Reading…/.test(await opened.innerText()), `${id} has been read`);
      const more = opened.getByRole('button', { name: /^Show(?! only)/ });
      for (let n = 0; n < 9 && await more.count() > 0; n += 1) await more.first().click();
      for (const tab of await opened.getByRole('tab').all()) {
        await tab.click();
        await until(async () => await opened.locator('pre, .compare__choose').count() > 0 && !/Reading…/.test(await opened.innerText()), `${id} is shown`);
      }
      await opened.getByRole('tab', { name: 'Details' }).click();
    }
    await tree(page).focus();
    await page.keyboard.press('j');
  }
  await page.locator('.file').getByRole('button').click();
  await page.keyboard.press('Escape');
}

/** Nothing ran and no element was created. */
async function nothingHappened(page, seen, errors, before, allowed = {}) {
  await settled(page);
  assert.deepEqual(seen, []);
  assert.equal(await page.evaluate(() => window.fired), undefined);
  assert.deepEqual(await handlers(page), []);
  assert.equal(await page.locator('#planted').count(), 0);
  const after = await elements(page);
  for (const [tag, count] of Object.entries(after)) {
    // Our own bold text (names in findings, sources) appears with a trace; it contains only text.
    if (tag === 'b' || tag in allowed) continue;
    assert.ok(count <= before[tag], `${tag}: ${before[tag]} before, ${count} after`);
  }
  assert.deepEqual(errors, []);
}

const onlyOwn = (hits, allowed = []) => hits.filter((hit) => !OWN_REQUEST.test(hit) && !allowed.includes(hit));

test('control: the same text does run where a page makes markup of it', async () => {
  it.server.hits.length = 0;
  const { page } = await it.visit(`${it.server.origin}/t/html/plain`);
  await page.evaluate((text) => { document.body.innerHTML = text; }, attack(it.server.origin));
  await until(() => page.evaluate(() => window.fired === 1), 'it has fired');
  await until(() => it.server.count('leak.png') > 0, 'it has asked the server');
  assert.equal(await page.locator('#planted').count(), 1);
});

test('markup in every field of AgentDbg events', async () => {
  const bad = attack(it.server.origin);
  const wrap = (at, type, payload) => event(at, type, `${bad} ${type}`, payload, { parent_id: bad, meta: { [bad]: bad } });
  const lines = [
    wrap(0, 'RUN_START', { run_name: bad, python_version: bad, argv: [bad], cwd: bad }),
    llmCall(1, [{ role: bad, content: bad }, { role: 'user', content: [{ type: 'text', text: bad }] }],
      { role: 'assistant', content: bad, tool_calls: [{ id: bad, type: bad, function: { name: bad, arguments: bad } }] }, bad),
    llmCall(2, bad, bad, bad),
    toolCall(3, bad, { [bad]: bad, deep: { [bad]: [bad] } }, { [bad]: bad }),
    toolCall(4, bad, bad, bad, { error_type: bad, message: bad, stack: bad }),
    toolCall(5, bad, `${bad}\n`.repeat(40), `${bad}\n`.repeat(40)),
    wrap(6, 'STATE_UPDATE', { state: { [bad]: bad }, diff: { [bad]: [bad, bad] } }),
    wrap(7, 'ERROR', { error_type: bad, message: bad, stack: bad }),
    wrap(8, 'LOOP_WARNING', { pattern: bad, repetitions: 3, window_size: 12, evidence_event_ids: [bad] }),
    wrap(9, bad, { [bad]: bad }),
    ...[10, 11, 12, 13].map((at) => toolCall(at, bad, { q: bad }, bad)),
    wrap(14, 'RUN_END', { status: bad }),
  ];
  it.server.hits.length = 0;
  const opened = await it.open();
  const { page, errors } = opened;
  const before = await elements(page);
  const seen = watch(opened);
  await dropText(page, `${jsonl(lines)}{"broken": ${bad}\n`, 'x.jsonl');
  await openAll(page);
  assert.ok((await summary(page)).events >= lines.length);
  // It is text and can be read.
  const text = await page.locator('.list').evaluate((list) => list.textContent);
  assert.ok(text.includes('<img src=x onerror="window.fired=1">'));
  assert.ok(text.includes('<b id=planted>bold</b>'));
  await nothingHappened(page, seen, errors, before);
  assert.deepEqual(onlyOwn(it.server.hits), []);
});

test('markup in every field of Claude Code lines', async () => {
  const bad = attack(it.server.origin);
  const lines = claudeCode({ user: bad, text: bad, tool: bad, input: { [bad]: bad, command: bad }, result: bad });
  for (const line of lines) Object.assign(line, { cwd: bad, gitBranch: bad, version: bad, slug: bad });
  lines[1].message.model = bad;
  lines[2].toolUseResult = { stdout: bad, stderr: bad, [bad]: bad };
  lines[2].message.content[0].is_error = true;
  lines[2].message.content[0].content = [
    { type: 'text', text: bad },
    // Claims to be an image, but is a document that can contain scripts.
    { type: 'image', source: { type: 'base64', media_type: 'image/svg+xml', data: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="parent.fired=1"><script>parent.fired=1</script></svg>').toString('base64') } },
    { type: 'image', source: { type: 'base64', media_type: 'text/html', data: Buffer.from('<script>parent.fired=1</script>').toString('base64') } },
    { type: 'image', source: { type: 'url', url: `${it.server.origin}/t/cors/leak.png` } },
  ];
  lines.push({ type: 'summary', summary: bad, leafUuid: bad }, { type: 'system', subtype: bad, content: bad, uuid: bad, timestamp: lines[0].timestamp, sessionId: 's-1' });
  it.server.hits.length = 0;
  const opened = await it.open();
  const { page, errors } = opened;
  const before = await elements(page);
  const seen = watch(opened);
  await dropText(page, jsonl(lines), 'session.jsonl');
  assert.equal((await summary(page)).format, 'claude-code');
  await openAll(page);
  await nothingHappened(page, seen, errors, before);
  assert.deepEqual(onlyOwn(it.server.hits), []);
});

test('markup in names of files, folders and archives, and in messages about them', async () => {
  const bad = '<img src=x onerror=window.fired=1>';
  const opened = await it.open();
  const { page, errors } = opened;
  const before = await elements(page);
  const seen = watch(opened);
  await drop(page, [
    { name: `${bad}.jsonl`, bytes: small() }, { name: `${bad}.bin`, bytes: Buffer.from([0, 255, 254, 1, 2, 3, 0, 0]) },
  ]);
  await page.getByRole('alert', { name: 'Problems', exact: true }).waitFor();
  assert.ok((await page.getByRole('alert', { name: 'Problems', exact: true }).textContent()).includes(bad));
  await page.locator('.file').getByRole('button').click();
  await page.getByRole('dialog').getByText(bad).first().waitFor();
  await page.keyboard.press('Escape');
  await nothingHappened(page, seen, errors, before);
});

test('markup in the link', async () => {
  const bad = encodeURIComponent('<img src=x onerror=window.fired=1>');
  it.server.put('a.jsonl', small());
  for (const link of [`#trace=a.jsonl&title=${bad}&sel=${bad}&theme=${bad}&format=${bad}`, `#trace=${bad}`, `#trace=https://${bad}/`]) {
    const opened = await it.open(link);
    const seen = watch(opened);
    const problem = opened.page.getByRole('alert', { name: 'Problems', exact: true });
    await until(async () => await rows(opened.page).count() > 0 || await problem.count() > 0, 'it is shown or refused');
    await settled(opened.page);
    assert.deepEqual(seen, []);
    assert.equal(await opened.page.evaluate(() => window.fired), undefined);
    assert.equal(await opened.page.locator('img').count(), 0);
  }
});

/** Our own vectors, and those of the HTML5 security cheat sheet if it is available. */
function vectorsOf(t) {
  if (noShared(t, true)) return VECTORS;
  const theirs = JSON.parse(readFileSync(path.join(SHARED, 'hostile/h5sc/h5sc.json'), 'utf8'));
  return [...VECTORS, ...theirs.map((one) => one.data)];
}

test('vectors of markup, as results of tools: none fires', async (t) => {
  const vectors = vectorsOf(t);
  assert.ok(vectors.length >= 100, `${vectors.length} vectors`);
  it.server.hits.length = 0;
  const opened = await it.open();
  const { page } = opened;
  const before = await elements(page);
  const seen = watch(opened);
  const batch = 25;
  for (let from = 0; from < vectors.length; from += batch) {
    const some = vectors.slice(from, from + batch);
    const lines = run('vectors', some.map((text, at) => toolCall(at + 1, `t${at}`, { text }, text)));
    await dropText(page, jsonl(lines), `v${from}.jsonl`);
    // Verbose mode opens every row.
    await button(page, 'Verbose').click();
    await row(page, /tool call t0/i).waitFor();
    for (let step = 0; step < 40; step += 1) {
      const end = await page.locator('.list').evaluate((list) => {
        list.scrollTop += list.clientHeight * 0.8;
        return list.scrollTop + list.clientHeight >= list.scrollHeight - 2;
      });
      await drawn(page);
      if (end) break;
    }
    const text = await page.locator('.list').evaluate((list) => list.textContent);
    // Only the source of the text has everything, including the parts that a terminal would not show.
    const unseen = /\x1b\][^\x07]*\x07|\x1b\[[0-9;]*[a-zA-Z]/g;
    const wanted = some.at(-1).trim().split('\n')[0].slice(0, 40).replaceAll(unseen, '');
    assert.ok(text.includes(wanted), `the last of them is on the page: ${wanted}`);
    await shown(page);
  }
  await nothingHappened(page, seen, [], before);
  assert.deepEqual(onlyOwn(it.server.hits), []);
});

test('control: such vectors do fire where a page makes markup of them', async (t) => {
  const vectors = vectorsOf(t);
  const opened = await it.visit(`${it.server.origin}/t/html/plain`);
  const seen = watch(opened);
  await opened.page.evaluate((all) => {
    for (const text of all) {
      const made = document.createElement('div');
      made.innerHTML = text;
      document.body.append(made);
    }
  }, vectors.filter((text) => /<!--<img/.test(text)));
  await until(() => seen.some((what) => what.startsWith('dialog')), 'one of them has fired');
});

test('a data: picture of a trace is shown, a remote one is not asked for', async () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const lines = claudeCode();
  lines[2].message.content[0].content = [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
    { type: 'image', source: { type: 'url', url: `${it.server.origin}/t/cors/remote.png` } },
  ];
  it.server.hits.length = 0;
  const { page } = await it.open();
  await dropText(page, jsonl(lines));
  await row(page, /Bash/).click();
  const picture = body(page, 'row-2').locator('img');
  await picture.waitFor();
  assert.equal(await picture.count(), 1);
  assert.match(await picture.getAttribute('src'), /^data:image\/png;base64,/);
  assert.ok(await picture.evaluate((one) => one.complete && one.naturalWidth === 1));
  assert.equal(it.server.count('remote.png'), 0);
});
