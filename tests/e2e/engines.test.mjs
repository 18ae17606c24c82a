// The core path of the built page in every engine that is installed: boot, the ways in, all views, search, filter, an event,
// findings, a download, an annotation, the theme, the seal, and the single HTML file from disk. The other end-to-end tests
// drive Chromium alone.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ENGINES } from './engines.mjs';
import { claudeCode, jsonl, loop, small } from './fixtures.mjs';
import { DIST, startServer } from './harness.mjs';
import { until } from './reader.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'traceloupe-engines-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A script that is served before all others: it records what goes wrong, and puts a probe into the workers of the page. */
const WATCH = `
  window.seen = [];
  addEventListener('error', (event) => seen.push('error: ' + event.message));
  addEventListener('unhandledrejection', (event) => seen.push('rejection: ' + event.reason));
  addEventListener('securitypolicyviolation', (event) => seen.push(event.effectiveDirective + ' ' + event.blockedURI));
  const say = console.error;
  console.error = (...words) => { seen.push(words.join(' ')); say(...words); };
  window.probe = ${probe};
  const create = URL.createObjectURL;
  URL.createObjectURL = (blob) => create.call(URL, /javascript/.test(blob.type)
    ? new Blob(['(' + probe + ')();', blob], { type: blob.type }) : blob);
  window.workers = [];
  window.Worker = class extends Worker {
    constructor(address) {
      super(address);
      workers.push(this);
    }
  };
`;

/** In a worker: uses the network when it is told to, and tells what has worked. */
function probe() {
  addEventListener('message', async (event) => {
    if (event.data?.probe === undefined) return;
    event.stopImmediatePropagation();
    const fetched = await fetch(`${event.data.probe}/t/cors/worker`).then(() => true, () => false);
    let imported = true;
    try {
      importScripts(`${event.data.probe}/t/cors/worker.js`);
    } catch {
      imported = false;
    }
    postMessage({ probed: { fetched, imported } });
  });
}

/** Tells a worker to use the network; resolves to what has worked. Runs in the page. */
const probed = (origin, ofPage) => new Promise((done) => {
  const worker = ofPage ? window.workers[0] : new Worker(URL.createObjectURL(new Blob([`(${window.probe})()`])));
  worker.addEventListener('message', ({ data }) => data?.probed && done(data.probed));
  worker.postMessage({ probe: origin });
});

/** Tries the network from the page in several ways. Runs in the page. */
const tried = async (origin, name) => {
  const loaded = (element, property, address) => new Promise((done) => {
    element.addEventListener('load', () => done(true));
    element.addEventListener('error', () => done(false));
    element[property] = address;
    document.head.append(element);
  });
  const style = Object.assign(document.createElement('link'), { rel: 'stylesheet' });
  return {
    fetch: await fetch(`${origin}/t/cors/${name}`).then(() => true, () => false),
    image: await loaded(new Image(), 'src', `${origin}/t/cors/${name}.png`),
    style: await loaded(style, 'href', `${origin}/t/cors/${name}.css`),
    beacon: await fetch(`${origin}/t/cors/${name}-kept`, { method: 'POST', keepalive: true }).then(() => true, () => false),
  };
};

/** A session that edits a file, so that all views of conversations are offered. */
const session = () => jsonl(claudeCode({
  tool: 'Edit', input: { file_path: '/project/a.ts', old_string: 'one', new_string: 'two' }, result: 'The file has been updated.',
}));

