// Boot: the page starts under a sub-path and under its policy, and is sealed before it reads a file.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { BASE, DIST, LIMIT_MS, OWN_REQUEST, launch, mounted, openPage, sealed, startServer } from './harness.mjs';
import { until } from './reader.mjs';

let browser;
let server;
before(async () => {
  browser = await launch();
});
after(() => browser.close());
beforeEach(async () => {
  server = await startServer();
});
afterEach(async () => {
  server.release();
  await server.close();
});

/** Starts one more worker and waits until its wasm is running. */
async function startWorker(page) {
  await sealed(page);
  const born = page.waitForEvent('worker');
  await page.evaluate(() => {
    window.keptWorker = window.traceloupe.spawnWorker();
  });
  const worker = await born;
  await worker.evaluate(async () => {
    while (onmessage === null || String(onmessage).includes('initSync')) {
      await new Promise((go) => setTimeout(go, 10));
    }
  });
  return worker;
}

const trace = (address) => `#trace=${encodeURIComponent(address)}`;

/** The outcome of the first address in the link: its error code, or the text of its body. */
const outcome = (page) => page.evaluate(async () => {
  const [source] = window.traceloupe.sources();
  const { error, response } = await source.arrival;
  return error ?? `body ${await (window.copies?.get(response.url) ?? response).text()}`;
});

/** Keeps a copy of each response body for the test, because the page consumes the body. */
const keepCopies = (page) => page.addInitScript(() => {
  const { fetch } = window;
  window.copies = new Map();
  window.fetch = async (...request) => {
    const response = await fetch(...request);
    if (response.url.includes('/t/')) window.copies.set(response.url, response.clone());
    return response;
  };
});

/** Tries every way to send data out of the page; returns those that the browser allowed. */
const tryPage = (page, origin) => page.evaluate(async (host) => {
  const element = (name, put) => new Promise((done) => {
    const made = document.createElement(name);
    made.onload = () => done(true);
    made.onerror = () => done(false);
    put(made);
    document.head.append(made);
  });
  const ways = {
    fetch: () => fetch(`${host}/t/cors/fetch`).then(() => true, () => false),
    image: () => element('img', (img) => { img.src = `${host}/t/cors/image.png`; }),
    style: () => element('link', (link) => { link.rel = 'stylesheet'; link.href = `${host}/t/cors/style.css`; }),
    socket: () => new Promise((done) => {
      const socket = new WebSocket(`${host.replace('http', 'ws')}/t/cors/socket`);
      socket.onopen = () => done(true);
      socket.onerror = () => done(false);
    }),
    beacon: () => navigator.sendBeacon(`${host}/t/cors/beacon`),
  };
  const said = {};
  for (const [name, way] of Object.entries(ways)) {
    try {
      said[name] = await way();
    } catch {
      said[name] = false;
    }
  }
  return said;
}, origin);

/** Inserts a script with that address. */
const plantScript = (page, address) => page.evaluate((src) => new Promise((done) => {
  const planted = document.createElement('script');
  planted.onload = () => done('loaded');
  planted.onerror = () => done('refused');
  planted.src = src;
  document.head.append(planted);
}), address);

test('it boots under a sub-path: no errors, no violations, each file requested once, nothing else', async () => {
  const { page, errors, violations, close } = await openPage(browser, server.address());
  await mounted(page);
  const worker = await startWorker(page);
  assert.equal(await worker.evaluate(() => typeof onmessage), 'function');
  assert.deepEqual(errors, []);
  assert.deepEqual(await violations(), []);
  await until(() => server.count('prices') > 0, 'the prices are requested');
  await until(() => server.count('traceloupe-redactor') === 2, 'and the redactor');
  for (const hit of server.hits) assert.match(hit, OWN_REQUEST);
  assert.equal(server.count('prices'), 1);
  // The page's glue and wasm, the worker's, and the redactor's. Each is requested once, however many workers start.
  const isWorkers = (hit) => hit.includes('traceloupe-worker');
  const programs = server.hits.filter((hit) => /traceloupe-[\w-]+\.(js|wasm)$/.test(hit));
  assert.equal(programs.filter(isWorkers).length, 2);
  assert.equal(programs.length, 6);
  assert.equal(server.count('.wasm'), 3);
  await close();
});

