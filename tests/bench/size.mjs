// What the browser has to load before a trace can be opened: wasm, glue and style of a built page.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Bytes of the built page in `folder`: plain, and packed with gzip and brotli at their best. */
export function sizeOf(folder) {
  const files = readdirSync(folder).filter((name) => /\.(wasm|js|css)$/.test(name))
    .map((name) => readFileSync(path.join(folder, name)));
  const sum = (pack) => files.reduce((bytes, file) => bytes + pack(file).length, 0);
  return {
    name: 'page', kind: 'size', plain: sum((file) => file),
    gzip: sum((file) => gzipSync(file, { level: 9 })),
    brotli: sum((file) => brotliCompressSync(file, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: file.length },
    })),
  };
}
