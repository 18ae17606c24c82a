// Opened rows: matches in them, their tabs, what screen readers announce, and Esc.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claudeCode, jsonl, run, toolCall } from './fixtures.mjs';
import { active, body, dropText, row, settled, stage, tree, until } from './reader.mjs';

const it = stage();

const ready = async (text, suffix = '', options = {}) => {
  const opened = await it.open(suffix, options);
  await dropText(opened.page, text);
  return opened;
};

const field = (page) => page.locator('#search-input');

async function search(page, text) {
  await field(page).fill(text);
  await until(async () => await page.locator('#search-count').getAttribute('data-done') === 'true', 'the search is done');
}

/** Whether the first match in a body is visible within the body and the list. */
const markIsSeen = (page, id) => page.evaluate((at) => {
  const mark = document.querySelector(`#${at} mark`)?.getBoundingClientRect();
  if (mark === undefined) return false;
  const inside = (box) => mark.top >= box.top && mark.bottom <= box.bottom;
  const list = document.querySelector('.list').getBoundingClientRect();
  return inside(document.getElementById(at).getBoundingClientRect()) && inside(list);
}, id);

test('a hit past the fold of a JSON value is shown, whether the row or the search comes first', async () => {
  const items = Array.from({ length: 40 }, (_, at) => ({ at, word: at === 35 ? 'needle' : 'hay' }));
  const { page } = await ready(jsonl(run('json', [toolCall(1, 'list', { n: 40 }, items)])));
  await row(page, /list/).click();
  await body(page, 'row-1').getByRole('button', { name: /^Show all/ }).waitFor();
  assert.doesNotMatch(await body(page, 'row-1').textContent(), /needle/, 'the value is cut at first');
  await search(page, 'needle');
  await until(async () => (await page.locator('.body mark').allTextContents()).join() === 'needle', 'the open value is unfolded');
  await field(page).fill('');
  await row(page, /list/).click();
  await body(page, 'row-1').waitFor({ state: 'detached' });
  await search(page, 'needle');
  await field(page).press('Enter');
  await until(async () => (await page.locator('.body mark').allTextContents()).join() === 'needle', 'the value is opened unfolded');
});

test('a text that is open when the search begins is unfolded where its end has the hit', async () => {
  const long = `${'line\n'.repeat(60)}the needle\n`;
  const { page } = await ready(jsonl(run('long', [toolCall(1, 'read', { path: 'x' }, long)])));
  await row(page, /read/).click();
  await body(page, 'row-1').getByRole('button', { name: /^Show all/ }).waitFor();
  await search(page, 'needle');
  await until(async () => (await page.locator('.body mark').allTextContents()).join() === 'needle', 'the text is unfolded');
});

test('a long body is scrolled to its first mark', async () => {
  const text = `${'line\n'.repeat(400)}the needle\n${'line\n'.repeat(400)}`;
  const lines = Array.from({ length: 90 }, (_, at) => (at === 70 ? 'needle' : `word ${at}`));
  const { page } = await ready(jsonl(run('long', [
    ...Array.from({ length: 20 }, (_, at) => toolCall(at + 1, `step_${at}`, { at }, at)),
    toolCall(21, 'read', { path: 'x' }, text),
    ...Array.from({ length: 20 }, (_, at) => toolCall(at + 22, `next_${at}`, { at }, at)),
    toolCall(42, 'list', { n: 1 }, lines),
  ])));
  await search(page, 'needle');
  await field(page).press('Enter');
  await until(() => markIsSeen(page, 'body-21'), 'the mark in the text is in sight');
  await field(page).press('Enter');
  await until(() => markIsSeen(page, 'body-42'), 'the mark in the list is in sight');
  await field(page).press('Shift+Enter');
  await until(() => markIsSeen(page, 'body-21'), 'and so it is on the way back');
});

test('Esc after a search leaves the found row open and the list where it is', async () => {
  const { page } = await ready(jsonl(run('many', [
    ...Array.from({ length: 200 }, (_, at) => toolCall(at + 1, `step_${at}`, { at }, at === 150 ? 'the needle' : 'hay')),
  ])));
  await search(page, 'needle');
  await field(page).press('Enter');
  await body(page, 'row-151').getByText('needle').waitFor();
  const place = () => page.locator('#row-151').evaluate((at) => Math.round(at.getBoundingClientRect().top));
  await settled(page);
  const before = await place();
  for (const where of ['field', 'tree']) {
    if (where === 'tree') {
      await search(page, 'needle');
      await tree(page).evaluate((at) => at.focus({ preventScroll: true }));
    }
    await page.keyboard.press('Escape');
    await page.locator('#search-count').waitFor({ state: 'detached' });
    await settled(page);
    assert.equal(await body(page, 'row-151').count(), 1, `Esc in the ${where} leaves the row open`);
    assert.equal(await place(), before, `Esc in the ${where} moves nothing`);
    assert.equal(await active(page), 'row-151');
  }
});

