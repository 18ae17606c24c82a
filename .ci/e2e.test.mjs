// How failing end-to-end tests are run again.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'traceloupe-e2e-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs a file of tests with this text in the same way as the end-to-end tests; returns exit code and output. */
function e2e(name, text) {
  const file = path.join(folder, `${name}.test.mjs`);
  writeFileSync(file, `import { test } from 'node:test';
import { existsSync, writeFileSync } from 'node:fs';
const isFirst = () => !existsSync(import.meta.filename + '.ran') && !writeFileSync(import.meta.filename + '.ran', '');
${text}`);
  // Without the variable that marks processes as part of a runner's run.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const ran = spawnSync(path.join(HERE, 'e2e.sh'), [file], { env, encoding: 'utf8' });
  return { code: ran.status, output: ran.stdout + ran.stderr };
}

test('a test that passes when it is run again is named, and does not fail the run', () => {
  const { code, output } = e2e('unstable', `
    test('fine', () => {});
    test('odd (one) [x] "q" $5 a/b', () => { if (isFirst()) throw new Error('too early'); });`);
  assert.equal(code, 0, output);
  assert.match(output, /to be mended:\nodd \(one\) \[x\] "q" \$5 a\/b\n$/);
});

test('a test that fails twice fails the run, also one inside another', () => {
  const { code, output } = e2e('broken', `
    test('outer', async (t) => { await t.test('inner', () => { throw new Error('broken'); }); });`);
  assert.notEqual(code, 0);
  assert.doesNotMatch(output, /to be mended/);
});

test('a file that cannot be run, and more than three tests that fail, fail the run', () => {
  assert.notEqual(e2e('unreadable', 'throw new Error("no test");').code, 0);
  const four = e2e('four', `
    for (const name of ['a', 'b', 'c', 'd']) test(name, () => { throw new Error(name); });`);
  assert.notEqual(four.code, 0);
  assert.doesNotMatch(four.output, /run once more/);
});

test('a run without failures says nothing more', () => {
  const { code, output } = e2e('green', `test('fine', () => {});`);
  assert.equal(code, 0, output);
  assert.doesNotMatch(output, /again/);
});
