// The flame graph above the rows of a waterfall: the same rows, the same selection.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AXE_PATH } from './harness.mjs';
import { active, drop, dropText, row, stage, still, until } from './reader.mjs';
import { clipped } from './overflow.mjs';

const it = stage();

const BASE_NS = 1_700_000_000_000_000_000n;

/** A span: its id, its parent's id, and start and end in milliseconds. */
const span = (id, parent, name, from, to, failed = false) => ({
  traceId: '00000000000000000000000000000001',
  spanId: id.toString(16).padStart(16, '0'),
  ...(parent === 0 ? {} : { parentSpanId: parent.toString(16).padStart(16, '0') }),
  name,
  startTimeUnixNano: String(BASE_NS + BigInt(Math.round(from * 1e6))),
  endTimeUnixNano: String(BASE_NS + BigInt(Math.round(to * 1e6))),
  status: failed ? { code: 2, message: 'no' } : {},
});

const otlp = (spans) => JSON.stringify({ resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: { name: 'test' }, spans }] }] });

/** `plan` contains `search` and, beside it, `read`, which contains `parse`; `write` starts after both have ended. */
const small = () => otlp([
  span(1, 0, 'plan', 0, 1000),
  span(2, 1, 'search', 100, 400),
  span(3, 1, 'read', 200, 700),
  span(4, 3, 'parse', 300, 500, true),
  span(5, 1, 'write', 800, 900),
]);

const ready = async (text = small(), options = {}, suffix = '') => {
  const opened = await it.open(suffix, options);
  await drop(opened.page, [{ name: 'spans.json', bytes: text }]);
  await opened.page.getByRole('tab', { name: 'Waterfall' }).click();
  return opened;
};

const switched = (page) => page.getByRole('button', { name: 'Flame graph' });
const bars = (page) => page.locator('.flame__bar');
const bar = (page, name) => bars(page).filter({ hasText: name });
const place = async (one) => {
  const { x, y, width } = await one.boundingBox();
  return { x, y, width };
};

test('the column of names is wide, and can be dragged; the lines of the axis go through the rows', async () => {
  const text = otlp([span(1, 0, 'plan', 0, 4200), span(2, 1, 'read', 100, 3000)]);
  const { page, errors } = await ready(text, { context: { viewport: { width: 1440, height: 900 } } });
  const names = () => page.locator('.row .row__what').first().evaluate((one) => one.clientWidth);
  assert.ok(await names() >= 260, `${await names()} pixels`);
  await until(async () => await page.locator('.axis__tick').count() > 1, 'the axis has labels');
  const ticks = await page.locator('.axis__tick').count();
  assert.equal(await page.locator('.row').first().locator('.row__bar u').count(), ticks);
  const before = await names();
  await page.getByRole('separator', { name: 'Width of the name column' }).press('ArrowRight');
  await until(async () => await names() === before + 16, 'it is wider');
  await page.reload();
  assert.equal(await page.evaluate(() => localStorage.getItem('traceloupe.names-width')), '306', 'and stays so');
  assert.deepEqual(errors, []);
});

test('a bar for each row, those inside below, and beside each other further below', async () => {
  const { page, errors, violations } = await ready();
  assert.equal(await bars(page).count(), 0);
  await switched(page).click();
  await until(async () => await bars(page).count() === 5, 'there are five bars');
  assert.equal(await switched(page).getAttribute('aria-pressed'), 'true');
  const [plan, search, read, parse, write] = await Promise.all(['plan', 'search', 'read', 'parse', 'write'].map((name) => place(bar(page, name))));
  assert.ok(plan.y < search.y && search.y < read.y && read.y < parse.y, 'each further down');
  assert.equal(write.y, search.y, 'nothing runs beside it any more');
  assert.ok(Math.abs(read.width / plan.width - 0.5) < 0.02 && search.x > plan.x);
  assert.match(await bar(page, 'plan').getAttribute('title'), /^plan: 1\.0 s, self time 300 ms$/);
  assert.equal(await bar(page, 'parse').getAttribute('data-look'), 'error');
  // The critical path covers the whole run exactly once.
  const critical = await page.locator('.flame__level > b').evaluateAll((all) => all.reduce((sum, one) => sum + one.getBoundingClientRect().width, 0));
  assert.ok(Math.abs(critical / plan.width - 1) < 0.02, `${critical} of ${plan.width}`);
  assert.deepEqual([errors, await violations()], [[], []]);
});