test('the sealed page cannot use the network, and before the seal it could', async () => {
  // A trace whose server does not respond keeps the page unsealed: this is the control.
  const { page, close } = await openPage(browser, server.address(trace(`${server.origin}/t/hang/x`)));
  await mounted(page);
  // The last requests of the page itself. They have a low priority, so they can come after the page is there.
  await until(() => server.count('prices') === 1, 'the prices are requested');
  await until(() => server.count('traceloupe-redactor') === 2, 'and the redactor');
  server.hits.length = 0;
  assert.deepEqual(await tryPage(page, server.origin), {
    fetch: true, image: false, style: true, socket: false, beacon: true,
  });
  // The browser sends a beacon when it is idle.
  await until(() => server.hits.length >= 4, 'all four have come');
  assert.deepEqual(server.hits.toSorted(), [
    'GET /t/cors/fetch', 'GET /t/cors/style.css', 'POST /t/cors/beacon', 'SOCKET /t/cors/socket',
  ], 'all but the image, which may never be remote');

  server.release();
  await sealed(page);
  server.hits.length = 0;
  const shut = await tryPage(page, server.origin);
  assert.equal(shut.fetch || shut.image || shut.style || shut.socket, false);
  assert.deepEqual(server.hits, []);
  await close();
});

test('a same-origin script is loaded before the seal and refused after it', async () => {
  // The page's first policy is removed from the HTML, so that only the seal is tested and not Trusted Types.
  const { page, close } = await openPage(browser, server.address(trace(`${server.origin}/t/hang/x`)), {
    prepare: (made) => made.route((url) => url.pathname === BASE, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '');
      await route.fulfill({ response, body });
    }),
  });
  await mounted(page);
  assert.equal(await plantScript(page, `${server.origin}/t/cors/before.js`), 'loaded');
  server.release();
  await sealed(page);
  assert.equal(await plantScript(page, `${server.origin}/t/cors/after.js`), 'refused');
  assert.equal(server.count('/t/cors/before.js'), 1);
  assert.equal(server.count('/t/cors/after.js'), 0);
  await close();
});

test('the worker inherits the seal: fetch and importScripts are refused in it', async () => {
  const { page, context, close } = await openPage(browser, server.address());
  const worker = await startWorker(page);
  const tryWorker = (target) => target.evaluate(async (host) => {
    const fetched = await fetch(`${host}/t/cors/worker`).then(() => true, () => false);
    let imported = true;
    try {
      importScripts(`${host}/t/cors/worker.js`);
    } catch {
      imported = false;
    }
    return { fetched, imported };
  }, server.origin);
  assert.deepEqual(await tryWorker(worker), { fetched: false, imported: false });
  assert.equal(server.count('/t/cors/worker'), 0);

  // Control: the same requests from a worker of a page without a policy do reach the server.
  const plain = await context.newPage();
  await plain.goto(`${server.origin}/t/html/x`);
  const born = plain.waitForEvent('worker');
  await plain.evaluate(() => {
    window.kept = new Worker(URL.createObjectURL(new Blob(['onmessage=null'])));
  });
  assert.deepEqual(await tryWorker(await born), { fetched: true, imported: true });
  assert.equal(server.count('/t/cors/worker'), 2);
  await close();
});

test('Trusted Types: no worker but the page\'s own, and no second policy', async () => {
  const { page, close } = await openPage(browser, server.address());
  await sealed(page);
  const said = await page.evaluate(() => {
    const attempt = (act) => {
      try {
        act();
        return 'done';
      } catch (error) {
        return error.name;
      }
    };
    const blob = URL.createObjectURL(new Blob(['postMessage(1)']));
    return {
      byText: attempt(() => new Worker(blob)),
      secondPolicy: attempt(() => trustedTypes.createPolicy('traceloupe', { createScriptURL: (x) => x })),
      otherPolicy: attempt(() => trustedTypes.createPolicy('default', { createScriptURL: (x) => x })),
      html: attempt(() => { document.createElement('div').innerHTML = '<b>x</b>'; }),
      own: attempt(() => window.traceloupe.spawnWorker().terminate()),
    };
  });
  assert.deepEqual(said, {
    byText: 'TypeError', secondPolicy: 'TypeError', otherPolicy: 'TypeError', html: 'TypeError', own: 'done',
  });
  await close();
});

