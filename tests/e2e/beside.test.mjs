// The selected row of a waterfall, whose contents are beside the bars if there is room.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AXE_PATH } from './harness.mjs';
import { drop, stage, until } from './reader.mjs';

const it = stage();

const BASE_NS = 1_700_000_000_000_000_000n;

/** A span: its id, its parent's id, start and end in milliseconds, and attributes. */
const span = (id, parent, name, from, to, attributes = {}) => ({
  traceId: '00000000000000000000000000000001',
  spanId: id.toString(16).padStart(16, '0'),
  ...(parent === 0 ? {} : { parentSpanId: parent.toString(16).padStart(16, '0') }),
  name,
  startTimeUnixNano: String(BASE_NS + BigInt(from) * 1_000_000n),
  endTimeUnixNano: String(BASE_NS + BigInt(to) * 1_000_000n),
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } })),
});

const spans = () => JSON.stringify({ resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: { name: 'test' }, spans: [
  span(1, 0, 'plan', 0, 1000),
  span(2, 1, 'chat', 100, 400, {
    'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o', 'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: 'Weather first, then the trains.' }] }]),
  }),
  span(3, 1, 'execute_tool trains', 400, 900, {
    'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'trains', 'gen_ai.tool.call.result': 'Two trains leave before noon.',
  }),
] }] }] });

const ready = async (width = 1440) => {
  const opened = await it.open('', { context: { viewport: { width, height: 900 } } });
  await drop(opened.page, [{ name: 'spans.json', bytes: spans() }]);
  await opened.page.getByRole('tab', { name: 'Waterfall' }).click();
  await opened.page.locator('.axis').waitFor();
  return opened;
};

const panel = (page) => page.getByRole('complementary', { name: 'Selected event' });
const chat = (page) => page.locator('.row[data-look="llm"]');
const tool = (page) => page.locator('.row').filter({ hasText: 'trains' }).last();

test('a row of the waterfall opens beside the bars, which stay where they are', async () => {
  const { page, errors } = await ready();
  assert.match(await chat(page).innerText(), /gpt-4o/, 'a call is named by its model');
  const top = (await tool(page).boundingBox()).y;
  await chat(page).click();
  await panel(page).getByText('Weather first, then the trains.').waitFor();
  assert.equal((await tool(page).boundingBox()).y, top, 'nothing is pushed down');
  const facts = await panel(page).locator('dl').innerText();
  assert.match(facts, /Start\s+22:13:20\.100, 100 ms in/);
  assert.match(facts, /Duration\s+300 ms/);
  assert.match(facts, /On the critical path\s+300 ms \(100%\)/);
  assert.match(facts, /Parent\s+plan/);
  // The panel follows the selection.
  await page.keyboard.press('j');
  await panel(page).getByText('Two trains leave before noon.').waitFor();
  assert.equal(await panel(page).getByText('Weather first').count(), 0);
  await page.evaluate(readFileSync(AXE_PATH, 'utf8'));
  const found = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(found.violations.map((one) => one.id), []);
  // A second click closes it, and so does the button.
  await tool(page).click();
  await panel(page).waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await panel(page).getByRole('button', { name: 'Close this event' }).click();
  await panel(page).waitFor({ state: 'detached' });
  assert.deepEqual(errors, []);
});

test('the way to the parent leads there', async () => {
  const { page } = await ready();
  await chat(page).click();
  await panel(page).getByRole('button', { name: 'plan' }).click();
  await until(async () => /plan/.test(await page.locator('.row[aria-selected="true"]').innerText()), 'the parent is selected');
  await panel(page).getByRole('heading', { name: 'plan' }).waitFor();
});

test('a hit of the search is shown in the panel', async () => {
  const { page } = await ready();
  await page.keyboard.press('/');
  await page.keyboard.type('before noon');
  await page.keyboard.press('Enter');
  // Even though Enter was pressed before the match was found.
  const mark = panel(page).locator('mark[data-current]');
  await mark.waitFor();
  assert.equal(await mark.innerText(), 'before noon');
});

test('in a narrow window the contents are below the row', async () => {
  const { page } = await ready(1000);
  await chat(page).click();
  await page.locator('.list .body').getByText('Weather first').waitFor();
  assert.equal(await panel(page).count(), 0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await panel(page).getByText('Weather first').waitFor();
  assert.equal(await page.locator('.list .body').count(), 0);
});

test('the critical path can be left out', async () => {
  const { page } = await ready();
  const line = page.locator('.row__bar b').first();
  assert.ok(await line.isVisible());
  const button = page.getByRole('button', { name: 'Critical path' });
  await page.locator('.foot').getByText('Underlined: critical path, 1.0 s').waitFor();
  await button.click();
  assert.equal(await button.getAttribute('aria-pressed'), 'false');
  assert.ok(!await line.isVisible());
});

test('what was tried again is a table, and errors say whether a try worked', async () => {
  const { page, errors } = await it.open('', { context: { viewport: { width: 1440, height: 900 } } });
  const status = (code) => ({ status: { code } });
  const bytes = JSON.stringify({ resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: { name: 'test' }, spans: [
    span(1, 0, 'plan', 0, 1000),
    span(2, 1, 'execute_tool pay', 100, 900, { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'pay' }),
    { ...span(3, 2, 'POST /pay', 150, 250, { 'http.request.method': 'POST' }), ...status(2) },
    { ...span(4, 2, 'POST /pay', 450, 500, { 'http.request.method': 'POST' }), ...status(2) },
    { ...span(5, 2, 'POST /pay', 600, 900, { 'http.request.method': 'POST' }), ...status(1) },
  ] }] }] });
  await drop(page, [{ name: 'spans.json', bytes }]);
  await page.getByRole('tab', { name: 'Waterfall' }).click();
  await page.locator('.findings').getByText('then it worked').waitFor();
  await page.locator('.row').filter({ hasText: '2 of 3 failed' }).click();
  const tries = page.getByRole('table', { name: 'Attempts' });
  await tries.waitFor();
  const lines = (await tries.locator('tbody tr').allInnerTexts()).map((it) => it.replace(/\s+/g, ' ').trim());
  assert.equal(lines.length, 3);
  assert.match(lines[0], /failed 50 ms 100 ms$/);
  assert.match(lines[1], /failed 200 ms 50 ms$/);
  assert.match(lines[2], /succeeded 100 ms 300 ms$/);
  await tries.getByRole('button').last().click();
  await until(async () => /POST \/pay/.test(await panel(page).getByRole('heading').first().innerText()), 'it leads to the try');
  assert.deepEqual(errors, []);
});
