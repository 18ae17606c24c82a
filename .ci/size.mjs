// What a browser loads before the first trace, packed as a server would: prints it, and fails above
// the gate. `node .ci/size.mjs [folder]`
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
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

const folder = process.argv[2] ?? 'dist';
const files = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
const total = { raw: 0, gzip: 0, brotli: 0 };
const row = (name, size) =>
  console.log(
    name.padEnd(14),
    ...['raw', 'gzip', 'brotli'].map((key) => `${(size[key] / KB).toFixed(1).padStart(8)} kB ${key} `),
  );

for (const [kind, is] of kinds) {
  const size = { raw: 0, gzip: 0, brotli: 0 };
  const found = files.filter(is);
  if (found.length === 0) throw new Error(`no ${kind} in ${folder}: build the page first`);
  for (const name of found) {
    const bytes = readFileSync(join(folder, name));
    size.raw += bytes.length;
    size.gzip += gzip(bytes);
    size.brotli += brotli(bytes);
  }
  for (const key of Object.keys(total)) total[key] += size[key];
  row(kind, size);
}
row('all', total);

for (const [packing, most] of Object.entries(target)) {
  const over = total[packing] - most;
  const verdict = over <= 0 ? 'met' : `missed by ${(over / KB).toFixed(1)} kB`;
  console.log(`target: at most ${most / KB} kB ${packing}: ${verdict}`);
}
if (total.gzip > gate.gzip) {
  console.error(`error: the page is above the gate of ${gate.gzip / KB} kB gzip`);
  process.exit(1);
}
