// The size of each program, compressed as a server would: the page (its wasm and glue, boot script, style, document),
// the worker and the redactor (their wasm and glue). Prints them, then the code by crate and by module, and fails above a
// gate, if a program has the table for parsing floats exactly, or if the page has the table for writing them, or
// creates elements through `innerHTML`.
// `node .ci/size.mjs [folder]`; `make bench` uses these numbers too.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { crateOf, functionsOf, partOf, sumBy } from './weigh.mjs';

const KB = 1000;

/**
 * Gzip bytes per program: the goal, and the gate, above which the build fails. They guard against accidents; the real
 * measure is how long a user waits (`make bench`, slow line and CPU).
 */
export const budgets = {
  page: { target: 750 * KB, gate: 900 * KB },
  worker: { target: 1000 * KB, gate: 1150 * KB },
  redactor: { target: 100 * KB, gate: 150 * KB },
};

const isWorkers = (name) => name.startsWith('traceloupe-worker');
const isRedactors = (name) => name.startsWith('traceloupe-redactor');
// The element is part of other pages.
const isPages = (name) => !isWorkers(name) && !isRedactors(name) && !name.startsWith('trace-loupe');

// The samples are loaded only when they are opened, and the list of prices after both programs.
const parts = {
  page: [
    ['wasm', (name) => name.endsWith('.wasm') && isPages(name)],
    ['glue and boot', (name) => name.endsWith('.js') && isPages(name)],
    ['style', (name) => name.endsWith('.css')],
    ['document', (name) => name === 'index.html'],
  ],
  worker: [
    ['wasm', (name) => name.endsWith('.wasm') && isWorkers(name)],
    ['glue', (name) => name.endsWith('.js') && isWorkers(name)],
  ],
  redactor: [
    ['wasm', (name) => name.endsWith('.wasm') && isRedactors(name)],
    ['glue', (name) => name.endsWith('.js') && isRedactors(name)],
  ],
};

/** Each program as written by wasm-bindgen, with function names, for the tables of code. */
const named = {
  page: 'target/wasm-bindgen/release/traceloupe_bg.wasm',
  worker: 'target/wasm-bindgen/release/traceloupe-worker_bg.wasm',
  redactor: 'target/wasm-bindgen/release/traceloupe-redactor_bg.wasm',
};

const gzip = (bytes) => gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }).length;
const brotli = (bytes) =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  }).length;

const nothing = () => ({ raw: 0, gzip: 0, brotli: 0 });

function sizeOf(folder, names) {
  const size = nothing();
  for (const name of names) {
    const bytes = readFileSync(join(folder, name));
    size.raw += bytes.length;
    size.gzip += gzip(bytes);
    size.brotli += brotli(bytes);
  }
  return size;
}

function sum(sizes) {
  const all = nothing();
  for (const size of sizes) for (const key of Object.keys(all)) all[key] += size[key];
  return all;
}

/**
 * Sizes of the built page in `folder`, raw and compressed at the highest level: per program a list of `[part,
 * size]` and their sum.
 */
export function sizesOf(folder) {
  const files = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
  const programs = {};
  for (const [program, kinds] of Object.entries(parts)) {
    const byPart = kinds.map(([part, is]) => {
      const found = files.filter(is);
      if (found.length === 0) throw new Error(`no ${part} of the ${program} in ${folder}: build the page first`);
      return [part, sizeOf(folder, found)];
    });
    programs[program] = { byPart, all: sum(byPart.map(([, size]) => size)) };
  }
  return programs;
}

/**
 * The first entry of the table with which the standard library parses floats exactly: 10 kB that do not shrink when
 * they are compressed. Programs parse numbers with `traceloupe::number` instead.
 */
const FLOAT_TABLE = Buffer.from('5ad63b92d653f4ee', 'hex');

/**
 * The first entry of the table with which the standard library writes floats: it comes with 18 kB of code, which the
 * page avoids. The worker writes files with it.
 */
const WRITING_TABLE = Buffer.from('df451a3d03cf1ae6', 'hex');

/** The programs that contain a table, by their names. */
const withTable = (folder, table) => readdirSync(folder)
  .filter((name) => name.endsWith('.wasm') && readFileSync(join(folder, name)).includes(table));

const inKb = (bytes) => `${(bytes / KB).toFixed(1).padStart(8)} kB`;

/** The largest entries of a table, and the rest in one line. */
function printLargest(title, entries, most) {
  console.log(title);
  const rest = entries.slice(most).reduce((all, [, bytes]) => all + bytes, 0);
  for (const [name, bytes] of entries.slice(0, most)) console.log(`${inKb(bytes)} ${name}`);
  if (rest > 0) console.log(`${inKb(rest)} ${entries.length - most} others`);
}

function print(folder) {
  const programs = sizesOf(folder);
  let isTooLarge = false;
  for (const [program, { byPart, all }] of Object.entries(programs)) {
    for (const [part, size] of [...byPart, ['all', all]]) {
      const columns = Object.entries(size).map(([packing, bytes]) => `${inKb(bytes)} ${packing} `);
      console.log(`${program} ${part}`.padEnd(20), ...columns);
    }
    const { target, gate } = budgets[program];
    const over = all.gzip - target;
    const verdict = over <= 0 ? 'met' : `missed by ${(over / KB).toFixed(1)} kB`;
    console.log(`${program}: target of ${target / KB} kB gzip ${verdict}, gate of ${gate / KB} kB\n`);
    if (all.gzip > gate) {
      console.error(`error: the ${program} is above its gate of ${gate / KB} kB gzip`);
      isTooLarge = true;
    }
  }
  for (const [program, file] of Object.entries(named).filter(([, file]) => existsSync(file))) {
    const functions = functionsOf(readFileSync(file));
    printLargest(`Code of the ${program} by crate, before wasm-opt`, sumBy(functions, crateOf), 12);
    printLargest('of our own by part', sumBy(functions, partOf), 20);
    console.log();
  }
  if (existsSync(named.page) && functionsOf(readFileSync(named.page)).some(({ name }) => name.includes('InertElement'))) {
    console.error('error: the page sets innerHTML, which its policy forbids; see `markup!` in src/page/lib.rs');
    isTooLarge = true;
  }
  for (const name of withTable(folder, FLOAT_TABLE)) {
    console.error(`error: ${name} has the table of str::parse::<f64>; use traceloupe::number::parse`);
    isTooLarge = true;
  }
  for (const name of withTable(folder, WRITING_TABLE).filter((it) => !isWorkers(it))) {
    console.error(`error: ${name} writes a float with format!; use traceloupe::number::fixed or shortest`);
    isTooLarge = true;
  }
  if (isTooLarge) process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) print(process.argv[2] ?? 'dist');