test('one selection: a click selects the row, and the keys of the list move in the graph', async () => {
  const { page } = await ready();
  await page.keyboard.press('g');
  await bar(page, 'read').click();
  await until(async () => await row(page, /read/).getAttribute('aria-selected') === 'true', 'the row is selected');
  assert.equal(await bar(page, 'read').getAttribute('data-selected'), 'true');
  await page.keyboard.press('ArrowDown');
  await until(async () => await bar(page, 'parse').getAttribute('data-selected') === 'true', 'the next row');
  await row(page, /write/).click();
  await until(async () => await bar(page, 'write').getAttribute('data-selected') === 'true', 'a row of the list');
  await page.keyboard.press('g');
  await until(async () => await bars(page).count() === 0, 'it is hidden');
  assert.ok(await active(page), 'the selection stays');
});

test('a double click zooms to a bar, and so does a key; there is a way back, and the choice is kept', async () => {
  const { page } = await ready();
  await page.keyboard.press('g');
  await bar(page, 'parse').waitFor();
  const whole = page.getByRole('button', { name: 'Whole run' });
  assert.equal(await whole.isVisible(), false);
  const before = await place(bar(page, 'parse'));
  await bar(page, 'read').dblclick();
  await whole.waitFor();
  const after = await place(bar(page, 'parse'));
  assert.ok(after.width > before.width * 1.8, 'it is wider');
  assert.equal(await bar(page, 'write').count(), 0, 'what is outside is not drawn');
  await whole.click();
  await until(async () => await bar(page, 'write').count() === 1, 'all of it again');
  await row(page, /search/).click();
  await page.keyboard.press('z');
  await until(async () => await bar(page, 'write').count() === 0, 'zoomed by key');
  // The selected row is brought into view.
  await row(page, /write/).click();
  await until(async () => await bar(page, 'write').count() === 1, 'it is shown');
  await page.reload();
  await dropText(page, small(), 'spans.json');
  await bar(page, 'parse').waitFor();
});

test('of 100,000 spans only what can be seen is drawn', async () => {
  const spans = [span(1, 0, 'all', 0, 100_000)];
  for (let at = 0; at < 100_000; at += 1) spans.push(span(at + 2, 1, `step ${at % 10}`, at, at + 0.9));
  const { page } = await ready(otlp(spans));
  await page.keyboard.press('g');
  await until(async () => await bars(page).count() > 1, 'it is drawn');
  assert.ok(await bars(page).count() < 50, 'bars too narrow to be told apart are one');
  assert.match(await bars(page).nth(1).getAttribute('title'), /^[\d,]+ rows$/);
  const parts = await page.locator('.row b').count();
  assert.ok(parts < 4000, `the critical path of a row is drawn in ${parts} parts`);
  for (let at = 0; at < 3; at += 1) {
    if (await bars(page).count() > 1) await bars(page).nth(1).dblclick({ position: { x: 200, y: 5 } });
    await page.keyboard.press('z');
  }
  await row(page, /step 3/).first().click();
  await page.keyboard.press('z');
  await until(async () => /step 3/.test(await page.locator('.flame__bar[data-selected="true"]').innerText()), 'one of them is large');
  assert.ok(await bars(page).count() < 3000);
});

test('axe finds nothing in the graph, and nothing is cut off', async () => {
  const found = [];
  for (const theme of ['light', 'dark']) {
    for (const width of [1440, 390]) {
      const { page } = await ready(small(), { context: { viewport: { width, height: 900 }, reducedMotion: 'reduce' } }, `#theme=${theme}`);
      // A narrow axis has no room for its button; the menu and the key show it, too.
      await page.keyboard.press('g');
      await bar(page, 'plan').click();
      await still(page);
      await page.evaluate(readFileSync(AXE_PATH, 'utf8'));
      const rules = { 'label-content-name-mismatch': { enabled: false } };
      const { violations } = await page.evaluate((options) => window.axe.run('.flame', options), { rules });
      found.push(...violations.map((one) => `${theme} ${width}: ${one.id} ${one.nodes[0].html.slice(0, 160)}`));
      found.push(...(await clipped(page)).filter((one) => /flame/.test(one)).map((one) => `${theme} ${width}: ${one}`));
    }
  }
  assert.deepEqual(found, []);
});
