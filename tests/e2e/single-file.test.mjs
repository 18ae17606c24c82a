// The single HTML file: where it works, that it makes no request, that it gives the trace back byte for byte, and that
// nothing in a trace can break out of it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { after, beforeEach, test } from 'node:test';
import { serve } from '../../.ci/serve.mjs';
import { claudeCode, jsonl, loop, small } from './fixtures.mjs';
import { DIST, dropFiles, OWN_REQUEST } from './harness.mjs';
import { button, row, rows, shown, stage, tree, until } from './reader.mjs';

const it = stage();
const EMPTY = path.join(DIST, 'traceloupe.html');
const TITLE = 'a <b>"loop"</b> & more.jsonl';
let folder;
let host;
let report; // a saved file with two files in it
const hits = [];
/** Policies by the first part of the path. */
const POLICIES = {
  plain: null,
  strict: "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; " +
    "img-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'",
  // Gitea frames what it renders, without same-origin.
  gitea: "frame-src 'self'; connect-src 'none'; sandbox allow-scripts allow-popups",
  // The default of Jenkins: no script and no inline style.
  jenkins: "sandbox; default-src 'none'; img-src 'self'; style-src 'self';",
};

/** A server for the files, and a saved file. The first test makes them. */
async function prepare() {
  folder = mkdtempSync(path.join(os.tmpdir(), 'traceloupe-single-'));
  host = await serve({
    folder,
    handle(request, response, url) {
      hits.push(url.pathname);
      const [, policy, name] = url.pathname.match(/^\/([a-z]+)\/(?:.*\/)?([^/]*)$/) ?? [];
      if (policy === 'frame') {
        const sandbox = url.searchParams.get('sandbox');
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end(`<!doctype html><link rel=icon href="data:,"><iframe style="width:1200px;height:700px" ${sandbox === null ? '' : `sandbox="${sandbox}"`} src="${url.searchParams.get('src')}"></iframe>`);
        return true;
      }
      if (!(policy in POLICIES) || name === '') return false;
      const headers = { 'content-type': 'text/html' };
      if (POLICIES[policy] !== null) headers['content-security-policy'] = POLICIES[policy];
      response.writeHead(200, headers);
      response.end(readFileSync(path.join(folder, name)));
      return true;
    },
  });
  report = await savedBy(it.browser, [{ name: TITLE, bytes: loop() }]);
  writeFileSync(path.join(folder, 'report.html'), report);
}

let preparing;
const prepared = () => (preparing ??= prepare());

beforeEach(prepared);

after(async () => {
  await host?.close();
  rmSync(folder, { recursive: true, force: true });
});

const sha = (bytes) => createHash('sha256').update(bytes).digest('hex');
const fromDisk = (name) => `file://${path.join(folder, name)}`;

/** Saves the open trace as HTML by keyboard, and returns the bytes. */
async function save(page, frame = page) {
  await (await frame.locator('.brief').count() > 0 ? frame.getByRole('tabpanel') : tree(frame)).focus();
  await page.keyboard.press('Control+s');
  const dialog = frame.getByRole('dialog', { name: 'Save as HTML' });
  await until(async () => /weighs/.test(await dialog.innerText()), 'it says what the file weighs');
  const [download] = await Promise.all([
    page.waitForEvent('download'), button(dialog, 'Save as HTML').click(),
  ]);
  const bytes = readFileSync(await download.path());
  const said = await dialog.locator('#html-weight').innerText();
  await page.keyboard.press('Escape');
  return { bytes, said, name: download.suggestedFilename() };
}

/** Files opened in the hosted page, and saved as HTML. */
async function savedBy(browser, files) {
  const { page, context } = await it.open();
  await dropFiles(page, files);
  await shown(page);
  const { bytes } = await save(page);
  await context.close();
  return bytes;
}

/** The trace in a saved file, taken out without our code. */
function traceIn(html) {
  const text = html.toString('latin1');
  const { files, pieces } = JSON.parse(text.match(/id="tl-trace">([^<]*)</)[1]);
  const all = [...text.matchAll(/class="tl-data">([^<]*)</g)].map((match) => match[1]);
  return files.map((file, at) => ({
    path: file.path, bytes: gunzipSync(Buffer.concat(all.splice(0, pieces[at]).map((piece) => Buffer.from(piece, 'base64')))),
  }));
}

/** Opens the address, and the frame in it, if it has one. */
async function at(address, options = {}) {
  const visited = await it.visit(address, options);
  const frame = await visited.page.locator('iframe').count() > 0
    ? await (await visited.page.locator('iframe').elementHandle()).contentFrame() : visited.page;
  return { ...visited, frame };
}

