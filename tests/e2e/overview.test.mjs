// A run at first sight: the icons and badges of its rows, and the list of findings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claudeCode, event, jsonl, llmCall, loop, run, small, toolCall } from './fixtures.mjs';
import { dropText, headline, labels, row, rows, shown, stage, until } from './reader.mjs';

const it = stage();

const ready = async (text, suffix = '', options = {}) => {
  const opened = await it.open(suffix, options);
  await dropText(opened.page, text);
  return opened;
};

/** The path of each row's icon, by kind. */
const icons = (page) => rows(page).evaluateAll((all) => all.map((one) => {
  const name = one.querySelector('.row__name')?.textContent ?? '';
  const path = one.querySelector('svg.row__icon path')?.getAttribute('d') ?? '';
  return [`${one.querySelector('.row__what > .sr')?.textContent} ${name}`, path];
}));

test('rows of different kinds have different icons, drawn as paths', async () => {
  const { page, errors, violations } = await ready(jsonl(run('icons', [
    event(1, 'STATE_UPDATE', 'state', { state: { phase: 'plan' }, diff: null }),
    llmCall(2, 'p', 'r'),
    ...['search_docs', 'Bash', 'Read', 'Edit', 'Task', 'book_room'].map((name, at) => toolCall(at + 3, name, { at }, 'x')),
    event(9, 'ERROR', 'Timeout', { error_type: 'Timeout', message: 'late' }),
  ])));
  const found = await icons(page);
  assert.equal(found.length, 11);
  for (const [name, path] of found) assert.match(path, /^M/, name);
  assert.equal(new Set(found.map(([, path]) => path)).size, found.length, 'no icon stands for two kinds');
  const texts = await page.locator('.row__icon').allTextContents();
  assert.deepEqual(texts.join(''), '', 'there are no letters');
  const colour = (name) => row(page, name).locator('.row__icon').evaluate((one) => getComputedStyle(one).stroke);
  assert.notEqual(await colour(/search_docs/), await colour(/Bash/), 'the colour says the kind, too');
  assert.deepEqual([errors, await violations()], [[], []]);
});

test('success has no mark; an exit code that a tool prints is a badge and no error', async () => {
  const { page } = await ready(jsonl(run('exits', [
    toolCall(1, 'fine', { at: 1 }, 'done'),
    toolCall(2, 'install', { at: 2 }, 'EXIT CODE: 100\n\nSTDERR:\nPermission denied'),
    toolCall(3, 'zero', { at: 3 }, 'EXIT CODE: 0\n\nSTDOUT:\nok'),
    toolCall(4, 'told', { at: 4 }, 'The manual says: exit code 3 means that the disk is full'),
    toolCall(5, 'last', { at: 5 }, 'several lines\nof output\n[exit code: 2]\n'),
  ])));
  const said = await labels(page);
  const badges = (name) => row(page, name).locator('.badge').allTextContents();
  assert.deepEqual(await badges(/install/), ['exit 100']);
  assert.deepEqual(await badges(/last/), ['exit 2']);
  for (const name of [/fine/, /zero/, /told/]) assert.deepEqual(await badges(name), [], String(name));
  assert.equal(await page.locator('.row__done').count(), 0);
  assert.ok(said.every((label) => !label.includes('✓')), said.join('\n'));
  assert.equal(await row(page, /install/).getAttribute('data-failed'), 'false');
  assert.doesNotMatch(await page.locator('.facts__numbers').textContent(), /error/);
});

test('the exit code of a Claude Code result is read from its first text', async () => {
  const result = [{ type: 'text', text: 'EXIT CODE: 100\n\nSTDOUT:\nE: Permission denied' }];
  const { page } = await ready(jsonl(claudeCode({ result })));
  assert.deepEqual(await row(page, /Bash/).locator('.badge').allTextContents(), ['exit 100']);
});

test('plain records are not said to be free of loops and errors', async () => {
  const { page } = await ready(jsonl(Array.from({ length: 5 }, (_, at) => ({ at, level: 'info', text: 'hello' }))));
  assert.match(await headline(page), /Records/);
  const strip = page.getByRole('region', { name: 'Findings' });
  assert.equal((await strip.textContent()).trim(), 'Not checked for loops and errors: the calls in this file are not recognized');
  await dropText(page, jsonl(run('calls', [toolCall(1, 'a', {}, 'b')])), 'calls.jsonl');
  await until(async () => (await strip.textContent()).trim() === 'No loops or errors found', 'calls were checked');
});

