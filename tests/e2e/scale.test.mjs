// A trace of two hundred thousand events: the page draws few elements, every row can be reached, and rows
// stay in place while the list grows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labels, settled, shown, stage, tree, until, active, button } from './reader.mjs';
import { event, toolCall } from './fixtures.mjs';

const it = stage();
const N = 200_000;

/**
 * Opens lines that are generated in the page: `line(at)` returns the text of one. Sending a file of this size
 * to the browser would take most of the time.
 */
async function openLines(page, n, line) {
  await page.evaluate(([count, source]) => {
    const make = (0, eval)(`(${source})`);
    const parts = [];
    for (let from = 0; from < count; from += 10_000) {
      let text = '';
      for (let at = from; at < Math.min(count, from + 10_000); at += 1) text += `${make(at)}\n`;
      parts.push(text);
    }
    const transfer = new DataTransfer();
    transfer.items.add(new File(parts, 'events.jsonl'));
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }));
  }, [n, String(line)]);
}

/** Event `at` of the long run: every tenth is an LLM call with nine tool calls in it; some fail. */
function longLine(at) {
  const isCall = at % 10 === 0;
  const error = at % 1000 === 7 ? { error_type: 'Timeout', message: 'no answer' } : null;
  const payload = isCall
    ? { model: 'model-1', prompt: [{ role: 'user', content: `question ${at}` }], response: `answer ${at}` }
    : { tool_name: `tool_${at % 7}`, args: { query: `word ${at}` }, result: at, status: error ? 'error' : 'ok', error };
  return JSON.stringify({
    spec_version: '0.1', event_id: `e-${at}`, run_id: 'run-1', parent_id: isCall ? null : `e-${at - (at % 10)}`,
    event_type: isCall ? 'LLM_CALL' : 'TOOL_CALL', ts: new Date(1767600000000 + at).toISOString(),
    duration_ms: null, name: isCall ? 'model-1' : `tool_${at % 7}`, payload, meta: {},
  });
}

/** Waits until no visible row moves any more, and returns their positions. */
async function atRest(page) {
  let before;
  const places = async () => (await inSight(page)).map(({ name, top }) => ({ name, top }));
  await until(async () => {
    const last = before;
    await settled(page);
    before = await places();
    return JSON.stringify(last) === JSON.stringify(before);
  }, 'the rows stand still');
  return before;
}

const list = (page) => page.locator('.list');
const nElements = (page) => page.evaluate(() => document.querySelectorAll('*').length);
/** The text of the status line. */
const foot = (page) => page.locator('.foot').textContent();
const facet = (page, name) => page.locator('.side').getByRole('button', { name });

/** The last drawn row, once rows have been drawn. */
const lastDrawn = async (page) => (await labels(page)).at(-1);

/** Ids of the visible rows, with the pixel of the window at which each begins. */
const inSight = (page) => page.evaluate(() => {
  const window = document.querySelector('.list').getBoundingClientRect();
  const rows = [...document.querySelectorAll('#timeline > .row')].map((row) => {
    const { top } = row.getBoundingClientRect();
    const text = (part) => row.querySelector(part).textContent;
    return { number: Number(text('.row__num')), name: text('.row__name'), top: Math.round(top - window.top) };
  });
  return rows.filter(({ top }) => top >= 0 && top < window.height).sort((a, b) => a.top - b.top);
});

