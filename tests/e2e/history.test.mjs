// Back and Forward within a trace: each jump can be taken back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loop, small } from './fixtures.mjs';
import { dropText, row, shown, stage, until } from './reader.mjs';

const it = stage();
const hash = (page) => page.evaluate(() => location.hash);
const selected = async (page) => {
  const chosen = page.locator('[role="treeitem"][aria-selected="true"]');
  return await chosen.count() === 0 ? null : chosen.first().getAttribute('id');
};
/** Jumps that follow each other more quickly than this are one. */
const later = (page) => page.waitForTimeout(600);

test('Back undoes a jump and a change of view, Forward repeats it', async () => {
  const { page, errors } = await it.open();
  await dropText(page, small(), 'a.jsonl');
  await dropText(page, loop(), 'b.jsonl');
  await row(page, /./).nth(1).click();
  const start = await selected(page);
  await later(page);

  await page.keyboard.press('5');
  await until(async () => /tab=statistics/.test(await hash(page)), 'the statistics are shown');
  await later(page);
  await page.keyboard.press('0');
  await until(async () => /tab=brief/.test(await hash(page)), 'the brief is shown');
  await later(page);
  await page.getByRole('tabpanel', { name: 'Brief' }).getByRole('button', { name: /Go to event/ }).last().click();
  await until(async () => ![null, start].includes(await selected(page)), 'an event is selected');
  const event = await selected(page);

  await page.goBack();
  await until(async () => /tab=brief/.test(await hash(page)) && await page.getByRole('tabpanel', { name: 'Brief' }).count() === 1, 'the brief is shown again');
  await page.goBack();
  await until(async () => await page.getByRole('tabpanel', { name: 'Statistics' }).count() === 1, 'the statistics are shown again');
  await page.goBack();
  await until(async () => await selected(page) === start, 'the first row is selected again');
  assert.doesNotMatch(await hash(page), /tab=/);

  await page.goForward();
  await page.goForward();
  await page.goForward();
  await until(async () => await selected(page) === event, 'the event is selected again');
  for (let n = 0; n < 3; n += 1) await page.goBack();
  await until(async () => await selected(page) === start, 'back at the start');
  await page.goBack();
  await shown(page, 'a.jsonl');
  assert.deepEqual(errors, []);
});

test('steps from row to row, and where a link leads, add nothing to go back through', async () => {
  it.server.put('a.jsonl', loop());
  const { page } = await it.open('#trace=a.jsonl&tab=inspector');
  await shown(page, 'a.jsonl');
  const before = await page.evaluate(() => history.length);
  await row(page, /./).first().click();
  for (const key of ['j', 'j', 'k', 'e']) {
    await page.keyboard.press(key);
    await later(page);
  }
  assert.equal(await page.evaluate(() => history.length), before);
});

test('a link of a later version is read as far as it is understood, and the page says so', async () => {
  it.server.put('a.jsonl', loop());
  const { page } = await it.open('#v=2&trace=a.jsonl&tab=statistics&new=1');
  await page.getByText(/made by a newer version of Traceloupe/).first().waitFor();
  await page.getByRole('tabpanel', { name: 'Statistics' }).waitFor();
});
