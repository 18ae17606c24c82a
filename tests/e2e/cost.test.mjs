// The cost of calls: estimated from public prices, or as the file states it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonl } from './fixtures.mjs';
import { button, dropText, openSettings, row, stage, until } from './reader.mjs';

const it = stage();

/** A session with two answers. The second one may be from another model, or cut off. */
function session(second = {}) {
  const usage = { input_tokens: 1000, cache_read_input_tokens: 100_000, cache_creation_input_tokens: 2000, output_tokens: 500 };
  const base = { sessionId: 's-1', version: '2.1.0' };
  const answer = (n, more) => ({
    ...base, uuid: `a-${n}`, parentUuid: 'u-1', type: 'assistant', timestamp: `2026-01-05T10:00:0${n}Z`,
    message: {
      id: `msg_${n}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5-20250929', stop_reason: 'end_turn', usage,
      content: [{ type: 'text', text: `Answer ${n}` }], ...more,
    },
  });
  return jsonl([
    { ...base, uuid: 'u-1', parentUuid: null, type: 'user', timestamp: '2026-01-05T10:00:00Z', message: { role: 'user', content: 'Find the bug' } },
    answer(1, {}),
    answer(2, second),
  ]);
}

const open = async (text, options = {}) => {
  const opened = await it.open('', options);
  await dropText(opened.page, text);
  const facts = opened.page.getByRole('region', { name: 'Facts' });
  const cost = async () => /((?:[≈≥] )?\$[\d.]+)\s+cost/.exec(await facts.innerText())?.[1];
  return { ...opened, facts, cost };
};

test('a call, its turn, its model and its run have an estimated cost', async () => {
  const { page, cost, errors } = await open(session());
  // 1,000 × 3 + 100,000 × 0.30 + 2,000 × 3.75 + 500 × 15, in millionths of a dollar.
  const call = row(page, /Answer 1/).first();
  await until(async () => await call.locator('.row__cost').textContent() === '$0.048', 'the call has a cost');
  assert.equal(await row(page, /Find the bug/).first().locator('.row__cost').textContent(), '≈ $0.096');
  assert.equal(await cost(), '≈ $0.096');
  await call.click();
  const made = page.locator('.cost');
  await made.waitFor();
  const words = await made.innerText();
  assert.match(words, /Input\s+1,000\s+\$3\s+\$0\.003/);
  assert.match(words, /Cache reads\s+100,000\s+\$0\.3\s+\$0\.030/);
  assert.match(words, /Cache writes\s+2,000\s+\$3\.75/);
  assert.match(words, /Output\s+500\s+\$15/);
  assert.match(words, /prices of Anthropic for claude-sonnet-4-5 in genai-prices \S+ of 20\d\d-\d\d-\d\d/);
  await page.keyboard.press('i');
  const table = page.getByRole('region', { name: 'By model', exact: true });
  await table.waitFor();
  assert.match(await table.innerText(), /claude-sonnet-4-5\s+2\s[^\n]*≈ \$0\.096/);
  assert.deepEqual(errors, []);
});

test('a sum that lacks a call is a lower bound, and says so', async () => {
  const { page, facts, cost } = await open(session({ model: 'own-model-1' }));
  await until(async () => await cost() === '≥ $0.048', 'the sum is a lower bound');
  assert.match(await facts.getByRole('button', { name: /cost/ }).getAttribute('title'), /Excludes 1 LLM call/);
  const unknown = row(page, /Answer 2/).first();
  assert.equal(await unknown.locator('.row__cost').textContent(), '');
  await unknown.click();
  await page.locator('.body__blocks').waitFor();
  assert.equal(await page.locator('.cost').count(), 0);
});

test('tokens counted before the end are a lower bound', async () => {
  const { page } = await open(session({ stop_reason: null }));
  const call = row(page, /Answer 2/).first();
  await until(async () => await call.locator('.row__cost').textContent() === '≥ $0.048', 'the cost is a lower bound');
});

test('a cost that the file states wins', async () => {
  const step = {
    id: 'g-1', traceId: 't-1', type: 'GENERATION', name: 'answer', model: 'claude-sonnet-4-5', startTime: '2026-01-05T10:00:00Z',
    endTime: '2026-01-05T10:00:01Z', input: [{ role: 'user', content: 'Hello' }], output: { role: 'assistant', content: 'Answer' },
    usage: { input: 1000, output: 500, total: 1500, unit: 'TOKENS' }, calculatedTotalCost: 0.5,
  };
  const trace = { id: 't-1', name: 'chat', timestamp: '2026-01-05T10:00:00Z', observations: [step], totalCost: 0.75, projectId: 'p' };
  const { page, cost } = await open(JSON.stringify(trace));
  await until(async () => (await page.locator('.row__cost').allTextContents()).includes('$0.50'), 'the call has its cost');
  assert.equal(await cost(), '$0.75');
});

test('without the list nothing is estimated', async () => {
  const opened = await it.open('', { prepare: (page) => page.route('**/prices*.json', (route) => route.abort()) });
  const { page } = opened;
  await dropText(page, session());
  await row(page, /Answer 1/).first().waitFor();
  assert.deepEqual(await page.locator('.row__cost').allTextContents().then((all) => all.filter(Boolean)), []);
});

test('own prices win, are kept, and name lines that are not understood', async () => {
  const { page, cost, errors } = await open(session({ model: 'own-model-1' }));
  await until(async () => await cost() === '≥ $0.048', 'one call has no price');
  await row(page, /Answer 2/).first().click();
  await page.getByText('No price is known for own-model-1.').waitFor();
  await page.getByRole('button', { name: 'Enter a price…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add a line for own-model-1' }).click();
  const field = dialog.getByLabel('Own prices');
  assert.equal(await field.inputValue(), 'own-model-1 ');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'own-prices');
  await field.fill('own-model-1 1');
  await field.blur();
  await dialog.getByText('Line 1: expected a name and at least two prices.').waitFor();
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  // 103,000 tokens of input at 10 and 500 of output at 20; the other call at list prices.
  await field.fill('own-model-1 $10 20');
  await field.blur();
  await dialog.getByText('1 price entered.').waitFor();
  assert.equal(await dialog.getByRole('button', { name: /Add a line/ }).count(), 0);
  await page.keyboard.press('Escape');
  await until(async () => await cost() === '≈ $1.09', 'both calls have a price');
  await page.getByText('Estimated with your own prices.').waitFor();
  await page.reload();
  await dropText(page, session({ model: 'own-model-1' }));
  await until(async () => await cost() === '≈ $1.09', 'the price is kept');
  await openSettings(page);
  await dialog.getByRole('button', { name: 'Restore defaults' }).click();
  assert.equal(await field.inputValue(), 'own-model-1 $10 20', 'what was entered stays');
  assert.deepEqual(errors, []);
});

test('another list of prices replaces the one of the page, and no other file does', async () => {
  const { page, cost, errors } = await open(session());
  await until(async () => await cost() === '≈ $0.096', 'the prices of the page');
  await openSettings(page);
  const input = page.getByRole('dialog').getByLabel(/Another price list/);
  const give = (text) => input.setInputFiles({ name: 'prices.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await give('{"providers": []}');
  await page.getByText('This file is not a price list').first().waitFor();
  await give(JSON.stringify({
    source: 'contract', date: '2026-02-01',
    providers: [{ id: 'own', name: 'Own', models: '^claude-', prices: [['^claude-', { i: 1, o: 10 }]] }],
  }));
  await page.getByText('Estimated with the prices of contract of 2026-02-01').waitFor();
  await page.keyboard.press('Escape');
  await until(async () => await cost() === '≈ $0.22', 'its prices count');
  assert.deepEqual(errors, []);
});