/** Opens, reads, finds and links in a page or frame. */
async function works(frame, page) {
  await shown(frame);
  assert.match(await frame.locator('.foot').innerText(), /In this HTML file of [\d.]+ MB/);
  // A report begins with the brief.
  await frame.locator('.brief').waitFor();
  await frame.getByRole('tab', { name: 'Timeline' }).click();
  await rows(frame).first().waitFor();
  await row(frame, /finish/).first().click();
  await frame.locator('.body__blocks .block').first().waitFor();
  await frame.locator('#search-input').fill('finish');
  await until(async () => await frame.locator('mark').count() > 0, 'hits are marked');
  await page.keyboard.press('Escape');
}

test('its policy is strict, and it names nothing outside itself', () => {
  for (const html of [readFileSync(EMPTY, 'utf8'), report.toString()]) {
    const policy = html.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/)[1];
    assert.match(policy, /^default-src 'none'; script-src 'sha256-\S+' 'sha256-\S+' 'wasm-unsafe-eval'; style-src 'sha256-\S+'; img-src data: blob:; media-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types traceloupe$/);
    const head = html.slice(0, html.indexOf('<style>')) + html.slice(html.indexOf('</style>'), html.indexOf('<script id="tl-glue"'));
    assert.doesNotMatch(head, /<(link|script|img|iframe)[^>]*(src|href)="(?!data:)/);
    assert.doesNotMatch(html, /<script[^>]* src=/);
  }
});

/** As browsers that block storage in frames of other sites. */
const blockStorage = (page) => page.addInitScript(() => {
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
    Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError'); } });
  }
});

const PLACES = {
  'http': () => `${host.origin}/plain/report.html`,
  'a sub-path': () => `${host.origin}/plain/some/sub/path/report.html`,
  'disk': () => fromDisk('report.html'),
  'a sandboxed frame': () => `${host.origin}/frame/?sandbox=allow-scripts&src=/plain/report.html`,
  'a cross-site frame': () => `http://host.test:${host.port}/frame/?src=${host.origin}/plain/report.html`,
  'a strict policy': () => `${host.origin}/strict/report.html`,
  "Gitea's policy": () => `${host.origin}/frame/?src=/gitea/report.html`,
};

/** Places whose frame may neither download nor use the clipboard. */
const RESTRICTED = ['a sandboxed frame', "Gitea's policy"];

for (const [place, address] of Object.entries(PLACES)) {
  test(`it opens, reads, finds and links in ${place}, and makes no request`, async () => {
    hits.length = 0;
    const { page, frame, errors } = await at(address(), { prepare: place === 'a cross-site frame' ? blockStorage : undefined });
    await works(frame, page);
    await tree(frame).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('y');
    await until(() => frame.evaluate(() => location.hash.includes('sel=')), 'the address names the row');
    if (!RESTRICTED.includes(place)) assert.equal(sha((await save(page, frame)).bytes), sha(report), 'the same file');
    // The document itself, and the page around its frame.
    assert.deepEqual(hits.filter((hit) => hit !== '/frame/'), place === 'disk' ? [] : [new URL(new URL(address()).searchParams.get('src') ?? address(), host.origin).pathname]);
    assert.deepEqual(errors.filter((text) => !(RESTRICTED.includes(place) && /Clipboard API/.test(text))), []);
  });
}

