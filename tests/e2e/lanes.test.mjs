// The overview above the rows: lanes, axes, and moving through the run in it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonl, llmCall, run, small, toolCall } from './fixtures.mjs';
import { mounted, sealed } from './harness.mjs';
import { active, dropText, shown, stage, until } from './reader.mjs';

const it = stage();

const long = () => jsonl(run('long', Array.from({ length: 200 }, (_, at) => (
  at % 10 === 0 ? llmCall(at + 1, 'p', 'r') : toolCall(at + 1, `tool_${at % 7}`, { at }, 'x', at === 121 ? { error_type: 'Timeout', message: 'late' } : undefined)
))));

const ready = async (text = long(), options = {}) => {
  const opened = await it.open('', options);
  await dropText(opened.page, text);
  return opened;
};

const overview = (page) => page.getByRole('slider', { name: 'Overview' });
const selected = async (page) => Number((await active(page))?.replace('row-', ''));

test('a click in the overview shows the rows of that place; a drag along the axis goes on', async () => {
  const { page, errors, violations } = await ready();
  const area = overview(page);
  const { x, y, width, height } = await area.boundingBox();
  await page.getByRole('button', { name: 'Steps', exact: true }).click();
  await page.mouse.click(x + width * 0.5, y + 15);
  await until(async () => Math.abs(await selected(page) - 100) < 4, 'the middle is selected');
  await page.mouse.move(x + width * 0.7, y + height - 6);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.9, y + height - 6, { steps: 4 });
  await page.mouse.up();
  await until(async () => Math.abs(await selected(page) - 180) < 5, 'it followed the drag');
  assert.match(await area.getAttribute('aria-valuetext'), /^Event \d+ of 20\d/);
  assert.deepEqual([errors, await violations()], [[], []]);
});

test('a drag over the lanes zooms in, and there is a way back', async () => {
  const { page, errors, violations } = await ready();
  const { x, y, width } = await overview(page).boundingBox();
  await page.getByRole('button', { name: 'Steps', exact: true }).click();
  const whole = page.getByRole('button', { name: 'Whole run' });
  const labels = () => page.locator('.overview__ticks span').allInnerTexts();
  const before = await labels();
  await page.mouse.move(x + width * 0.6, y + 15);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.8, y + 15, { steps: 4 });
  assert.equal(await page.locator('.overview__part').count(), 1);
  await page.mouse.up();
  await whole.waitFor();
  const numbers = (await labels()).map(Number);
  assert.ok(numbers.length > 2 && numbers.every((it) => it >= 120 && it <= 165), `labels of the part: ${numbers}`);
  await page.mouse.click(x + width * 0.5, y + 15);
  await until(async () => Math.abs(await selected(page) - 143) < 5, 'the middle of the part');
  assert.deepEqual([errors, await violations()], [[], []]);
  // By keyboard: zoom in, move along, and back to the whole run.
  await whole.click();
  assert.deepEqual(await labels(), before);
  await overview(page).press('+');
  await whole.waitFor();
  assert.notDeepEqual(await labels(), before);
  await overview(page).press('-');
  await whole.waitFor({ state: 'detached' });
});

test('the arrow keys move through the overview, Home and End go to its ends', async () => {
  const { page } = await ready();
  await overview(page).focus();
  await page.keyboard.press('End');
  await until(async () => await selected(page) > 190, 'the end');
  const end = await overview(page).getAttribute('aria-valuenow');
  await page.keyboard.press('Home');
  await until(async () => await selected(page) === 0, 'the beginning');
  await page.keyboard.press('PageDown');
  await until(async () => await selected(page) > 0, 'a step on');
  assert.ok(Number(end) > 50);
});

test('failed calls are marked; the axis is time, tokens or steps; its size is remembered', async () => {
  const { page } = await ready();
  assert.match(await page.locator('.overview__errors').getAttribute('d'), /^M\d/);
  const axis = page.getByRole('group', { name: 'Axis of the overview' }).getByRole('button');
  assert.deepEqual(await axis.allTextContents(), ['Time', 'Tokens', 'Steps']);
  await axis.nth(1).click();
  await until(async () => await axis.nth(1).getAttribute('aria-pressed') === 'true', 'tokens are chosen');
  const height = () => page.locator('.overview').evaluate((one) => one.clientHeight);
  const size = page.getByRole('button', { name: 'Size of the overview' });
  const before = await height();
  await size.click();
  await until(async () => await height() < 24, 'it is small');
  assert.equal(await size.getAttribute('aria-expanded'), 'false');
  assert.ok(before > 40);
  await page.reload();
  await mounted(page);
  await sealed(page);
  await dropText(page, long());
  await until(async () => await height() < 24, 'it is small again');
});

test('a short run and an embedded page have no overview', async () => {
  const { page } = await ready(small());
  assert.equal(await page.locator('.overview').count(), 0);
  it.server.put('long.jsonl', long());
  const embedded = await it.open('#trace=long.jsonl&embed=1');
  await shown(embedded.page, 'long.jsonl');
  assert.equal(await embedded.page.locator('.overview').count(), 0);
});
