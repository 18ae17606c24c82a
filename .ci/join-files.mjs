// Joins the style sheets of the page into one file, and the scripts that run before its program into another, in the
// order in which the page names them: two requests instead of forty. The browser would find the scripts one after the
// other, because it does not look ahead past the policy in the page's head. `node .ci/join-files.mjs [folder]`
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2] ?? 'dist';
const page = join(folder, 'index.html');
let html = readFileSync(page, 'utf8');

/** Replaces the first element that matches `pattern` by one for all their files joined, and removes the others. */
function joinAll(pattern, stem, ending) {
  const found = [...html.matchAll(pattern)];
  if (found.length < 2) throw new Error(`${page} names ${found.length} files to join as ${stem}; more were expected`);
  const names = found.map(([, name]) => name);
  const text = names.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const joined = `${stem}-${hash}.${ending}`;
  const [first, ...others] = found.map(([element]) => element);
  html = html.replace(first, first.replace(names[0], joined));
  for (const element of others) html = html.replace(element, '');
  for (const name of names) rmSync(join(folder, name));
  writeFileSync(join(folder, joined), text);
}

joinAll(/<link rel="stylesheet" href="(?:\.\/)?([^"]+\.css)"[^>]*>\s*/g, 'style', 'css');
// The page's glue has an id: it stays a file of its own, because the boot script names it.
joinAll(/<script\b(?![^>]*\bid=)[^>]*\bsrc="(?:\.\/)?([^"]+\.js)"[^>]*><\/script>\s*/g, 'boot', 'js');
// Trunk puts the preload at the end of the head, where the browser finds it only after the scripts have run.
const [preload] = html.match(/<link rel="preload"[^>]*>/) ?? [];
if (preload === undefined) throw new Error(`${page} does not preload the page's program`);
html = html.replace(preload, '').replace('<script id="tl-glue"', `${preload}\n$&`);
writeFileSync(page, html);
