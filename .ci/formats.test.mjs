// The table of formats has all of them.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { codeLines, formatsOf, linesOf } from './formats.mjs';

const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');

test('every format has its family, its id and its files', () => {
  const formats = formatsOf(ROOT);
  const cards = readFileSync(path.join(ROOT, 'src/formats/lib.rs'), 'utf8').match(/FORMATS: .*?\n\];/s)[0];
  assert.equal(formats.length, cards.match(/^ {4}&/gm).length);
  assert.deepEqual(formats[0], ['Coding agents', 'claude-code', 'claude_code']);
  for (const [family, id, module] of formats) {
    assert.ok(family && id && module, `${family}, ${id}, ${module}`);
    assert.ok(linesOf(ROOT, module) > 20, `${module} has too few lines`);
    assert.ok(existsSync(path.join(ROOT, 'tests/fixtures', id)), `${id} has no fixtures`);
  }
});

test('comments, blank lines and tests are no code', () => {
  assert.equal(codeLines('//! a\n\nuse b; // c\nfn d() {}\n#[cfg(test)]\nmod tests {\n    use e;\n}\n'), 2);
  assert.equal(codeLines('#[cfg(test)]\nmod tests;\n\nuse b;\n'), 1);
});
