// Shared by the end-to-end tests: the built page served under a sub-path, a browser, and records of everything that the
// page and the server receive.
//
// Playwright comes from the tools folder (.ci/setup.sh), never from the repository.
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from '../../.ci/serve.mjs';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
/** Where .ci/setup.sh puts the tools. */
export const CACHE = process.env.TRACELOUPE_CACHE || path.join(os.homedir(), '.cache/traceloupe');
const fromTools = createRequire(path.join(CACHE, 'npm/node_modules/'));
const { chromium } = fromTools('playwright-core');

/** The built page: `dist`, or the folder given by TRACELOUPE_DIST. */
export const DIST = path.resolve(ROOT, process.env.TRACELOUPE_DIST || 'dist');
/** The path under which the page is served, because it must not assume that it is at the root of its host. */
export const BASE = '/some/sub/path/';
/** The page's own requests: its document, programs and styles, and the list of prices. */
export const OWN_REQUEST = new RegExp(`^GET ${BASE}([\\w-]+\\.(js|css|wasm)|prices-[0-9a-f]+\\.json)?$`);
/** The path of axe-core, for `page.evaluate`, because the page's policy does not allow the test's scripts. */
export const AXE_PATH = path.join(CACHE, 'npm/node_modules/axe-core/axe.min.js');

/**
 * How long a test waits for something, in milliseconds, before it fails. The limit only ends tests that would hang: no
 * test measures speed with it, so that tests also pass on a loaded machine.
 */
export const LIMIT_MS = 60_000;

const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.png': 'image/png' };

const ARGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
  // Host names that are not loopback names, for the test servers.
  '--host-resolver-rules=MAP *.test 127.0.0.1',
];

/** Starts a browser; close it when done. */
export function launch() {
  const executablePath = process.env.TRACELOUPE_CHROMIUM || '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: ARGS });
}

/**
 * Serves the page and records requests. `hits` contains every request as "METHOD path?query", `requests` its address
 * and headers.  Paths under `/t/` give special responses: `cors/*` a small trace that anyone may read, `plain/*` the
 * same without CORS, `status/N` that status with CORS, `html/*` a web page, `hang/*` headers that are sent only by
 * `release()`, `broken/*` headers and no byte of the body, `garbled/*` a body that is not packed as its headers say,
 * `loop/*` a redirect to itself, `away/HOST` a redirect to a trace of another host, `drip/N` a body of N bytes, the first sent at once and the rest by `release()`. `delay(name)` holds back
 * every file whose address contains the name, until `release()`.
 */
export async function startServer({ folder = DIST, base = BASE } = {}) {
  const hits = [];
  const requests = [];
  const held = [];
  const put = new Map();
  let delayed = null;
  const hold = () => new Promise((go) => held.push(go));

  async function handle(request, response, url) {
    hits.push(`${request.method} ${url.pathname}${url.search}`);
    requests.push({ url: request.url, headers: request.headers });
    if (delayed !== null && url.pathname.includes(delayed)) await hold();
    if (put.has(url.pathname)) {
      const { bytes, type } = put.get(url.pathname);
      response.writeHead(200, { 'content-type': type });
      response.end(bytes);
      return true;
    }
    const [, kind, rest] = url.pathname.match(/^\/t\/([^/]+)\/?(.*)$/) ?? [];
    if (kind === undefined) return false;
    if (kind === 'hang') await hold();
    const moved = { loop: url.pathname, away: `http://${rest}/t/cors/x.json` }[kind];
    if (moved !== undefined) {
      response.writeHead(302, { 'access-control-allow-origin': '*', location: moved }).end();
      return true;
    }
    if (kind === 'broken' || kind === 'garbled') {
      const packed = kind === 'garbled' ? { 'content-encoding': 'gzip' } : {};
      response.writeHead(200, { 'access-control-allow-origin': '*', 'content-length': 1000, 'cache-control': 'no-store', ...packed });
      if (kind === 'garbled') response.end('x'.repeat(1000));
      else response.flushHeaders();
      if (kind === 'broken') setTimeout(() => request.socket.destroy(), 100);
      return true;
    }
    const cors = kind === 'plain' ? {} : { 'access-control-allow-origin': '*' };
    const status = kind === 'status' ? Number(rest) : 200;
    const ending = Object.keys(TYPES).find((known) => rest.endsWith(known));
    const type = kind === 'html' ? 'text/html' : TYPES[ending] ?? 'application/json';
    response.writeHead(status, { ...cors, 'content-type': type, 'cache-control': 'no-store' });
    if (kind === 'drip') {
      response.write('x');
      await hold();
      response.end('x'.repeat(Number(rest) - 1));
      return true;
    }
    const text = kind === 'html' ? '<!doctype html><p>hello' : '{"a":1}\n';
    response.end(ending === undefined ? text : '');
    return true;
  }

  const server = await serve({ folder, base, handle });
  // No WebSocket is served; the test only records that a connection was attempted.
  server.server.on('upgrade', (request, socket) => {
    hits.push(`SOCKET ${request.url}`);
    socket.destroy();
  });
  return {
    ...server,
    hits,
    requests,
    /** The number of requests whose address contains this text. */
    count: (part) => hits.filter((hit) => hit.includes(part)).length,
    address: (suffix = '') => server.origin + base + suffix,
    /** Serves a file beside the page. */
    put: (name, bytes, type = 'application/octet-stream') => put.set(base + name, { bytes, type }),
    delay(name) {
      delayed = name;
    },
    release() {
      delayed = null;
      for (const go of held.splice(0)) go();
    },
  };
}

