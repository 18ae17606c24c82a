// Random matches of a search, and whether stepping to them lands: the mark is on the screen and is the text searched
// for.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { settled, until } from './reader.mjs';

/** Random numbers from 0 to 1, always the same for one seed. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** All strings of a file: keys, and decoded values. JSON in strings is decoded, too. */
export function strings(file) {
  const text = file.endsWith('.eval')
    ? execFileSync('unzip', ['-p', file], { maxBuffer: 1e9 }).toString()
    : readFileSync(file, 'utf8');
  const all = [];
  const add = (value) => {
    if (typeof value === 'string') {
      all.push(value);
    } else if (value !== null && typeof value === 'object') {
      for (const [key, one] of Object.entries(value)) {
        if (!Array.isArray(value)) all.push(key);
        add(one);
      }
    }
  };
  const json = (one) => {
    try {
      add(JSON.parse(one));
      return true;
    } catch {
      return false;
    }
  };
  if (!json(text)) {
    for (const line of text.split('\n')) if (!json(line)) all.push(line.slice(0, 10_000));
  }
  return all;
}

/** A random word: half of the time from a random string, half of the time from a random place in the whole text. */
export function word(all, next) {
  const lengths = all.reduce((sum, one) => sum + one.length, 0);
  for (;;) {
    let text;
    if (next() < 0.5) {
      text = all[Math.floor(next() * all.length)];
    } else {
      let at = Math.floor(next() * lengths);
      text = all.find((one) => (at -= one.length) < 0) ?? '';
    }
    const from = Math.floor(next() * Math.max(1, text.length - 60));
    const words = text.slice(from, from + 200).match(/[\p{L}\p{N}_-]{4,24}/gu) ?? [];
    // The first and the last word may be cut.
    const whole = words.filter((one) => new RegExp(`(^|[^\\p{L}\\p{N}_-])${one}($|[^\\p{L}\\p{N}_-])`, 'u').test(text));
    if (whole.length > 0) return whole[Math.floor(next() * whole.length)];
  }
}

/** The fault of the current mark; empty if it is on the screen and is this text. */
export function fault(page, text) {
  return page.evaluate((wanted) => {
    const marks = [...document.querySelectorAll('.list mark[data-current]')];
    if (marks.length !== 1) return marks.length === 0 ? 'no current mark' : 'several current marks';
    const [mark] = marks;
    if (mark.textContent.toLowerCase() !== wanted.toLowerCase()) return `another text: ${mark.textContent}`;
    const place = [...mark.getClientRects()].find((one) => one.width > 0 && one.height > 0);
    if (place === undefined) return 'no size';
    const [x, y] = [place.left + place.width / 2, place.top + place.height / 2];
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return 'outside of the window';
    const seen = document.elementFromPoint(x, y);
    if (seen === null || !(mark.contains(seen))) return `covered by ${seen?.className}`;
    return '';
  }, text);
}

/** Searches; returns the number of matches. */
export async function searched(page, text) {
  const count = page.locator('#search-count');
  await page.locator('#search-input').fill('');
  await count.waitFor({ state: 'detached' });
  await page.locator('#search-input').fill(text);
  await until(async () => await count.getAttribute('data-done') === 'true', 'the search is done');
  return Number(await count.getAttribute('data-total'));
}

/** Waits until the page has landed somewhere; returns the mark's fault. */
export async function landed(page, text) {
  await until(async () => await page.locator('.find').getAttribute('data-landing') !== 'true', 'it has landed');
  // Heights that are measured later may move the rows once more.
  await settled(page);
  return fault(page, text);
}
