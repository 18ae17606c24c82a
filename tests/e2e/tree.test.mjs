// JSON as a tree: objects and lists fold, a search unfolds its matches, and copying gives the whole value.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { run, toolCall } from './fixtures.mjs';
import { AXE_PATH } from './harness.mjs';
import { drop, row, stage, still, until } from './reader.mjs';

const it = stage();

const VALUE = { order: { number: 7, lines: [{ name: 'bread', price: 3 }, { name: 'salt', price: 1 }], note: 'by hand' }, paid: true };

async function opened() {
  const { page, errors } = await it.open('');
  const text = run('values', [toolCall(1, 'look_up', { at: 1 }, VALUE)]).map((one) => `${JSON.stringify(one)}\n`).join('');
  await drop(page, [{ name: 'events.jsonl', bytes: text }]);
  await row(page, /look_up/).first().click();
  const code = page.locator('.body .code').filter({ hasText: 'paid' });
  await code.waitFor();
  return { page, code, errors };
}

const words = async (code) => (await code.innerText()).replace(/\s+/g, ' ').trim();

test('an object or a list is folded to the number of its lines, and unfolded again', async () => {
  const { code, errors } = await opened();
  const whole = await words(code);
  // The value and the order; two lines of bread and salt are not worth folding.
  assert.equal(await code.locator('.code__fold').count(), 2);
  await code.locator('.code__fold').last().click();
  await until(async () => !(await words(code)).includes('bread'), 'the lines inside are gone');
  assert.match(await words(code), /order: \{ … \d+ lines \}/);
  assert.match(await words(code), /paid: true/);
  await code.getByRole('button', { name: /… \d+ lines/ }).click();
  await until(async () => await words(code) === whole, 'all is there again');
  assert.deepEqual(errors, []);
});

test('a search unfolds what it finds', async () => {
  const { page, code } = await opened();
  await code.locator('.code__fold').last().click();
  await until(async () => !(await words(code)).includes('salt'), 'the order is folded');
  await page.locator('#search-input').fill('salt');
  await until(async () => (await words(code)).includes('salt'), 'the hit is unfolded');
});

const PEOPLE = Array.from({ length: 30 }, (_, at) => ({
  name: `person ${at}`, age: at, address: { city: 'Graz', street: `a long street with many houses and trees, number ${at}` },
}));

async function people(options = {}, suffix = '') {
  const { page, errors } = await it.open(suffix, options);
  const value = { total: 30, people: PEOPLE, 'odd key': ['a text that is too long to stand on one line beside another one', 'and a second one, so that there are two'] };
  const text = run('values', [toolCall(1, 'look_up', { at: 1 }, value)]).map((one) => `${JSON.stringify(one)}\n`).join('');
  await drop(page, [{ name: 'events.jsonl', bytes: text }]);
  await row(page, /look_up/).first().click();
  const code = page.locator('.body .code').filter({ hasText: 'total' });
  await code.waitFor();
  return { page, code, errors, value: page.locator('.body .value').filter({ has: page.locator('.code', { hasText: 'total' }) }) };
}

test('a list of objects is a table, whose rows lead to the items of the tree, and a tree again', async () => {
  const { page, code, errors } = await people();
  const button = code.getByRole('button', { name: 'Table' });
  assert.equal(await button.count(), 1, 'only the list of objects can be a table');
  await button.click();
  const table = code.getByRole('table');
  assert.deepEqual(await table.locator('thead th').allInnerTexts(), ['#', 'name', 'age', 'address']);
  assert.equal(await table.locator('tbody tr').count(), 30);
  assert.deepEqual((await table.locator('tbody tr').nth(2).locator('th, td').allInnerTexts()).slice(0, 3), ['2', 'person 2', '2']);
  assert.equal(await button.getAttribute('aria-pressed'), 'true');
  await table.getByRole('button', { name: '20', exact: true }).click();
  await until(async () => await code.getByRole('table').count() === 0, 'it is a tree again');
  await until(async () => await page.locator('.code__path').innerText() === '$.people[20]', 'the item is chosen');
  const { y } = await code.getByText('person 20').boundingBox();
  assert.ok(y > 0 && y < 720, `it is in view: ${y}`);
  // A search looks into the tree.
  await button.click();
  await page.locator('#search-input').fill('number 25');
  await until(async () => await code.getByRole('table').count() === 0, 'the hit is in the tree');
  assert.deepEqual(errors, []);
});

