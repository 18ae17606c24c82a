// AgentV: scores in the list of runs, grades with their assertions, hand-written YAML.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { active, body, drop, row, rows, stage, until, warnings } from './reader.mjs';

const it = stage();

const result = (test_id, score, more = {}) => ({
  test_id, suite: 'demo', target: 'mock', score,
  output: [{ role: 'assistant', content: 'I look it up.', tool_calls: [{ tool: 'search', input: { q: 'REST' }, output: 'found', duration_ms: 12 }] }],
  scores: [{
    name: 'order', type: 'tool-trajectory', score, verdict: score === 1 ? 'pass' : 'fail',
    assertions: [
      { text: 'Found search at position 0', passed: true },
      { text: 'missingTool: called 0 times (required >=1)', passed: false, evidence: 'never called' },
    ],
  }],
  ...more,
});
const results = [result('first', 2 / 3), result('second', 1)];
const file = (name, values) => ({ name, bytes: values.map((value) => JSON.stringify(value)).join('\n') });

test('scores are shown in the list of runs and above the run', async () => {
  const { page, errors } = await it.open();
  await drop(page, [file('index.jsonl', results)]);
  const runs = page.getByRole('list', { name: 'Runs', exact: true }).getByRole('button');
  const words = await runs.allTextContents();
  assert.match(words[0], /demo \/ first · mock[^]*score 0\.67, fail/);
  assert.match(words[1], /demo \/ second · mock[^]*score 1, pass/);
  assert.match(await page.getByRole('region', { name: 'Facts' }).innerText(), /0\.67, fail\s+score/);
  assert.deepEqual(errors, []);
});

test('the grade at the end of a run marks each assertion', async () => {
  const { page } = await it.open();
  await drop(page, [file('index.jsonl', results)]);
  await row(page, /grading/).click();
  const opened = body(page, await active(page));
  await until(async () => await opened.locator('section').count() > 0, 'the row has been read');
  const text = await opened.innerText();
  assert.match(text, /✓ passed\s+Found search at position 0/);
  assert.match(text, /✗ failed\s+missingTool[^]*evidence\s+never called/);
});

test('the compact format in YAML becomes a timeline, with a warning about positions', async () => {
  const yaml = '- role: assistant\n  content: Let me look.\n  tool_calls:\n    - tool: getWeather\n      input: { city: "NYC" }\n      output: "72°F"\n    - tool: getTime\n      input:\n        timezone: EST\n      output: "14:30"\n';
  const { page, errors } = await it.open();
  await drop(page, [{ name: 'expected.yaml', bytes: yaml }]);
  assert.equal(await rows(page).count(), 3);
  await row(page, /getWeather/).click();
  const opened = body(page, await active(page));
  await until(async () => await opened.locator('section').count() > 0, 'the row has been read');
  assert.match(await opened.innerText(), /city[^]*NYC[^]*72°F/);
  await warnings(page).locator('summary').click();
  assert.match(await warnings(page).innerText(), /The file is YAML/);
  assert.deepEqual(errors, []);
});
