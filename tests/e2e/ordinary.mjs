// Ordinary use: files of the most common kinds, and the usual steps of a user with any trace.
import assert from 'node:assert/strict';
import { claudeCode, event, jsonl, llmCall, loop, run, small, toolCall } from './fixtures.mjs';
import { drawn, rows, settled, tree, until } from './reader.mjs';

/** A run long enough to scroll, with everything that AgentDbg writes, including loops. */
const long = (turns = 300) => jsonl(run('a long run', Array.from({ length: turns }, (_, at) => [
  llmCall(at, [{ role: 'user', content: `Where is **number** ${at}?` }], { role: 'assistant', content: `\`${at}\`\n\n- here` }),
  toolCall(at, 'search', { query: 'x', at: at % 40, deep: { list: [1, 2, { a: null }] } }, { hits: at, text: 'line\n'.repeat(30) }),
  toolCall(at, 'fare', { from: 'A' }, null, { error_type: 'Timeout', message: 'no answer', stack: 'at fare' }),
  event(at, 'STATE_UPDATE', 'state', { state: { step: at }, diff: 'a' }),
]).flat()));

const plain = () => jsonl(Array.from({ length: 400 }, (_, step) => (
  { step, level: step % 9 === 0 ? 'error' : 'info', message: `step ${step}: Zürich`, tags: ['a', 'b'], ok: true })));

const manyTurns = () => jsonl(Array.from({ length: 60 }, (_, turn) => claudeCode({ result: `line ${turn}\n`.repeat(20) })
  .map((record) => ({
    ...record, uuid: `${turn}-${record.uuid}`, parentUuid: record.parentUuid && `${turn}-${record.parentUuid}`,
    message: JSON.parse(JSON.stringify(record.message).replace(/"(m-\d|toolu_1)"/g, `"$1-${turn}"`)),
  }))).flat());

/** The usual steps of a user with any trace: look through it, open rows, search, close and open again. */
export async function readThrough(page, query) {
  await rows(page).first().waitFor();
  for (let at = 0; at < 6; at += 1) {
    const names = await rows(page).evaluateAll((all) => all.map((one) => one.id));
    for (const id of names.filter((_, index) => index % 7 === at)) {
      // Not with the mouse, because rows move while others open.
      await page.evaluate((row) => document.getElementById(row)?.click(), id);
      await drawn(page);
    }
    await page.mouse.wheel(0, 900);
    await drawn(page);
  }
  for (const key of ['j', 'k', 'J', 'K', ']', '[', 'x', 'X', 'Home', 'End', 'PageUp', 'PageDown', 'e', 'E', 'Enter', 'Escape', ' ', '*', '-']) {
    await tree(page).press(key === ' ' ? 'Space' : key);
    await drawn(page);
  }
  const field = page.locator('#search-input');
  await field.fill(query);
  const count = page.locator('#search-count');
  await until(async () => await count.getAttribute('data-done') === 'true', 'the search is done');
  assert.ok(Number(await count.getAttribute('data-total')) > 0, `hits for ${query}`);
  for (let at = 0; at < 3; at += 1) await field.press('Enter');
  await settled(page);
  await field.fill('');
}

/** Files of the common kinds (name, text), each with words to search for. */
export const ordinary = () => [
  // Several slices long, so that rows are shown while it is read.
  ['large.jsonl', long(6000), 'no answer'],
  ['agentdbg.jsonl', long(), 'number'], ['loop.jsonl', loop(12), 'search'], ['small.jsonl', small(), 'station'],
  ['session.jsonl', manyTurns(), 'List'], ['plain.jsonl', plain(), 'Zürich'],
];

/** Real traces of these kinds, relative to the folder of traces. */
export const REAL = [
  ['agentdbg/agentdbg-0.2.4-travel-planner/events.jsonl', 'the'],
  ['agentdbg/maida-0.5.3-travel-planner/spans.jsonl', 'the'],
  ['claude-code/simonw_sample_session.jsonl', 'the'],
  ['claude-code/cua_retry-loop_cassandra_images_934k.jsonl', 'the'],
  ['iflow/agentsview_iflow_26k.jsonl', 'the'],
];
