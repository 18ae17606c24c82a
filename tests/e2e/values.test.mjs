// Values of any size: shown in part, more on request, the whole value as a file; reading stopped and kept.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { event, run, toolCall } from './fixtures.mjs';
import { button, row, rows, shown, stage, tree, until } from './reader.mjs';

const it = stage();

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** An image of several megabytes: data after the end of a PNG is ignored. */
const LARGE_PNG = Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(3_000_000, 7)]);
const WORDS = 'two "words", a tab\t, an é, a 😀 and a \\ at the end of the line\n';

const VALUES = {
  long_string: WORDS.repeat(100_000),
  long_list: Array.from({ length: 200_000 }, (_, at) => at),
  wide_object: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`key ${at}`, at])),
  small_image: `data:image/png;base64,${PNG}`,
  large_image: `data:image/png;base64,${LARGE_PNG.toString('base64')}`,
  after_a_list: { list: Array.from({ length: 1_000 }, (_, at) => at), last: 'the last member' },
};
const DEPTH = 100_000;

/** Tool calls that return the values; JSON.stringify cannot write `deep`. */
function events() {
  const calls = Object.entries(VALUES).map(([name, value], at) => toolCall(at + 1, name, { at }, value));
  return run('values', [...calls, toolCall(calls.length + 1, 'deep', { at: 9 }, 'DEEP')])
    .map((one) => JSON.stringify(one).replace('"DEEP"', () => '['.repeat(DEPTH) + '1' + ']'.repeat(DEPTH)));
}

const asLines = () => events().map((one) => `${one}\n`).join('');
const asDocument = () => {
  const { run_id, spec_version } = event(0, 'RUN_START', 'x');
  const about = { run_id, spec_version, run_name: 'values', status: 'ok', counts: { llm_calls: 0, tool_calls: 7, errors: 0, loop_warnings: 0 } };
  return `{"spec_version":"0.1","run":${JSON.stringify(about)},"events":[\n${events().join(',\n')}\n]}\n`;
};

/** Opens a file with the page's picker, as bytes rather than as text in a message. */
async function pick(page, name, text) {
  await page.locator('#pick-files').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
  await shown(page, name);
}

/** Opens the row of the named tool; returns its body. */
async function openRow(page, name) {
  await row(page, new RegExp(name)).first().click();
  const opened = page.locator('.body').filter({ has: page.locator('.body__blocks') }).last();
  await opened.locator('.block').first().waitFor();
  return opened;
}

const closeRow = (page) => page.getByRole('button', { name: 'Close this event' }).click();

