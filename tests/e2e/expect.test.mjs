// Expectations, the TraceSummary, and export in other formats.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { claudeCode, jsonl, loop, small } from './fixtures.mjs';
import { AXE_PATH, dropFiles } from './harness.mjs';
import { active, button, dropText, row, stage, still, until } from './reader.mjs';
import { clipped } from './overflow.mjs';

const it = stage();
const AXE = readFileSync(AXE_PATH, 'utf8');

const dialog = (page, name) => page.getByRole('dialog', { name });
const list = (page) => page.getByRole('complementary', { name: 'Expectations' });
const badges = (page, name) => row(page, name).locator('.badge').allTextContents();

const opened = async (text = small(), options) => {
  const it2 = await it.open('', options);
  await dropText(it2.page, text);
  return it2;
};

async function check(page, text) {
  await page.keyboard.press('c');
  await page.getByRole('textbox', { name: 'Expectations' }).fill(text);
  await button(dialog(page, 'Check against expected calls'), 'Check').click();
}

const EXACT = JSON.stringify({
  type: 'tool_trajectory', mode: 'exact',
  expected: [
    { tool: 'station_search', args: { city: 'Zürich' }, args_match: 'superset' },
    { tool: 'fare', args: { from: 'X' } },
    { tool: 'pay' },
  ],
});

test('hits and misses are listed in AgentV\'s words and shown on the rows', async () => {
  const { page, errors, violations } = await opened();
  await check(page, EXACT);
  await list(page).waitFor();
  assert.equal(await page.locator('dialog[open]').count(), 0);
  const lines = list(page).getByRole('listitem');
  assert.deepEqual(await lines.allInnerTexts().then((all) => all.map((text) => text.replace(/\s+/g, ' ').trim())), [
    'tool_trajectory exact 0.33 fail',
    '✓ Hit: Position 0: station_search',
    '✗ Miss: Position 1: fare args mismatch',
    '✗ Miss: Position 2: expected pay, got book',
  ]);
  assert.match(await list(page).locator('.hits__head').textContent(), /fail.*0\.33 · 1 ✓ 2 ✗/);
  assert.deepEqual(await badges(page, /station_search/), ['✓Expectation hit']);
  assert.ok((await badges(page, /fare/)).includes('✗Expectation missed'));
  // From the list to the row, and to the next one.
  await button(list(page), /Position 1: fare/).click();
  await until(async () => await active(page) === 'row-3', 'the row of the miss has the keyboard');
  await page.keyboard.press('e');
  await until(async () => await active(page) === 'row-4', 'the next one has it');
  await page.keyboard.press('e');
  await until(async () => await active(page) === 'row-2', 'and around the end');
  await page.keyboard.press('E');
  await until(async () => await active(page) === 'row-4', 'and back');
  // The field still contains the expectations; closing the list removes the marks.
  await button(list(page), 'Edit').click();
  assert.equal(await page.getByRole('textbox', { name: 'Expectations' }).inputValue(), EXACT);
  await page.keyboard.press('Escape');
  await button(list(page), 'Close the list of expectations').click();
  await until(async () => (await badges(page, /station_search/)).length === 0, 'the marks are gone');
  assert.deepEqual(errors, []);
  assert.deepEqual(await violations(), []);
});

test('a file that is dropped on the dialog is an expectation; one that cannot be read says where', async () => {
  const { page } = await opened();
  await page.keyboard.press('c');
  const field = page.getByRole('textbox', { name: 'Expectations' });
  await dropFiles(page, [{ name: 'EVAL.json', bytes: '{"tests":[{"assert":[{"type":"tool-trajectory","mode":"inorder"}]}]}' }]);
  await until(async () => /inorder/.test(await field.inputValue()), 'the file is in the field');
  await button(dialog(page, 'Check against expected calls'), 'Check').click();
  const fault = page.getByRole('alert', { name: 'Expectations' });
  await fault.waitFor();
  assert.equal(
    await fault.innerText(),
    'AgentV has no mode `inorder` (at tests[0].assert[0].mode). Write any_order, in_order, exact, superset or subset.',
  );
  assert.equal(await page.locator('.file').textContent().then((text) => text.includes('events.jsonl')), true);
  await field.fill('type: tool_trajectory\nmode: any_order\nminimums:\n  book: 1\n');
  await button(dialog(page, 'Check against expected calls'), 'Check').click();
  await list(page).waitFor();
  assert.match(await list(page).innerText(), /book: called 1 times \(required ≥1\)/);
});

