// Going from match to match: the mark is on the screen and is the text searched for, wherever the match is. `node
// tests/e2e/lands.full.mjs` does the same for 200 random matches in real files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { FILES } from './landing-files.mjs';
import { claudeCode, jsonl, llmCall, run, toolCall } from './fixtures.mjs';
import { pickFiles } from './harness.mjs';
import { fault, landed, random, searched, strings, word } from './landing.mjs';
import { active, body, dropText, noShared, settled, SHARED, shown, stage, tree, until } from './reader.mjs';

const it = stage();

const ready = async (text, options = {}) => {
  const opened = await it.open('', options);
  await dropText(opened.page, text);
  return opened.page;
};

/** Presses Enter in the search field; returns the fault of the mark after it. */
async function step(page, text, key = 'Enter') {
  await page.locator('#search-input').press(key);
  return landed(page, text);
}

/** The selected tab in the body of the selected row. */
const tab = async (page) => body(page, await active(page)).locator('[role=tab][aria-selected=true]').textContent();
const current = (page) => page.locator('.list mark[data-current]');
/** The index of the current mark among those of its row. */
const index = (page) => page.evaluate(() => [...document.querySelectorAll('.body__panel mark')]
  .findIndex((one) => one.dataset.current !== undefined));

test('every hit of a row is visited, then those of the next row, and back again', async () => {
  const page = await ready(jsonl(run('some', [
    toolCall(1, 'read', { path: 'a' }, 'a needle, and a needle'),
    toolCall(2, 'read', { path: 'b' }, 'one more needle'),
  ])));
  await searched(page, 'needle');
  const seen = [];
  for (const key of ['Enter', 'Enter', 'Enter', 'Shift+Enter', 'Shift+Enter']) {
    assert.equal(await step(page, 'needle', key), '');
    seen.push(`${await active(page)} ${await index(page)}`);
  }
  assert.deepEqual(seen, ['row-1 0', 'row-1 1', 'row-2 0', 'row-1 1', 'row-1 0']);
});

test('the current mark looks different, in both themes', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const page = await ready(jsonl(run('some', [toolCall(1, 'read', {}, 'needle needle')])), { context: { colorScheme } });
    await searched(page, 'needle');
    await step(page, 'needle');
    const looks = await page.locator('.body__panel mark').evaluateAll((all) => all.map((one) => {
      const style = getComputedStyle(one);
      return [style.backgroundColor, style.outlineStyle];
    }));
    assert.equal(looks.length, 2);
    assert.notEqual(looks[0][0], looks[1][0]);
    assert.deepEqual([looks[0][1], looks[1][1]], ['solid', 'none']);
  }
});

test('what has not been loaded is loaded as far as the hit', async () => {
  const long = `${'hay '.repeat(20_000)}needle${' hay'.repeat(20_000)}`;
  const page = await ready(jsonl(run('long', [toolCall(1, 'read', { path: 'x' }, long)])));
  await searched(page, 'needle');
  assert.equal(await step(page, 'needle'), '');
  assert.equal(await tab(page), 'Details');
});

test('a hit in an earlier message opens the earlier messages', async () => {
  const first = { role: 'user', content: 'Where is the needle?' };
  const page = await ready(jsonl(run('turns', [
    llmCall(1, [first], { role: 'assistant', content: 'Here.' }),
    llmCall(2, [first, { role: 'assistant', content: 'Here.' }, { role: 'user', content: 'Thanks.' }], { role: 'assistant', content: 'Bye.' }),
  ])));
  await searched(page, 'needle');
  for (const row of ['row-1', 'row-2']) {
    assert.equal(await step(page, 'needle'), '');
    assert.equal(await active(page), row);
    assert.equal(await tab(page), 'Details');
  }
});

test('a system message beside others is folded, and a hit in it unfolds it', async () => {
  const page = await ready(jsonl(run('turns', [
    llmCall(1, [{ role: 'system', content: 'Look for the needle.' }, { role: 'user', content: 'Go on.' }], { role: 'assistant', content: 'Here.' }),
    llmCall(2, [{ role: 'system', content: 'Only this.' }], { role: 'assistant', content: 'Bye.' }),
  ])));
  const folded = () => page.locator('.message[data-role="system"] .message__role').evaluateAll((all) => all.map((one) => one.getAttribute('aria-expanded')));
  await page.locator('#row-1').click();
  await until(async () => JSON.stringify(await folded()) === '["false"]', 'it is one line');
  await page.locator('#row-1').click();
  await page.locator('#row-2').click();
  await until(async () => JSON.stringify(await folded()) === '["true"]', 'alone it is shown');
  await page.locator('#row-2').click();
  await searched(page, 'needle');
  assert.equal(await step(page, 'needle'), '');
  assert.equal(await active(page), 'row-1');
});

