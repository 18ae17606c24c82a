// The empty page before its program: all input is accepted at once, and opened when the wasm has arrived.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { loop, small } from './fixtures.mjs';
import { DIST, dropFiles, mounted, openPage, pickFiles, sealed } from './harness.mjs';
import { button, headline, rows, stage, summary, tree, until } from './reader.mjs';

const it = stage();
/** How long the wasm is held back in one of the tests, as on a very slow line. */
const HELD_MS = 10_000;
const CLIPBOARD = { context: { permissions: ['clipboard-read', 'clipboard-write'] } };

/** The page without its wasm, which `server.release()` sends. */
async function early(suffix = '', options = {}) {
  it.server.delay('.wasm');
  const opened = await openPage(it.browser, it.server.address(suffix), { wait: 'commit', ...options });
  await button(opened.page, 'Choose files…').waitFor();
  return opened;
}

/** The frame of the page says that the input is taken: its program has not run, since `#frame` is still there. */
const taken = async (page, words) => {
  await page.locator('#frame-progress').getByText(words).waitFor();
  assert.equal(await page.locator('#frame').count(), 1, 'the program has not run');
};

/** Each way to give input, and what is shown at once. */
const WAYS = {
  'a dropped file': {
    give: (page) => dropFiles(page, [{ name: 'run.jsonl', bytes: small() }]), shown: 'Loading run.jsonl', heldMs: HELD_MS,
  },
  'chosen files': {
    give: (page) => pickFiles(page, '#pick-files', [{ name: 'a.jsonl', bytes: small() }, { name: 'b.jsonl', bytes: loop() }]),
    shown: 'Loading a.jsonl and 1 more',
  },
  'pasted text': {
    give: async (page) => {
      await page.evaluate((text) => navigator.clipboard.writeText(text), small());
      await page.keyboard.press('Control+v');
    },
    shown: 'Loading pasted text', options: CLIPBOARD,
  },
  'an address in the link': { suffix: '#trace=run.jsonl', give: () => {}, shown: 'Loading 127.0.0.1' },
  'an address that is typed': {
    give: async (page) => {
      await page.getByRole('textbox', { name: 'or open an address' }).fill(it.server.address('run.jsonl'));
      await page.keyboard.press('Enter');
    },
    shown: 'Loading 127.0.0.1',
  },
  'a link that is followed': {
    give: (page) => page.evaluate(() => { location.hash = '#trace=run.jsonl'; }), shown: 'Loading 127.0.0.1',
  },
  'a sample': {
    give: (page) => page.getByRole('link', { name: /A trip planner in circles/ }).click(), shown: 'Loading 127.0.0.1',
  },
};

for (const [name, { suffix = '', give, shown, options, heldMs = 0 }] of Object.entries(WAYS)) {
  test(`${name} is taken before the wasm is there, and opened when it has come`, async () => {
    it.server.put('run.jsonl', small());
    const { page, errors, violations, close } = await early(suffix, options);
    await give(page);
    await taken(page, shown);
    assert.match(await page.locator('#frame-said').textContent(), new RegExp(`^${shown}.*It will open when`));
    await delay(heldMs);
    it.server.release();
    await tree(page).waitFor({ state: 'attached' });
    assert.ok(await rows(page).count() > 0);
    assert.ok((await summary(page)).events > 5);
    assert.equal(await page.locator('#frame').count(), 0);
    assert.deepEqual(errors, []);
    assert.deepEqual(await violations(), []);
    await close();
  });
}

test('what is given last counts, and it can be cancelled', async () => {
  it.server.put('run.jsonl', loop());
  const { page, close } = await early('#trace=run.jsonl');
  await taken(page, 'Loading 127.0.0.1');
  await dropFiles(page, [{ name: 'first.jsonl', bytes: loop() }]);
  await taken(page, 'Loading first.jsonl');
  await button(page, 'Discard').click();
  assert.equal(await page.locator('#frame-progress').isVisible(), false);
  await dropFiles(page, [{ name: 'second.jsonl', bytes: small() }]);
  it.server.release();
  await tree(page).waitFor({ state: 'attached' });
  assert.match(await headline(page), /second\.jsonl/);
  await close();
});