/** Twelve different loops, so that the list of findings is long. */
const loops = () => jsonl(run('loops', [
  ...Array.from({ length: 12 }, (_, tool) => (
    Array.from({ length: 6 }, (__, at) => toolCall(tool * 6 + at + 1, `a_tool_with_a_name_${tool}`, { query: `${tool}` }, { hits: 0 }))
  )).flat(),
  toolCall(80, 'fare', {}, null, { error_type: 'Timeout', message: 'late' }),
]));

const top = (page, selector) => page.locator(selector).first().evaluate((one) => one.getBoundingClientRect().top);

for (const [width, height] of [[1440, 900], [1000, 700], [390, 844]]) {
  test(`the facts are one line, with the worst findings; all are beside the rows: ${width} pixels wide`, async () => {
    const { page } = await ready(loops(), '', { context: { viewport: { width, height } } });
    const tops = await page.locator('.fact').evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    assert.equal(new Set(tops).size, 1, 'the numbers do not wrap');
    assert.ok(await top(page, '.list') <= (width > 1100 ? 185 : width > 860 ? 200 : 130), 'the rows begin high up');
    const strip = page.getByRole('region', { name: 'Findings' });
    const sentences = strip.locator('.sentence:visible');
    assert.equal(await sentences.count(), width > 860 ? 2 : 0, 'sentences');
    const all = strip.getByRole('button', { name: /all findings$/ });
    assert.equal(await all.getAttribute('aria-expanded'), 'false');
    await all.click();
    const panel = page.getByRole('complementary', { name: 'All findings' });
    await until(() => panel.locator('.finding[aria-current]').evaluate((one) => one === document.activeElement), 'the chosen finding has the keyboard');
    assert.equal(await panel.locator('.finding').count(), 13);
    await panel.locator('.finding[data-severity="error"]').scrollIntoViewIfNeeded();
    assert.ok(await panel.evaluate((one) => one.clientHeight > 300), 'there is room for it');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await until(() => all.evaluate((one) => one === document.activeElement), 'the keyboard is back');
  });
}

test('a finding shows its evidence, and each line leads to its row', async () => {
  const { page } = await ready(loop(4));
  await page.keyboard.press('f');
  const panel = page.getByRole('complementary', { name: 'All findings' });
  const lines = panel.locator('.evidence tbody tr');
  assert.equal(await lines.count(), 4);
  await lines.nth(2).locator('td').nth(1).click();
  await until(async () => await page.locator('#row-3').getAttribute('aria-selected') === 'true', 'the third call is selected');
  await until(async () => await lines.nth(2).getAttribute('data-now') === 'true', 'its line says so');
  assert.deepEqual(await page.locator('[data-bracket]').evaluateAll((all) => all.map((one) => one.dataset.bracket).filter((it) => it !== 'inside')),
    ['first', 'last']);
});

test('the list of findings leads to the one that is chosen, and says what it stands on', async () => {
  const { page } = await ready(loops());
  const selected = () => page.locator('.row[aria-selected="true"]').innerText();
  await page.keyboard.press('f');
  const panel = page.getByRole('complementary', { name: 'All findings' });
  const chosen = panel.locator('.finding[aria-current]');
  const evidence = panel.getByRole('region', { name: 'Evidence' });
  await until(async () => /a_tool_with_a_name/.test(await selected()), 'the timeline is at the first finding');
  assert.match(await chosen.innerText(), /a_tool_with_a_name[^]*\n6 events from 2/);
  assert.match(await evidence.innerText(), /^The possible loop at event 2/);
  const error = panel.locator('.finding[data-severity="error"]');
  await error.click();
  await until(async () => /fare/.test(await selected()), 'the timeline is at the error');
  assert.equal(await error.getAttribute('aria-current'), 'true');
  assert.equal(await chosen.count(), 1);
  assert.match(await evidence.innerText(), /^The error at event /);
  await panel.getByRole('button', { name: 'Previous finding' }).click();
  await until(async () => (await chosen.getAttribute('data-severity')) !== 'error', 'the one before it');
  // The finding of the selected row is the one that is explained.
  await error.click();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await page.keyboard.press('f');
  await until(async () => (await chosen.getAttribute('data-severity')) === 'error', 'the error is explained');
});

