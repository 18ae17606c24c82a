// Turns and bookkeeping: headers that stay at the top, the list of turns, and records folded into one quiet line.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { jsonl } from './fixtures.mjs';
import { active, dropText, labels, row, stage, until } from './reader.mjs';

const it = stage();

/** A session of three turns. Each has calls, and ends with records of the program itself. */
function session(nCalls = 4) {
  const records = [];
  let at = Date.parse('2026-01-05T10:00:00Z');
  let last = null;
  const add = (record) => {
    const uuid = `u-${records.length}`;
    at += 2000;
    records.push({ uuid, parentUuid: last, sessionId: 's-1', version: '2.1.0', timestamp: new Date(at).toISOString(), ...record });
    last = uuid;
  };
  for (const question of ['Find the bug', 'Fix it', 'Commit it']) {
    add({ type: 'user', message: { role: 'user', content: question } });
    for (let call = 0; call < nCalls; call += 1) {
      const id = `toolu_${records.length}`;
      const usage = { input_tokens: 1000, output_tokens: 10 };
      const message = { id: `msg_${records.length}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5-20250929', stop_reason: 'tool_use', usage };
      add({ type: 'assistant', message: { ...message, content: [{ type: 'tool_use', id, name: 'Bash', input: { command: `step ${call} of ${question}` } }] } });
      add({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: `out ${call}` }] } });
    }
    for (const subtype of ['stop_hook_summary', 'turn_duration', 'stop_hook_summary']) add({ type: 'system', subtype });
    at += 3_600_000;
  }
  return jsonl(records);
}

const ready = async (text = session(), options = {}) => {
  const opened = await it.open('', options);
  await dropText(opened.page, text);
  return opened;
};

test('a turn has a header with its sums, and a place in the list of turns', async () => {
  const { page, errors } = await ready();
  const header = row(page, /Fix it/).first();
  assert.equal(await header.locator('.row__turn').textContent(), '2');
  assert.match(await header.innerText(), /8 calls/);
  assert.match(await header.locator('.row__tok').textContent(), /4\.0k → 40/);
  const turns = page.getByRole('list', { name: 'Turns' }).getByRole('button');
  await until(async () => (await turns.allInnerTexts()).join().includes('Commit it'), 'the messages are read');
  assert.equal(await turns.count(), 3);
  await turns.nth(2).click();
  await until(async () => await row(page, /Commit it/).first().getAttribute('aria-selected') === 'true', 'the third turn is selected');
  assert.deepEqual(errors, []);
});

test('the pauses between the turns are not active time', async () => {
  const { page } = await ready();
  const facts = page.getByRole('region', { name: 'Facts' });
  assert.match(await facts.innerText(), /active, of 2 h/);
});

test('J and K go from turn to turn', async () => {
  const { page } = await ready();
  await row(page, /Find the bug/).first().click();
  await page.keyboard.press('J');
  await until(async () => await row(page, /Fix it/).first().getAttribute('aria-selected') === 'true', 'the second turn');
  await page.keyboard.press('K');
  await until(async () => await row(page, /Find the bug/).first().getAttribute('aria-selected') === 'true', 'the first turn');
});

test('J puts the header of the turn on top, also if it is in sight', async () => {
  const { page } = await ready(session(12), { context: { viewport: { width: 1000, height: 700 } } });
  const from_top = (text) => row(page, text).first().evaluate((one) => (
    one.getBoundingClientRect().top - document.querySelector('.list').getBoundingClientRect().top
  ));
  await row(page, /Find the bug/).first().click();
  assert.ok(await from_top(/Fix it/) > 300, 'it is in sight, but low');
  await page.keyboard.press('J');
  await until(async () => Math.abs(await from_top(/Fix it/)) < 2, 'its header is on top');
});

test('the header of a turn stays on top while its rows are read', async () => {
  const { page } = await ready(session(40), { context: { viewport: { width: 1000, height: 600 } } });
  const bar = page.locator('.turnbar');
  assert.equal(await bar.count(), 0, 'the header itself is there');
  const list = page.locator('.list');
  await list.evaluate((one) => { one.scrollTop = 700; });
  await bar.waitFor();
  assert.match(await bar.innerText(), /Find the bug/);
  const [place, place_of_list] = await Promise.all([bar.boundingBox(), list.boundingBox()]);
  assert.ok(Math.abs(place.y - place_of_list.y) < 2, 'on top of the list');
  // Its values are aligned with the columns of the rows.
  assert.match(await bar.innerText(), /80 calls/);
  const right = (of, column) => of.locator(column).first().evaluate((one) => Math.round(one.getBoundingClientRect().right));
  const below = page.locator('.row:not(.row--turn)').first();
  for (const column of ['.row__tok', '.row__dur']) {
    assert.equal(await right(bar, column), await right(below, column), column);
    assert.notEqual(await bar.locator(column).innerText(), '', column);
  }
  await list.evaluate((one) => { one.scrollTop = 1800; });
  await until(async () => /Fix it/.test(await bar.innerText()), 'the next turn takes the place');
  await bar.click();
  // It leads to the header, which is then at the top itself.
  await bar.waitFor({ state: 'detached' });
  assert.equal(await row(page, /Fix it/).first().getAttribute('aria-selected'), 'true');
});

test('records of the program itself fold into one quiet line that opens, by keyboard too', async () => {
  const { page } = await ready(session(1));
  const line = row(page, /3 bookkeeping records: 2 stop hook summary, turn duration/).first();
  assert.equal(await line.getAttribute('aria-expanded'), 'false');
  const before = (await labels(page)).length;
  await line.click();
  await until(async () => (await labels(page)).length === before + 3, 'its rows are shown');
  const id = await active(page);
  assert.match(id, /^notes-/);
  await page.keyboard.press('Enter');
  await until(async () => (await labels(page)).length === before, 'they are folded again');
  await page.keyboard.press('l');
  await until(async () => (await labels(page)).length === before + 3, 'they are shown again');
  // A filter shows them as rows.
  await page.locator('.side').getByRole('button', { name: /^Notes/ }).click();
  await until(async () => (await labels(page)).length === 9, 'all nine');
});

test('a search finds what is folded', async () => {
  const { page } = await ready();
  await page.locator('#search-input').fill('turn_duration');
  await page.getByText(/3 matches in 3 events|of 3 · 3 matches/).first().waitFor();
  await page.keyboard.press('Enter');
  await until(async () => await row(page, /turn_duration/).and(page.locator('[aria-selected="true"]')).count() === 1, 'the record is selected');
  assert.match(await active(page), /^row-/);
});

test('what was copied from another session is one line, no turn, and not counted', async () => {
  const fork = readFileSync(new URL('../fixtures/codex/fork.jsonl', import.meta.url), 'utf8');
  const { page, errors } = await ready(fork);
  await page.keyboard.press('2');
  const line = row(page, /7 events copied from another session or file/).first();
  await line.waitFor();
  assert.equal(await row(page, /How many boats/).count(), 0);
  assert.equal(await page.locator('.row__turn').count(), 1, 'the one turn is that of the fork');
  const tools = page.locator('.side').getByRole('button', { name: /^exec_command/ });
  assert.match(await tools.innerText(), /exec_command\s+1$/, 'the copied call is not counted');
  await page.keyboard.press('x');
  assert.equal(await row(page, /How many boats/).count(), 0, 'and its error is none of this session');
  await line.click();
  await row(page, /How many boats/).first().waitFor();
  await until(async () => /copied/.test(await row(page, /wc -l boats/).first().innerText()), 'copies say that they are');
  assert.deepEqual(errors, []);
});
