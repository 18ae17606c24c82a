// The scripts of action.yml, with a command that notes how it is called.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(path.join(os.tmpdir(), 'traceloupe-action-'));
after(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(path.join(folder, 'bin'));
mkdirSync(path.join(folder, 'deep/er'), { recursive: true });
for (const name of ['one run.jsonl', 'deep/a.jsonl', 'deep/er/b.jsonl']) writeFileSync(path.join(folder, name), '{}');
const npm = path.join(folder, 'bin/npm');
writeFileSync(npm, '#!/usr/bin/env bash\nprintf "%s\\n" "$@" "" >>"$CALLS"\necho "::error::text of a trace"\nexit "${STATUS:-0}"\n');
chmodSync(npm, 0o755);

function action(step, env) {
  const calls = path.join(folder, 'calls.txt');
  const summary = path.join(folder, 'summary.md');
  for (const file of [calls, summary]) writeFileSync(file, '');
  const { status, stdout } = spawnSync(path.join(ROOT, '.ci/action.sh'), [step], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: `${path.join(folder, 'bin')}:${process.env.PATH}`, CALLS: calls, GITHUB_STEP_SUMMARY: summary,
      PACKAGE: 'traceloupe@1', REPORT: 'r.html', TITLE: '', REDACT: 'true', FAIL_ON: '', ...env,
    },
  });
  const called = readFileSync(calls, 'utf8').split('\n\n').filter(Boolean).map((call) => call.split('\n'));
  return { status, stdout, called, summary: readFileSync(summary, 'utf8') };
}

test('a report and a summary are made of files, folders and patterns', () => {
  const { status, called, summary } = action('report', { TRACE: 'one run.jsonl\n\n**/*.jsonl\n', TITLE: 'A run' });
  assert.equal(status, 0);
  const files = ['--', 'one run.jsonl', 'deep/a.jsonl', 'deep/er/b.jsonl', 'one run.jsonl'];
  const before = ['exec', '--yes', '--package=traceloupe@1', '--', 'traceloupe', 'report'];
  assert.deepEqual(called, [
    [...before, '--redact', '--title', 'A run', '-o', 'r.html', ...files],
    [...before, '--markdown', '--redact', ...files],
  ]);
  assert.equal(summary, '::error::text of a trace\n');
  const plain = action('report', { TRACE: 'deep', REDACT: 'false' });
  assert.deepEqual(plain.called[0].slice(6), ['-o', 'r.html', '--', 'deep']);
});

test('a check ends with the status of the command', () => {
  const { status, called } = action('check', { TRACE: 'missing*.jsonl', FAIL_ON: 'critical', STATUS: '1' });
  assert.equal(status, 1);
  assert.deepEqual(called[0].slice(5), ['check', '--redact', '--fail-on', 'critical', '--', 'missing*.jsonl']);
});

test('text of a trace is no command of the workflow', () => {
  const { stdout } = action('check', { TRACE: 'deep', FAIL_ON: 'critical', STATUS: '1' });
  assert.match(stdout, /^::stop-commands::([\w-]{36})\n::error::[^]*\n::\1::\n$/);
});

test('the inputs of the action are those of its script, and are never part of a script', () => {
  const action = readFileSync(path.join(ROOT, 'action.yml'), 'utf8');
  const script = readFileSync(path.join(ROOT, '.ci/action.sh'), 'utf8');
  for (const [, name] of action.matchAll(/^ {8}([A-Z_]+): \$\{\{ inputs/gm)) assert.match(script, new RegExp(`\\$\\{?${name}\\b`));
  for (const [, run] of action.matchAll(/^ +run: (.*)$/gm)) assert.doesNotMatch(run, /\$\{\{/);
});