test('the text of an error is shown whole, and up and down choose among the findings', async () => {
  const message = ['no such flight', ...Array.from({ length: 20 }, (_, at) => `  at step ${at} of the search`)].join('\n');
  const { page } = await ready(jsonl(run('errors', [
    toolCall(1, 'fare', {}, null, { error_type: 'Timeout', message: 'late' }),
    toolCall(2, 'seat', {}, null, { error_type: 'Lookup', message }),
  ])));
  await page.keyboard.press('f');
  const panel = page.getByRole('complementary', { name: 'All findings' });
  const entries = panel.locator('.finding');
  const said = panel.locator('.evidence__said');
  await entries.first().click();
  await until(async () => /late/.test(await said.innerText()), 'why the first one failed');
  await page.keyboard.press('ArrowDown');
  await until(async () => /no such flight/.test(await said.innerText()), 'why the second one failed');
  assert.equal(await entries.nth(1).getAttribute('aria-current'), 'true');
  assert.ok(await entries.nth(1).evaluate((one) => one === document.activeElement), 'it has the keyboard');
  assert.match(await said.innerText(), /no such flight\n  at step 0/);
  assert.doesNotMatch(await said.innerText(), /step 19/);
  await said.getByRole('button', { name: /^Show all/ }).click();
  await until(async () => /step 19/.test(await said.innerText()), 'all of it');
  assert.equal(await panel.evaluate((one) => one.querySelectorAll('.evidence').length), 1);
  await entries.nth(1).focus();
  await page.keyboard.press('ArrowUp');
  await until(async () => await entries.first().getAttribute('aria-current') === 'true', 'back');
});

test('some findings stay in sight, however long the evidence is', async () => {
  const message = Array.from({ length: 60 }, (_, at) => `step ${at} of the search`).join('\n');
  const calls = Array.from({ length: 20 }, (_, at) => toolCall(at + 1, `tool_${'abcdefghijklmnopqrst'[at]}`, {}, null, { error_type: 'Lookup', message }));
  const { page } = await ready(jsonl(run('errors', calls)));
  await page.keyboard.press('f');
  const panel = page.getByRole('complementary', { name: 'All findings' });
  await panel.locator('.evidence__said').waitFor();
  const [list, evidence] = await panel.evaluate((one) => ['.panel__list', '.evidence'].map((it) => {
    const found = one.querySelector(it);
    return { scrolls: found.scrollHeight > found.clientHeight, height: found.clientHeight };
  }));
  assert.ok(list.scrolls && list.height >= 200 && evidence.height >= 200, JSON.stringify({ list, evidence }));
  // The chosen finding is scrolled into view, inside the list.
  await panel.locator('.finding').first().focus();
  for (let n = 0; n < 12; n += 1) await page.keyboard.press('ArrowDown');
  const isSeen = () => panel.evaluate((one) => {
    const [list, chosen] = ['.panel__list', '.finding[aria-current]'].map((it) => one.querySelector(it).getBoundingClientRect());
    return chosen.top >= list.top && chosen.bottom <= list.bottom;
  });
  assert.equal(await panel.locator('.finding').nth(12).getAttribute('aria-current'), 'true');
  await until(isSeen, 'it is seen');
});

test('a failed row says why', async () => {
  const { page } = await ready(jsonl(run('errors', [
    toolCall(1, 'fare', {}, null, { error_type: 'Timeout', message: 'no answer\nat all' }),
    toolCall(2, 'seat', {}, null, { error_type: 'Lookup', message: '' }),
  ])));
  const badge = (text) => page.locator('.row .badge[data-tone="error"]').filter({ hasText: text });
  await until(async () => await badge('Timeout').textContent() === 'Timeout: no answer', 'the telling line');
  assert.equal(await badge('Lookup').innerText(), 'Lookup');
});

test('what a finding stands on is marked in the rows and in the overview, while the findings are listed', async () => {
  const { page } = await ready(jsonl(run('errors', [1, 3, 5, 7].flatMap((at) => [
    toolCall(at, 'fare', { at }, null, { error_type: 'Timeout', message: 'late' }),
    ...Array.from({ length: 3 }, (_, nth) => toolCall(at * 10 + nth, `tool_${at}_${nth}`, {}, 'b')),
  ]))));
  const marked = page.locator('.row[data-found="true"]');
  assert.equal(await marked.count(), 0);
  await page.keyboard.press('f');
  await until(async () => await marked.count() === 4, 'the errors are marked');
  const badges = await marked.locator('.badge[data-tone="dim"]').allTextContents();
  assert.deepEqual(badges, ['like 2', 'like 2', 'like 2']);
  assert.deepEqual(await page.locator('.row[data-bracket]').evaluateAll((all) => all.map((one) => one.dataset.bracket).filter((it) => it !== 'inside')),
    ['first', 'last']);
  assert.equal(await page.locator('.overview__alike').count(), 1);
  await page.keyboard.press('Escape');
  await until(async () => await marked.count() === 0, 'no longer');
  assert.equal(await page.locator('.overview__alike').count(), 0);
});

