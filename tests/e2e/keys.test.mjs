// Files of no known format: the guessed meaning of their keys, and the dialog that changes it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { AXE_PATH } from './harness.mjs';
import {
  FIXTURES, body, button, dropText, labels, row, shown, stage, tree, until,
} from './reader.mjs';

const it = stage();
const fixture = (name) => readFileSync(path.join(FIXTURES, 'records', name), 'utf8');
const events = fixture('tool-events.jsonl');
const note = (page) => page.locator('.note--keys');
const dialog = (page) => page.getByRole('dialog', { name: 'What is this file?' });
const slot = (page, word) => dialog(page).locator(`select[data-slot="${word}"]`);
const map = (page) => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('map'));
const has = (page, words) => until(
  async () => (await labels(page)).some((label) => label.includes(words)),
  `a row has ${words}`,
);

async function change(page) {
  await button(note(page), 'Change…').click();
  await dialog(page).waitFor();
}

test('a file of no known format is read by its keys, and the page says so', async () => {
  const { page, errors } = await it.open();
  await dropText(page, events, 'odd.jsonl');
  assert.match(await note(page).textContent(), /^No known format\. Read as a list of events: role from `event`, text from `text`/);
  await has(page, 'weather');
  await row(page, /weather/).nth(1).click();
  const opened = await tree(page).getAttribute('aria-activedescendant');
  await body(page, opened).getByText('calm').waitFor();
  assert.equal(await map(page), null, 'a guess is not in the link');
  assert.deepEqual(errors, []);
});

test('another choice of keys is kept in the link and for files with the same keys', async () => {
  const { page, errors } = await it.open();
  await dropText(page, events, 'odd.jsonl');
  await change(page);
  assert.equal(await slot(page, 'tool').inputValue(), 'tool');
  assert.equal(await slot(page, 'text').inputValue(), 'text');
  const options = await slot(page, 'text').locator('option').allTextContents();
  assert.ok(options.includes('goal: Sail home before dark'), options.join('\n'));
  await slot(page, 'text').selectOption('goal');
  await button(dialog(page), 'Apply').click();
  await has(page, 'Sail home before dark');
  await dialog(page).waitFor({ state: 'hidden' });
  assert.match(await note(page).textContent(), /Read as you chose: .*text from `goal`/);
  assert.match(await map(page), /role:event~text:goal~/);

  // A file with the same keys is read the same way, but it is not the one in the link.
  await dropText(page, events.replaceAll('weather', 'tides'), 'next.jsonl');
  await has(page, 'tides');
  assert.match(await note(page).textContent(), /text from `goal`/);
  assert.equal(await map(page), null);

  // A new guess discards the choice.
  await change(page);
  await button(dialog(page), 'Guess again').click();
  await until(async () => (await note(page).textContent()).includes('as a list of events'), 'it is guessed');
  assert.deepEqual(errors, []);
});

test('the link of one reader is read by another', async () => {
  it.server.put('odd.jsonl', events);
  const { page } = await it.open('#trace=odd.jsonl&map=role:event~text:goal');
  await shown(page, 'odd.jsonl');
  await has(page, 'Sail home before dark');
  assert.match(await note(page).textContent(), /Read as you chose: role from `event`, text from `goal` *Change…$/);
  assert.equal((await labels(page)).some((label) => label.startsWith('2. tool')), false);
});

test('records can be shown as they are', async () => {
  const { page } = await it.open();
  await dropText(page, events, 'odd.jsonl');
  await change(page);
  await button(dialog(page), 'Read as plain records').click();
  await until(async () => (await labels(page)).length === 7, 'each record is a row');
  assert.equal(await map(page), 'records');
  assert.match(await page.locator('.notes').textContent(), /Read as plain records/);
  // The keys of a file that does not look like a trace can be assigned as well.
  await dropText(page, fixture('plain.jsonl'), 'plain.jsonl');
  await change(page);
  await slot(page, 'text').selectOption('message');
  await button(dialog(page), 'Apply').click();
  await until(async () => (await map(page)) === 'text:message', 'the link has it');
});

test('the list of the records can be changed', async () => {
  const { page } = await it.open();
  await dropText(page, fixture('inside.json'), 'inside.json');
  await has(page, 'It leaves at ten');
  await change(page);
  assert.equal(await slot(page, 'list').inputValue(), 'session.log');
  await slot(page, 'list').selectOption('boats');
  assert.equal(await slot(page, 'text').inputValue(), '');
  await slot(page, 'text').selectOption('name');
  await button(dialog(page), 'Apply').click();
  await has(page, 'Gull');
});

test('a report has the shape of the file and none of its values', async () => {
  const { page } = await it.open();
  await dropText(page, events, 'odd.jsonl');
  await change(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(dialog(page), 'Save a report').click(),
  ]);
  const report = readFileSync(await download.path(), 'utf8');
  assert.equal(JSON.parse(report).mapping.text, 'text');
  for (const value of ['Sail home', 'weather', 'calm', 'no fuel', 'sail-2', 'odd.jsonl']) {
    assert.equal(report.includes(value), false, value);
  }
});

test('the dialog is used with the keyboard, fits a phone, and axe finds nothing', async () => {
  for (const [colorScheme, width] of [['light', 1280], ['dark', 390]]) {
    const context = { colorScheme, viewport: { width, height: 844 } };
    const { page } = await it.open('', { context });
    await dropText(page, events, 'odd.jsonl');
    await button(note(page), 'Change…').focus();
    await page.keyboard.press('Enter');
    await dialog(page).waitFor();
    await dialog(page).getByRole('combobox', { name: 'Records' }).focus();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.dataset.slot), 'role');
    const wide = await dialog(page).evaluate((it) => it.scrollWidth > it.clientWidth);
    assert.equal(wide, false, 'nothing is cut off');
    await page.evaluate(readFileSync(AXE_PATH, 'utf8'));
    const found = await page.evaluate(async () => {
      const rules = { 'label-content-name-mismatch': { enabled: false } };
      const { violations } = await window.axe.run(document, { resultTypes: ['violations'], rules });
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
    });
    assert.deepEqual(found, []);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
  }
});