/** The file that a button downloads. */
async function downloaded(page, press) {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

for (const [kind, make] of [['lines', asLines], ['a document', asDocument]]) {
  test(`values in ${kind}: a part at first, more on request, all of it as a file`, async () => {
    const { page, errors, violations } = await it.open('', { context: { acceptDownloads: true } });
    await pick(page, kind === 'lines' ? 'events.jsonl' : 'export.json', make());

    let opened = await openRow(page, 'long_string');
    const texts = () => opened.locator('.block[data-word=result] pre').allTextContents();
    await opened.getByRole('button', { name: /^Show all/ }).click();
    const before = (await texts()).join('');
    assert.ok(before.length > 10_000 && before.length < 40_000, `${before.length} characters`);
    await opened.getByRole('button', { name: /^Show more: .* not shown/ }).click();
    await until(async () => (await texts()).length === 2, 'there is more of the text');
    const after = (await texts()).join('');
    assert.ok(after.length > 5 * before.length && after.length < 400_000, `${after.length} characters`);
    assert.ok(VALUES.long_string.startsWith(after), 'the parts fit together');
    let file = await downloaded(page, () => opened.getByRole('button', { name: /^Download all/ }).click());
    assert.match(file.name, /\.txt$/);
    assert.ok(file.bytes.equals(Buffer.from(VALUES.long_string)), 'the file is the decoded text');
    await closeRow(page);

    opened = await openRow(page, 'long_list');
    await opened.getByRole('button', { name: /^Show all/ }).click();
    const result = opened.locator('.block[data-word=result]');
    await until(async () => /… 199,900 more items/.test(await result.textContent()), 'the rest is counted');
    await result.getByRole('button', { name: 'Show 100 more' }).click();
    await until(async () => /\b199,?\n/.test(await result.locator('pre').first().textContent()), 'the next hundred is there');
    file = await downloaded(page, () => result.getByRole('button', { name: /^Download all/ }).click());
    assert.match(file.name, /\.json$/);
    assert.equal(file.bytes.toString(), JSON.stringify(VALUES.long_list));
    await closeRow(page);

    opened = await openRow(page, 'wide_object');
    await opened.getByRole('button', { name: /^Show all/ }).click();
    await until(async () => /more members/.test(await opened.textContent()), 'members are counted');
    await opened.getByRole('button', { name: 'Show 100 more' }).click();
    await until(async () => /key 199/.test(await opened.textContent()), 'the next hundred is there');
    await closeRow(page);

    opened = await openRow(page, 'after_a_list');
    await opened.getByRole('button', { name: /^Show all/ }).click();
    assert.match(await opened.textContent(), /the last member/);
    await closeRow(page);

    opened = await openRow(page, 'deep');
    await opened.getByRole('button', { name: /^Show all/ }).click();
    await opened.getByText('… deeper').first().waitFor();
    const levels = async () => (await opened.locator('.block[data-word=result] pre').first().textContent()).split('[').length;
    const few = await levels();
    await opened.getByRole('button', { name: 'Show', exact: true }).click();
    await until(async () => await levels() >= few + 20, 'the next levels are there');
    await opened.getByText('… deeper').first().waitFor();
    await closeRow(page);

    opened = await openRow(page, 'small_image');
    await until(() => opened.locator('img').first().evaluate((one) => one.complete && one.naturalWidth === 1), 'it is shown');
    assert.ok(!(await opened.textContent()).includes(PNG), 'the base64 text is not');
    await closeRow(page);

    opened = await openRow(page, 'large_image');
    assert.equal(await opened.locator('img').count(), 0);
    assert.match(await opened.textContent(), /image\/png, 3\.0 MB/);
    await button(opened, 'Show the image').click();
    await until(async () => await opened.locator('img').count() === 1
      && opened.locator('img').evaluate((one) => one.complete && one.naturalWidth === 1), 'it is shown when it is asked for');
    file = await downloaded(page, () => opened.getByRole('button', { name: /^Download all/ }).click());
    assert.match(file.name, /\.png$/);
    assert.ok(file.bytes.equals(LARGE_PNG), 'the file is the image');
    await closeRow(page);

    assert.deepEqual(errors, []);
    assert.deepEqual(await violations(), []);
  });
}

test('reading is stopped and what was read is kept', async () => {
  const { page, errors } = await it.open();
  // Clicked by script as soon as it appears, because reading is too fast for Playwright.
  await page.evaluate(() => {
    new MutationObserver((_, watching) => {
      const stop = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Stop and keep');
      if (stop === undefined) return;
      watching.disconnect();
      stop.click();
    }).observe(document.body, { childList: true, subtree: true });
  });
  const line = JSON.stringify(toolCall(1, 'look', { city: 'Graz' }, 'x'.repeat(900)));
  await page.evaluate((text) => {
    const part = new Blob([`${text}\n`.repeat(4_000)]);
    const transfer = new DataTransfer();
    transfer.items.add(new File(Array(80).fill(part), 'events.jsonl'));
    for (const type of ['dragenter', 'dragover', 'drop']) {
      document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }));
    }
  }, line);
  await shown(page, 'events.jsonl');
  const said = /stopped after [\d.]+ [kM]B of [\d.]+ MB/;
  assert.match(await page.locator('.notes').textContent(), said);
  assert.match(await page.locator('.live').textContent(), said);
  assert.ok(await rows(page).count() > 0);
  await page.locator('.file button').click();
  const dialog = page.getByRole('dialog');
  assert.match(await dialog.textContent(), said);
  const bytes = async (id) => Number(await dialog.locator(id).getAttribute('data-bytes'));
  await until(async () => await bytes('#memory-wasm') > 1_000_000, 'the memory of the reader is told');
  assert.equal(await bytes('#memory-blobs'), 0);
  assert.deepEqual(errors, []);
});

test('a key stops reading, and does nothing when nothing is loading', async () => {
  const { page } = await it.open();
  await pick(page, 'events.jsonl', run('short', [toolCall(1, 'a', {}, 'b')]).map((one) => `${JSON.stringify(one)}\n`).join(''));
  await tree(page).focus();
  await page.keyboard.press('s');
  assert.equal(await page.locator('.notes').filter({ hasText: 'stopped' }).count(), 0);
  await page.keyboard.press('?');
  assert.match(await page.getByRole('dialog').textContent(), /Stop loading and keep what has been read/);
});
