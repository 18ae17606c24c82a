// Measures searches in a loaded trace through the search field.
import { NEEDLE } from './shapes.mjs';

/** The queries: text, and the required number of matches (null: any number above zero). */
export const QUERIES = [
  { words: 'found in a few records', text: NEEDLE, hits: (set) => set.needles },
  { words: 'found everywhere', text: 'tri', hits: () => null },
];

/**
 * Runs one search, entered in one step. `first`: milliseconds until a match is counted; `done`: until all are (Infinity
 * if that never happens); `hits`: the number of matches. Returns null if the page has no search.
 */
export async function search(page, text) {
  if (await page.locator('#search-input').count() === 0) return null;
  return page.evaluate(async (query) => {
    const box = document.querySelector('#search-input');
    const put = (value) => {
      box.value = value;
      box.dispatchEvent(new Event('input', { bubbles: true }));
    };
    const state = () => {
      const counter = document.querySelector('#search-count');
      return { hits: Number(counter?.dataset.total ?? 0), isDone: counter?.dataset.done === 'true' };
    };
    // Clears the previous query first, so that its matches are not mistaken for those of this one.
    put('');
    while (state().hits > 0) await new Promise((go) => setTimeout(go, 20));
    await new Promise((go) => setTimeout(go, 300));
    const started = performance.now();
    let first = Infinity;
    const finished = new Promise((done) => {
      const look = () => {
        const { hits, isDone } = state();
        const now = performance.now() - started;
        if (hits > 0 && first === Infinity) first = now;
        if (hits > 0 && isDone) done({ first, done: now, hits });
      };
      const changes = new MutationObserver(look);
      changes.observe(document.body, { subtree: true, childList: true, attributes: true });
      setTimeout(() => done({ first, done: Infinity, hits: state().hits }), 60_000);
    });
    put(query);
    return finished;
  }, text);
}
