// Draws the imports: which rooms use each other, how often, and which files of different rooms import each other in a
// cycle. `node .ci/imports.mjs [repository]`. A room is a file or folder directly below a package, as in tests/tidy.rs;
// tests are left out. Paths are read from the text (`crate::`, `super::`, `traceloupe_core::` …), so a re-export counts
// as an import of the file that re-exports.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = process.argv[2] ?? '.';
const src = join(root, 'src');

/** The folder of a package: the first folder below `src`. */
const packageOf = (file) => join(src, relative(src, file).split('/')[0]);

function rustFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'tests' ? [] : rustFiles(path);
    return entry.name.endsWith('.rs') && !/^(tests|testing)\.rs$/.test(entry.name) ? [path] : [];
  });
}

/** The paths of a `use` tree: `a::{b, c::d}` is `a::b` and `a::c::d`. */
function spread(tree) {
  const open = tree.indexOf('{');
  if (open < 0) return [tree.replace(/ as .*/s, '').trim()];
  const head = tree.slice(0, open);
  const parts = [];
  let depth = 0;
  let part = '';
  for (const char of tree.slice(open + 1, tree.lastIndexOf('}'))) {
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    if (char === ',' && depth === 0) {
      parts.push(part);
      part = '';
    } else part += char;
  }
  return [...parts, part].filter((it) => it.trim() !== '').flatMap((it) => spread(head + it.trim()));
}

function fileOf(base, names) {
  let file = null;
  let folder = base;
  for (const name of names) {
    if (existsSync(join(folder, `${name}.rs`))) file = join(folder, `${name}.rs`);
    else if (existsSync(join(folder, name, 'mod.rs'))) file = join(folder, name, 'mod.rs');
    else break;
    folder = join(folder, name);
  }
  return file;
}

function importsOf(file) {
  const text = readFileSync(file, 'utf8')
    .split('#[cfg(test)]\nmod tests')[0]
    .replace(/^\s*\/\/.*$/gm, '');
  const uses = [...text.matchAll(/\buse ([^;]+);/g)].flatMap(([, tree]) => spread(tree.replace(/\s+/g, ' ')));
  const inline = [...text.matchAll(/\b(?:crate|traceloupe_\w+|super)(?:::\w+)+/g)].map(([path]) => path);
  const isModule = ['mod.rs', 'lib.rs', 'main.rs'].includes(file.split('/').at(-1));
  const here = isModule ? dirname(file) : file.replace(/\.rs$/, '');
  const found = new Set();
  for (const path of [...uses, ...inline]) {
    const names = path.split('::').map((name) => name.trim());
    let base = null;
    if (names[0] === 'crate') base = packageOf(file);
    else if (names[0].startsWith('traceloupe_')) base = join(src, names[0].slice('traceloupe_'.length));
    else if (names[0] === 'super') base = dirname(here);
    if (base === null) continue;
    let rest = names.slice(1);
    while (rest[0] === 'super') {
      base = dirname(base);
      rest = rest.slice(1);
    }
    rest = rest.filter((name) => name !== 'self');
    const target = fileOf(base, rest) ?? (existsSync(join(base, 'lib.rs')) ? join(base, 'lib.rs') : null);
    if (target !== null && target !== file) found.add(target);
  }
  return [...found];
}

const files = rustFiles(src);
const imports = new Map(files.map((file) => [file, importsOf(file)]));
/** A package, and in it the file or folder directly below; the root of a package only lists them. */
const roomOf = (file) => {
  const [name, inside = ''] = relative(src, file).split('/');
  return ['lib.rs', 'main.rs'].includes(inside) ? name : `${name}/${inside.replace(/\.rs$/, '')}`;
};

const arrows = new Map();
for (const [file, targets] of imports) {
  for (const target of targets) {
    const [from, to] = [roomOf(file), roomOf(target)];
    if (from !== to) arrows.set(`${from} -> ${to}`, (arrows.get(`${from} -> ${to}`) ?? 0) + 1);
  }
}

/** Groups of more than one node that can all reach each other (Tarjan). */
function circlesOf(nodes, next) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const circles = [];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const other of next(node)) {
      if (!index.has(other)) {
        visit(other);
        low.set(node, Math.min(low.get(node), low.get(other)));
      } else if (stack.includes(other)) low.set(node, Math.min(low.get(node), index.get(other)));
    }
    if (low.get(node) === index.get(node)) {
      const circle = stack.splice(stack.indexOf(node));
      if (circle.length > 1) circles.push(circle);
    }
  };
  for (const node of nodes) if (!index.has(node)) visit(node);
  return circles;
}

const rooms = [...new Set(files.map(roomOf))].sort();
const roomCircles = circlesOf(rooms, (room) => rooms.filter((other) => arrows.has(`${room} -> ${other}`)));
// A module file that only lists the modules of its room would form a meaningless cycle with each of them.
const fileCircles = circlesOf(files, (file) => imports.get(file) ?? [])
  .filter((circle) => new Set(circle.map(roomOf)).size > 1);

for (const [arrow, count] of [...arrows].sort()) console.log(`${arrow} (${count})`);
console.log(`\n${files.length} files in ${rooms.length} rooms, ${arrows.size} arrows between rooms`);
console.log(`${roomCircles.length} circles of rooms: ${roomCircles.map((it) => it.sort().join(' ')).join('; ')}`);
console.log(`${fileCircles.length} circles of files of different rooms, of ${fileCircles.map((it) => it.length).join(', ') || 0} files`);
for (const circle of fileCircles) console.log(`  ${circle.map((file) => relative(src, file)).sort().join(' ')}`);
