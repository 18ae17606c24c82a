// Using the whole page without a mouse.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claudeCode, jsonl, llmCall, loop, run, small, toolCall } from './fixtures.mjs';
import { mounted } from './harness.mjs';
import { active, alert, body, button, dropText, labels, openSettings, rows, settled, stage, tree, until } from './reader.mjs';

const it = stage();

/** Presses keys one after the other; returns the id of the row that then has the focus. */
async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  return active(page);
}

/** The id of the focused element. */
const focused = (page) => page.evaluate(() => document.activeElement?.id ?? '');

const ready = async (text) => {
  const opened = await it.open();
  await dropText(opened.page, text);
  return opened;
};

test('Tab reaches the tree, and every stop on the way has a name', async () => {
  const { page } = await ready(small());
  const names = [];
  for (let n = 0; n < 45 && await focused(page) !== 'timeline'; n += 1) {
    await page.keyboard.press('Tab');
    names.push(await page.evaluate(() => {
      const at = document.activeElement;
      return at.getAttribute('aria-label') ?? at.textContent.trim();
    }));
  }
  assert.equal(await focused(page), 'timeline', names.join(' | '));
  for (const name of names) assert.notEqual(name, '', names.join(' | '));
  assert.equal(await active(page), 'row-0');
});

test('the skip link leads to the tree at once', async () => {
  const { page } = await ready(small());
  await press(page, 'Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the timeline');
  await press(page, 'Enter');
  assert.equal(await focused(page), 'timeline');
});

test('j k and arrows move, Home End G go to the ends', async () => {
  const { page } = await ready(small());
  await tree(page).focus();
  assert.equal(await press(page, 'j'), 'row-1');
  assert.equal(await press(page, 'ArrowDown'), 'row-2');
  assert.equal(await press(page, 'k'), 'row-1');
  assert.equal(await press(page, 'ArrowUp', 'ArrowUp', 'ArrowUp'), 'row-0', 'it stops at the first');
  assert.equal(await press(page, 'End'), 'row-5');
  assert.equal(await press(page, 'j'), 'row-5', 'it stops at the last');
  assert.equal(await press(page, 'Home'), 'row-0');
  assert.equal(await press(page, 'G'), 'row-5');
  assert.equal(await rows(page).and(page.locator('[aria-selected="true"]')).getAttribute('id'), 'row-5');
});

test('Enter opens a row and goes into it, Esc goes back, Space closes', async () => {
  const { page } = await ready(small());
  await tree(page).focus();
  await press(page, 'j', 'j', 'Enter');
  await until(async () => await focused(page) === 'body-2', 'the body has the keyboard');
  await body(page, 'row-2').getByText('Zürich HB').waitFor();
  assert.equal(await page.locator('#row-2').getAttribute('data-open'), 'true');
  // Tab reaches its contents.
  await press(page, 'Tab');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('role')), 'tab');
  await press(page, 'Escape');
  assert.equal(await focused(page), 'timeline');
  assert.equal(await active(page), 'row-2');
  await press(page, ' ');
  await body(page, 'row-2').waitFor({ state: 'detached' });
  assert.equal(await page.locator('#row-2').getAttribute('data-open'), 'false');
});

test('l and h: expand, go in, collapse, go out', async () => {
  const { page } = await ready(jsonl(claudeCode()));
  // The tool call is nested in the LLM call that requested it.
  await tree(page).focus();
  assert.equal(await press(page, 'j'), 'row-1');
  assert.equal(await page.locator('#row-1').getAttribute('aria-expanded'), 'true');
  assert.equal(await press(page, 'l'), 'row-2', 'expanded already: the first nested row');
  assert.equal(await press(page, 'h'), 'row-1', 'not expanded: the row it is nested in');
  await press(page, 'h');
  await page.locator('#row-2').waitFor({ state: 'detached' });
  assert.equal(await page.locator('#row-1').getAttribute('aria-expanded'), 'false');
  await press(page, 'ArrowRight');
  await page.locator('#row-2').waitFor();
  assert.equal(await press(page, 'ArrowRight', 'ArrowRight'), 'row-2', 'a row with nothing inside opens its body');
  await body(page, 'row-2').waitFor();
  await press(page, 'ArrowLeft');
  await body(page, 'row-2').waitFor({ state: 'detached' });
});