test('a long list is drawn in steps', async () => {
  const { page } = await opened(loop(500));
  await check(page, '{"mode":"subset","expected":[{"tool":"search"}]}');
  await list(page).waitFor();
  assert.equal(await list(page).getByRole('listitem').count(), 200);
  await button(list(page), 'Show 200 more').click();
  assert.equal(await list(page).getByRole('listitem').count(), 400);
});

test('the TraceSummary is shown and copied as AgentV writes it', async () => {
  const { page, context } = await opened();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('i');
  await page.getByText('TraceSummary', { exact: true }).click();
  const table = page.locator('.trace-summary table');
  await table.waitFor();
  assert.deepEqual(await table.locator('tr').allInnerTexts().then((all) => all.map((text) => text.trim().replace(/\s+/g, ' '))), [
    'eventCount 6', 'errorCount 1', 'toolNames 3', 'toolCallsByName', 'book 1', 'fare 1', 'station_search 1',
  ]);
  const copied = async () => {
    await button(page, 'Copy as JSON').click();
    await until(async () => /copied/.test(await page.locator('.live').textContent()), 'it says so');
    return JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  };
  assert.deepEqual(await copied(), {
    eventCount: 6, toolNames: ['book', 'fare', 'station_search'],
    toolCallsByName: { book: 1, fare: 1, station_search: 1 }, errorCount: 1,
  });
  await button(page, 'event_count').click();
  assert.deepEqual(Object.keys(await copied()), ['event_count', 'tool_names', 'tool_calls_by_name', 'error_count']);
});

test('a run is exported in another format', async () => {
  const { page, errors } = await opened(jsonl(claudeCode()));
  await page.keyboard.press('w');
  const exporting = dialog(page, 'Export as…');
  const preview = exporting.locator('#export-preview');
  await until(async () => /"type":"message"/.test(await preview.textContent()), 'the file begins with events');
  const saved = async () => {
    const [file] = await Promise.all([page.waitForEvent('download'), button(exporting, 'Download').click()]);
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
  };
  await exporting.getByRole('radio', { name: /OpenAI-style/ }).check();
  await until(async () => /tool_call_id/.test(await preview.textContent()), 'the preview has followed');
  const { name, text } = await saved();
  assert.match(name, /\.openai-messages\.json$/);
  const messages = JSON.parse(text);
  assert.deepEqual(messages.map(({ role }) => role), ['user', 'assistant', 'tool', 'assistant']);
  assert.deepEqual(messages[1].tool_calls, [
    { id: 'toolu_1', type: 'function', function: { name: 'Bash', arguments: '{"command":"ls"}' } },
  ]);
  assert.equal(messages[2].content, 'a.txt');
  await exporting.getByRole('radio', { name: /compact inline/ }).check();
  await button(exporting, 'YAML').click();
  await until(async () => /^- role: user/.test(await preview.textContent()), 'the preview is YAML');
  const yaml = await saved();
  assert.match(yaml.name, /\.compact-inline\.yaml$/);
  assert.match(yaml.text, /tool_calls:\n    - tool: Bash\n      input:\n        command: ls\n      output: a\.txt\n/);
  assert.match(await exporting.getByRole('status').innerText(), /saved as .*compact-inline\.yaml/);
  assert.deepEqual(errors, []);
});

test('axe finds nothing, light and dark, wide and narrow', async () => {
  for (const [width, height, colorScheme] of [[1440, 900, 'light'], [360, 740, 'dark']]) {
    const { page } = await opened(small(), { context: { viewport: { width, height }, colorScheme } });
    const judge = async (where) => {
      await still(page);
      await page.evaluate(AXE);
      const found = await page.evaluate(async () => {
        const rules = { 'label-content-name-mismatch': { enabled: false } };
        const { violations } = await window.axe.run(document, { resultTypes: ['violations'], rules });
        return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)}`);
      });
      assert.deepEqual(found, [], `${where}, ${width}`);
      assert.deepEqual(await clipped(page), [], `${where}, ${width}`);
    };
    await page.keyboard.press('i');
    await page.getByText('TraceSummary', { exact: true }).click();
    await page.locator('.trace-summary table').waitFor();
    await judge('the summary');
    await page.keyboard.press('Escape');
    await page.keyboard.press('c');
    await judge('the dialog of expectations');
    await page.keyboard.press('Escape');
    await check(page, EXACT);
    await list(page).waitFor();
    await judge('the list');
    await page.keyboard.press('w');
    await dialog(page, 'Export as…').waitFor();
    await judge('the dialog of forms');
  }
});
