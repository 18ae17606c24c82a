// The filter of rows: typing, suggestions, chips, hiding and dimming, and the link.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claudeCode, jsonl, llmCall, loop, run, small, toolCall } from './fixtures.mjs';
import { button, dropText, labels, row, rows, stage, until } from './reader.mjs';

const it = stage();
const field = (page) => page.getByRole('combobox', { name: 'Search and filter' });
const bar = (page) => page.getByRole('region', { name: 'Row filter' });
const left = (page) => bar(page).getByRole('status').textContent();
const hash = (page) => page.evaluate(() => location.hash);
const focused = (page) => page.evaluate(() => document.activeElement.id);
const shows = (page, n) => until(async () => await rows(page).count() === n, `${n} rows are shown`);
/** Types a filter and enters it. */
async function enter(page, text) {
  await field(page).fill(text);
  await page.keyboard.press('Enter');
}
async function ready(text, fragment = '', options = undefined) {
  const opened = await it.open(fragment, options);
  await dropText(opened.page, text);
  await rows(opened.page).first().waitFor();
  return opened;
}
/** A run of tools that name files. */
const files = () => jsonl(run('files', [
  llmCall(1, [{ role: 'user', content: 'Fix the total in src/cart/total.ts' }], { role: 'assistant', content: 'I read it.' }),
  toolCall(2, 'read', { path: 'src/cart/total.ts' }, 'let total'),
  toolCall(3, 'read', { path: 'docs/total.md' }, 'The total'),
  toolCall(4, 'bash', { command: 'npm test' }, 'exit 1'),
  toolCall(5, 'write', { path: 'src/cart/index.ts' }, 'done'),
]));

test('terms are typed, shown as chips, removed, and kept in the link', async () => {
  const { page } = await ready(small());
  await page.keyboard.press('F');
  assert.equal(await focused(page), 'search-input');
  await page.keyboard.type('kind:tool-call -tool:book');
  await page.keyboard.press('Enter');
  await shows(page, 2);
  assert.equal(await left(page), '2 of 6 rows');
  assert.equal(await hash(page), '#filter=kind:tool-call%20-tool:book');
  assert.equal(await field(page).inputValue(), '', 'what is entered has become chips');
  await enter(page, 'status:failed');
  await shows(page, 1);
  await button(page, 'Remove from the filter: -tool:book').click();
  await button(page, 'Remove from the filter: status:error').click();
  await shows(page, 3);
  assert.equal(await focused(page), 'timeline');
  await button(page, 'Clear filters').click();
  await shows(page, 6);
  assert.equal(await hash(page), '');
});

test('text and paths are found in lines that were never drawn', async () => {
  const many = jsonl(run('many', Array.from({ length: 3_000 }, (_, at) => (
    toolCall(at + 1, 'read', { path: `${at % 100 === 7 ? 'src' : 'docs'}/file-${at}.ts` }, at)))));
  const { page } = await ready(many);
  await enter(page, 'file:src/');
  await until(async () => await left(page) === '30 of 3,002 rows', 'all are found');
  await enter(page, 'text:file-2907');
  await shows(page, 1);
  await button(page, 'Clear filters').click();
  await until(async () => await rows(page).count() > 10, 'all are back');
});

test('a path is what a call names, a text what any line says', async () => {
  const { page } = await ready(files());
  await enter(page, 'file:src/');
  await shows(page, 2);
  await enter(page, '-tool:write');
  await shows(page, 1);
  await button(page, 'Clear filters').click();
  await enter(page, 'text:"read it"');
  await shows(page, 1);
  const other = await it.open('#filter=file:total%20tool:read');
  await dropText(other.page, files());
  await shows(other.page, 2);
});

