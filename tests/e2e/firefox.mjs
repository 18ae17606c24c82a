// Drives the system's Firefox through WebDriver BiDi, which Firefox supports itself; nothing is downloaded.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { CACHE, LIMIT_MS } from './harness.mjs';
import { clicking, end, loaded, pathOf, pressing } from './webdriver.mjs';

const modules = path.join(CACHE, 'npm/node_modules/playwright-core');
// Node has no client for WebSockets before version 22; Playwright brings one.
const { ws: WebSocket } = createRequire(`${modules}/`)(`${modules}/lib/utilsBundle.js`);

/** The path of Firefox, or `null` if it is not installed. */
export const firefoxPath = () => pathOf('firefox-esr') ?? pathOf('firefox');

/** The address at which Firefox listens to WebDriver BiDi, once it does. */
const addressOf = (child) => new Promise((found, fail) => {
  let said = '';
  const late = setTimeout(() => fail(new Error(`Firefox does not start: ${said}`)), LIMIT_MS);
  child.stderr.on('data', (data) => {
    said += data;
    const match = said.match(/WebDriver BiDi listening on (ws:\S+)/);
    if (match) {
      clearTimeout(late);
      found(match[1]);
    }
  });
});

/** Starts Firefox with a tab of this size; see engines.mjs for what it can do. */
export async function launchFirefox({ width = 1280, height = 800 } = {}) {
  const profile = mkdtempSync(path.join(os.tmpdir(), 'traceloupe-firefox-'));
  const downloads = path.join(profile, 'downloads');
  mkdirSync(downloads);
  const preferences = { 'browser.download.folderList': 2, 'browser.download.dir': downloads };
  writeFileSync(path.join(profile, 'user.js'), Object.entries(preferences)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(''));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank'];
  const child = spawn(firefoxPath(), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let socket;
  const close = async () => {
    socket?.close();
    await end(child);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  const waiting = new Map();
  let number = 0;
  const call = (method, params) => new Promise((done, fail) => {
    number += 1;
    const late = setTimeout(() => fail(new Error(`no answer to ${method}`)), LIMIT_MS);
    waiting.set(number, (message) => {
      clearTimeout(late);
      if (message.error) fail(new Error(`${method}: ${message.message}`));
      else done(message.result);
    });
    socket.send(JSON.stringify({ id: number, method, params }));
  });
  let context;
  try {
    socket = new WebSocket(`${await addressOf(child)}/session`);
    await new Promise((open, fail) => { socket.on('open', open); socket.on('error', fail); });
    socket.on('message', (text) => {
      const message = JSON.parse(text);
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    });
    await call('session.new', { capabilities: {} });
    ({ context } = await call('browsingContext.create', { type: 'tab' }));
    await call('browsingContext.setViewport', { context, viewport: { width, height } });
  } catch (error) {
    await close();
    throw error;
  }
  async function run(act, ...args) {
    const { result, exceptionDetails } = await call('script.evaluate', {
      expression: `Promise.resolve((${act})(...${JSON.stringify(args)})).then((it) => JSON.stringify(it))`,
      target: { context }, awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result.value === undefined ? undefined : JSON.parse(result.value);
  }
  return {
    downloads,
    // Firefox does not always answer if it is told to wait for the end.
    async open(url) {
      await call('browsingContext.navigate', { context, url, wait: 'none' });
      await loaded(() => run(() => ({ state: document.readyState, address: location.href })), url, LIMIT_MS);
    },
    run,
    press: (...keys) => call('input.performActions', { context, actions: pressing(keys) }),
    clickAt: (x, y) => call('input.performActions', { context, actions: clicking(x, y) }),
    async setFiles(selector, files) {
      const { nodes: [element] } = await call('browsingContext.locateNodes', { context, locator: { type: 'css', value: selector } });
      await call('input.setFiles', { context, element: { sharedId: element.sharedId }, files });
    },
    close,
  };
}