test('a key that selects a row takes the focus to the rows, so that Enter opens it', async () => {
  const { page } = await ready(small());
  await button(page, 'Theme').focus();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'timeline');
  const id = await active(page);
  await page.keyboard.press('Enter');
  await until(() => page.evaluate((wanted) => document.activeElement.id === wanted, id.replace('row', 'body')), 'the row is open');
});

test('] [ go through the possible loops, x X through the errors, around the ends', async () => {
  const say = (at, args) => toolCall(at, 'search', args, { hits: 0 });
  const text = jsonl(run('two loops', [
    ...[1, 2, 3, 4, 5].map((at) => say(at, { query: 'x' })),
    llmCall(6, 'p', 'r'),
    toolCall(7, 'fare', {}, null, { error_type: 'Timeout', message: 'late' }),
    ...Array.from({ length: 13 }, (_, at) => toolCall(at + 8, `other_${at}`, { at }, at)),
    ...[21, 22, 23, 24, 25].map((at) => say(at, { query: 'y' })),
    toolCall(26, 'fare', {}, null, { error_type: 'Refused', message: 'no' }),
  ]));
  const { page } = await ready(text);
  await tree(page).focus();
  assert.equal(await press(page, ']'), 'row-1');
  assert.equal(await press(page, ']'), 'row-21');
  assert.equal(await press(page, ']'), 'row-1', 'around the end');
  assert.equal(await press(page, '['), 'row-21');
  assert.equal(await press(page, 'Home', 'x'), 'row-7');
  assert.equal(await press(page, 'x'), 'row-26');
  assert.equal(await press(page, 'x'), 'row-7');
  assert.equal(await press(page, 'X'), 'row-26');
});

test('r goes inwards to the cause of an error, and to the last error before a row that has none', async () => {
  const within = (parent, one) => ({ ...one, parent_id: `e-${parent}` });
  const failing = (at, name, message) => toolCall(at, name, {}, null, { error_type: message, message });
  const { page } = await ready(jsonl(run('nested', [
    failing(1, 'deploy', 'Refused'),
    within(1, failing(2, 'lint', 'Warned')),
    within(1, failing(3, 'upload', 'Refused')),
    within(3, failing(4, 'send', 'Refused')),
    toolCall(5, 'report', {}, 'sent'),
  ])));
  await tree(page).focus();
  await press(page, 'r');
  await page.locator('.live').getByText('There is no error at or before this row').waitFor();
  assert.equal(await press(page, 'j', 'r'), 'row-4', 'the same error, inwards');
  await body(page, 'row-4').waitFor();
  assert.equal(await press(page, 'r'), 'row-4', 'it is its own cause');
  assert.equal(await press(page, 'End', 'k', 'r'), 'row-4');
});

test('A goes to the last words of the main agent', async () => {
  const { page } = await ready(small());
  assert.equal(await press(page, 'A'), 'row-1');
  await body(page, 'row-1').getByText('I look it up.').waitFor();
});

