// The table of formats: the size of each format's code, and its reading speed. `make formats` prints it; `node
// .ci/formats.mjs [FORMAT…]` prints only some rows.
//
// Code lines are those of the format's own files, without comments, blank lines and tests. Gzip bytes are those of the
// format's functions in the latest worker from wasm-bindgen (`make build`), compressed alone: code that all formats
// share is not counted. MB/s come from `examples/format_speed.rs`, for a short and for a long file.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, gzipSync } from 'node:zlib';
import { functionsOf, partOf } from './weigh.mjs';

const WORKER = 'target/wasm-bindgen/release/traceloupe-worker_bg.wasm';
/** Where each format has a file or a folder, and the format that is a package of its own. */
const FOLDER = 'src/formats';
const APART = { folder: 'claude-code', module: 'claude_code' };

/** Formats with more code lines are listed by name. */
const MAX_LINES = 300;

const FAMILY = /static (\w+): Family = Family \{\s*name: "([^"]+)",\s*cards: &\[([^\]]+)\]/g;

/** The names in a list of references. */
const namesIn = (list) => [...list.matchAll(/&(\w+)/g)].map((it) => it[1]);

/** `[family, id, module]` per format, in the order of the catalog. */
export function formatsOf(root) {
  const ids = new Map();
  const families = new Map();
  const folder = join(root, 'src/core/catalog');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  for (const text of texts) {
    for (const [, name, id] of text.matchAll(/static (\w+): Card = Card::new\(Entry \{\s*id: "([^"]+)"/g)) ids.set(name, id);
    for (const [, family, name, cards] of text.matchAll(FAMILY)) {
      families.set(family, [name, namesIn(cards)]);
    }
  }
  const inOrder = namesIn(texts.join('').match(/FAMILIES: &\[&Family\] = &\[([^\]]+)\]/)[1]);
  const modules = new Map();
  for (const [module, path] of filesOf(root)) {
    for (const [, name] of readFileSync(path, 'utf8').matchAll(/catalog::([A-Z]\w+)/g)) modules.set(name, module);
  }
  const all = [...inOrder.map((family) => families.get(family)), ['Other files', ['RECORDS']]];
  return all.flatMap(([family, names]) => names.map((name) => [family, ids.get(name), modules.get(name)]));
}

/** `[module, path]` of every file of a format. */
function filesOf(root) {
  const folder = join(root, FOLDER);
  const own = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (
    rustFiles(folder, entry).map((path) => [entry.name.replace(/\.rs$/, ''), path])));
  const source = join(root, 'src');
  const apart = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.name === APART.folder);
  return [...own, ...apart.flatMap((entry) => rustFiles(source, entry).map((path) => [APART.module, path]))];
}

function rustFiles(folder, entry) {
  const path = join(folder, entry.name);
  if (!entry.isDirectory()) return /\.rs$/.test(path) && !/\btest(s|ing)?\.rs$/.test(path) ? [path] : [];
  if (entry.name === 'tests') return [];
  return readdirSync(path, { withFileTypes: true }).flatMap((inner) => rustFiles(path, inner));
}

/**
 * Lines of code of a Rust file: without comments, blank lines and the tests at its end. Tests in a file of their own
 * may be declared anywhere.
 */
export function codeLines(text) {
  const lines = text.replace('#[cfg(test)]\nmod tests;\n', '').split('#[cfg(test)]\nmod tests {')[0].split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('//')).length;
}

/** Code lines of the files of a format. */
export function linesOf(root, module) {
  const paths = filesOf(root).filter(([name]) => name === module).map(([, path]) => path);
  return paths.reduce((sum, path) => sum + codeLines(readFileSync(path, 'utf8')), 0);
}

/** Gzip bytes of the functions of each part of our own crate. */
function packed(file) {
  const parts = new Map();
  for (const { name, body } of functionsOf(readFileSync(file))) {
    const part = partOf(name);
    if (part) parts.set(part, [...(parts.get(part) ?? []), body]);
  }
  const gzip = (bodies) => gzipSync(Buffer.concat(bodies), { level: constants.Z_BEST_COMPRESSION }).length;
  return new Map([...parts].map(([part, bodies]) => [part, gzip(bodies)]));
}

function fixtures(root, id) {
  const folder = join(root, 'tests/fixtures', id);
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files.filter((entry) => entry.isFile() && entry.name !== 'expect.json').length;
}

function speeds(root, chosen) {
  const args = ['run', '--release', '--locked', '--quiet', '--example', 'format_speed', '--', ...chosen];
  const printed = execFileSync('cargo', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return new Map(printed.trim().split('\n').map((line) => line.split('\t')).map(([id, ...rest]) => [id, rest]));
}

/** The median of some numbers. */
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

function print(root, chosen) {
  const measured = speeds(root, chosen);
  const weights = existsSync(join(root, WORKER)) ? packed(join(root, WORKER)) : new Map();
  const formats = formatsOf(root).filter(([, id]) => measured.has(id));
  console.log('| Family | Format | Fixtures | Code lines | gzip bytes | What is repeated | Bytes per row | MB/s, 5 MB | MB/s, 20 MB |');
  console.log('| --- | --- | ---: | ---: | ---: | --- | ---: | ---: | ---: |');
  for (const [family, id, module] of formats) {
    const [, repeated, perRow, short, long] = measured.get(id);
    const weight = weights.get(module === APART.module ? module : `formats::${module}`) ?? '';
    const cells = [family, id, fixtures(root, id), linesOf(root, module), weight, repeated, perRow, short, long];
    console.log(`| ${cells.join(' | ')} |`);
  }
  const modules = [...new Set(formats.map(([, , module]) => module))];
  const lines = modules.map((module) => linesOf(root, module));
  const sum = lines.reduce((all, n) => all + n, 0);
  console.log(`\n${formats.length} formats in ${modules.length} modules: ${sum} code lines, ${Math.round(sum / modules.length)} on average, ${median(lines)} in the middle`);
  const long = modules.map((module, at) => [module, lines[at]]).filter(([, n]) => n > MAX_LINES);
  console.log(`above ${MAX_LINES} lines: ${long.map((it) => it.join(' ')).join(', ') || 'none'}`);
  for (const way of new Set([...measured.values()].map((it) => it[1]))) {
    const own = [...measured].filter(([, it]) => it[1] === way && it[4]);
    if (own.length === 0) continue;
    const fastest = Math.max(...own.map(([, it]) => Number(it[4])));
    const slow = own.filter(([, it]) => Number(it[4]) < fastest / 3);
    const names = slow.map(([id, it]) => `${id} ${it[4]}`).join(', ') || 'none';
    console.log(`${way}: the fastest is read at ${fastest} MB/s; below a third of it: ${names}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  print(join(dirname(fileURLToPath(import.meta.url)), '..'), process.argv.slice(2));
}