test('there is no worker before the seal', async () => {
  const { page, close } = await openPage(browser, server.address(trace(`${server.origin}/t/hang/x`)));
  await mounted(page);
  const said = await page.evaluate(() => {
    try {
      window.traceloupe.spawnWorker();
      return 'started';
    } catch (error) {
      return error.message;
    }
  });
  assert.match(said, /before the page is sealed/);
  assert.equal(page.workers().length, 0);
  await close();
});

test('the empty page is painted and PING is answered while the wasm is on its way', async () => {
  server.delay('.wasm');
  const { page, close } = await openPage(browser, server.address(), { wait: 'domcontentloaded' });
  // The browser reports that text has been painted, while nothing of the wasm has been sent.
  await page.waitForFunction(() =>
    performance.getEntriesByName('first-contentful-paint', 'paint').length === 1);
  assert.equal(await page.getByRole('button', { name: 'Choose files…' }).isVisible(), true);
  assert.equal(await page.locator('.brand').textContent(), 'Traceloupe');
  assert.equal(await page.locator('#frame-status').isVisible(), false);
  const answer = await page.evaluate(() => new Promise((done) => {
    addEventListener('message', (event) => event.data === 'PONG' && done(event.data));
    window.postMessage('PING', '*');
  }));
  assert.equal(answer, 'PONG');
  assert.equal(await page.locator('#frame').count(), 1);
  server.release();
  await mounted(page);
  await close();
});

test('messages wait for the page: eight of them, objects only, then they come directly', async () => {
  server.delay('.wasm');
  const { page, close } = await openPage(browser, server.address(), { wait: 'domcontentloaded' });
  const got = await page.evaluate(async () => {
    for (let n = 0; n < 12; n += 1) window.postMessage({ n }, '*');
    window.postMessage('words', '*');
    // Messages arrive in order: when a later one has arrived, so have the earlier ones.
    const delivered = () => new Promise((done) => {
      addEventListener('message', ({ data }) => data === 'delivered' && done());
      window.postMessage('delivered', '*');
    });
    await delivered();
    const seen = [];
    window.traceloupe.takeMessages((event) => seen.push(event.data.n));
    const atOnce = seen.length;
    window.postMessage({ n: 99 }, '*');
    await delivered();
    return { seen, atOnce };
  });
  assert.deepEqual(got, { seen: [0, 1, 2, 3, 4, 5, 6, 7, 99], atOnce: 8 });
  await close();
});

test('the opener and the parent of the page are answered; a frame inside it is not', async () => {
  const { page, close } = await openPage(browser, `${server.origin}/t/html/host`);
  const ping = (target) => page.evaluate(([how, address, limit]) => new Promise((done) => {
    // The page also announces on its own that it is ready.
    addEventListener('message', (event) => event.data === 'PONG' && done('PONG'));
    let other;
    if (how === 'open') other = window.open(address);
    else {
      const frame = document.createElement('iframe');
      frame.src = address;
      document.body.append(frame);
      other = frame.contentWindow;
    }
    const again = setInterval(() => other.postMessage('PING', '*'), 50);
    setTimeout(() => { clearInterval(again); done('silence'); }, limit);
  }), [target, server.address(), LIMIT_MS]);
  assert.equal(await ping('open'), 'PONG');
  assert.equal(await ping('frame'), 'PONG');

  // A frame inside the page is neither opener nor parent.
  const holder = await openPage(browser, server.address());
  await holder.page.evaluate(() => document.body.append(document.createElement('iframe')));
  // The control: the page's window does receive the frame's messages, and a reply would arrive before this one.
  await holder.page.evaluate(() => addEventListener('message', ({ data, source }) => {
    if (data === 'control') source.postMessage('control', '*');
  }));
  const heard = await holder.page.frames()[1].evaluate(() => new Promise((done) => {
    addEventListener('message', ({ data }) => done(data === 'control' ? 'silence' : 'answered'));
    parent.postMessage('PING', '*');
    parent.postMessage('control', '*');
  }));
  assert.equal(heard, 'silence');
  await holder.close();
  await close();
});

