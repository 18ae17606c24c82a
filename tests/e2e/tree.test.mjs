// JSON as a tree: objects and lists fold, a search unfolds what it finds, and what is copied is the whole value.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, toolCall } from './fixtures.mjs';
import { drop, row, stage, until } from './reader.mjs';

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
  await page.getByRole('searchbox').fill('salt');
  await until(async () => (await words(code)).includes('salt'), 'the hit is unfolded');
});