test('the path and the value of a line are copied, by pointer and by key', async () => {
  const { page, code, value, errors } = await people({ context: { permissions: ['clipboard-read', 'clipboard-write'] } });
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const acts = value.locator('.code__acts');
  await value.getByRole('button', { name: /Show all \d+ lines/ }).first().click();
  assert.equal(await acts.count(), 0);
  await code.getByText('person 3', { exact: false }).first().hover();
  await acts.getByRole('button', { name: 'Copy path' }).click();
  await until(async () => await copied() === '$.people[3].name', 'the path is copied');
  await acts.getByRole('button', { name: 'Copy value' }).click();
  await until(async () => await copied() === 'person 3', 'a string is copied as its text');
  await page.mouse.move(5, 5);
  await until(async () => await acts.count() === 0, 'nothing is over the value');
  // By keyboard: the first line, then the next ones.
  await code.focus();
  for (const path of ['$', '$.total', '$.people', '$.people[0]']) {
    await page.keyboard.press('ArrowDown');
    await until(async () => await page.locator('.code__path').innerText() === path, path);
  }
  await page.keyboard.press('ArrowUp');
  await until(async () => await page.locator('.code__path').innerText() === '$.people', 'one back');
  await acts.getByRole('button', { name: 'Copy value' }).focus();
  await page.keyboard.press('Enter');
  await until(async () => (await copied()).startsWith('['), 'the list is copied');
  assert.deepEqual(JSON.parse(await copied()), PEOPLE);
  await code.getByText('and a second one').hover();
  await until(async () => await page.locator('.code__path').innerText() === '$["odd key"][1]', 'keys that are no names are quoted');
  assert.deepEqual(errors, []);
});

test('what a string holds is decoded, as often as it goes on: JSON, base64, escapes', async () => {
  const inner = JSON.stringify({ city: 'Graz', deeper: JSON.stringify({ street: 'Sporgasse', number: 7 }) });
  const value = {
    as_json: inner, as_base64: Buffer.from(inner).toString('base64'), twice: 'first\\nsecond\\nthird', plain: 'just words',
  };
  const { page, errors } = await it.open('');
  const text = run('values', [toolCall(1, 'look_up', { at: 1 }, value)]).map((one) => `${JSON.stringify(one)}\n`).join('');
  await drop(page, [{ name: 'events.jsonl', bytes: text }]);
  await row(page, /look_up/).first().click();
  const code = page.locator('.body .code').filter({ hasText: 'just words' });
  await code.waitFor();
  const decode = code.getByRole('button', { name: 'Decode' });
  assert.equal(await decode.count(), 3);
  await decode.nth(1).click();
  const shown = code.locator('.code__decoded').first();
  await until(async () => /city: "Graz"/.test(await words(shown)), 'base64 of JSON');
  await shown.getByRole('button', { name: 'Decode' }).click();
  await until(async () => /street: "Sporgasse", number: 7/.test(await words(shown)), 'JSON inside of it');
  await decode.last().click();
  await until(async () => /first\nsecond\nthird/.test(await code.locator('.code__decoded').last().innerText()), 'lines');
  await decode.nth(1).click();
  await until(async () => await code.locator('.code__decoded').count() === 1, 'it is gone again');
  assert.deepEqual(errors, []);
});

test('axe finds nothing in a table and what can be copied', async () => {
  const found = [];
  for (const theme of ['light', 'dark']) {
    for (const width of [1440, 390]) {
      const { page, code } = await people({ context: { viewport: { width, height: 900 }, reducedMotion: 'reduce' } }, `#theme=${theme}`);
      const look = async (name) => {
        await still(page);
        await page.evaluate(readFileSync(AXE_PATH, 'utf8'));
        const rules = { 'label-content-name-mismatch': { enabled: false } };
        const { violations } = await page.evaluate((options) => window.axe.run(document, options), { rules });
        found.push(...violations.map((one) => `${theme} ${width} ${name}: ${one.id} ${one.nodes[0].html.slice(0, 160)}`));
      };
      await code.focus();
      await page.keyboard.press('ArrowDown');
      await look('a line');
      await code.getByRole('button', { name: 'Table' }).click();
      await look('a table');
    }
  }
  assert.deepEqual(found, []);
});