test('offline, from disk: it opens, links to a row, and saves itself again', async () => {
  const { page, context } = await at(fromDisk('report.html'), { prepare: (made) => made.context().setOffline(true) });
  await works(page, page);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']).catch(() => {});
  await tree(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('y');
  await until(() => page.evaluate(() => location.hash.includes('sel=')), 'the address names the row');
  const { bytes } = await save(page);
  assert.equal(sha(bytes), sha(report), 'the same file');
});

test('a link to a row, a run or a view of a report leads there, not to the brief', async () => {
  const { page } = await at(fromDisk('report.html'));
  await works(page, page);
  await tree(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('y');
  await until(() => page.evaluate(() => location.hash.includes('sel=')), 'the address names the row');
  const sel = await page.evaluate(() => location.hash.match(/sel=[^&]*/)[0]);
  for (const link of [sel, 'q=finish', 'view=timeline', 'view=statistics']) {
    const linked = await at(`${fromDisk('report.html')}#${link}`);
    await shown(linked.page);
    assert.equal(await linked.page.locator('.brief').count(), 0, link);
    if (!link.startsWith('view=statistics')) await rows(linked.page).first().waitFor();
  }
});

test('a sandboxed frame with allow-downloads saves', async () => {
  const { page, frame } = await at(`${host.origin}/frame/?sandbox=${encodeURIComponent('allow-scripts allow-downloads')}&src=/plain/report.html`);
  await shown(frame);
  assert.equal(sha((await save(page, frame)).bytes), sha(report), 'the same file');
});

test('a file that was cut says so, and still shows its summary', async () => {
  writeFileSync(path.join(folder, 'cut.html'), report.subarray(0, report.lastIndexOf('class="tl-data"') + 200));
  const { page } = await at(fromDisk('cut.html'));
  await until(async () => await page.getByRole('alert').count() > 0 && /could not|incomplete/i.test(await page.getByRole('alert').first().innerText()), 'it says so');
  assert.match(await page.locator('#tl-brief').innerText(), /a loop/);
});

test("Jenkins' default policy runs no script: the summary is readable", async () => {
  const { page } = await at(`${host.origin}/jenkins/report.html`);
  await until(async () => /further|Traceloupe needs JavaScript/.test(await page.locator('#tl-brief').innerText()), 'the summary is shown');
  const text = await page.locator('body').innerText();
  assert.match(text, /a loop/);
  assert.match(text, /8 tool calls|9 tool calls/);
  assert.match(text, /search/);
  assert.doesNotMatch(text, /Drop a trace/);
});

test('the summary is there before the programs run', async () => {
  const { page } = await at(fromDisk('report.html'), { context: { javaScriptEnabled: false } });
  const text = await page.locator('body').innerText();
  assert.match(text, /a loop/);
  assert.match(text, /needs JavaScript/);
});

test('the hosted page requests nothing for saving, and says what it saves', async () => {
  const { page } = await it.open();
  await dropFiles(page, [{ name: 'a.jsonl', bytes: small() }]);
  await shown(page);
  it.server.hits.length = 0;
  const { said, name } = await save(page);
  assert.equal(name, 'a.html');
  assert.match(said, /weighs \d\.\d MB; it contains [\d.]+ kB of trace/);
  assert.deepEqual(it.server.hits.filter((hit) => !OWN_REQUEST.test(hit)), []);
});

/** Saves a part of the open trace as HTML, and returns the only file in it. */
async function savePart(page, part) {
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: 'Save as HTML' });
  await until(async () => /weighs/.test(await dialog.innerText()), 'it says what the file weighs');
  await dialog.getByText(part).click();
  await until(async () => /weighs/.test(await dialog.innerText()), 'it says what the part weighs');
  const [download] = await Promise.all([page.waitForEvent('download'), button(dialog, 'Save as HTML').click()]);
  const html = readFileSync(await download.path());
  await page.keyboard.press('Escape');
  const files = traceIn(html);
  assert.equal(files.length, 1);
  return { html, lines: files[0].bytes.toString().trimEnd().split('\n'), bytes: files[0].bytes };
}

test('the only run of a file is the whole file, and a turn is its lines after the first', async () => {
  const first = jsonl(claudeCode()).trimEnd().split('\n');
  const second = first.map((line) => line.replaceAll('"u-', '"v-').replaceAll('"m-', '"n-').replaceAll('toolu_1', 'toolu_2')
    .replaceAll('"r-', '"q-').replaceAll('T10:00', 'T10:05')
    .replace('"parentUuid":null', `"parentUuid":"${JSON.parse(first.at(-1)).uuid}"`));
  const text = [...first, ...second, ''].join('\n');
  const { page } = await it.open();
  await dropFiles(page, [{ name: 's.jsonl', bytes: text }]);
  await shown(page);
  assert.equal((await savePart(page, 'This run')).bytes.toString(), text);
  await tree(page).focus();
  await page.keyboard.press('End');
  const { html, lines } = await savePart(page, 'The turn of the selected row');
  assert.deepEqual(lines, [first[0], ...second]);
  writeFileSync(path.join(folder, 'turn.html'), html);
  const again = await at(fromDisk('turn.html'));
  await shown(again.page);
});

test('the rows that match a filter are their lines after the first', async () => {
  const { page } = await it.open();
  await dropFiles(page, [{ name: 'a.jsonl', bytes: small() }]);
  await shown(page);
  await page.locator('#search-input').fill('tool:fare');
  await page.keyboard.press('Enter');
  await until(async () => await row(page, /book/).count() === 0, 'the rows are filtered');
  const { lines } = await savePart(page, 'match the filter');
  const all = small().split('\n');
  assert.deepEqual(lines, [all[0], all.find((line) => line.includes('"fare"'))]);
});

