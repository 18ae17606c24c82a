// Drives the system's WebKitGTK through WebDriver: its driver, its MiniBrowser and a virtual screen; nothing is downloaded.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { LIMIT_MS } from './harness.mjs';
import { clicking, end, pathOf, pressing } from './webdriver.mjs';

/** The key under which WebDriver returns elements. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** Where distributions put the browser, below their folders of libraries. */
const FOLDERS = ['webkit2gtk-4.1', 'webkitgtk-6.0', 'webkit2gtk-4.0'];

/** The path of the browser that belongs to the driver, or `null` if the driver, the browser or the screen is missing. */
export function webkitPath() {
  if (pathOf('WebKitWebDriver') === null || pathOf('Xvfb') === null) return null;
  const libraries = ['/usr/lib', '/usr/libexec', ...readdirSync('/usr/lib').map((name) => `/usr/lib/${name}`)];
  return libraries.flatMap((folder) => FOLDERS.map((name) => `${folder}/${name}/MiniBrowser`)).find(existsSync) ?? null;
}

/** A free port. */
async function freePort() {
  const server = net.createServer();
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Starts a virtual screen. Resolves to its name and its process. */
async function startScreen() {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const display = await new Promise((found, fail) => {
    child.stdio[3].on('data', (data) => found(`:${String(data).trim()}`));
    child.on('exit', () => fail(new Error('Xvfb does not start')));
  });
  return { display, child };
}

/** Starts WebKitGTK with a window of this size; see engines.mjs for what it can do. */
export async function launchWebKit({ width = 1280, height = 800 } = {}) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'traceloupe-webkit-'));
  const screen = await startScreen();
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env, DISPLAY: screen.display, HOME: home, XDG_CACHE_HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home,
      // Neither a message bus nor a graphics card is needed.
      GDK_BACKEND: 'x11', LIBGL_ALWAYS_SOFTWARE: '1', NO_AT_BRIDGE: '1', GTK_A11Y: 'none', WEBKIT_DISABLE_DMABUF_RENDERER: '1',
    },
  });
  let session = '';

  async function call(method, address, body) {
    const response = await fetch(`http://127.0.0.1:${port}/session${address}`, {
      method, body: method === 'POST' ? JSON.stringify(body ?? {}) : undefined, signal: AbortSignal.timeout(LIMIT_MS),
    });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${method} ${address}: ${value?.error} ${value?.message}`);
    return value;
  }
  const ask = (method, address, body) => call(method, `/${session}${address}`, body);

  const close = async () => {
    if (session !== '') await ask('DELETE', '').catch(() => {});
    await end(driver);
    await end(screen.child);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };

  try {
    const options = { binary: webkitPath(), args: ['--automation'] };
    const start = () => call('POST', '', { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } });
    const late = Date.now() + LIMIT_MS;
    while (session === '') {
      try {
        session = (await start()).sessionId;
      } catch (error) {
        // The driver does not listen yet.
        if (error.cause?.code !== 'ECONNREFUSED' || Date.now() > late) throw error;
        await new Promise((go) => setTimeout(go, 25));
      }
    }
    await ask('POST', '/timeouts', { script: LIMIT_MS, pageLoad: LIMIT_MS });
    await ask('POST', '/window/rect', { width, height });
  } catch (error) {
    await close();
    throw error;
  }

  return {
    downloads: home,
    open: (url) => ask('POST', '/url', { url }),
    async run(act, ...args) {
      const script = `const done = arguments[0];
        Promise.resolve().then(() => (${act})(...${JSON.stringify(args)}))
          .then((it) => done({ json: JSON.stringify(it) }), (error) => done({ error: String(error) }));`;
      const { json, error } = await ask('POST', '/execute/async', { script, args: [] });
      if (error !== undefined) throw new Error(error);
      return json === undefined ? undefined : JSON.parse(json);
    },
    press: (...keys) => ask('POST', '/actions', { actions: pressing(keys) }),
    clickAt: (x, y) => ask('POST', '/actions', { actions: clicking(x, y) }),
    async setFiles(selector, files) {
      const element = await ask('POST', '/element', { using: 'css selector', value: selector });
      await ask('POST', `/element/${element[ELEMENT]}/value`, { text: files.join('\n') });
    },
    close,
  };
}