for (const [what, width] of [['wide', 1280], ['narrow', 360]]) {
  test(`a long run on a ${what} screen: few elements, every row within reach`, async () => {
    const { page, errors } = await it.open('', { context: { viewport: { width, height: 700 } } });
    await openLines(page, N, longLine);
    await shown(page);
    await tree(page).focus();
    await page.keyboard.press('*');
    await until(async () => !(await foot(page)).includes('not shown'), 'all rows are shown');
    const few = await nElements(page);
    assert.ok(few < 1500, `${few} elements`);

    await page.keyboard.press('End');
    await until(async () => (await active(page)) === `row-${N - 1}`, 'the last row is selected');
    await until(async () => (await lastDrawn(page)).startsWith(`${N}.`), 'the last row is drawn');
    await page.keyboard.press('Home');
    await until(async () => (await labels(page))[0].startsWith('1.'), 'the first row is drawn');

    // The scroll bar dragged to its end and to its middle, then real wheel steps there.
    await list(page).evaluate((it) => { it.scrollTop = it.scrollHeight; });
    await until(async () => (await lastDrawn(page)).startsWith(`${N}.`), 'the bar reaches the last row');
    await list(page).evaluate((it) => { it.scrollTop = it.scrollHeight / 2; });
    const isMiddle = async () => Math.abs((await inSight(page))[0]?.number - N / 2) < N / 50;
    await until(isMiddle, 'the bar reaches the middle');
    const before = await inSight(page);
    await list(page).evaluate((it) => { it.scrollTop += 50; });
    await until(async () => (await inSight(page))[0]?.top !== before[0].top, 'the list has moved');
    const after = await inSight(page);
    const same = before.find(({ number, top }) => top >= 100 && after.some((one) => one.number === number && one.top === top - 50));
    assert.ok(same, 'a step of 50 pixels moves the rows by 50 pixels');
    assert.ok(await nElements(page) < few + 500, 'scrolling leaves nothing behind');
    assert.deepEqual(errors, []);
  });
}

test('collapse and expand, filters and modes on a long run', async () => {
  const { page, errors } = await it.open();
  await openLines(page, N, longLine);
  await shown(page);
  const hidden = (words) => until(async () => (await foot(page)).includes(words), `${words} in the status line`);
  await button(page, 'Collapse all').click();
  await hidden('180,000 folded or hidden');
  await button(page, 'Expand all').click();
  await until(async () => !(await foot(page)).includes('not shown'), 'all rows are shown');
  assert.match(await facet(page, /^Tool calls/).textContent(), /180,000/);
  assert.match(await facet(page, /^LLM calls/).textContent(), /20.000/);
  assert.match(await facet(page, /^Failed/).textContent(), /200/);
  await facet(page, /^Failed/).click();
  await hidden('199,800 folded or hidden');
  assert.match((await labels(page))[0], /^8\. Tool call, tool_0, .*timed out/);
  await facet(page, /^LLM calls/).click();
  await hidden('200,000 folded or hidden');
  await button(page, 'Clear filters').click();
  await button(page, 'Minimal').click();
  await hidden('folded or hidden');
  await button(page, 'Verbose').click();
  await until(async () => !(await foot(page)).includes('not shown'), 'all rows are shown');
  // Every body is open, but only the visible ones are drawn.
  const bodies = page.locator('.list .body');
  await until(async () => await bodies.count() > 3, 'bodies are open');
  assert.ok(await bodies.count() < 60);
  await tree(page).focus();
  await page.keyboard.press('End');
  await page.locator(`#body-${N - 1}`).waitFor();
  await page.keyboard.press('Space');
  await page.locator(`#body-${N - 1}`).waitFor({ state: 'detached' });
  assert.ok(await bodies.count() < 60);
  assert.deepEqual(errors, []);
});

/**
 * Lets the first rows of a trace through to the page and holds back all later ones until `release()`. Other
 * messages of the worker pass.
 */
const holdRows = (page) => page.addInitScript(() => {
  const held = [];
  let isOpen = false;
  window.nHeld = () => held.length;
  window.release = () => {
    isOpen = true;
    for (const go of held.splice(0)) go();
  };
  const { set } = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage');
  Object.defineProperty(Worker.prototype, 'onmessage', {
    set(hear) {
      // Rows arrive in a large message, directly after the message that began their outline, which is not small either.
      let [before, outline, rows] = [];
      let lenBefore = 0;
      set.call(this, hear && ((event) => {
        const kind = event.data[0];
        if (!isOpen && rows !== undefined && (kind === outline || kind === rows)) {
          held.push(() => hear(event));
          return;
        }
        if (rows === undefined && lenBefore > 10_000 && event.data.length > 20_000) [outline, rows] = [before, kind];
        [before, lenBefore] = [kind, event.data.length];
        hear(event);
      }));
    },
  });
});