for (const engine of ENGINES) {
  describe(engine.name, { skip: engine.isInstalled() ? false : `${engine.name} is not installed` }, () => {
    let server;
    let tab;
    let onDisk;

    before(async () => {
      server = await startServer();
      const html = readFileSync(path.join(DIST, 'index.html'), 'utf8');
      server.put('', html.replace('<script', '<script src="watch.js"></script>$&'), 'text/html');
      server.put('watch.js', WATCH, 'text/javascript');
      tab = await engine.launch();
    });
    after(async () => {
      await tab?.close();
      await server?.close();
    });
    beforeEach(() => server.release());

    const count = (selector) => tab.run((it) => document.querySelectorAll(it).length, selector);
    const text = (selector) => tab.run((it) => document.querySelector(it)?.innerText ?? '', selector);
    const exists = (selector, words) => until(async () => await count(selector) > 0, words ?? `there is ${selector}`);
    const seen = () => tab.run(() => window.seen);

    /** Clicks the first visible element of this kind whose text or name this is, once it is at rest and nothing covers it. */
    async function click(selector, words) {
      const place = await until(() => tab.run(async (kind, wanted) => {
        const name = (one) => one.getAttribute('aria-label') ?? one.innerText.trim();
        const one = [...document.querySelectorAll(kind)].find((it) => it.checkVisibility() && (wanted === null || name(it) === wanted));
        if (one === undefined) return null;
        one.scrollIntoView({ block: 'nearest' });
        const middle = () => {
          const { x, y, width, height } = one.getBoundingClientRect();
          return { x: x + width / 2, y: y + height / 2 };
        };
        const first = middle();
        await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
        const { x, y } = middle();
        return first.x === x && first.y === y && one.contains(document.elementFromPoint(x, y)) ? { x, y } : null;
      }, selector, words ?? null), `${selector} ${words ?? ''} can be clicked`);
      await tab.clickAt(place.x, place.y);
    }

    /** Opens the page in a new document. */
    async function visit(fragment = '') {
      await tab.open('about:blank');
      await tab.open(server.address(fragment));
    }

    /** Opens the empty page, and waits until it is sealed. */
    async function ready() {
      await visit();
      await tab.run(() => localStorage.clear());
      await visit();
      await until(() => tab.run(() => document.getElementById('frame') === null), 'the program has taken over');
      await tab.run(() => window.traceloupe.sealed().then(() => true));
    }

    const shown = (name) => until(async () => await count('.progress') === 0 && await count('[role=treeitem]') > 0
      && (await text('.file')).includes(name), `${name} is shown`);

    /** Writes a file to disk and chooses it in the file picker. */
    async function pick(name, bytes) {
      writeFileSync(path.join(folder, name), bytes);
      await tab.setFiles('#pick-files', [path.join(folder, name)]);
      await shown(name);
    }

    /** The complete text of the file that is saved with this name. */
    const saved = (pattern) => until(() => {
      const name = readdirSync(tab.downloads).find((one) => pattern.test(one));
      const bytes = name === undefined ? '' : readFileSync(path.join(tab.downloads, name));
      // The file is made before it is written.
      return bytes.length > 0 ? bytes : null;
    }, `a file ${pattern} is saved`);

    test('the page starts, and nothing is refused or reported', async () => {
      await ready();
      await until(async () => /Sealed/.test(await text('.foot')), 'it says that it is sealed');
      assert.equal(await text('h1.empty__lead'), 'See what an AI agent did, and where it went in circles');
      assert.deepEqual(await seen(), []);
    });

    test('a file is opened by picker, drop and link', async () => {
      await ready();
      await pick('picked.jsonl', small());
      await tab.run((name, trace) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([trace], name));
        for (const type of ['dragenter', 'dragover', 'drop']) {
          document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }));
        }
      }, 'dropped.jsonl', small());
      await shown('dropped.jsonl');
      assert.deepEqual(await seen(), []);
      server.put('linked.jsonl', small());
      await visit('#trace=linked.jsonl');
      await shown('linked.jsonl');
      assert.deepEqual(await seen(), []);
    });

    test('every view of a conversation and of several runs has its content', async () => {
      await ready();
      const looked = [];
      /** Chooses each tab, and reads what it shows. */
      async function look() {
        const ids = await tab.run(() => [...document.querySelectorAll('.tabs__tab')].map((one) => one.id));
        for (const id of ids) {
          await click(`#${id}`);
          await until(() => tab.run((it) => {
            const chosen = document.getElementById(it);
            const panel = document.getElementById(chosen.getAttribute('aria-controls'));
            return chosen.ariaSelected === 'true' && panel?.checkVisibility() && panel.innerText.trim().length > 20;
          }, id), `${id} shows something`);
          looked.push(id);
        }
      }
      await pick('session.jsonl', session());
      await look();
      writeFileSync(path.join(folder, 'loop.jsonl'), loop());
      await tab.setFiles('#pick-files', ['session.jsonl', 'loop.jsonl'].map((name) => path.join(folder, name)));
      await exists('#tab-runs');
      await look();
      assert.deepEqual([...new Set(looked)].toSorted(), [
        'tab-brief', 'tab-compare', 'tab-files', 'tab-inspector', 'tab-runs', 'tab-statistics', 'tab-transcript', 'tab-waterfall',
      ]);
      assert.deepEqual(await seen(), []);
    });

    test('search marks its matches, and a filter leaves its rows', async () => {
      await ready();
      await pick('search.jsonl', small());
      await tab.press('2', '/', ...'station');
      await exists('mark', 'matches are marked');
      await until(async () => await tab.run(() => document.getElementById('search-count').dataset.total) > 0, 'matches are counted');
      await tab.press('Escape', 'F', ...'tool:fare', 'Enter');
      await until(async () => await count('[role=treeitem]') === 1, 'one row is left');
      await click('button', 'Clear filters');
      await until(async () => await count('[role=treeitem]') === 6, 'all rows are back');
      assert.deepEqual(await seen(), []);
    });

    test('an event opens, and has something in each tab', async () => {
      await ready();
      await pick('event.jsonl', small());
      await tab.press('2');
      await click('#row-2');
      await exists('#body-2 .block', 'the event shows its blocks');
      const tabs = await tab.run(() => [...document.querySelectorAll('#body-2 [role=tab]')].map((one) => one.id));
      assert.ok(tabs.length >= 3, tabs.join());
      for (const id of tabs) {
        await click(`#${id}`);
        await until(() => tab.run((it) => document.getElementById(it).ariaSelected === 'true'
          && document.getElementById('body-2-panel').innerText.trim() !== '', id), `${id} shows something`);
      }
      assert.deepEqual(await seen(), []);
    });

    test('findings are listed, and lead to their rows', async () => {
      await ready();
      await pick('findings.jsonl', loop());
      await tab.press('2', 'f');
      await exists('.evidence tbody tr', 'the finding shows its evidence');
      await click('.evidence tbody tr:nth-child(3) td:nth-child(2)');
      await exists('#row-3[aria-selected=true]', 'the third call is selected');
      assert.deepEqual(await seen(), []);
    });

    test('a run is exported, and the trace saved as HTML, which opens from disk', async () => {
      await ready();
      await pick('export.jsonl', session());
      await tab.press('w');
      await until(async () => /"type":"message"/.test(await text('#export-preview')), 'there is a preview');
      await click('dialog button', 'Download');
      const types = JSON.parse(await saved(/agentv-events\.json$/)).map(({ type }) => type);
      assert.deepEqual(types, ['message', 'model_step', 'tool_call', 'tool_result', 'model_step']);
      await tab.press('Escape', 'Control+s');
      await until(async () => /weighs/.test(await text('dialog[open]')), 'it says what the file weighs');
      await click('dialog[open] button', 'Save as HTML');
      // The script in the file has the same words, so that they also are in the first part of it.
      await until(async () => (await saved(/\.html$/)).toString().trimEnd().endsWith('</html>'), 'it is complete');
      onDisk = path.join(folder, `${engine.name}.html`);
      writeFileSync(onDisk, await saved(/\.html$/));
      assert.deepEqual(await seen(), []);
    });

    test('an annotation is made and kept', async () => {
      await ready();
      await pick('noted.jsonl', small());
      await tab.press('2');
      await click('#row-2');
      await exists('#body-2 .block');
      await tab.press('a');
      await click('.anno-form textarea');
      await tab.press(...'late');
      await click('.anno-form button', 'Save');
      await until(async () => await text('.annos__words') === 'late', 'it is listed');
      await visit();
      await pick('noted.jsonl', small());
      await until(async () => await text('.annos__words') === 'late', 'it is found again');
      assert.deepEqual(await seen(), []);
    });

    test('the theme changes, and is kept', async () => {
      await ready();
      const background = () => tab.run(() => getComputedStyle(document.body).backgroundColor);
      const first = await background();
      await tab.press('t');
      await until(async () => await background() !== first, 'the other theme is shown');
      const second = await background();
      await visit();
      assert.equal(await background(), second);
    });

    test('the seal holds: requests of page and worker arrive before it, and none after it', async () => {
      // A trace whose server does not answer keeps the page unsealed.
      await visit(`#trace=${encodeURIComponent(`${server.origin}/t/hang/x`)}`);
      const before = await tab.run(tried, server.origin, 'before');
      assert.deepEqual(before, { fetch: true, image: false, style: true, beacon: true }, 'all but the image, which may never be remote');
      assert.equal(server.count('/t/cors/before'), 3);
      server.release();
      await tab.run(() => window.traceloupe.sealed().then(() => true));
      await until(() => tab.run(() => window.workers.length > 0), 'there is a worker');
      server.hits.length = 0;
      assert.deepEqual(await tab.run(tried, server.origin, 'after'), { fetch: false, image: false, style: false, beacon: false });
      assert.deepEqual(await tab.run(probed, server.origin, true), { fetched: false, imported: false });
      assert.deepEqual(server.hits, []);

      // Control: the same worker script in a page without a policy.
      server.put('plain.html', '<!doctype html><script src="watch.js"></script>', 'text/html');
      await tab.open(server.address('plain.html'));
      assert.deepEqual(await tab.run(probed, server.origin, false), { fetched: true, imported: true });
      assert.equal(server.count('/t/cors/worker'), 2);
    });

    test('the single HTML file opens from disk: a saved one, the empty one, and one with a trace at its end', async () => {
      await tab.open(`file://${onDisk}`);
      // A report begins with the brief.
      await exists('.brief', 'the trace is shown');
      await until(async () => /Sealed.*In this HTML file/s.test(await text('.foot')), 'it says where it is');
      await tab.press('2', '/', ...'updated');
      await exists('mark', 'a match is marked');
      await tab.open('about:blank');
      await tab.open(`file://${path.join(DIST, 'traceloupe.html')}`);
      await until(() => tab.run(() => document.getElementById('frame') === null), 'the program has taken over');
      await pick('inside.jsonl', small());
      writeFileSync(path.join(folder, 'cat.html'), Buffer.concat([readFileSync(path.join(DIST, 'traceloupe.html')), Buffer.from(small())]));
      await tab.open(`file://${path.join(folder, 'cat.html')}`);
      await shown('cat');
    });
  });
}
