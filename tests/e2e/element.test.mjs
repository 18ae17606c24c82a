// <trace-loupe>: a trace in another page, in a sandboxed frame that makes no request.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { serve } from '../../.ci/serve.mjs';
import { loop, small } from './fixtures.mjs';
import { DIST } from './harness.mjs';
import { stage, until } from './reader.mjs';

const it = stage();
const servers = [];
after(() => Promise.all(servers.map((server) => server.close())));

/** Keeps the events of the element. It runs before the element is defined. */
const TOLD = `window.told = [];
for (const type of ['ready', 'select', 'error']) {
  document.querySelector('trace-loupe').addEventListener(type, ({ detail }) => window.told.push([type, detail]));
}`;

/** A page with this body, beside the viewer, the element and two traces. `hits` has the paths of all requests. */
async function host(body, { head = '' } = {}) {
  const hits = [];
  const served = await serve({
    folder: DIST,
    handle(request, response, url) {
      hits.push(url.pathname);
      const files = { '/host.html': `<!doctype html><title>Host</title>${head}<script type="module" src="trace-loupe.js"></script>${body}<script src="told.js"></script>`, '/told.js': TOLD, '/a.jsonl': small(), '/b.jsonl': loop() };
      if (!(url.pathname in files)) return false;
      const type = { html: 'text/html', js: 'text/javascript' }[url.pathname.split('.').pop()];
      response.writeHead(200, { 'content-type': type ?? 'application/json' });
      response.end(files[url.pathname]);
      return true;
    },
  });
  servers.push(served);
  const opened = await it.visit(`${served.origin}/host.html`, { view: null });
  const told = (type) => opened.page.evaluate((of) => window.told.filter(([kind]) => kind === of).map(([, detail]) => detail), type);
  return { ...opened, hits, told, frame: opened.page.frameLocator('trace-loupe iframe') };
}

test('a trace beside the page is shown, and the page is told the counts and the selection', async () => {
  const made = await host('<trace-loupe src="a.jsonl" view="inspector" theme="dark"></trace-loupe>');
  const { page, frame, told } = made;
  await frame.getByRole('treeitem').first().waitFor();
  await until(async () => (await told('ready')).length === 1, 'ready is told');
  assert.equal((await told('ready'))[0].events, 6);
  assert.equal(await page.locator('trace-loupe iframe').getAttribute('sandbox'), 'allow-scripts allow-downloads allow-popups');
  assert.equal(await frame.locator('html').getAttribute('data-theme'), 'dark');
  await frame.getByRole('treeitem').nth(2).click();
  await until(async () => (await told('select')).length > 0, 'a selection is told');
  const { sel, ...rest } = (await told('select')).at(-1);
  assert.match(sel, /^(n|p|r|f):/);
  assert.deepEqual(Object.keys(rest).filter((key) => rest[key] !== undefined), [], 'nothing else is told');
  // The frame takes the height that its rows need.
  await until(async () => Math.abs((await page.locator('trace-loupe').boundingBox()).height - 480) > 1, 'the height follows');
  assert.ok(await frame.locator('.list').evaluate((list) => list.scrollHeight <= list.clientHeight + 1), 'nothing is left to scroll');
  assert.deepEqual(made.hits.filter((path) => !['/host.html', '/told.js', '/trace-loupe.js', '/traceloupe.html', '/a.jsonl', '/favicon.ico'].includes(path)), []);
});

test('attributes can change: another trace, a fixed height, another theme without loading again', async () => {
  const made = await host('<trace-loupe src="a.jsonl" height="300" view="inspector"></trace-loupe>');
  const { page, frame, told } = made;
  await until(async () => (await told('ready')).length === 1, 'the first is shown');
  assert.equal(Math.round((await page.locator('trace-loupe').boundingBox()).height), 300);
  const set = (name, value) => page.evaluate(([key, to]) => document.querySelector('trace-loupe').setAttribute(key, to), [name, value]);
  await set('src', 'b.jsonl');
  await until(async () => (await told('ready')).length === 2, 'the second is shown');
  assert.ok((await told('ready'))[1].findings.length > 0);
  assert.equal(made.hits.filter((path) => path === '/traceloupe.html').length, 1);
  await set('sel', 'p:1.0-00000000');
  await frame.getByRole('treeitem').first().waitFor();
  assert.equal(made.hits.filter((path) => path === '/traceloupe.html').length, 1, 'the frame stays');
});

test('what cannot be fetched or read is told and shown', async () => {
  const made = await host('<trace-loupe src="missing.jsonl"></trace-loupe>');
  await until(async () => (await made.told('error')).length === 1, 'an error is told');
  assert.equal((await made.told('error'))[0].code, 'fetch');
  assert.match(await made.page.locator('trace-loupe').getByRole('alert').textContent(), /missing\.jsonl could not be fetched \(HTTP 404\)/);
  const said = await made.page.evaluate(() => document.querySelector('trace-loupe').load('no trace').then(() => 'shown', (error) => error.message));
  assert.match(said, /./);
  assert.notEqual(said, 'shown');
});

test('a poster: nothing is loaded before it is clicked; below the window: before it is near', async () => {
  const poster = await host('<trace-loupe src="a.jsonl" poster=""></trace-loupe>');
  await poster.page.getByRole('button', { name: 'Show the trace a.jsonl' }).waitFor();
  assert.ok(!poster.hits.includes('/traceloupe.html') && !poster.hits.includes('/a.jsonl'));
  await poster.page.getByRole('button', { name: 'Show the trace a.jsonl' }).click();
  await until(async () => (await poster.told('ready')).length === 1, 'it is shown');

  const below = await host('<div style="height:5000px"></div><trace-loupe src="a.jsonl"></trace-loupe>');
  assert.ok(!below.hits.includes('/traceloupe.html'));
  await below.page.locator('trace-loupe').scrollIntoViewIfNeeded();
  await until(async () => (await below.told('ready')).length === 1, 'it is shown');
});

test('a page with a strict policy can have it, and the script is small', async () => {
  const policy = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; frame-src 'self'; connect-src 'self'";
  const made = await host('<trace-loupe src="a.jsonl"></trace-loupe>', { head: `<meta http-equiv="Content-Security-Policy" content="${policy}">` });
  await until(async () => (await made.told('ready')).length === 1, 'it is shown');
  assert.deepEqual(await made.violations(), []);
  assert.ok(gzipSync(readFileSync(`${DIST}/trace-loupe.js`)).length <= 6_000);
});
