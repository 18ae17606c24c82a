// Drives the system's Firefox through WebDriver BiDi, which Firefox supports itself; nothing is downloaded.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { LIMIT_MS } from './harness.mjs';

const CACHE = process.env.TRACELOUPE_CACHE || path.join(os.homedir(), '.cache/traceloupe');
const modules = path.join(CACHE, 'npm/node_modules/playwright-core');
// Node has no client for WebSockets before version 22; Playwright brings one.
const { ws: WebSocket } = createRequire(`${modules}/`)(`${modules}/lib/utilsBundle.js`);

/** The path of Firefox, or `null` if it is not installed. */
export function firefoxPath() {
  for (const name of ['firefox-esr', 'firefox']) {
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    } catch {
      // Tries the next name.
    }
  }
  return null;
}

/**
 * Starts Firefox with a tab of this size. `evaluate` takes an expression, `press` a key; `log` has the page's console
 * messages.
 */
export async function launchFirefox({ width = 1280, height = 800 } = {}) {
  const profile = mkdtempSync(path.join(os.tmpdir(), 'traceloupe-firefox-'));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank'];
  const child = spawn(firefoxPath(), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const address = await new Promise((found, fail) => {
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
  const socket = new WebSocket(`${address}/session`);
  await new Promise((open, fail) => { socket.on('open', open); socket.on('error', fail); });
  const waiting = new Map();
  const log = [];
  socket.on('message', (text) => {
    const message = JSON.parse(text);
    if (message.method === 'log.entryAdded') log.push(`${message.params.level}: ${message.params.text}`);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
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
  await call('session.new', { capabilities: {} });
  await call('session.subscribe', { events: ['log.entryAdded'] });
  const { context } = await call('browsingContext.create', { type: 'tab' });
  await call('browsingContext.setViewport', { context, viewport: { width, height } });
  return {
    log,
    open: (url) => call('browsingContext.navigate', { context, url, wait: 'complete' }),
    async evaluate(expression) {
      const { result, exceptionDetails } = await call('script.evaluate', {
        expression: `Promise.resolve(${expression}).then((it) => JSON.stringify(it))`, target: { context }, awaitPromise: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return result.value === undefined ? undefined : JSON.parse(result.value);
    },
    press: (key) => call('input.performActions', {
      context,
      actions: [{ type: 'key', id: 'keys', actions: [{ type: 'keyDown', value: key }, { type: 'keyUp', value: key }] }],
    }),
    async close() {
      socket.close();
      child.kill();
      await new Promise((ended) => child.on('exit', ended));
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