test('a hit that Details does not show is shown in the record, with words that say so', async () => {
  const page = await ready(jsonl(claudeCode()).replaceAll('"uuid":"u-2"', '"uuid":"u-2","odd":"a needle"'));
  await searched(page, 'needle');
  assert.equal(await step(page, 'needle'), '');
  assert.equal(await tab(page), 'JSON');
  await page.locator('.body__beyond').getByText('This match is in data that Details does not show').waitFor();
  // Another search leads back.
  await searched(page, 'a.txt');
  assert.equal(await step(page, 'a.txt'), '');
  assert.equal(await tab(page), 'Details');
});

test('the list of hits leads to the very mark', async () => {
  const text = Array.from({ length: 300 }, (_, at) => `line ${at}: ${at % 60 === 7 ? 'a needle' : 'hay'} of ${at}`).join('\n');
  const page = await ready(jsonl(run('many', [toolCall(1, 'read', { path: 'x' }, text)])));
  await searched(page, 'needle');
  await page.locator('#search-count').click();
  const items = page.getByRole('complementary', { name: 'Matches' }).getByRole('listitem').getByRole('button');
  for (const at of [3, 1, 4]) {
    await items.nth(at).click();
    assert.equal(await landed(page, 'needle'), '');
    assert.equal(await index(page), at);
  }
});

test('Esc ends the search and leaves the reader where it is', async () => {
  const long = `${'**hay** and hay\n\n'.repeat(60)}the needle\n${'hay\n'.repeat(60)}`;
  const page = await ready(jsonl(run('long', Array.from({ length: 30 }, (_, at) => toolCall(at + 1, 'read', { at }, at === 20 ? long : 'hay')))));
  await searched(page, 'needle');
  assert.equal(await step(page, 'needle'), '');
  const place = () => page.evaluate(() => {
    const walk = document.createTreeWalker(document.querySelector('.body__panel'), NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
      const at = node.data.indexOf('needle');
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 6);
      return range.getBoundingClientRect().top;
    }
    return -1;
  });
  const before = await place();
  await page.locator('#search-input').press('Escape');
  await current(page).waitFor({ state: 'detached' });
  await settled(page);
  assert.ok(Math.abs(await place() - before) < 40, `${before} and ${await place()}`);
  assert.equal(await active(page), 'row-21');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'timeline');
  await body(page, 'row-21').waitFor();
});

test('the overview has ticks where hits are', async () => {
  const page = await ready(jsonl(run('many', Array.from({ length: 40 }, (_, at) => toolCall(at + 1, 'read', { at }, at % 13 === 0 ? 'needle' : 'hay')))));
  const ticks = page.locator('.overview__hits path');
  assert.equal(await ticks.count(), 0);
  await searched(page, 'needle');
  await ticks.waitFor({ state: 'attached' });
  assert.equal((await ticks.getAttribute('d')).split('M').length - 1, 4);
  await page.locator('#search-input').press('Escape');
  await ticks.waitFor({ state: 'detached' });
});

test('random hits of real files', async (t) => {
  if (noShared(t)) return;
  for (const name of [FILES[0], FILES[4]]) {
    const { page, errors } = await it.open('', { context: { viewport: { width: 1440, height: 900 } } });
    const file = path.join(SHARED, 'traces', name);
    await pickFiles(page, '#pick-files', [{ name: path.basename(file), bytes: readFileSync(file) }]);
    await tree(page).waitFor({ state: 'attached' });
    await shown(page);
    const [all, next] = [strings(file), random(7)];
    for (let n = 0; n < 5; n += 1) {
      const text = word(all, next);
      if (await searched(page, text) > 0) assert.equal(await step(page, text), '', `${name}: ${text}`);
    }
    assert.equal(await fault(page, 'no such text') === '', false, 'the check can fail');
    assert.deepEqual(errors, []);
    await page.close();
  }
});
