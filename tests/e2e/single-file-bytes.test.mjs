// Single HTML files give every trace back byte for byte, and no payload breaks out of them.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { DIST } from './harness.mjs';
import { FIXTURES, SHARED, noShared, stage, until } from './reader.mjs';

const { pack, writeTrace } = createRequire(import.meta.url)('../../public/single-file.js');
const it = stage();
const MOST_BYTES = 20e6;
/** How many files are in one HTML file. */
const TOGETHER = 100;
/** Files that are read from their end in a test of `cat`. */
const N_CATS = 40;
const empty = readFileSync(path.join(DIST, 'traceloupe.html'));
let folder;

before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'traceloupe-bytes-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const sha = (bytes) => createHash('sha256').update(bytes).digest('hex');
const below = (root) => readdirSync(root, { recursive: true })
  .map((name) => path.join(root, name))
  .filter((file) => statSync(file).isFile() && statSync(file).size < MOST_BYTES)
  .toSorted();

/** An HTML file with these files in it. */
async function htmlWith(files, title = 'all') {
  const start = empty.subarray(0, empty.lastIndexOf('<plaintext'));
  const packed = [];
  for (const { bytes } of files) {
    const pieces = await pack(new Blob([bytes]));
    packed.push(await Promise.all(pieces.map((piece) => piece.text())));
  }
  const trace = { title, files: files.map((file) => ({ path: file.path, len_bytes: file.bytes.length })) };
  return Buffer.concat([start, Buffer.from(writeTrace(trace, packed).join(''))]);
}

/** The hashes of the files in the open document, by name. */
const hashes = (page) => page.evaluate(async () => {
  const { files } = await window.traceloupe.ownTrace();
  const hash = async ({ path: name, blob }) => {
    const sum = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
    return [name, [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, '0')).join('')];
  };
  return Promise.all(files.map(hash));
});

async function visit(html, watch = () => {}) {
  const file = path.join(folder, 'page.html');
  writeFileSync(file, html);
  const visited = await it.visit(`file://${file}`, { prepare: watch });
  return visited;
}

test('every file comes back byte for byte', async (t) => {
  const roots = [FIXTURES, path.join(DIST, 'samples')];
  if (!noShared(t, true)) roots.push(path.join(SHARED, 'traces'), path.join(SHARED, 'hostile'), path.join(SHARED, 'misread'), path.join(SHARED, 'findings/sessions'));
  const files = roots.flatMap((root) => below(root));
  let n = 0;
  while (n < files.length) {
    const some = [];
    for (let bytes = 0; some.length < TOGETHER && bytes < MOST_BYTES && n < files.length; n += 1) {
      const file = { path: files[n], bytes: readFileSync(files[n]) };
      bytes += file.bytes.length;
      some.push(file);
    }
    const { page, context } = await visit(await htmlWith(some));
    assert.deepEqual(await hashes(page), some.map((file) => [file.path, sha(file.bytes)]));
    await context.close();
  }
  console.log(`${n} files`);
});

test('cat: real files come back byte for byte, except for what HTML replaces', async (t) => {
  if (noShared(t)) return;
  const all = below(path.join(SHARED, 'traces')).filter((file) => /\.(jsonl?|ndjson)$/.test(file));
  const files = all.filter((_, at) => at % Math.max(1, Math.floor(all.length / N_CATS)) === 0).slice(0, N_CATS);
  assert.equal(files.length, N_CATS);
  let nExact = 0;
  for (const file of files) {
    const bytes = readFileSync(file);
    const { page, context } = await visit(Buffer.concat([empty, bytes]));
    const [[, sum]] = await hashes(page);
    const asHtml = bytes.toString().replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD');
    assert.equal(sum, sha(asHtml), file);
    nExact += sum === sha(bytes);
    await context.close();
  }
  console.log(`${nExact} of ${files.length} exact`);
});

test('no payload breaks out of a file, its name or its title; unprotected, they do', async (t) => {
  if (noShared(t)) return;
  const texts = below(path.join(SHARED, 'hostile')).filter((file) => /xss|h5sc|dompurify|blns/.test(file))
    .map((file) => readFileSync(file, 'utf8'));
  const payloads = texts.flatMap((text) => text.split('\n')).filter((line) => /[<"'`]/.test(line) && line.length < 2_000);
  assert.ok(payloads.length > 6_000, `${payloads.length}`);
  const seen = [];
  const watch = (page) => {
    page.on('dialog', (dialog) => {
      seen.push(dialog.message());
      dialog.dismiss().catch(() => {});
    });
    page.on('popup', () => seen.push('popup'));
  };
  // As names and contents of files.
  for (let at = 0; at < payloads.length; at += 1_000) {
    const files = payloads.slice(at, at + 1_000).map((payload) => ({ path: payload, bytes: Buffer.from(payload) }));
    const { page, context } = await visit(await htmlWith(files, payloads[at]), watch);
    const back = await hashes(page);
    assert.deepEqual(back.map(([name]) => name), files.map((file) => file.path));
    assert.deepEqual(back.map(([, sum]) => sum), files.map((file) => sha(file.bytes)));
    await context.close();
  }
  // At the end of the file.
  const { page, context } = await visit(Buffer.concat([empty, Buffer.from(payloads.join('\n'))]), watch);
  await hashes(page);
  await context.close();
  assert.deepEqual(seen, []);
  // Control: the same text as markup.
  const control = await visit(`<!doctype html><body>${payloads.slice(0, 3_000).map((payload) => `<div>${payload}</div>`).join('\n')}`, watch);
  await until(() => seen.length > 0, 'the control fires');
  await control.context.close();
});
