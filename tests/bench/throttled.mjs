// How long a user with a slow line and a slow machine waits: for the empty page, and for the rows of a trace named in a
// link. For comparison, speedscope's published page under the same conditions.
//
// Chromium imitates both: 9 Mbit/s with 85 ms of latency, and a quarter of the machine's speed. Files are served with
// gzip, and each page is the first in its browser profile, so nothing is cached.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { TYPES, serve } from '../../.ci/serve.mjs';
import { CACHE, DIST, launch } from '../e2e/harness.mjs';
import { SHAPES } from './shapes.mjs';

const NETWORK = { offline: false, latency: 85, downloadThroughput: 9e6 / 8, uploadThroughput: 9e6 / 8 };
const CPU_SLOWDOWN = 4;
const TRACE_BYTES = 100e3;
const TIMEOUT_MS = 60_000;
const OWN_PAGES_MS = 2_000;
const SPEEDSCOPE = path.join(CACHE, 'npm/node_modules/speedscope/dist/release');

/** A trace of about 100 kB. */
export function trace() {
  const shape = SHAPES.agentdbg(100);
  const lines = [shape.first()];
  for (let bytes = 0; bytes < TRACE_BYTES; bytes += lines.at(-1).length + 1) lines.push(shape.next());
  return Buffer.from(`${[...lines, shape.end()].join('\n')}\n`);
}

/** Serves a folder with gzip, and `files` beside it. */
export function servePacked(folder, files = {}) {
  const packed = new Map();
  const pack = (name) => {
    if (!packed.has(name)) packed.set(name, gzipSync(files[name] ?? readFileSync(path.join(folder, name)), { level: 9 }));
    return packed.get(name);
  };
  return serve({
    folder,
    handle(request, response, url) {
      const name = url.pathname.slice(1) || 'index.html';
      let body;
      try {
        body = pack(name);
      } catch {
        return false; // not there
      }
      response.writeHead(200, {
        'content-type': TYPES[path.extname(name)] ?? 'application/octet-stream',
        'content-encoding': 'gzip',
        'content-length': body.length,
        'cache-control': 'max-age=600',
      });
      response.end(body);
      return true;
    },
  });
}

/** Runs in the page, before any of its scripts: records when an element that matches the selector has been painted. */
function watch(selector) {
  const look = () => {
    if (window.seenAt !== undefined || !document.querySelector(selector)) return;
    window.seenAt = null;
    requestAnimationFrame(() => setTimeout(() => { window.seenAt = performance.now(); }));
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true });
}

/**
 * Opens an address in a fresh profile under the profile's conditions. Resolves to the milliseconds from the start of
 * the navigation until an element that matches `selector` has been painted, and the bytes that had arrived by then.
 */
export async function waitFor(browser, address, selector) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    // With the first page of a profile Chromium loads 400 files of its own, for the address bar, which would share the
    // processor with what is measured.
    await page.waitForTimeout(OWN_PAGES_MS);
    const devtools = await context.newCDPSession(page);
    let bytes = 0;
    devtools.on('Network.dataReceived', (part) => { bytes += part.encodedDataLength; });
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', NETWORK);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.addInitScript(watch, selector);
    await page.goto(address, { waitUntil: 'commit' });
    await page.waitForFunction(() => typeof window.seenAt === 'number', null, { timeout: TIMEOUT_MS, polling: 50 });
    return { ms: await page.evaluate(() => window.seenAt), bytes };
  } finally {
    await context.close();
  }
}

/** Measures all pages in turn, `rounds` times. */
export async function measureThrottled({ rounds, say }) {
  const ours = await servePacked(DIST, { 'trace.jsonl': trace() });
  const theirs = await servePacked(SPEEDSCOPE);
  const result = { name: 'throttled', kind: 'throttled', waits: [] };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const browser = await launch();
      try {
        const usable = await waitFor(browser, `${ours.origin}/`, '.empty__buttons button');
        const rows = await waitFor(browser, `${ours.origin}/#trace=trace.jsonl`, '[role=treeitem]');
        const speedscope = await waitFor(browser, `${theirs.origin}/`, 'input[type=file]');
        const wait = {
          usable: usable.ms, rows: rows.ms, speedscope: speedscope.ms,
          rowsBytes: rows.bytes, speedscopeBytes: speedscope.bytes,
        };
        result.waits.push(wait);
        say(`throttled, round ${round + 1}: ${JSON.stringify(wait, (_, it) => (typeof it === 'number' ? Math.round(it) : it))}`);
      } finally {
        await browser.close();
      }
    }
  } finally {
    await ours.close();
    await theirs.close();
  }
  return result;
}
