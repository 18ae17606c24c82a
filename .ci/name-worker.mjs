// Adds a hash of the content to the names of the files of both workers and of the prices. Trunk does not do this, and the page
// caches its own files permanently. The page's program gets a new hash, because Trunk made one of what it was before. `node .ci/name-worker.mjs [folder]`
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2] ?? 'dist';
const page = join(folder, 'index.html');
let html = readFileSync(page, 'utf8');

for (const name of ['traceloupe-worker.js', 'traceloupe-worker_bg.wasm', 'traceloupe-redactor.js', 'traceloupe-redactor_bg.wasm', 'prices.json']) {
  const hash = createHash('sha256').update(readFileSync(join(folder, name))).digest('hex').slice(0, 16);
  const [stem, ending] = name.split('.');
  const hashed = `${stem}-${hash}.${ending}`;
  if (!html.includes(`${name}"`)) throw new Error(`${page} does not name ${name}`);
  html = html.replace(`${name}"`, `${hashed}"`);
  renameSync(join(folder, name), join(folder, hashed));
}

const [, old] = html.match(/traceloupe-([0-9a-f]+)_bg\.wasm"/) ?? [];
if (old === undefined) throw new Error(`${page} does not name its program`);
const both = [`traceloupe-${old}.js`, `traceloupe-${old}_bg.wasm`];
const content = createHash('sha256');
for (const name of both) content.update(readFileSync(join(folder, name)));
const hash = content.digest('hex').slice(0, 16);
for (const name of both) {
  renameSync(join(folder, name), join(folder, name.replace(old, hash)));
  html = html.replaceAll(name, name.replace(old, hash));
}
writeFileSync(page, html);
