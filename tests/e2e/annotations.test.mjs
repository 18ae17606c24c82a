// Annotations on the page: shown at their targets, created, stored, edited, exported. Also the filter of
// runs, full-page images, and traces inside the link.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { body, button, drop, dropText, labels, row, rows, shown, stage, summary, until } from './reader.mjs';

const it = stage();

const PICTURE = await readFile(new URL('../../public/picture.png', import.meta.url), 'base64');

const MESSAGES = [
  { role: 'user', content: 'first line 😀 of it\nsecond line\nthird' },
  {
    role: 'assistant', content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'find', arguments: { place: 'Graz center' } } }],
  },
  { role: 'tool', tool_call_id: 'a', content: 'nothing' },
  { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE}` } }] },
  { role: 'assistant', content: '<img src=x onerror=alert(1)>' },
];

const NOTES = [
  { content: 'a range', address: 'messages[0].content:6-13' },
  { content: 'overlapping', address: 'messages.0.content:11-16', extra_metadata: { source: 'analyzer', severity: 'high', status: 'proposed' } },
  { content: 'a line', address: 'messages[0].content:L1', extra_metadata: { source: 'guardrails-error' } },
  { content: 'an argument', address: 'messages[1].tool_calls[0].function.arguments.place:0-4' },
  { content: ':feedback:thumbs-up', address: 'messages[4]' },
  { content: 'a box', address: 'messages[3].content:bbox-0.2,0.2,0.6,0.8' },
  { content: '<b>whole</b>', address: '<root>' },
  { content: 'lost', address: 'messages[99]' },
];

const line = (messages, more = {}) => JSON.stringify({ messages, ...more });
const rail = (page) => page.getByRole('region', { name: 'Annotations' });
const items = (page) => rail(page).locator('.annos__go');
async function marks(page, id) {
  await body(page, id).locator('pre.text').first().waitFor();
  return body(page, id).locator('.annotated').evaluateAll((all) => all.map((one) => [one.textContent, one.dataset.kind, one.title]));
}
const kept = (page) => page.evaluate(() => Object.entries(localStorage)
  .filter(([key]) => key.startsWith('traceloupe.annotations.')).map(([, value]) => JSON.parse(value)));

/** Opens the trace with the annotations. */
async function openNoted(page, notes = NOTES) {
  await dropText(page, line(MESSAGES, { annotations: notes, index: 1 }), 'noted.jsonl');
  await until(async () => (await items(page).count()) === notes.length, 'the annotations are listed');
}

async function saved(page, act) {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return readFile(await download.path(), 'utf8');
}

test('annotations are shown where they point, and as text only', async () => {
  const { page, errors, violations } = await it.open();
  await openNoted(page);
  const said = await items(page).evaluateAll((all) => all.map((one) => [
    one.querySelector('.annos__words').textContent, one.querySelector('.annos__place').textContent,
  ]));
  assert.deepEqual(said, [
    ['a range', 'event 1, text'], ['overlapping', 'event 1, text'], ['a line', 'event 1, line 2'],
    ['an argument', 'event 3, text'], ['Vote up', 'event 5'], ['a box', 'event 4, area'],
    ['<b>whole</b>', 'whole trace'], ['lost', 'messages[99] (there is no such message)'],
  ]);
  const badges = await page.locator('#timeline .badge[data-tone="anno"]').allTextContents();
  assert.deepEqual(badges, ['✎ 3', '✎ 1', '✎ 1', '✎ 1']);

  await items(page).first().click();
  // The emoji counts as two characters, as on Explorer's page.
  assert.deepEqual(await marks(page, 'row-0'), [
    ['line ', 'comment', 'a range'],
    ['😀', 'comment', 'a range\noverlapping'],
    [' of', 'analyzer', 'overlapping'],
    ['second line', 'guardrail', 'a line'],
  ]);
  const comments = body(page, 'row-0').locator('.comment');
  assert.equal(await comments.count(), 3);
  assert.match(await comments.nth(1).textContent(), /analyzer.*high.*proposed.*overlapping/s);
  await items(page).nth(3).click();
  assert.deepEqual(await marks(page, 'row-2'), [['Graz', 'comment', 'an argument']]);
  assert.equal(await page.locator('b', { hasText: 'whole' }).count(), 0);
  assert.deepEqual(errors, []);
  assert.deepEqual(await violations(), []);
});

test('b and the arrows go from annotation to annotation in the order of the rows', async () => {
  const { page } = await it.open();
  await openNoted(page);
  const current = () => rail(page).locator('[aria-current="true"] .annos__words').allTextContents();
  await page.locator('#timeline').focus();
  const order = ['a range', 'overlapping', 'a line', 'an argument', 'a box', 'Vote up', 'a range'];
  for (const words of order) {
    await page.keyboard.press('b');
    assert.deepEqual(await current(), [words]);
  }
  await button(page, 'Previous annotation').click();
  assert.deepEqual(await current(), ['Vote up']);
});

test('another run starts with no annotation marked as the current one', async () => {
  const { page } = await it.open();
  const lines = ['alpha', 'beta'].map((name, index) => line(MESSAGES, { name, index, annotations: [NOTES[0]] }));
  await drop(page, [{ name: 'set.jsonl', bytes: `${JSON.stringify({ metadata: {} })}\n${lines.join('\n')}` }]);
  const isCurrent = () => items(page).first().getAttribute('aria-current');
  await items(page).first().click();
  assert.equal(await isCurrent(), 'true');
  await page.locator('.side__run', { hasText: 'beta' }).click();
  await until(async () => (await page.locator('.side__run[aria-current="true"]').textContent()).includes('beta'), 'beta is shown');
  await items(page).first().waitFor();
  assert.equal(await isCurrent(), null);
});

test('search matches are marked inside annotated text', async () => {
  const { page } = await it.open();
  await openNoted(page);
  await row(page, /first line/).click();
  await page.locator('#search-input').fill('line');
  await until(async () => (await body(page, 'row-0').locator('.annotated mark').count()) === 2, 'both are marked');
});

test('an annotation is made on selected text, kept, found again, changed and deleted', async () => {
  const { page } = await it.open();
  const trace = line(MESSAGES);
  await dropText(page, trace, 'plain.jsonl');
  await row(page, /first line/).click();
  await body(page, 'row-0').locator('pre.text').evaluate((pre) => {
    const text = pre.firstChild;
    getSelection().setBaseAndExtent(text, 20, text, 26);
  });
  await body(page, 'row-0').getByRole('button', { name: 'Annotate', exact: true }).click();
  const form = page.getByRole('form', { name: 'Annotation' });
  assert.deepEqual(await form.locator('label').allTextContents(), ['The selected text', 'Line 2', 'This event']);
  await form.getByRole('textbox').fill('mine');
  await form.getByRole('button', { name: 'Save' }).click();
  await until(async () => (await items(page).count()) === 1, 'it is listed');
  assert.deepEqual((await marks(page, 'row-0')).map(([text]) => text), ['second']);
  const [[own]] = await kept(page);
  assert.deepEqual([own.content, own.address], ['mine', 'messages[0].content:20-26']);

  // The same trace at another place in another file.
  await drop(page, [{ name: 'other.jsonl', bytes: `${line(MESSAGES.slice(0, 1))}\n${trace}\n` }], 'other.jsonl');
  assert.equal(await items(page).count(), 0);
  await page.getByRole('list', { name: 'Runs' }).getByRole('button').nth(1).click();
  await until(async () => (await items(page).count()) === 1, 'it is found again');

  await items(page).first().click();
  const comment = page.locator('.comment');
  await comment.getByRole('button', { name: 'Edit this annotation' }).click();
  await form.getByRole('textbox').fill('changed');
  await form.getByRole('button', { name: 'Save' }).click();
  await until(async () => /changed/.test(await comment.textContent()), 'it is changed');
  await comment.getByRole('button', { name: 'Delete this annotation' }).click();
  await until(async () => (await items(page).count()) === 0, 'it is gone');
  assert.deepEqual(await kept(page), []);
});

test('what is typed is kept at once, and Cancel takes it back', async () => {
  const { page } = await it.open();
  await dropText(page, line(MESSAGES), 'plain.jsonl');
  const field = page.getByRole('form', { name: 'Annotation' }).getByRole('textbox');
  const contents = async () => (await kept(page)).flat().map((own) => own.content);
  const areKept = (...wanted) => until(
    async () => JSON.stringify(await contents()) === JSON.stringify(wanted), `${wanted} is kept`,
  );
  await row(page, /first line/).click();
  await page.keyboard.press('a');
  await field.pressSequentially('half a tho');
  await areKept('half a tho');
  assert.equal(await page.locator('.comment').count(), 0, 'it is in the form alone');
  await field.pressSequentially('ught');
  await areKept('half a thought');
  await page.keyboard.press('Escape');
  await areKept();

  await page.keyboard.press('a');
  await field.fill('whole');
  await page.keyboard.press('Control+Enter');
  await areKept('whole');
  await page.getByRole('button', { name: 'Edit this annotation' }).first().click();
  await field.fill('other');
  await areKept('other');
  await page.keyboard.press('Escape');
  await areKept('whole');
  await page.locator('.comment').getByText('whole').waitFor();
});

test('lines, events, votes and the whole trace can be annotated, and are exported', async () => {
  const { page } = await it.open();
  await openNoted(page, NOTES.slice(0, 1));
  const form = page.getByRole('form', { name: 'Annotation' });
  await row(page, /first line/).click();
  await body(page, 'row-0').locator('pre.text').evaluate((pre) => {
    const walker = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
    let last = null;
    while (walker.nextNode()) last = walker.currentNode;
    getSelection().collapse(last, last.length);
  });
  await body(page, 'row-0').getByRole('button', { name: 'Annotate', exact: true }).click();
  assert.deepEqual(await form.locator('label').allTextContents(), ['Line 3', 'This event']);
  await form.getByRole('textbox').fill('on a line');
  await form.getByRole('button', { name: 'Save' }).click();
  await until(async () => (await items(page).count()) === 2, 'the line is annotated');
  await row(page, /Tool call/).click();
  await body(page, 'row-2').getByRole('button', { name: 'Annotate', exact: true }).click();
  await form.getByLabel('This event').check();
  await form.getByRole('button', { name: '▼ Bad' }).click();
  await until(async () => (await items(page).count()) === 3, 'the vote is there');
  await button(page, 'Annotate the whole trace').click();
  await form.getByRole('textbox').fill('over all\nof it');
  await page.keyboard.press('Control+Enter');
  await until(async () => (await items(page).count()) === 4, 'the trace is annotated');

  const all = [
    NOTES[0].address, 'messages[0].content:L2', 'messages[1].tool_calls[0]', '<root>',
  ];
  const set = JSON.parse(await saved(page, () => button(page, 'Save traces').click()));
  assert.deepEqual(set.messages, MESSAGES);
  assert.equal(set.index, 1);
  assert.deepEqual(set.annotations.map((one) => one.address), all);
  assert.deepEqual(set.annotations.map((one) => one.content),
    ['a range', 'on a line', ':feedback:thumbs-down', 'over all\nof it']);
  const alone = JSON.parse(await saved(page, () => button(page, 'Save as JSON').click()));
  assert.deepEqual(alone.traces[0].annotations, set.annotations);
  // The exported file can be opened again.
  await dropText(page, JSON.stringify(set), 'again.jsonl');
  await until(async () => (await items(page).count()) === 4, 'all of them are in the file');
});

test('a storage error is reported, and the annotation stays until the page is closed', async () => {
  const { page } = await it.open();
  await dropText(page, line(MESSAGES), 'plain.jsonl');
  await page.evaluate(() => {
    Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
  });
  await button(page, 'Annotate the whole trace').click();
  const form = page.getByRole('form', { name: 'Annotation' });
  await form.getByRole('textbox').fill('not kept');
  await form.getByRole('button', { name: 'Save' }).click();
  await until(async () => (await items(page).count()) === 1, 'it is listed');
  assert.match(await page.getByRole('alert', { name: 'Problems' }).textContent(), /could not store your annotation/);
  const alone = JSON.parse(await saved(page, () => button(page, 'Save as JSON').click()));
  assert.equal(alone.traces[0].annotations[0].content, 'not kept');
});

test('runs are filtered by name, annotations and metadata, and are grouped', async () => {
  const { page } = await it.open();
  const lines = ['alpha', 'beta', 'gamma', 'delta'].map((name, at) => line(MESSAGES.slice(0, 1), {
    name, index: at, annotations: at === 2 ? [NOTES[1]] : [],
    metadata: { success: at % 2 === 0, score: at, hierarchy_path: at < 2 ? ['one'] : ['two', 'more'] },
  }));
  await drop(page, [{ name: 'set.jsonl', bytes: `${JSON.stringify({ metadata: {} })}\n${lines.join('\n')}` }]);
  const names = () => page.locator('.side__run .side__name').allTextContents();
  const groups = page.locator('.side__group');
  assert.deepEqual(await names(), ['alpha', 'beta', 'gamma', 'delta']);
  assert.deepEqual(await groups.locator('.side__name').allTextContents(), ['one', 'two / more']);
  const badges = await page.locator('.side__badges').evaluateAll((all) => all.map((one) => one.textContent));
  assert.deepEqual(badges, ['✓', '✗', '◆ 1✓', '✗']);
  const field = page.getByRole('searchbox', { name: 'Filter runs' });
  for (const [filter, expected] of [
    ['TA', ['beta', 'delta']], ['is:annotated', ['gamma']], ['not:annotated', ['alpha', 'beta', 'delta']],
    ['is:invariant', ['gamma']], ['meta:success=true', ['alpha', 'gamma']],
    ['meta:score>=2 a', ['gamma', 'delta']], ['nothing', []], ['', ['alpha', 'beta', 'gamma', 'delta']],
  ]) {
    await field.fill(filter);
    await until(async () => JSON.stringify(await names()) === JSON.stringify(expected), `${filter} filters`);
  }
  await groups.first().click();
  await until(async () => (await names()).length === 2, 'the group is shut');
  await field.fill('is:what');
  assert.match(await page.locator('.side [role="alert"]').textContent(), /is:what/);
});

test('an image fills the page, with its boxes and the place under the pointer', async () => {
  const { page } = await it.open();
  await openNoted(page);
  await items(page).nth(5).click();
  await body(page, 'row-3').locator('.image__box').first().waitFor();
  assert.equal(await body(page, 'row-3').locator('.image__box').count(), 1);
  await body(page, 'row-3').getByRole('button', { name: 'Full screen' }).click();
  const dialog = page.getByRole('dialog');
  const image = dialog.locator('img');
  const box = await dialog.locator('.image__box').boundingBox();
  const area = await image.boundingBox();
  assert.ok(Math.abs((box.x - area.x) / area.width - 0.2) < 0.05);
  assert.ok(Math.abs(box.height / area.height - 0.6) < 0.05);
  await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2);
  assert.match(await dialog.locator('figcaption').textContent(), /of \d+ × \d+ px \(0\.(4|5)\d*, 0\.(4|5)\d*\)/);
  await page.keyboard.press('Escape');
  await until(async () => (await dialog.count()) === 0, 'the dialog is closed');
});

test('a trace in the link is opened, and leaves the query', async () => {
  const text = JSON.stringify([{ role: 'user', content: 'grüße > ?' }, { role: 'assistant', content: 'ok' }]);
  for (const base64 of [Buffer.from(text).toString('base64'), Buffer.from(text).toString('base64url')]) {
    const { page, errors } = await it.open(`?trace=${base64}`);
    await shown(page);
    assert.equal((await summary(page)).events, 2);
    assert.match((await labels(page))[0], /grüße > \?/);
    assert.equal(await page.evaluate(() => location.search), '');
    assert.deepEqual(errors, []);
    const again = await it.open(await page.evaluate(() => location.hash));
    await shown(again.page);
    assert.equal(await rows(again.page).count(), 2);
  }
});