test('without the wasm the page says that it cannot start', async () => {
  const { page, close } = await openPage(it.browser, it.server.address(), {
    wait: 'commit',
    prepare: (made) => made.route(/traceloupe-[^/]*_bg\.wasm$/, (route) => (
      route.request().url().includes('worker') ? route.continue() : route.abort())),
  });
  await button(page, 'Choose files…').waitFor();
  await dropFiles(page, [{ name: 'run.jsonl', bytes: small() }]);
  const alert = page.getByRole('alert').filter({ hasText: 'could not start' });
  await alert.waitFor();
  assert.match(await alert.textContent(), /Reload it to try again/);
  assert.equal(await page.locator('#frame-progress').isVisible(), false);
  await close();
});

/** Browsers that lack something, each made of this one by taking it away, and what the page then says. */
const LACKING = {
  WebAssembly: () => { delete globalThis.WebAssembly; },
  'SIMD and reference types': () => {
    const isValid = WebAssembly.validate;
    // As a browser would answer that knows no vectors: 253 begins their instructions.
    WebAssembly.validate = (bytes) => !bytes.includes(253) && isValid(bytes);
  },
  DecompressionStream: () => { delete globalThis.DecompressionStream; },
  ':has()': () => {
    const supports = CSS.supports;
    CSS.supports = (...words) => !words[0].includes(':has(') && supports.apply(CSS, words);
  },
  'light-dark()': () => {
    const supports = CSS.supports;
    CSS.supports = (...words) => !words.at(-1).includes('light-dark(') && supports.apply(CSS, words);
  },
};

for (const [name, takeAway] of Object.entries(LACKING)) {
  test(`a browser without ${name} is told so, and no program is started`, async () => {
    it.server.hits.length = 0;
    const { page, close } = await openPage(it.browser, it.server.address('#trace=run.jsonl'), {
      prepare: (made) => made.addInitScript(takeAway),
    });
    const alert = page.getByRole('alert').filter({ hasText: 'cannot run in this browser' });
    await alert.waitFor();
    const said = await alert.textContent();
    assert.ok(said.includes(name), said);
    assert.match(said, /Chrome or Edge 123, Firefox 121, Safari 17\.5, or a newer version/);
    assert.equal(await page.locator('#frame-progress').isVisible(), false);
    assert.equal(it.server.count('worker'), 0);
    await close();
  });
}

test('without the worker the page says so, and what was dropped is not lost from sight', async () => {
  const { page, close } = await openPage(it.browser, it.server.address(), {
    wait: 'commit',
    prepare: (made) => made.route(/traceloupe-worker[^/]*\.wasm$/, (route) => route.abort()),
  });
  await button(page, 'Choose files…').waitFor();
  await dropFiles(page, [{ name: 'run.jsonl', bytes: small() }]);
  await page.getByRole('alert').filter({ hasText: 'Part of this page could not be loaded' }).waitFor();
  await close();
});

test('it can be used with the keyboard alone, and the focus stays where it is', async () => {
  const { page, close } = await early();
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim());
  const order = [];
  for (let n = 0; n < 7; n += 1) {
    await page.keyboard.press('Tab');
    order.push(await focused());
  }
  assert.deepEqual(order, ['Open…', 'Settings', 'Theme', 'Choose files…', 'Choose a folder…', '', 'Open']);
  const chooser = page.waitForEvent('filechooser');
  await button(page, 'Choose files…').focus();
  await page.keyboard.press('Enter');
  assert.equal(await (await chooser).element().getAttribute('id'), 'pick-files');
  const field = page.getByRole('textbox', { name: 'or open an address' });
  await field.focus();
  await page.keyboard.type('https://exa');
  it.server.release();
  await mounted(page);
  await page.keyboard.type('mple.test/a');
  assert.equal(await field.inputValue(), 'https://example.test/a', 'typing went on');
  await close();

  // The program draws the bars again: the focus moves to the button that replaces the focused one.
  const other = await early();
  await button(other.page, 'Theme').focus();
  it.server.release();
  await mounted(other.page);
  assert.equal(await other.page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Theme');
  await other.close();
});