test('what is wrong is named, nothing is lost, and nothing is filtered', async () => {
  const { page } = await ready(small());
  await enter(page, 'status:bad dur:fast');
  const alert = page.getByRole('alert', { name: 'Row filter' });
  assert.match(await alert.innerText(), /status:bad: “bad” is not a value of status/);
  assert.match(await alert.innerText(), /“fast” is not a number/);
  assert.equal(await field(page).inputValue(), 'status:bad dur:fast');
  assert.equal(await field(page).getAttribute('aria-invalid'), 'true');
  await shows(page, 6);
  await enter(page, 'tool:book');
  await shows(page, 1);
  assert.equal(await alert.count(), 0);
  await button(page, 'Clear filters').click();
  // Any text can be searched for; an unknown key is explained if nothing is found.
  await field(page).fill('tol:book');
  await until(async () => await page.locator('#search-count').getAttribute('data-done') === 'true', 'the search is done');
  assert.equal(await alert.count(), 0);
  await page.keyboard.press('Enter');
  await until(async () => await alert.count() === 1, 'the key is named');
  assert.match(await alert.innerText(), /tol:book: there is no key “tol”.*Did you mean “tool”/);
  const other = await it.open('#filter=dur:fast');
  await dropText(other.page, small());
  await shows(other.page, 6);
  assert.equal(await field(other.page).inputValue(), 'dur:fast');
});

test('one field searches and filters: known keys are terms, all else is text', async () => {
  const { page } = await ready(files());
  await field(page).fill('total tool:read');
  await until(async () => /q=total/.test(await hash(page)), 'the text is searched for while the term waits');
  assert.equal(await bar(page).count(), 0);
  await page.keyboard.press('Enter');
  await shows(page, 2);
  assert.equal(await field(page).inputValue(), 'total');
  assert.equal(await page.locator('.filter__term bdi').textContent(), 'tool:read');
  await page.keyboard.press('Escape');
  assert.equal(await field(page).inputValue(), '', 'Esc ends the search');
  await shows(page, 2);
  // A text that looks like a term can still be searched for.
  await field(page).fill('path:src');
  const offers = page.getByRole('listbox', { name: 'Keys and values' });
  await offers.getByRole('option', { name: /search for it as text/ }).click();
  await until(async () => /q=path/.test(await hash(page)), 'it is a text');
  assert.equal(await field(page).inputValue(), 'path:src');
  await shows(page, 2);
});

test('keys and values are offered and taken by keyboard and mouse', async () => {
  const { page } = await ready(small());
  await field(page).focus();
  const offers = page.getByRole('listbox', { name: 'Keys and values' });
  await offers.waitFor();
  assert.equal(await offers.getByRole('option').count(), 14);
  await page.keyboard.type('to');
  await until(async () => await offers.getByRole('option').count() === 2, 'tool and tok are left');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal(await field(page).inputValue(), 'tool:');
  assert.deepEqual(await offers.locator('code').allTextContents(), ['tool:station_search', 'tool:fare', 'tool:book', 'tool:'],
    'the last one is what is typed, as a text');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.equal(await field(page).getAttribute('aria-activedescendant'), 'filter-offers-1');
  await page.keyboard.press('Enter');
  await shows(page, 1);
  assert.match((await labels(page))[0], /fare/);
  await page.keyboard.type('status:');
  await offers.getByRole('option', { name: 'status:ok' }).click();
  await until(async () => await page.getByText('No rows match the filter').count() === 1, 'nothing is left');
  await button(page, 'Show all rows').click();
  await shows(page, 6);
});

test('an unknown name is told with one like it', async () => {
  const { page } = await ready(small());
  await enter(page, 'tool:fair');
  await page.getByText('Nothing in this run matches tool:fair. Did you mean “fare”?').waitFor();
});

test('rows that do not match are hidden or dimmed, and the link says which', async () => {
  const { page } = await ready(small());
  await enter(page, 'tool:fare');
  await shows(page, 1);
  await button(page, 'Dim').click();
  await shows(page, 6);
  assert.equal(await page.locator('.row[data-dim="true"]').count(), 5);
  assert.equal(await row(page, /fare/).getAttribute('data-dim'), null);
  assert.equal(await left(page), '1 of 6 rows');
  assert.equal(await hash(page), '#filter=tool:fare&dim=1');
  const other = await it.open('#filter=tool:fare&dim=1');
  await dropText(other.page, small());
  await until(async () => await other.page.locator('.row[data-dim="true"]').count() === 5, 'they are dimmed there too');
  await button(page, 'Hide').click();
  await shows(page, 1);
});