test('a muted finding is no longer counted or marked, until it is unmuted', async () => {
  const { page } = await ready(loop(4));
  await page.keyboard.press('f');
  const panel = page.getByRole('complementary', { name: 'All findings' });
  const strip = page.getByRole('region', { name: 'Findings' });
  const marked = page.locator('.badge[data-tone="loop"]');
  assert.equal(await strip.locator('.sentence').count(), 1);
  assert.equal(await marked.count(), 1);
  await panel.getByRole('button', { name: 'Not a loop' }).click();
  await panel.getByText('1 muted finding').waitFor();
  assert.equal(await strip.locator('.sentence').count(), 0);
  assert.equal(await marked.count(), 0);
  await until(() => panel.getByRole('button', { name: 'Close the findings' }).evaluate((one) => one === document.activeElement),
    'the keyboard is still in the list');
  await panel.getByRole('button', { name: 'A loop after all' }).click();
  await marked.waitFor();
  assert.equal(await strip.locator('.sentence').count(), 1);
});

test('an error is muted like a loop', async () => {
  const { page } = await ready(loops());
  await page.keyboard.press('f');
  const panel = page.getByRole('complementary', { name: 'All findings' });
  const strip = page.getByRole('region', { name: 'Findings' });
  const inStrip = strip.getByRole('button', { name: /^Show the first error/ });
  await inStrip.waitFor();
  await panel.getByRole('button', { name: /fare/ }).first().click();
  await panel.getByRole('button', { name: 'Mute' }).click();
  await panel.getByText('1 muted finding').waitFor();
  assert.equal(await inStrip.count(), 0);
  await panel.getByText('1 muted finding').waitFor();
  await panel.getByRole('button', { name: 'Unmute' }).click();
  await inStrip.waitFor();
});

test('a sentence of the line of facts leads to the event', async () => {
  const { page } = await ready(loops());
  const strip = page.getByRole('region', { name: 'Findings' });
  await strip.getByRole('button', { name: /^Show the first error/ }).click();
  await row(page, /fare/).and(page.locator('[aria-selected="true"]')).waitFor();
  await strip.getByRole('button', { name: /^Show: a_tool_with_a_name/ }).click();
  await row(page, /a_tool_with_a_name/).and(page.locator('[aria-selected="true"]')).waitFor();
});

test('on a phone the bars are one line each, and what is touched is large enough', async () => {
  const { page } = await ready(loops(), '', { context: { viewport: { width: 390, height: 844 } } });
  const box = (selector) => page.locator(selector).first().boundingBox();
  assert.ok((await box('.top')).height <= 49);
  assert.ok((await box('.facts')).height <= 45);
  const bar = await box('.views');
  assert.equal(Math.round(bar.y + bar.height), 844, 'the views are at the bottom');
  assert.ok((await box('.list')).y + (await box('.list')).height <= bar.y + 1, 'they lie over no row');
  const touched = ['.views__filter', '#menu-button', '.top__find', '#all-findings', '.row'];
  for (const selector of touched) {
    const { width, height } = await box(selector);
    assert.ok(width >= 44 && height >= 44, `${selector}: ${width} × ${height}`);
  }
  const search = page.locator('#search-input');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await search.fill('fare');
  await page.locator('#search-count').waitFor();
  assert.ok((await search.boundingBox()).height >= 24, 'the search has a line while it is used');
  await page.keyboard.press('Escape');
  await until(async () => (await box('.top')).height <= 49, 'and gives it back');
});

test('on a phone the views are at the bottom, and lead from the findings back to the rows', async () => {
  const { page } = await ready(jsonl(claudeCode()), '', { context: { viewport: { width: 390, height: 844 } } });
  const tab = page.getByRole('tab', { name: 'Timeline' });
  const { y, width, height } = await tab.boundingBox();
  assert.ok(y > 790 && width >= 44 && height >= 44, `${y}: ${width} × ${height}`);
  await page.keyboard.press('f');
  const panel = page.getByRole('complementary', { name: 'All findings' });
  await panel.waitFor();
  await tab.click();
  await panel.waitFor({ state: 'detached' });
});

