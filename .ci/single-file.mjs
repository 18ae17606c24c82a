// Writes `traceloupe.html` beside the built page: the whole page in one HTML file, to whose end a trace can be appended
// (`cat traceloupe.html run.jsonl > report.html`). Also writes the policy of such files into the page, because the page
// saves traces in the same form and cannot compute hashes everywhere. `node .ci/single-file.mjs [folder]`
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';

const { policyOf, write } = createRequire(import.meta.url)('../public/single-file.js');

const folder = process.argv[2] ?? 'dist';
const page = join(folder, 'index.html');
const html = readFileSync(page, 'utf8');

function found(pattern) {
  const match = html.match(pattern);
  if (match === null) throw new Error(`${page} does not match ${pattern}`);
  return match[1].replace(/^\.?\//, '');
}

/** The text of a file that becomes an element. It must be the same text again when HTML has been parsed. */
function text(name, tag) {
  const read = readFileSync(join(folder, name), 'utf8');
  const is = (part) => read.toLowerCase().includes(part);
  if ([`</${tag}`, '<!--', '\r', '\0'].some(is)) throw new Error(`${name} cannot be part of an HTML file`);
  return read;
}

const packed = (name) => [gzipSync(readFileSync(join(folder, name)), { level: constants.Z_BEST_COMPRESSION }).toString('base64')];
const hash = (read) => `'sha256-${createHash('sha256').update(read).digest('base64')}'`;

const style = text(found(/<link rel="stylesheet" href="([^"]+)"/), 'style');
const boot = text(found(/<script src="([^"]+)"/), 'script');
const glue = text(found(/<script id="tl-glue" src="([^"]+)"/), 'script');
const policy = policyOf({ scripts: [hash(glue), hash(boot)], style: hash(style) });

const single = write({
  policy, style, boot, glue,
  title: 'Traceloupe',
  workerGlue: text(found(/ data-worker="([^"]+)"/), 'script'),
  redactorGlue: text(found(/ data-redactor="([^"]+)"/), 'script'),
  files: {
    wasm: packed(found(/ data-wasm="([^"]+)"/)),
    workerWasm: packed(found(/ data-worker-wasm="([^"]+)"/)),
    redactorWasm: packed(found(/ data-redactor-wasm="([^"]+)"/)),
    prices: packed(found(/ data-prices="([^"]+)"/)),
  },
  brief: '<noscript><p>Traceloupe reads traces inside your browser, so it needs JavaScript and WebAssembly. ' +
    'Without them, this page shows the trace as text.</p></noscript>',
  frame: found(/<body>([^]*)<\/body>/).replace(/<!--[^]*?-->/g, '').trim(),
});
writeFileSync(join(folder, 'traceloupe.html'), single.join(''));
writeFileSync(page, html.replace('<script id="tl-glue"', `$& data-policy="${policy}"`));