/** Event `at`: after the first five thousand, every second one is nested in the second event. */
function lateLine(at) {
  return JSON.stringify({
    spec_version: '0.1', event_id: `e-${at}`, run_id: 'run-1', parent_id: at > 5000 && at % 2 === 0 ? 'e-1' : null,
    event_type: 'LLM_CALL', ts: new Date(1767600000000 + at).toISOString(), duration_ms: null, name: `n-${at}`,
    payload: { model: `n-${at}`, prompt: [{ role: 'user', content: `question ${at}` }], response: `answer ${at}` },
    meta: {},
  });
}

test('while it loads, the rows in view stay in place, open and selected', async () => {
  const { page, errors } = await it.open('', { prepare: holdRows });
  await openLines(page, 60_000, lateLine);
  await tree(page).waitFor({ state: 'attached' });
  await until(() => page.evaluate(() => window.nHeld() > 3), 'more rows wait');
  await page.locator('.progress').waitFor();

  // Near the middle of the rows so far: one row is opened above the middle of the window, one is selected.
  const said = await page.locator('.side').getByRole('button', { name: /^LLM calls/ }).textContent();
  const n = Number(said.replace(/\D/g, ''));
  assert.ok(n > 1000 && n < 20_000, `${n} rows are there`);
  await list(page).evaluate((it) => { it.scrollTop = it.scrollHeight / 2; });
  // The rows nested in the second event that have already arrived are above.
  const middleName = n / 2 - Math.max(0, (n - 5000) / 2);
  const isNearMiddle = (label) => Math.abs(Number(/n-(\d+)/.exec(label)?.[1]) - middleName) < 100;
  await until(async () => isNearMiddle((await labels(page))[0]), 'the middle is drawn');
  const middle = await inSight(page);
  await page.getByRole('treeitem', { name: `${middle[2].name} ` }).first().click();
  const body = page.locator('.list .body');
  await body.getByText(`answer ${middle[2].name.slice(2)}`).first().waitFor();
  await page.keyboard.press('j');
  // The heights of open bodies settle before the rows arrive.
  const before = await atRest(page);
  await page.evaluate(() => window.release());
  await shown(page);
  // The loading bar is gone, so there may be room for one more row.
  assert.deepEqual((await atRest(page)).slice(0, before.length), before, 'no row has moved');
  // 27,499 late rows are above it now.
  const number = Number(middle[3].name.slice(2)) + 27_500;
  const told = async () => Number(/Event ([\d,]+)/.exec(await foot(page))?.[1].replace(/\D/g, ''));
  await until(async () => await told() === number, `the number of the selected row, ${number}`);
  assert.equal(await body.count(), 1, 'what was open is open');
  await body.getByText(`answer ${middle[2].name.slice(2)}`).first().waitFor();
  const selected = await tree(page).getByRole('treeitem', { selected: true }).locator('.row__name').textContent();
  assert.equal(selected, middle[3].name);
  // All the new rows are there: those that arrived late are nested in the second row.
  await page.keyboard.press('Home');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await until(async () => (await labels(page))[2].includes('n-5002'), 'the late rows are nested');
  await page.keyboard.press('End');
  await until(async () => (await lastDrawn(page)).startsWith('60000.'), 'the last row');
  assert.deepEqual(errors, []);
});

test('a body that turns out taller than guessed moves no row below it', async () => {
  const { page, errors } = await it.open();
  await openLines(page, 2000, lateLine);
  await shown(page);
  await button(page, 'Verbose').click();
  await tree(page).focus();
  await page.keyboard.press('End');
  await page.locator('#body-1999').waitFor();
  await atRest(page);
  // Upwards, into bodies that have not been measured yet: every row that stays visible moves exactly by the
  // step.
  for (let step = 0; step < 20; step += 1) {
    const before = await inSight(page);
    await list(page).evaluate((it) => { it.scrollTop -= 40; });
    const after = await atRest(page);
    for (const { name, top } of before) {
      const now = after.find((row) => row.name === name);
      if (now !== undefined) assert.ok(Math.abs(now.top - top - 40) <= 1, `${name} from ${top} to ${now.top}`);
    }
    assert.ok(after.some(({ name }) => before.some((row) => row.name === name)) || before.length === 0);
  }
  assert.deepEqual(errors, []);
});