test('the theme is switched at once; a dialog that is asked for opens when the program runs', async () => {
  const { page, close } = await early('', { context: { colorScheme: 'light' } });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await button(page, 'Theme').click();
  const dark = await background();
  assert.notEqual(dark, light);
  await button(page, 'Settings').click();
  it.server.release();
  await page.getByRole('dialog', { name: 'Settings' }).waitFor();
  assert.equal(await background(), dark);
  await close();
});

/** The visible content of the page: position, size and text of each element with a text of its own. */
const picture = (page) => page.evaluate(() => {
  const found = [];
  for (const one of document.querySelectorAll('.app *')) {
    if (one.closest('.live, .seal, .drop-over, details:not([open]) > :not(summary)')) continue;
    const { x, y, width, height } = one.getBoundingClientRect();
    const text = [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join(' ').trim();
    if (width > 0 && (text !== '' || one.matches('button, input, svg'))) {
      found.push([text || one.getAttribute('aria-label') || one.tagName, x, y, width, height].join(' '));
    }
  }
  return found;
});

for (const [width, height] of [[1280, 800], [390, 844]]) {
  for (const colorScheme of ['light', 'dark']) {
    test(`the program takes the page over without a change: ${width} wide, ${colorScheme}`, async () => {
      const { page, close } = await early('', { context: { viewport: { width, height }, colorScheme } });
      const seal = page.locator('.seal');
      const before = await picture(page);
      const foot = page.locator('.foot');
      const shoot = () => page.screenshot({ mask: [foot] });
      const shot = await shoot();
      // From here on, each layout shift that the browser reports is counted.
      await page.evaluate(() => {
        window.shifts = [];
        new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((one) => one.value)))
          .observe({ type: 'layout-shift', buffered: true });
      });
      it.server.release();
      await mounted(page);
      await sealed(page);
      await until(async () => await seal.getAttribute('data-sealed') === 'true', 'it is sealed');
      assert.deepEqual(await picture(page), before);
      // The seal's text differs, so its line is covered, together with everything beside it.
      assert.ok(shot.equals(await shoot()), 'no pixel is another one');
      assert.deepEqual(await page.evaluate(() => window.shifts), []);
      await close();
    });
  }
}

test('in a frame it waits for a trace, before and after the program', async () => {
  const { page, close } = await (async () => {
    it.server.delay('.wasm');
    return openPage(it.browser, it.server.address('#embed=1'), { wait: 'domcontentloaded' });
  })();
  const waits = page.getByText('Waiting for a trace');
  await waits.waitFor();
  assert.equal(await button(page, 'Choose files…').isVisible(), false);
  assert.equal(await button(page, 'Open…').isVisible(), false);
  await dropFiles(page, [{ name: 'run.jsonl', bytes: small() }]);
  assert.equal(await page.locator('#frame-progress').isVisible(), false, 'nothing can be dropped');
  it.server.release();
  await mounted(page);
  assert.equal(await waits.isVisible(), true);
  assert.equal(await button(page, 'Choose files…').isVisible(), false);
  await close();
});

test('nothing but what the page needs is in its folder', () => {
  const names = readdirSync(DIST).toSorted();
  const known = [/^boot-[0-9a-f]+\.js$/, /^index\.html$/, /^prices-[0-9a-f]+\.json$/, /^samples$/, /^style-[0-9a-f]+\.css$/,
    /^traceloupe-[0-9a-f]+\.js$/, /^traceloupe-[0-9a-f]+_bg\.wasm$/, /^traceloupe-worker-[0-9a-f]+\.js$/,
    /^traceloupe-worker_bg-[0-9a-f]+\.wasm$/, /^traceloupe-redactor-[0-9a-f]+\.js$/, /^traceloupe-redactor_bg-[0-9a-f]+\.wasm$/,
    /^traceloupe\.html$/, /^trace-loupe\.js$/, /^NOTICE\.txt$/];
  assert.deepEqual(names.filter((name) => !known.some((one) => one.test(name))), []);
  assert.equal(names.length, known.length);
  const page = readFileSync(path.join(DIST, 'index.html'), 'utf8');
  assert.equal(page.match(/<script /g).length, 2);
});
