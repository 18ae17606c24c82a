// The raw text of a row equals the bytes of the file at the stated position, for our own traces and real ones.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { active, body, drop, FIXTURES, noShared, SHARED, stage, tree, until } from './reader.mjs';

const it = stage();
/** Our own files, opened together. */
const OWN = [
  ['agentdbg/ticket-desk/events.jsonl'],
  ['agentdbg/odd-values/events.jsonl'],
  ['agentdbg/export.json'],
  ['maida/going-round/spans.jsonl', 'maida/going-round/meta.json'],
  ['claude-code/web-session.json'],
  ['claude-code/retries.jsonl'],
  ['claude-code/cut-in-the-last-line.jsonl'],
  ['claude-code/bakery/session.jsonl', 'claude-code/bakery/subagents/agent-b7c1d2e.jsonl'],
];
/** Real files below ../shared/traces. */
const SAMPLES = [
  ['agentdbg/agentdbg-0.2.4-travel-planner/events.jsonl'],
  ['agentdbg/agentdbg-0.2.4-odd-values-nan/events.jsonl'],
  ['agentdbg/agentdbg-0.2.4-export-of-loop-shapes.json'],
  ['agentdbg/maida-0.5.3-loop-shapes/spans.jsonl', 'agentdbg/maida-0.5.3-loop-shapes/meta.json'],
  ['claude-code/simonw_web-session_loglines.json'],
  ['claude-code/entire_6-parallel-task-subagents_238k.jsonl'],
  ['claude-code/entire_truncated-line_513k.jsonl'],
  ['claude-code/codemie-with-subagent/session.jsonl', 'claude-code/codemie-with-subagent/subagents/agent-a485154.jsonl'],
];
const ROWS = 10;
const number = (text) => Number(text.replace(/\D/g, ''));

/** Moves down by `by` rows and opens that row, using the keyboard; returns its raw text and position. */
async function readRaw(page, by) {
  for (let n = 0; n < by; n += 1) await page.keyboard.press('j');
  const id = await active(page);
  if (!id.startsWith('row-')) return null;
  // At a sub-agent, Enter shows only the agent's rows, unless the agent's own row is open.
  if (await page.locator(`#${id} .card`).count() > 0) await page.keyboard.press(' ');
  await page.keyboard.press('Enter');
  await until(() => page.evaluate((wanted) => document.activeElement.id === wanted, id.replace('row', 'body')), `${id} is open`);
  const at = () => page.evaluate(() => document.activeElement.textContent);
  await page.keyboard.press('Tab');
  for (let n = 0; n < 3 && await at() !== 'Raw'; n += 1) await page.keyboard.press('ArrowRight');
  assert.equal(await at(), 'Raw');
  const opened = body(page, id);
  await opened.getByRole('tab', { name: 'Raw', selected: true }).waitFor();
  await until(async () => await opened.locator('.body__raw pre').count() > 0, `${id} shows its raw text`);
  const said = {
    id,
    place: await opened.locator('.body__place').getAttribute('title'),
    raw: await opened.locator('.body__raw pre').first().evaluate((one) => one.textContent),
    titles: await opened.locator('.body__raw h3').allTextContents(),
    all: await opened.locator('.body__raw pre').evaluateAll((pres) => pres.map((one) => one.textContent)),
    isCut: await opened.locator('.body__raw').getByRole('button', { name: /Show more/ }).count() > 0,
  };
  await page.keyboard.press('Escape');
  await page.keyboard.press(' ');
  await opened.waitFor({ state: 'detached' });
  return said;
}

/** Compares the text with the file at that position; the line number is computed from the bytes. */
function compare(bytes, line, start, text, isCut, what) {
  const lines = bytes.subarray(0, start).filter((byte) => byte === 10).length + 1;
  assert.equal(line, lines, `${what}: the line of byte ${start}`);
  const given = Buffer.from(text);
  assert.ok(given.length > 1, what);
  const found = bytes.subarray(start, start + given.length);
  assert.ok(found.equals(given), `${what}: ${JSON.stringify(text.slice(0, 80))} is not at byte ${start}`);
  if (!isCut) {
    JSON.parse(text.replace(/\bNaN\b|-?\bInfinity\b/g, '0')); // a whole value, not part of one
  }
}

for (const [root, sample] of [...OWN.map((one) => [FIXTURES, one]), ...SAMPLES.map((one) => [null, one])]) {
  test(`the raw text of rows of ${root === null ? '' : 'our own '}${sample[0]}`, async (t) => {
    if (root === null && noShared(t)) return;
    const folder = root ?? path.join(SHARED, 'traces');
    const files = sample.map((name) => ({ name: name.split('/').slice(1).join('/'), bytes: readFileSync(path.join(folder, name)) }));
    const { page } = await it.open();
    await drop(page, files);
    await tree(page).focus();
    await page.keyboard.press('*');
    const seen = new Set();
    const n = Number(await page.locator('[role=treeitem]').count());
    const by = Math.max(1, Math.floor(n / ROWS));
    for (let at = 0; at < ROWS; at += 1) {
      const said = await readRaw(page, at === 0 ? 0 : by);
      if (said === null || seen.has(said.id)) continue;
      seen.add(said.id);
      const [, line, byte, name] = said.place.match(/^line ([\d,]+) · byte ([\d,]+)(?: and [\d,]+ more records?)?(?: · (.*))?$/);
      const file = files.length === 1 ? files[0] : files.find((one) => one.name === name);
      assert.ok(file, `${said.id} names a file: ${said.place}`);
      compare(file.bytes, number(line), number(byte), said.raw, said.isCut, said.id);
      // A call and its result are two records, each shown with its own position.
      if (files.length > 1) continue;
      for (const [index, title] of said.titles.entries()) {
        const [, onLine, atByte] = title.match(/^Line ([\d,]+), byte ([\d,]+),/);
        compare(file.bytes, number(onLine), number(atByte), said.all[index], said.isCut, `${said.id}, record ${index}`);
      }
    }
    assert.ok(seen.size >= 3, `${seen.size} rows were read`);
  });
}

test('the raw text inside a gzip is that of the unpacked file', async () => {
  const bytes = readFileSync(path.join(FIXTURES, OWN[0][0]));
  const { page } = await it.open();
  await drop(page, [{ name: 'events.jsonl.gz', bytes: gzipSync(bytes) }]);
  await tree(page).focus();
  for (let at = 0; at < 5; at += 1) {
    const said = await readRaw(page, at === 0 ? 0 : 1);
    const [, line, byte] = said.place.match(/line ([\d,]+) · byte ([\d,]+)/);
    compare(bytes, number(line), number(byte), said.raw, said.isCut, said.id);
  }
});