test('P says so if no prompt changed, and y copies a link to the run if no row is selected', async () => {
  const { page } = await it.open('', { context: { permissions: ['clipboard-read', 'clipboard-write'] } });
  await dropText(page, small());
  await page.keyboard.press('y');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await until(async () => /[#&]run=run-1/.test(await copied()), 'the link to the run is copied');
  await page.keyboard.press('P');
  await page.locator('.live').getByText('No earlier LLM call').waitFor();
});

test('j and k go through the files, J to the one that was changed twice; C without another run offers to open one', async () => {
  const edit = (at, file, from, to) => toolCall(at, 'Edit', { file_path: file, old_string: from, new_string: to }, 'ok');
  const { page } = await ready(jsonl(run('edits', [
    edit(1, '/a/long.py', '1\n2\n3', '4\n5\n6'), edit(2, '/a/twice.py', 'a', 'b'), edit(3, '/a/twice.py', 'b', 'c'),
  ])));
  const file = () => page.evaluate(() => document.activeElement.querySelector('.touch__name')?.textContent);
  await page.keyboard.press('4');
  await page.locator('.touch').nth(1).waitFor();
  await page.keyboard.press('j');
  assert.equal(await file(), 'long.py');
  await page.keyboard.press('j');
  assert.equal(await file(), 'twice.py');
  await page.keyboard.press('k');
  await page.keyboard.press('J');
  assert.equal(await file(), 'twice.py');
  await page.keyboard.press('C');
  await page.getByRole('dialog', { name: 'Open another trace' }).waitFor();
});

test('where there is no loop, ] says so', async () => {
  const { page } = await ready(small());
  await press(page, ']');
  await page.locator('.live').getByText('There is no possible loop').waitFor();
});

test('a folded loop is unfolded with Enter', async () => {
  const { page } = await ready(loop(8));
  assert.equal((await labels(page)).length, 5);
  await tree(page).focus();
  assert.match(await press(page, 'j', 'j'), /^fold-/);
  await press(page, 'Enter');
  await until(async () => (await labels(page)).length === 12, 'all eleven rows are there, and the line');
  assert.match(await active(page), /^row-/);
});

test('* and - expand and collapse everything', async () => {
  const { page } = await ready(jsonl(claudeCode()));
  await press(page, '-');
  await page.locator('#row-2').waitFor({ state: 'detached' });
  await press(page, '*');
  await page.locator('#row-2').waitFor();
});

test('? opens help, which names every key; Esc closes it and gives the keyboard back', async () => {
  const { page } = await ready(small());
  await tree(page).focus();
  await press(page, 'j', '?');
  const help = page.getByRole('dialog', { name: 'Shortcuts' });
  await help.waitFor();
  const keys = await help.locator('kbd').allTextContents();
  for (const key of ['j', 'k', 'l', 'h', 'Enter', 'Esc', '[', ']', 'x', '?', 'Home', 'End']) {
    assert.ok(keys.includes(key), `${key} is in the help`);
  }
  assert.equal(await press(page, 'j'), 'row-1', 'keys do not reach through the dialog');
  await press(page, 'Escape');
  await help.waitFor({ state: 'hidden' });
  assert.equal(await focused(page), 'timeline');
  assert.equal(await press(page, 'j'), 'row-2');
});

test('single keys off: nothing happens outside the tree, and in it they still work', async () => {
  const { page } = await ready(small());
  await openSettings(page);
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('checkbox', { name: /Single-key/ }).uncheck();
  await press(page, 'Escape');
  await dialog.waitFor({ state: 'hidden' });
  await button(page, 'Theme').focus();
  await press(page, '?');
  await settled(page);
  assert.equal(await page.getByRole('dialog').count(), 0);
  await tree(page).focus();
  assert.equal(await press(page, 'Home', 'j'), 'row-1');
  // The setting is stored. Control: switched on again, the same key works at the same place.
  await page.reload();
  await mounted(page);
  await button(page, 'Theme').focus();
  await page.keyboard.press('?');
  await settled(page);
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.evaluate(() => localStorage.removeItem('traceloupe.keys'));
  await page.reload();
  await mounted(page);
  await button(page, 'Theme').focus();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
});

test('with Ctrl, Alt or Meta the keys are the browser\'s', async () => {
  const { page } = await ready(small());
  await tree(page).focus();
  assert.equal(await press(page, 'Control+j', 'Alt+j', 'Meta+j'), 'row-0');
  assert.equal(await alert(page).count(), 0);
});

test('keys of a field stay in the field', async () => {
  const { page } = await it.open();
  await page.getByLabel('or open an address').focus();
  await page.keyboard.type('t?o');
  assert.equal(await page.getByLabel('or open an address').inputValue(), 't?o');
  assert.equal(await page.getByRole('dialog').count(), 0);
});
