// What a browser loads before the first trace, packed as a server would: prints it, and fails above
// the gate. `node .ci/size.mjs [folder]`; `make bench` takes the numbers from here too.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const KB = 1000;
const target = { gzip: 600 * KB, brotli: 400 * KB };
const gate = { gzip: 1000 * KB };

// The samples are loaded when they are asked for.
const kinds = [
  ['wasm', (name) => name.endsWith('.wasm')],
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

/** Bytes of the built page in `folder` by kind, and of all: raw, and packed at their best. */
export function sizesOf(folder) {
  const files = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
  const all = { raw: 0, gzip: 0, brotli: 0 };
  const byKind = kinds.map(([kind, is]) => {
    const found = files.filter(is);
    if (found.length === 0) throw new Error(`no ${kind} in ${folder}: build the page first`);
    const size = { raw: 0, gzip: 0, brotli: 0 };
    for (const name of found) {
      const bytes = readFileSync(join(folder, name));
      size.raw += bytes.length;
      size.gzip += gzip(bytes);
      size.brotli += brotli(bytes);
    }
    for (const key of Object.keys(all)) all[key] += size[key];
    return [kind, size];
  });
  return { byKind, all };
}

function print(folder) {
  const { byKind, all } = sizesOf(folder);
  for (const [name, size] of [...byKind, ['all', all]]) {
    const columns = Object.entries(size)
      .map(([key, bytes]) => `${(bytes / KB).toFixed(1).padStart(8)} kB ${key} `);
    console.log(name.padEnd(14), ...columns);
  }
  for (const [packing, most] of Object.entries(target)) {
    const over = all[packing] - most;
    const verdict = over <= 0 ? 'met' : `missed by ${(over / KB).toFixed(1)} kB`;
    console.log(`target: at most ${most / KB} kB ${packing}: ${verdict}`);
  }
  if (all.gzip > gate.gzip) {
    console.error(`error: the page is above the gate of ${gate.gzip / KB} kB gzip`);
    process.exit(1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) print(process.argv[2] ?? 'dist');