test('on a phone the rows take all of the screen below the bars, also while one is open', async () => {
  const { page } = await ready(loop(6), '', { context: { viewport: { width: 390, height: 844 } } });
  const bottoms = () => page.evaluate(() => ['.list', '.main'].map((one) => Math.round(document.querySelector(one).getBoundingClientRect().bottom)));
  await page.locator('.row').nth(2).click();
  await page.locator('.body').waitFor();
  const [list, main] = await bottoms();
  assert.equal(list, main);
});

test('on a phone a finding leads back to its row', async () => {
  const { page } = await ready(loops(), '', { context: { viewport: { width: 390, height: 844 } } });
  const panel = page.getByRole('complementary', { name: 'All findings' });
  await page.keyboard.press('f');
  await panel.getByRole('button', { name: 'Show', exact: true }).click();
  await panel.waitFor({ state: 'detached' });
  await page.locator('.row[aria-selected="true"]').waitFor();
  assert.equal(await page.locator('.row[data-found="true"]').count(), 1, 'it is still marked');
});

test('a panel beside the rows leaves them as high as they are', async () => {
  const { page } = await ready(loops(), '', { context: { viewport: { width: 1024, height: 768 } } });
  const height = () => page.locator('.row').first().evaluate((one) => one.clientHeight);
  assert.equal(await height(), 30);
  await page.keyboard.press('f');
  await page.getByRole('complementary', { name: 'All findings' }).waitFor();
  assert.equal(await height(), 30);
  const tops = await page.locator('.row').evaluateAll((all) => all.slice(0, 3).map((one) => one.offsetTop));
  assert.equal(tops[1] - tops[0], 30);
});

test('on a phone runs and filters are shown instead of the rows, and the bar\'s buttons in its menu', async () => {
  const { page } = await ready(small(), '', { context: { viewport: { width: 390, height: 844 } } });
  assert.equal(await page.locator('.side').isVisible(), false);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.locator('.side').getByRole('button', { name: /^Other tools/ }).click();
  await page.getByRole('button', { name: 'Show the rows' }).click();
  await until(async () => (await labels(page)).length === 2, 'the calls are left');
  assert.equal(await page.getByRole('button', { name: 'Settings' }).isVisible(), false);
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('dialog', { name: 'Settings' }).waitFor();
});

/** A run with every number in the strip, an error, and a loop whose sentence is long. */
const eventful = () => jsonl(run('eventful', [
  llmCall(1, 'p', 'r'),
  ...Array.from({ length: 9 }, (_, at) => toolCall(at + 2, 'search_the_timetable_of_all_stations', { query: 'x' }, { hits: 0 })),
  toolCall(11, 'fare', {}, null, { error_type: 'Timeout', message: 'late' }),
]));

for (const [width, height] of [[360, 500], [500, 500], [1200, 400]]) {
  test(`an embedded page of ${width} × ${height} shows its worst finding`, async () => {
    it.server.put('eventful.jsonl', eventful());
    const { page } = await it.open('#trace=eventful.jsonl&embed=1', { context: { viewport: { width, height } } });
    await shown(page, 'eventful.jsonl');
    assert.match(await page.locator('.sentence:visible').first().innerText(), /search_the_timetable/);
    assert.ok(await top(page, '.list') <= 200, 'the rows begin high up');
    assert.ok(await page.locator('.list').evaluate((one) => one.clientHeight) > 90, 'and there is room for rows');
  });
}

test('a pasted address asks on the page before it leaves an open trace, in a sandbox too', async () => {
  const { page } = await ready(small());
  const paste = (text) => page.evaluate((data) => {
    const transfer = new DataTransfer();
    transfer.setData('text/plain', data);
    document.body.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: transfer }));
  }, text);
  // As in a sandboxed frame without allow-modals.
  await page.evaluate(() => { window.confirm = () => { window.asked = true; return false; }; });
  const address = it.server.address('t/cors/x');
  await paste(address);
  const dialog = page.getByRole('dialog', { name: 'Open another trace?' });
  await dialog.getByText(address).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Keep this trace', 'the harmless answer has the keyboard');
  await dialog.getByRole('button', { name: 'Keep this trace' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await row(page, /station_search/).waitFor();
  await paste(address);
  await Promise.all([
    page.waitForEvent('load'),
    dialog.getByRole('button', { name: 'Open the address' }).click(),
  ]);
  assert.match(await page.evaluate(() => location.hash), /trace=/);
  assert.equal(await page.evaluate(() => window.asked), undefined);
});