test('parts of a document are refused, with a reason', async () => {
  const messages = Array.from({ length: 4 }, (_, n) => ({ role: n % 2 === 0 ? 'user' : 'assistant', content: `hello ${n}` }));
  const { page } = await it.open();
  await dropFiles(page, [{ name: 'chat.json', bytes: JSON.stringify({ messages }) }]);
  await shown(page);
  await tree(page).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: 'Save as HTML' });
  await dialog.getByText('The turn of the selected row').click();
  await until(async () => /not lines of a file/.test(await dialog.innerText()), 'it is refused');
  assert.equal(await button(dialog, 'Save as HTML').isDisabled(), true);
});

test('several files, a binary one and an empty one come back byte for byte', async () => {
  const odd = Buffer.from([0, 13, 10, 255, 254, 239, 187, 191, 60, 47, 115, 99, 114, 105, 112, 116, 62]);
  const files = [
    { name: 'a.jsonl', bytes: Buffer.from(`\uFEFF${small().replaceAll('\n', '\r\n')}`) },
    { name: 'folder </script><script>fired=1</script>.jsonl', bytes: Buffer.concat([Buffer.from(loop()), odd]) },
  ];
  const html = await savedBy(it.browser, files);
  const back = traceIn(html);
  for (const { name, bytes } of files) assert.equal(sha(back.find((file) => file.path === name).bytes), sha(bytes), name);
  writeFileSync(path.join(folder, 'several.html'), html);
  const { page, errors } = await at(fromDisk('several.html'));
  await shown(page);
  assert.equal(await page.evaluate(() => window.fired), undefined);
  assert.deepEqual(errors, []);
  const downloads = [];
  page.on('download', (download) => downloads.push(download));
  await page.keyboard.press('Control+s');
  await button(page, 'Download the original').click();
  await until(() => downloads.length === 2, 'both files are saved');
  const sums = await Promise.all(downloads.map(async (download) => sha(readFileSync(await download.path()))));
  assert.deepEqual(sums.sort(), files.map(({ bytes }) => sha(bytes)).sort());
});

test('cat: a trace at the end of traceloupe.html is opened', async () => {
  const trace = small();
  writeFileSync(path.join(folder, 'run one.html'), Buffer.concat([readFileSync(EMPTY), Buffer.from(trace)]));
  const { page, errors } = await at(`file://${encodeURI(path.join(folder, 'run one.html'))}`);
  await shown(page, 'run one');
  assert.equal(await page.getByRole('alert').filter({ hasText: 'U+FFFD' }).count(), 0);
  assert.deepEqual(errors, []);
  const { bytes } = await save(page);
  const [file] = traceIn(bytes);
  assert.equal(file.bytes.toString(), trace);
});

test('cat: markup in the trace stays text, and what HTML has replaced is reported', async () => {
  const text = small().replace('Where is the station?', '</plaintext></script><script>window.fired=1</script><img src=x onerror=window.fired=1>');
  const broken = Buffer.from(text.replace('booked', 'bo\u0001oked'));
  broken[broken.indexOf(1)] = 0xff;
  writeFileSync(path.join(folder, 'broken.html'), Buffer.concat([readFileSync(EMPTY), broken]));
  const { page } = await at(fromDisk('broken.html'));
  await shown(page);
  assert.equal(await page.evaluate(() => window.fired), undefined);
  assert.match(await page.getByRole('alert').first().innerText(), /1 character is U\+FFFD/);
});

test('cat: without a trace it is the empty page, without samples and addresses', async () => {
  const { page } = await at(`file://${EMPTY}`);
  await page.getByText('Drop a trace').waitFor();
  await until(() => page.evaluate(() => document.querySelector('#frame') === null), 'the program has started');
  assert.equal(await page.getByText('Try a sample').isVisible(), false);
  assert.equal(await page.locator('#address').isVisible(), false);
  await dropFiles(page, [{ name: 'a.jsonl', bytes: small() }]);
  await shown(page, 'a.jsonl');
});

test('control: a script that the file does not name does run without its policy, and not with it', async () => {
  // The last one: the script that writes such files contains the first.
  const planted = (html) => `${html.slice(0, html.lastIndexOf('</body>'))}<script>window.fired=1</script></body></html>`;
  const html = report.toString('latin1');
  writeFileSync(path.join(folder, 'planted.html'), Buffer.from(planted(html), 'latin1'));
  const open = planted(html).replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '');
  writeFileSync(path.join(folder, 'open.html'), Buffer.from(open, 'latin1'));
  const guarded = await at(fromDisk('planted.html'));
  await shown(guarded.page);
  assert.equal(await guarded.page.evaluate(() => window.fired), undefined);
  const fired = await at(fromDisk('open.html'));
  await until(() => fired.page.evaluate(() => window.fired === 1), 'it has fired');
});
