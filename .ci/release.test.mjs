// What a release publishes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { version } from './package.mjs';
import { makeRelease, notesOf } from './release.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'traceloupe-release-'));
const at = (...names) => path.join(folder, ...names);
after(() => rmSync(folder, { recursive: true, force: true }));

test('the archives, the single file, licences and their checksums; the same files again give the same sums', () => {
  mkdirSync(at('dist/samples'), { recursive: true });
  mkdirSync(at('cli'));
  for (const name of ['dist/index.html', 'dist/traceloupe.html', 'dist/trace-loupe.js', 'dist/samples/a.jsonl', 'cli/traceloupe_cli.cjs']) writeFileSync(at(name), name);
  makeRelease(at('dist'), at('cli'), at('files'));
  const sums = readFileSync(at('files/SHA256SUMS'), 'utf8');
  const page = `traceloupe-page-${version()}`;
  const published = ['NOTICE', 'SHA256SUMS', `traceloupe-${version()}.tgz`, `${page}.tar.gz`, 'traceloupe.html'];
  assert.deepEqual(readdirSync(at('files')).sort(), published.sort());
  execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: at('files') });
  assert.equal(sums.trim().split('\n').length, 4);
  const names = (archive) => execFileSync('tar', ['-tzf', at('files', archive)], { encoding: 'utf8' }).trim().split('\n');
  for (const name of ['index.html', 'traceloupe.html', 'trace-loupe.js', 'samples/a.jsonl', 'LICENSE', 'NOTICE']) assert.ok(names(`${page}.tar.gz`).includes(`${page}/${name}`), name);
  for (const name of ['package.json', 'traceloupe.mjs', 'traceloupe_cli.cjs', 'NOTICE', 'page/index.html']) assert.ok(names(`traceloupe-${version()}.tgz`).includes(`package/${name}`), name);
  const notice = readFileSync(at('files/NOTICE'), 'utf8');
  for (const name of ['leptos', 'genai-prices', 'Rust']) assert.match(notice, new RegExp(name));
  assert.match(readFileSync(at('release-notes.md'), 'utf8'), /^### /);
  makeRelease(at('dist'), at('cli'), at('files'));
  assert.equal(readFileSync(at('files/SHA256SUMS'), 'utf8'), sums);
});

test('the notes of a version are its section', () => {
  const changelog = '# C\n\n## Unreleased\n\n## 0.2.0 – today\n\n### Added\n\n- x\n\n## 0.2 – y\n\nz\n';
  assert.equal(notesOf(changelog, '0.2.0'), '### Added\n\n- x\n');
  assert.throws(() => notesOf(changelog, '0.3.0'), /has no section 0\.3\.0/);
});
