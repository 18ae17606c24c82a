// Files made to hang a view: opening them, their views and their largest row keep the page's thread free, and the next
// file opens. The work is measured in time of the processor, so that a loaded machine does not change it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { small } from './fixtures.mjs';
import { GIANTS } from './giants.mjs';
import { body, dropText, row, settled, shown, stage, until } from './reader.mjs';
import { pickFiles } from './harness.mjs';

const it = stage();

/** The most processor time of the page's thread for one step, in milliseconds. */
const MAX_MS = 1_500;
/** The most elements on the page. */
const MAX_ELEMENTS = 12_000;

/** Measures steps on a page: what a step costs its thread. */
async function meter(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };
  return async (act) => {
    const before = await spent();
    await act();
    return await spent() - before;
  };
}

async function opened(name) {
  const { page, errors } = await it.open();
  const [file, bytes] = GIANTS[name]();
  const cost = await meter(page);
  await pickFiles(page, 'input[type=file] >> nth=0', [{ name: file, bytes }]);
  await shown(page);
  return { page, errors, cost };
}

/** The next file opens. */
async function goOn(page) {
  await dropText(page, small(), 'small.jsonl');
  await row(page, /station_search/).waitFor();
}

test('control: a slow view is noticed', async () => {
  const { page } = await it.open();
  const cost = await meter(page);
  const slow = await cost(() => page.evaluate(() => {
    const end = performance.now() + 6_000;
    while (performance.now() < end);
  }));
  assert.ok(slow > MAX_MS, `${slow} ms`);
});

for (const name of ['invisible', 'combining', 'bidi', 'colours', 'colour_lines', 'code', 'items']) {
  test(`one row of ${name}: all that is loaded, and more of it`, async () => {
    const { page, errors, cost } = await opened(name);
    const wide = row(page, /giant/);
    const spent = [await cost(async () => {
      await wide.click();
      await until(async () => !/Reading…/.test(await page.locator('.list .body').innerText()), 'it has been read');
    })];
    const more = page.locator('.list .body').getByRole('button', { name: /^Show (all|more|100)/ });
    for (let step = 0; step < 3 && await more.count() > 0; step += 1) {
      spent.push(await cost(async () => {
        await more.first().click();
        await settled(page);
        await until(async () => !/Reading…/.test(await page.locator('.list .body').innerText()), 'more has been read');
      }));
    }
    const n = await page.locator('*').count();
    assert.ok(n < MAX_ELEMENTS, `${n} elements`);
    assert.ok(Math.max(...spent) < MAX_MS, `${spent.map(Math.round)} ms`);
    await goOn(page);
    assert.deepEqual(errors, []);
  });
}

test('statistics of twenty thousand names', async () => {
  const { page, errors, cost } = await opened('names_20k');
  const spent = await cost(async () => {
    await page.getByRole('tab', { name: 'Statistics' }).click();
    await page.locator('.figures tbody tr').first().waitFor();
    await settled(page);
  });
  assert.ok(spent < MAX_MS, `${spent} ms`);
  assert.ok(await page.locator('*').count() < MAX_ELEMENTS);
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await goOn(page);
  assert.deepEqual(errors, []);
});

test('an image of too many pixels is named, not shown', async () => {
  const { page } = await opened('picture_16k');
  await row(page, /Bash/).click();
  const opened_ = body(page, 'row-2');
  await opened_.getByText('Image, not shown').waitFor();
  // Nor in its row.
  assert.equal(await page.locator('.list img').count(), 0);
  await opened_.getByRole('button', { name: /Save|Download/ }).first().waitFor();
  await goOn(page);
});

test('YAML whose references multiply ends soon', async () => {
  const { page } = await it.open();
  const [file, bytes] = GIANTS.yaml();
  const began = Date.now();
  await pickFiles(page, 'input[type=file] >> nth=0', [{ name: file, bytes }]);
  await shown(page);
  assert.ok(Date.now() - began < 30_000, `${Date.now() - began} ms`);
  await goOn(page);
});