test('the addresses in the link are fetched once, without credentials or referrer', async () => {
  const prepare = async (made) => {
    await keepCopies(made);
    await made.context().addCookies([{ name: 'c', value: '1', url: server.origin }]);
  };
  const address = server.address(`?url=${server.origin}/t/cors/a?k=1&z=2&title=T`);
  const { page, violations, errors, close } = await openPage(browser, address, { prepare });
  assert.equal(await outcome(page), 'body {"a":1}\n');
  await sealed(page);
  const seen = server.requests.filter(({ url }) => url === '/t/cors/a?k=1&z=2');
  assert.equal(seen.length, 1);
  assert.equal(seen[0].headers.cookie, undefined);
  assert.equal(seen[0].headers.referer, undefined);
  // Control: the page itself was requested with the cookie.
  assert.equal(server.requests[0].headers.cookie, 'c=1');
  assert.equal(await page.evaluate(() => location.search), '');
  assert.equal(await page.evaluate(() => location.hash),
    `${trace(`${server.origin}/t/cors/a?k=1&z=2`)}&title=T`);
  assert.deepEqual(errors, []);
  assert.deepEqual(await violations(), []);
  await close();
});

test('a body that is under way when the page is sealed arrives whole', async () => {
  const size = 3 << 20;
  const { page, close } = await openPage(browser, server.address(trace(`${server.origin}/t/drip/${size}`)), {
    prepare: keepCopies,
  });
  await sealed(page);
  assert.equal(await page.evaluate(() => fetch(location.href).then(() => true, () => false)), false);
  server.release();
  assert.equal((await outcome(page)).length, 'body '.length + size);
  await close();
});

test('every failed address names its cause', async () => {
  const cases = {
    [`${server.origin}/t/status/404`]: 'http-404',
    [`http://localhost:${server.port}/t/plain/x`]: 'cors',
    'http://127.0.0.1:9/x': 'unreachable',
    'javascript:alert(1)': 'scheme',
    'data:text/plain,x': 'data-address',
    'https://a:b@host.example/': 'user-info',
  };
  for (const [address, code] of Object.entries(cases)) {
    const { page, close } = await openPage(browser, server.address(trace(address)));
    assert.equal(await outcome(page), code, address);
    await sealed(page);
    await close();
  }
});

test('a hanging address does not hold the page up, and cancelling it seals the page', async () => {
  const { page, close } = await openPage(browser, server.address(trace(`${server.origin}/t/hang/x`)));
  await mounted(page);
  await page.evaluate(() => window.traceloupe.sources()[0].cancel());
  assert.equal(await outcome(page), 'cancelled');
  await sealed(page);
  await close();
});

test('after the seal the page can still be styled by script, and its own styles hold', async () => {
  const { page, violations, close } = await openPage(browser, server.address());
  await sealed(page);
  const seen = await page.evaluate(() => {
    const made = document.createElement('div');
    document.body.append(made);
    made.style.setProperty('height', '7px');
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.tried { width: 11px }');
    document.adoptedStyleSheets = [sheet];
    made.className = 'tried';
    const { height, width } = getComputedStyle(made);
    const links = document.querySelectorAll('link[rel=stylesheet]').length;
    return { height, width, lost: links - document.styleSheets.length, bar: getComputedStyle(document.querySelector('.top')).height };
  });
  assert.deepEqual(seen, { height: '7px', width: '11px', lost: 0, bar: '46px' });
  assert.deepEqual(await violations(), []);
  await close();
});

test('the theme in the link is applied before the first paint', async () => {
  server.delay('.wasm');
  for (const [suffix, theme] of [['#theme=dark', 'dark'], ['?theme=light', 'light'], ['#theme=system', undefined]]) {
    const { page, close } = await openPage(browser, server.address(suffix), { wait: 'domcontentloaded' });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
    await close();
  }
});

test('a page that cannot start says so and says what to do', async () => {
  const sandboxed = await openPage(browser, `${server.origin}/t/html/host`);
  await sandboxed.page.evaluate((address) => {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.src = address;
    document.body.append(frame);
  }, server.address());
  const alert = sandboxed.page.frameLocator('iframe').getByRole('alert');
  await alert.waitFor();
  assert.match(await alert.textContent(), /sandboxed.*allow-same-origin/);
  await sandboxed.close();

  const fromDisk = await openPage(browser, `file://${DIST}/index.html`);
  await fromDisk.page.getByRole('alert').waitFor();
  assert.match(await fromDisk.page.getByRole('alert').textContent(), /single HTML file.*serve the folder/);
  await fromDisk.close();
});
