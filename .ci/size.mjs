// What the page weighs, packed as a server would: what a browser must have before the page is there,
// and the second wasm, which it fetches behind that (.ci/split/). Prints both, and fails above the gate,
// which is for the first. `node .ci/size.mjs [folder]`; `make bench` takes the numbers from here too.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const KB = 1000;
const target = { gzip: 600 * KB, brotli: 400 * KB };
const gate = { gzip: 1000 * KB };

const isLater = (name) => /-later-\w+\.wasm$/.test(name);

// The samples are loaded when they are asked for.
const kinds = [
  ['core wasm', (name) => name.endsWith('.wasm') && !isLater(name)],
  ['glue and boot', (name) => name.endsWith('.js')],
  ['style', (name) => name.endsWith('.css')],
  ['page', (name) => name === 'index.html'],
];

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
 * Bytes of the built page in `folder`, raw, and packed at their best: `byKind` and in sum (`first`) what
 * must be there before the page is, and `later`, the second wasm (nothing where there is none).
 */
export function sizesOf(folder) {
  const files = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
  const byKind = kinds.map(([kind, is]) => {
    const found = files.filter(is);
    if (found.length === 0) throw new Error(`no ${kind} in ${folder}: build the page first`);
    return [kind, sizeOf(folder, found)];
  });
  const first = sum(byKind.map(([, size]) => size));
  return { byKind, first, later: sizeOf(folder, files.filter(isLater)) };
}

function print(folder) {
  const { byKind, first, later } = sizesOf(folder);
  const lines = [...byKind, ['first', first], ['later wasm', later], ['all', sum([first, later])]];
  for (const [name, size] of lines) {
    const columns = Object.entries(size)
      .map(([key, bytes]) => `${(bytes / KB).toFixed(1).padStart(8)} kB ${key} `);
    console.log(name.padEnd(14), ...columns);
  }
  for (const [packing, most] of Object.entries(target)) {
    const over = first[packing] - most;
    const verdict = over <= 0 ? 'met' : `missed by ${(over / KB).toFixed(1)} kB`;
    console.log(`target: first at most ${most / KB} kB ${packing}: ${verdict}`);
  }
  if (first.gzip > gate.gzip) {
    console.error(`error: what is loaded first is above the gate of ${gate.gzip / KB} kB gzip`);
    process.exit(1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) print(process.argv[2] ?? 'dist');
