// What a user does every day: click a tab and go on with the keys, follow a link to a search, open the last row in
// sight, look for a command by another word.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claudeCode, jsonl, run, toolCall } from './fixtures.mjs';
import { active, body, button, dropText, row, settled, stage, tree, until } from './reader.mjs';

const it = stage();

/** `n` turns of a session, `minutes` apart. */
const session = (n, minutes = 0) => jsonl(Array.from({ length: n }, (_, turn) => claudeCode({ user: `Question ${turn}`, result: `line ${turn}\n` })
  .map((record) => ({
    ...record, uuid: `${turn}-${record.uuid}`, parentUuid: record.parentUuid && `${turn}-${record.parentUuid}`,
    timestamp: new Date(Date.parse(record.timestamp) + turn * (minutes * 60_000 + 4_000)).toISOString(),
    message: JSON.parse(JSON.stringify(record.message).replace(/"(m-\d|toolu_1)"/g, `"$1-${turn}"`)),
  }))).flat());

const tab = (page, name) => page.getByRole('tab', { name, exact: true }).first();

test('after a click on a view, the keys are for its rows', async () => {
  const { page } = await it.open();
  await dropText(page, session(8), 'session.jsonl');
  for (const name of ['Waterfall', 'Timeline']) {
    await tab(page, name).click();
    const before = await active(page);
    await page.keyboard.press('ArrowDown');
    await until(async () => await active(page) !== before, `a row of ${name} is selected`);
  }
  // With the keyboard, the arrows go from tab to tab.
  await tab(page, 'Timeline').focus();
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('role')), 'tab');
});

test('a link with a search shows its first hit', async () => {
  it.server.put('found.jsonl', jsonl(run('a run', Array.from({ length: 90 }, (_, at) => toolCall(at, 'look', { at }, at === 80 ? 'the needle' : 'hay')))));
  const { page } = await it.visit(it.server.address('#trace=found.jsonl&q=needle'));
  const mark = page.locator('.list mark[data-current]');
  await mark.waitFor();
  assert.equal(await mark.textContent(), 'needle');
  await until(() => mark.evaluate((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return top > 0 && bottom < innerHeight;
  }), 'it is in sight');
  assert.match(await page.locator('#search-count').textContent(), /1 match/);
});

test('a row that is opened near the bottom comes into view', async () => {
  const { page } = await it.open();
  await dropText(page, jsonl(run('a run', Array.from({ length: 80 }, (_, at) => toolCall(at, 'look', { at }, `result ${at}\n`.repeat(6))))));
  const last = await page.evaluate(() => {
    const list = document.querySelector('.list').getBoundingClientRect();
    const whole = [...document.querySelectorAll('#timeline > .row')].filter((one) => one.getBoundingClientRect().bottom <= list.bottom);
    return whole.sort((a, b) => b.getBoundingClientRect().top - a.getBoundingClientRect().top)[0].id;
  });
  await page.locator(`#${last}`).click();
  await until(() => body(page, last).evaluate((one) => one.getBoundingClientRect().top + 100 < innerHeight).catch(() => false), 'its body is in view');
});

test('the last answer is shown where a transcript has it, and not again below', async () => {
  const { page } = await it.open('', { view: 'transcript' });
  await dropText(page, session(12), 'session.jsonl');
  await page.keyboard.press('A');
  await until(async () => (await active(page))?.startsWith('row-'), 'it is selected');
  await settled(page);
  assert.equal(await page.locator('.list .body').count(), 0);
  const said = page.locator('.said[data-selected="true"]');
  await until(() => said.evaluate((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return top > 0 && bottom <= innerHeight;
  }).catch(() => false), 'its text is in view');
});

test('labels of the overview do not overlap', async () => {
  const { page } = await it.open();
  await dropText(page, session(14, 7), 'session.jsonl');
  for (const width of [900, 1024, 1280, 1900]) {
    await page.setViewportSize({ width, height: 800 });
    await settled(page);
    const ends = await page.locator('.overview__ticks span').evaluateAll((all) => all
      .map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right]).sort((a, b) => a[0] - b[0]));
    assert.ok(ends.length > 2, `${ends.length} labels`);
    for (const [at, [left]] of ends.entries()) {
      if (at > 0) assert.ok(left >= ends[at - 1][1], `${width}: label ${at} begins at ${left}, the one before ends at ${ends[at - 1][1]}`);
    }
  }
});

test('the name of a file is whole where its folder is cut off', async () => {
  const { page } = await it.open();
  const path = `src/${'a_long_folder/'.repeat(9)}name_of_the_file.rs`;
  await dropText(page, jsonl(claudeCode({ tool: 'Read', input: { file_path: `/project/${path}` } })), 'session.jsonl');
  const name = row(page, /name_of_the_file/).locator('.row__sum').first();
  await name.waitFor();
  const isWhole = () => name.evaluate((one) => {
    const range = document.createRange();
    range.selectNodeContents(one.lastChild);
    return range.getBoundingClientRect().right <= one.closest('.row__what').getBoundingClientRect().right + 1;
  });
  for (const view of ['Timeline', 'Waterfall']) {
    await tab(page, view).click();
    await settled(page);
    assert.ok(await isWhole(), view);
  }
});

test('all facts are in sight in a window of 1024 × 700', async () => {
  const { page } = await it.open('', { context: { viewport: { width: 1024, height: 700 } } });
  const failed = toolCall(3, 'fare', { from: 'A' }, null, { error_type: 'Timeout', message: 'a long reason why nothing came back in time' });
  await dropText(page, jsonl(run('a run', [toolCall(1, 'look', {}, 'x'), toolCall(2, 'look', {}, 'x'), failed])));
  const hidden = await page.locator('.facts__numbers').evaluate((one) => one.scrollWidth - one.clientWidth);
  assert.ok(hidden <= 1, `${hidden} px are out of sight`);
});

test('the palette finds commands by other words', async () => {
  const { page } = await it.open();
  await dropText(page, session(2), 'session.jsonl');
  for (const word of ['slow', 'cost', 'share', 'markdown', 'save']) {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(word);
    await page.locator('#palette-list li').first().waitFor();
    await page.keyboard.press('Escape');
  }
  await tree(page).waitFor({ state: 'attached' });
  assert.ok(await button(page, 'Actions').count() > 0);
});

test('the prompt of a sub-agent is not said by the user', async () => {
  const { page } = await it.visit(it.server.address('#trace=samples/bug-fix.jsonl'), { view: 'transcript' });
  await page.getByText('Only this agent').first().click();
  const heads = page.locator('.said__head b');
  await until(async () => /^Prompt for /.test(await heads.first().textContent().catch(() => '')), 'its prompt is the first text');
  assert.ok(!(await heads.allTextContents()).includes('User'));
});

test('a view over the rows shows no event of the waterfall, which has it again afterwards', async () => {
  const { page } = await it.open('', { context: { viewport: { width: 1400, height: 800 } } });
  await dropText(page, session(8), 'session.jsonl');
  await tab(page, 'Waterfall').click();
  await row(page, /Bash/).first().click();
  const beside = page.locator('.beside');
  await beside.waitFor();
  await tab(page, 'Statistics').click();
  await beside.waitFor({ state: 'hidden' });
  await tab(page, 'Waterfall').click();
  await beside.waitFor();
});
