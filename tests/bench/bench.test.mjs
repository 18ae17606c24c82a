// Tests the parts of the benchmark that need no browser: the data are as described, and the verdicts are
// right.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SETS, setsFor } from './data.mjs';
import { GIANTS, traceWith } from './giants.mjs';
import { NEEDLE, SHAPES } from './shapes.mjs';
import { median, percentile } from './statistics.mjs';
import { TARGETS, judge } from './targets.mjs';

/** The first records of a shape, followed by its end. */
function records(shape, count) {
  return [shape.first(), ...Array.from({ length: count }, () => shape.next()), shape.end()];
}

for (const name of Object.keys(SHAPES)) {
  test(`${name}: records are JSON, the same for the same seed, others for another`, () => {
    const lines = records(SHAPES[name](1), 300);
    lines.forEach((line) => assert.ok(!line.includes('\n') && typeof JSON.parse(line) === 'object'));
    assert.deepEqual(records(SHAPES[name](1), 300), lines);
    assert.notDeepEqual(records(SHAPES[name](2), 300), lines);
  });
}

test('long strings are plain in one shape and full of escapes in the other', () => {
  const text = (name) => records(SHAPES[name](3), 100).join('');
  assert.ok(!text('agentdbg').includes('\\'));
  for (const part of ['\\n', '\\"', '\\\\', '\\u00e9', '\\ud83d\\ude80', 'Zürich', '🚆']) {
    assert.ok(text('escapes').includes(part), part);
  }
});

test('needles are counted', () => {
  const shape = SHAPES.agentdbg(4);
  const found = records(shape, 7000).filter((line) => line.includes(NEEDLE)).length;
  assert.ok(found > 0);
  assert.equal(shape.needles, found);
});

test('events of Claude Code are counted by prompt, message and call', () => {
  const shape = SHAPES.claude(5);
  const lines = records(shape, 340).map((line) => JSON.parse(line));
  const messages = new Set(lines.map((line) => line.message?.id).filter(Boolean));
  const blocks = lines.flatMap((line) => (Array.isArray(line.message?.content) ? line.message.content : []));
  const calls = blocks.filter((block) => block.type === 'tool_use').length;
  const prompts = lines.filter((line) => typeof line.message?.content === 'string').length;
  assert.equal(shape.events(), messages.size + calls + prompts + 1);
});

test('giants are one value in one record', () => {
  for (const name of GIANTS.filter((giant) => !['string', 'image'].includes(giant))) {
    let events;
    const lines = [...traceWith(name, 6, (count) => { events = count; })].join('').trimEnd().split('\n');
    assert.equal(lines.length, events);
    if (name === 'depth') continue; // nested more deeply than JSON.parse allows
    const { result } = JSON.parse(lines.find((line) => line.includes('"giant"'))).payload;
    assert.equal(Object.keys(result).length, { object: 20_000, array: 1_000_000 }[name]);
  }
});

test('sets are named by parts of their names', () => {
  const names = (only) => setsFor(only).map((set) => set.name);
  assert.deepEqual(names('agentdbg-100'), ['agentdbg-100']);
  assert.deepEqual(names('jsonl-1000'), ['agentdbg-1000', 'escapes-1000', 'claude-1000']);
  assert.deepEqual(names('million,document'), ['million', 'document-300']);
  assert.equal(setsFor(undefined).length, SETS.length);
  assert.throws(() => setsFor('agentdbg-7'), /names nothing/);
});

test('a goal is met at its limit, and a gate fails beyond its own', () => {
  const at = (ratio) => {
    const round = {
      read: 100, complete: 100 * ratio, parse: 350 * ratio, first: 40, start: 40, memory: 1, block: 1,
    };
    const set = {
      name: 'escapes-100', kind: 'jsonl', shape: 'escapes', bytes: 100e6, events: 1, rounds: [round],
    };
    return judge([set]).find(({ target }) => target.id === 'complete');
  };
  assert.deepEqual([at(1.3).met, at(1.3).passed], [true, true]);
  assert.deepEqual([at(1.5).met, at(1.5).passed], [false, true]);
  assert.deepEqual([at(1.8).met, at(1.8).passed], [false, false]);
});

test('a missing value does not meet its target', () => {
  const set = { name: 'agentdbg-100', kind: 'other', searches: null };
  const verdicts = judge([set]).filter(({ target }) => target.id.startsWith('search'));
  assert.deepEqual(verdicts.map(({ met }) => met), [false, false]);
});

test('every target has a limit and a name of its own', () => {
  const ids = TARGETS.map((target) => target.id);
  assert.equal(new Set(ids).size, ids.length);
  for (const { goal, words } of TARGETS) assert.ok(Number.isFinite(goal) && words.length > 5);
});

test('median and percentile', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.equal(median([]), null);
  assert.equal(percentile(Array.from({ length: 100 }, (_, n) => n + 1), 95), 95);
});