test('the tabs of a body follow the WAI-ARIA pattern', async () => {
  const { page } = await ready(jsonl(run('tabs', [toolCall(1, 'read', { path: 'x' }, 'answer')])));
  await row(page, /read/).click();
  const opened = body(page, 'row-1');
  await opened.getByText('answer').first().waitFor();
  const tab = (name) => opened.getByRole('tab', { name, exact: true });
  const panel = opened.getByRole('tabpanel');
  const state = async () => opened.getByRole('tab').evaluateAll((all) => all.map((one) => `${one.textContent} ${one.getAttribute('aria-selected')} ${one.tabIndex}`));
  assert.deepEqual(await state(), ['Details true 0', 'Changes false -1', 'JSON false -1', 'Raw false -1'], 'one stop for Tab');
  assert.equal(await panel.getAttribute('aria-labelledby'), await tab('Details').getAttribute('id'));
  assert.equal(await tab('Details').getAttribute('aria-controls'), await panel.getAttribute('id'));
  const focusedTab = () => page.evaluate(() => document.activeElement.textContent);
  await tab('Details').focus();
  for (const [key, name] of [['ArrowRight', 'Changes'], ['ArrowRight', 'JSON'], ['ArrowRight', 'Raw'], ['ArrowRight', 'Details'], ['ArrowLeft', 'Raw'], ['Home', 'Details'], ['End', 'Raw']]) {
    await page.keyboard.press(key);
    assert.equal(await focusedTab(), name, key);
    assert.equal(await tab(name).getAttribute('aria-selected'), 'true', key);
    assert.equal(await panel.getAttribute('aria-labelledby'), await tab(name).getAttribute('id'), key);
  }
  assert.equal(await active(page), 'row-1', 'the keys of the tabs move no row');
  // The panel can be focused, so that it can be scrolled with the keyboard.
  assert.equal(await panel.getAttribute('tabindex'), '0');
});

test('aria-expanded means nesting only; an open body is announced in words', async () => {
  const { page } = await ready(jsonl(claudeCode()));
  const expanded = (id) => page.locator(`#${id}`).getAttribute('aria-expanded');
  assert.equal(await expanded('row-0'), null, 'nothing is nested in it');
  assert.equal(await expanded('row-1'), 'true');
  await row(page, /Bash/).click();
  await body(page, 'row-2').waitFor();
  assert.equal(await expanded('row-2'), null, 'nor in this one, open as it is');
  assert.match(await page.locator('#row-2').textContent(), /, open$/);
  await tree(page).focus();
  await page.keyboard.press('k');
  await page.keyboard.press(' ');
  await body(page, 'row-1').waitFor();
  assert.equal(await expanded('row-1'), 'true');
  await page.keyboard.press(' ');
  await body(page, 'row-1').waitFor({ state: 'detached' });
  assert.equal(await expanded('row-1'), 'true', 'closing the body hides nothing nested');
  assert.doesNotMatch(await page.locator('#row-1').textContent(), /, open/);
});

test('selecting and opening a row changes its attributes, not its element', async () => {
  const { page } = await ready(jsonl(run('same', [toolCall(1, 'list', { n: 1 }, 'one'), toolCall(2, 'read', { n: 2 }, 'two')])));
  await row(page, /list/).waitFor();
  await page.evaluate(() => {
    window.before = document.getElementById('row-1');
  });
  const state = () => page.evaluate(() => {
    const now = document.getElementById('row-1');
    return [now === window.before, now.getAttribute('aria-selected'), now.dataset.open, now.textContent.includes(', open')];
  });
  assert.deepEqual(await state(), [true, 'false', 'false', false]);
  await row(page, /list/).click();
  await body(page, 'row-1').waitFor();
  assert.deepEqual(await state(), [true, 'true', 'true', true]);
  await row(page, /read/).click();
  await row(page, /list/).click();
  await body(page, 'row-1').waitFor({ state: 'detached' });
  assert.deepEqual(await state(), [true, 'true', 'false', false]);
});