test('tool calls are told apart by what the tools do, in the list, the field and the link', async () => {
  const calls = ['Bash', 'Read', 'Bash', 'Grep', 'mcp__ledger__query', 'book'];
  const { page } = await ready(jsonl(run('kinds', calls.map((name, at) => toolCall(at + 1, name, { at }, at)))));
  const kinds = page.getByRole('list', { name: 'Kinds', exact: true }).getByRole('button');
  const words = (await kinds.allInnerTexts()).map((it) => it.replace(/\s+/g, ' ').trim());
  for (const it of ['Shell 2', 'Read 1', 'Search 1', 'MCP 1', 'Other tools 1']) assert.ok(words.includes(it), `${it}: ${words}`);
  assert.ok(!words.some((it) => it.startsWith('Tool calls')), words.join());
  await kinds.filter({ hasText: 'Shell' }).click();
  await shows(page, 2);
  assert.equal(await hash(page), '#filter=kind:shell');
  await kinds.filter({ hasText: 'MCP' }).click();
  await shows(page, 3);
  assert.equal(await kinds.filter({ hasText: 'MCP' }).getAttribute('aria-pressed'), 'true');
  await button(page, 'Clear filters').click();
  await page.keyboard.press('F');
  await page.keyboard.type('kind:');
  const offers = page.getByRole('listbox', { name: 'Keys and values' });
  await offers.getByRole('option', { name: 'kind:tool-call 6' }).click();
  await shows(page, 6);
  const other = await it.open('#filter=kind:read%2Cother-tool');
  await dropText(other.page, jsonl(run('kinds', calls.map((name, at) => toolCall(at + 1, name, { at }, at)))));
  await shows(other.page, 2);
});

test('chips with counts: failed, loops, tools, models', async () => {
  const { page } = await ready(loop(6));
  const chip = (list, name) => page.getByRole('list', { name: list, exact: true }).getByRole('button', { name });
  await chip('Kinds', /^In possible loops\s*6/).click();
  await shows(page, 6);
  await chip('Kinds', /^In possible loops/).click();
  await chip('Tools', /^search\s*6/).click();
  await shows(page, 6);
  await chip('Tools', /^finish/).click();
  await shows(page, 7);
  assert.equal(await hash(page), '#filter=tool:search%2Cfinish');
  const other = await ready(small());
  await other.page.getByRole('list', { name: 'Models' }).getByRole('button', { name: /^model-1/ }).click();
  await shows(other.page, 1);
});

test('a name in an opened row and in the statistics filters by it', async () => {
  const { page } = await ready(files());
  await row(page, /write/).click();
  await button(page, 'Show only tool:write').click();
  await shows(page, 1);
  await button(page, 'Show only file:src/cart/index.ts').click();
  assert.equal(await hash(page), '#filter=file:src/cart/index.ts');
  await shows(page, 1);
  await page.keyboard.press('Escape');
  await page.keyboard.press('i');
  await page.getByRole('tabpanel', { name: 'Statistics' }).getByRole('button', { name: 'read' }).click();
  await shows(page, 2);
  assert.equal(await page.getByRole('tabpanel', { name: 'Statistics' }).count(), 0);
});

test('on a phone the filter is a line above the rows while something is filtered', async () => {
  const { page } = await ready(small(), '', { context: { viewport: { width: 390, height: 844 } } });
  assert.equal(await bar(page).isVisible(), false);
  await button(page, 'Filters').click();
  await page.getByRole('list', { name: 'Tools' }).getByRole('button', { name: /^fare/ }).click();
  await button(page, 'Show the rows').click();
  await shows(page, 1);
  assert.equal(await left(page), '1 of 6 rows');
  await button(page, 'Clear filters').click();
  await shows(page, 6);
  assert.equal(await bar(page).isVisible(), false);
});

test('text of a trace in the filter stays text', async () => {
  const evil = '<img src=x onerror=alert(1)>';
  const { page } = await ready(jsonl(claudeCode({ tool: evil })));
  await page.getByRole('list', { name: 'Tools' }).getByRole('button').first().click();
  await shows(page, 1);
  assert.equal(await page.locator('.filter__term bdi').textContent(), `tool:"${evil}"`);
  assert.equal(await page.locator('.filter img').count(), 0);
});

test('on a narrow screen the findings take the place of the filters that cover them', async () => {
  const { page } = await ready(loop(4), '', { context: { viewport: { width: 390, height: 844 } } });
  await page.getByRole('button', { name: 'Filters' }).click();
  const side = page.locator('.side');
  await side.waitFor();
  await page.keyboard.press('f');
  await page.getByRole('complementary', { name: 'All findings' }).waitFor();
  assert.equal(await side.isVisible(), false);
});
