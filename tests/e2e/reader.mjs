// Steps that tests take on an open page, in terms of a user: open, wait, look at rows.
import assert from 'node:assert/strict';
import { appendFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, afterEach, before } from 'node:test';
import { dropFiles, launch, LIMIT_MS, mounted, openPage, sealed, startServer } from './harness.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));

/** The folder of real traces beside the repository. */
export const SHARED = process.env.TRACELOUPE_SHARED ?? path.resolve(HERE, '../../../shared');

/**
 * Whether the folder of real traces is missing. The test is then skipped, and listed as not run; with `otherwise` it
 * continues, and is listed as run over our own files only.
 */
export function noShared(t, otherwise = false) {
  if (existsSync(SHARED)) return false;
  const what = otherwise ? 'run over own fixtures only' : 'not run: needs ../shared';
  const list = process.env.TRACELOUPE_NOT_RUN;
  const file = path.relative(path.resolve(HERE, '../..'), process.argv[1] ?? '');
  if (list !== undefined) appendFileSync(list, `${what}\t${file} ${t.name}\n`);
  if (otherwise) t.diagnostic(what);
  else t.skip(what);
  return true;
}

/** The fixtures of the repository. */
export const FIXTURES = path.resolve(HERE, '../fixtures');

/** Asks until the answer is true; fails with `words` if it never is. */
export async function until(ask, words) {
  const end = Date.now() + LIMIT_MS;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) assert.fail(`waited in vain until ${words}`);
    await new Promise((go) => setTimeout(go, 25));
  }
}

/** Waits until all changes so far have been drawn. */
export const drawn = (page) => page.evaluate(() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
}));

/** Waits until no colour and no position is being animated. */
export const still = (page) => page.evaluate(() => Promise.all(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().iterations !== Infinity)
  .map((one) => one.finished.catch(() => {}))));

/**
 * Waits until the page has handled all earlier requests: the page and its worker respond to requests in order, so this
 * one is answered last, and the results have been drawn.
 */
export async function settled(page) {
  await ask(page, { cmd: 'getSummary' });
  await drawn(page);
  await ask(page, { cmd: 'getSummary' });
  await drawn(page);
}

/** A page of ours, mounted and sealed, ready to be given a trace. */
export async function freshPage(browser, server, suffix = '', options = {}) {
  const opened = await openPage(browser, server.address(suffix), options);
  await mounted(opened.page);
  await sealed(opened.page);
  return opened;
}

/**
 * A browser and a server for the tests of one file. `open(suffix, options)` returns a fresh page, which is
 * closed after the test.
 */
export function stage() {
  const it = { browser: null, server: null };
  let contexts = [];
  before(async () => {
    it.browser = await launch();
    it.server = await startServer();
  });
  afterEach(async () => {
    it.server.release();
    await Promise.all(contexts.map((context) => context.close()));
    contexts = [];
  });
  after(async () => {
    await it.browser.close();
    await it.server.close();
  });
  it.open = async (suffix, options) => {
    const opened = await freshPage(it.browser, it.server, suffix, options);
    contexts.push(opened.context);
    return opened;
  };
  /** The same at any address, possibly before the page is sealed or mounted. */
  it.visit = async (address, options) => {
    const opened = await openPage(it.browser, address, options);
    contexts.push(opened.context);
    return opened;
  };
  return it;
}

export const tree = (page) => page.getByRole('tree', { name: 'Timeline' });
export const rows = (page) => tree(page).getByRole('treeitem');
export const row = (page, name) => tree(page).getByRole('treeitem', { name });
export const alert = (page) => page.getByRole('alert', { name: 'Problems', exact: true });
/** The alert about problems in the file. */
export const warnings = (page) => page.getByRole('alert').filter({ hasText: /reading problems?|How the file was read/ });
export const button = (page, name, exact = true) => page.getByRole('button', { name, exact });

/** Opens the settings; with a trace they are in its menu. */
export const openSettings = async (page) => {
  if (!await button(page, 'Settings').isVisible()) await button(page, 'Actions').click();
  await button(page, 'Settings').click();
};

/** Closes the trace. */
export const closeTrace = async (page) => {
  await button(page, 'Actions').click();
  await button(page, 'Close the trace').click();
};
/** Clicks an entry of the menu at the end of the bar. */
export async function choose(page, name) {
  await button(page, 'Actions').click();
  await button(page.getByRole('group', { name: 'Actions' }), name).click();
}
/** The heading above the trace: run, file, format, size. */
export const headline = (page) => page.locator('.file').textContent();

/** Waits until a trace has been read completely; if part of a heading is given, until that trace is shown. */
export async function shown(page, wanted) {
  // The tree's rows are positioned absolutely, so the tree has no height and never counts as visible. Another view may
  // cover it, which hides it from the accessibility tree.
  await page.locator('[role=tree][aria-label=Timeline]').waitFor({ state: 'attached' });
  await until(async () => {
    if (await page.locator('.progress').count() > 0) return false;
    return wanted === undefined || (await headline(page)).includes(wanted);
  }, `the trace is shown${wanted === undefined ? '' : ` as ${wanted}`}`);
}

/** Drops files and waits until they are shown. */
export async function drop(page, files, wanted) {
  await dropFiles(page, files);
  await shown(page, wanted);
}

/** Opens one file with this text. */
export const dropText = (page, text, name = 'events.jsonl') => drop(page, [{ name, bytes: text }], name);

/** The contents of the drawn rows: number, kind, name, summary, badges, duration, tokens. */
export const labels = (page) => rows(page).evaluateAll((all) => all
  .toSorted((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))
  .map((one) => {
    const words = (part) => [...one.querySelectorAll(part)].map((at) => at.textContent).filter(Boolean);
    const tokens = words('.row__tok').map((text) => `${text} tokens`);
    const said = ['.row__what > .sr', '.row__name', '.row__sum', '.badge', '.row__dur'].flatMap(words);
    return words('.fold__words')[0] ?? `${words('.row__num')[0]}. ${[...said, ...tokens].join(', ')}`;
  }));

/** The id of the focused row. */
export const active = (page) => tree(page).getAttribute('aria-activedescendant');

/** Sends a message to the page from its own window; resolves to the reply with that id. */
export function ask(page, message) {
  return page.evaluate(([sent, wait]) => new Promise((done) => {
    const id = `t${Math.random()}`;
    const hear = ({ data }) => {
      if (data?.id !== id || data.ok === undefined) return;
      removeEventListener('message', hear);
      done(data);
    };
    addEventListener('message', hear);
    setTimeout(() => done('silence'), wait);
    window.postMessage({ traceloupe: 1, id, ...sent }, '*');
  }), [message, LIMIT_MS]);
}

/** The page's summary of the open trace. */
export const summary = (page) => ask(page, { cmd: 'getSummary' });

/** The opened body of a row by its id (`row-3`). */
export const body = (page, id) => page.locator(`#${id.replace('row', 'body')}`);