/**
 * Opens a page that is watched from the start: `errors` collects console errors and uncaught exceptions, `violations()`
 * the requests that the policies refused. `prepare(page)` runs before it is loaded. Conversations open as the timeline,
 * whose rows most tests are about, unless `view` is `transcript` or, as for a user who has not chosen yet, `null`.
 */
export async function openPage(browser, address, options = {}) {
  const { context: contextOptions = {}, wait = 'load', prepare = () => {}, view = 'inspector' } = options;
  const context = await browser.newContext(contextOptions);
  context.setDefaultTimeout(LIMIT_MS);
  const page = await context.newPage();
  await prepare(page);
  const errors = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  if (view !== null) {
    await page.addInitScript((id) => {
      try {
        for (const key of ['traceloupe.conversation', 'traceloupe.several']) {
          if (localStorage.getItem(key) === null) localStorage.setItem(key, id);
        }
      } catch {
        // A sandboxed frame has no storage.
      }
    }, view);
  }
  await page.addInitScript(() => {
    window.seenViolations = [];
    addEventListener('securitypolicyviolation', (event) => {
      window.seenViolations.push(`${event.effectiveDirective} ${event.blockedURI}`);
    });
  });
  await page.goto(address, { waitUntil: wait });
  const violations = () => page.evaluate(() => window.seenViolations);
  return { page, context, errors, violations, close: () => context.close() };
}

/** Waits until the app has replaced the static frame. */
export function mounted(page) {
  return page.locator('#frame').waitFor({ state: 'detached' });
}

/** Waits until the page reports that it is sealed. */
export function sealed(page) {
  return page.evaluate(() => window.traceloupe.sealed());
}

/** Drops files (`{name, bytes}`, bytes a Buffer or text) on an element, as a user would. */
export async function dropFiles(page, files, selector = 'body') {
  const plain = files.map(({ name, bytes }) => ({
    name, base64: Buffer.from(bytes).toString('base64'),
  }));
  await page.locator(selector).evaluate((target, given) => {
    const transfer = new DataTransfer();
    for (const { name, base64 } of given) {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
    }
    for (const type of ['dragenter', 'dragover', 'drop']) {
      target.dispatchEvent(new DragEvent(type, {
        bubbles: true, cancelable: true, dataTransfer: transfer,
      }));
    }
  }, plain);
}

/** Gives files (`{name, bytes}`) to a file input. */
export function pickFiles(page, selector, files) {
  const payload = files.map(({ name, bytes }) => ({
    name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes),
  }));
  return page.locator(selector).setInputFiles(payload);
}
