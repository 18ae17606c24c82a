// Measures our page from inside, with its own clock, so that no figure includes round trips of the driver.
import { mounted, openPage, sealed } from '../e2e/harness.mjs';

const LOADING_TIMEOUT_MS = 180_000;
/** No user drops a file sooner than this, so everything that the page prepares at startup has finished. */
const QUIET_MS = 800;

/** A fresh page, started and idle, as a user finds it before dropping a file. */
export async function openOurs(browser, server) {
  const opened = await openPage(browser, server.address(''), {
    context: { viewport: { width: 1440, height: 900 } },
    // As for a user who has not chosen a view yet.
    view: null,
  });
  await mounted(opened.page);
  await sealed(opened.page);
  await opened.page.waitForTimeout(QUIET_MS);
  return opened;
}

/**
 * Gives a file to the page. Times are in milliseconds from the input's change event: `first` until a row is in the
 * document, `complete` until everything is loaded (rows, no progress bar). `block` is the longest time, up to half a
 * second after that, during which the page could not react. `memory` is the size of the worker's wasm memory at the end
 * (it never shrinks, so it is the peak), `blobs` the bytes that it keeps outside, `events` the number of events
 * according to the page.
 */
export async function load(page, file) {
  await page.evaluate(watchLoading);
  await page.locator('#pick-files').setInputFiles(file);
  const waited = new Promise((_, fail) => {
    setTimeout(() => fail(new Error(`${file} was not read in time`)), LOADING_TIMEOUT_MS).unref();
  });
  const seen = await Promise.race([page.evaluate(() => window.bench.loaded), waited]);
  if (seen.problem) throw new Error(`${file} was not read: ${seen.problem}`);
  const events = await page.evaluate(countEvents);
  return { ...seen, events, memory: await workerMemory(page), blobs: await blobBytes(page) };
}

/** Runs in the page: waits for the change event, then watches rows, progress bar and delays. */
function watchLoading() {
  const STEP_MS = 5;
  const AFTER_MS = 500;
  let finish;
  window.bench = { loaded: new Promise((done) => { finish = done; }) };
  const seen = { first: null, complete: null, block: 0, problem: null };
  const start = () => {
    const zero = performance.now();
    let last = zero;
    let ended = false;
    const timer = () => {
      const now = performance.now();
      // Timers are late even on an idle page, by at most four milliseconds.
      seen.block = Math.max(seen.block, now - last - STEP_MS);
      last = now;
      if (!ended) setTimeout(timer, STEP_MS);
    };
    setTimeout(timer, STEP_MS);
    const tasks = new PerformanceObserver((list) => {
      for (const task of list.getEntries()) {
        if (task.startTime + task.duration > zero) seen.block = Math.max(seen.block, task.duration);
      }
    });
    tasks.observe({ type: 'longtask' });
    const look = () => {
      const now = performance.now() - zero;
      if (seen.first === null && document.querySelector('[role=treeitem]')) seen.first = now;
      const problem = document.querySelector('[role=alert][aria-label=Problems]');
      const isLoading = document.querySelector('[role=progressbar]') !== null;
      if (isLoading || (seen.first === null && problem === null)) return;
      if (seen.first === null) seen.problem = problem.textContent;
      seen.complete = now;
      changes.disconnect();
      setTimeout(() => {
        ended = true;
        tasks.disconnect();
        finish(seen);
      }, AFTER_MS);
    };
    const changes = new MutationObserver(look);
    changes.observe(document.body, { subtree: true, childList: true });
  };
  addEventListener('change', start, { capture: true, once: true });
}

/** Runs in the page: the number of events according to its own summary. */
function countEvents() {
  return new Promise((done) => {
    const hear = ({ data }) => {
      if (data?.id !== 'bench' || data.ok === undefined) return;
      removeEventListener('message', hear);
      done(data.events);
    };
    addEventListener('message', hear);
    window.postMessage({ traceloupe: 1, id: 'bench', cmd: 'getSummary' }, '*');
  });
}

/** Bytes of wasm memory of the page's worker; null if it has none. */
async function workerMemory(page) {
  const sizes = await Promise.all(page.workers().map((worker) => worker.evaluate(
    () => wasm_bindgen.initSync().memory.buffer.byteLength).catch(() => null)));
  const known = sizes.filter((size) => size !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** Bytes that the worker keeps outside its memory, according to the page. */
async function blobBytes(page) {
  await page.locator('.file button').click();
  const bytes = Number(await page.locator('#memory-blobs').getAttribute('data-bytes'));
  await page.keyboard.press('Escape');
  await page.locator('#memory-blobs').waitFor({ state: 'detached' });
  return bytes;
}

/** Opens the row with that name and waits for its body: `opened`, and the longest `block` until then. */
export function openRow(page, name) {
  return page.evaluate(async (wanted) => {
    const row = [...document.querySelectorAll('[role=treeitem]')]
      .find((one) => one.querySelector('.row__name')?.textContent === wanted);
    let block = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      block = Math.max(block, now - last - 5);
      last = now;
    }, 5);
    const started = performance.now();
    row.click();
    const isShown = () => {
      const body = document.querySelector('.body__in');
      return body !== null && body.querySelector('.body__wait') === null;
    };
    const opened = await new Promise((done) => {
      const look = () => {
        if (isShown()) done(performance.now() - started);
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
      look();
      setTimeout(() => done(null), 60_000);
    });
    await new Promise((go) => setTimeout(go, 500));
    clearInterval(timer);
    return { opened, block };
  }, name);
}

/** Closes the open trace, and waits until its memory can be freed. */
export async function close(page) {
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('button', { name: 'Close the trace' }).click();
  await page.locator('[role=treeitem]').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(QUIET_MS);
}
