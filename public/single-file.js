// The single HTML file: the page and its trace in one document, which makes no request.
//
// `write` puts the parts together. `.ci/single-file.mjs` calls it for `traceloupe.html`, and boot.js for files that
// the page saves. The programs, the prices and the trace are compressed, in base64, in `<script>` elements of a type
// that no browser runs, so none of them can contain the end of its element. `readPlain` and `readPacked` take the
// trace out of such a document.
'use strict';

(function singleFile(global) {
  /** Bytes of one element of the trace: base64 of this many bytes is 4 MiB, without padding. */
  const PIECE_BYTES = 3 << 20;
  /** Bytes that are turned into characters at once, a multiple of three. The stack has room for as many arguments. */
  const ARGUMENTS = 24 << 10;
  const DATA_TYPE = 'application/octet-stream';

  /** Has no purpose in a template, and would be escaped when that is written again. */
  const NOSCRIPT = /<noscript>[^]*?<\/noscript>\s*/;

  const ICON = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' " +
    "stroke='royalblue' stroke-width='2.2' stroke-linecap='round'%3E%3Ccircle cx='10.5' cy='10.5' r='6.8'/%3E" +
    "%3Cpath d='M15.7 15.7 21 21'/%3E%3C/svg%3E";

  /** The policy of the document: only these scripts and this style, and no request at all. */
  const policyOf = ({ scripts, style }) => `default-src 'none'; script-src ${scripts.join(' ')} 'wasm-unsafe-eval'; ` +
    `style-src ${style}; img-src data: blob:; media-src data: blob:; worker-src blob:; base-uri 'none'; ` +
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types traceloupe";

  const escapeText = (text) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

  /** JSON that cannot end its element, or begin another one. */
  const escapeJson = (value) => JSON.stringify(value)
    .replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

  const data = (attributes, pieces) => [`<script type="${DATA_TYPE}" ${attributes}>`, ...pieces, '</script>\n'];

  /**
   * The document as a list of strings and Blobs. `files` has the base64 of each compressed part, as a list of pieces:
   * `wasm`, `workerWasm`, `redactorWasm`, `prices`. `style`, `boot` and the three glues are text, `frame` is the HTML of the
   * empty page, and `brief` that of a summary, for readers without scripts. `trace` is null for a document that ends
   * in an open `<plaintext>`, to which a trace can be appended. Otherwise it describes the trace, and `packed` has one
   * list of pieces per file.
   */
  function write({ policy, title, style, boot, glue, workerGlue, redactorGlue, files, frame, brief = '', trace = null, packed = [] }) {
    const head = [
      `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n`,
      `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<title>${escapeText(title)}</title>\n`,
      '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
      '<meta name="referrer" content="no-referrer">\n<meta name="color-scheme" content="light dark">\n',
      `<link rel="icon" href="${ICON}">\n`,
      '<style>', style, '</style>\n<script id="tl-glue">', glue, '</script>\n<script>', boot, '</script>\n</head>\n',
    ];
    const body = [
      '<body>\n<div id="tl-brief">', brief, '</div>\n<template id="tl-frame">', frame.replace(NOSCRIPT, ''), '</template>\n',
      ...data('id="tl-wasm"', files.wasm),
      ...data('id="tl-worker"', [workerGlue]),
      ...data('id="tl-worker-wasm"', files.workerWasm),
      ...data('id="tl-redactor"', [redactorGlue]),
      ...data('id="tl-redactor-wasm"', files.redactorWasm),
      ...data('id="tl-prices"', files.prices),
    ];
    const end = trace === null ? ['<plaintext id="tl-plain">'] : writeTrace(trace, packed);
    return [...head, ...body, ...end];
  }

  /** The end of a document with a trace. */
  function writeTrace(trace, packed) {
    const described = { ...trace, pieces: packed.map((pieces) => pieces.length) };
    const pieces = packed.flat().flatMap((piece) => data('class="tl-data"', [piece]));
    return [...data('id="tl-trace"', [escapeJson(described)]), ...pieces, '</body>\n</html>\n'];
  }

  function toBase64(bytes) {
    if (bytes.toBase64) return bytes.toBase64();
    const texts = [];
    for (let at = 0; at < bytes.length; at += ARGUMENTS) {
      texts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + ARGUMENTS))));
    }
    return texts.join('');
  }

  const fromBase64 = (text) => (Uint8Array.fromBase64
    ? Uint8Array.fromBase64(text)
    : Uint8Array.from(atob(text), (char) => char.charCodeAt(0)));

  /** Compresses a Blob. Returns base64 in pieces, as Blobs, so that no long string is held. */
  async function pack(blob) {
    const reader = blob.stream().pipeThrough(new CompressionStream('gzip')).getReader();
    const pieces = [];
    const buffer = new Uint8Array(PIECE_BYTES);
    let len = 0;
    const flush = () => {
      pieces.push(new Blob([toBase64(buffer.subarray(0, len))]));
      len = 0;
    };
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      for (let rest = read.value; rest.length > 0;) {
        const taken = rest.subarray(0, PIECE_BYTES - len);
        buffer.set(taken, len);
        len += taken.length;
        rest = rest.subarray(taken.length);
        if (len === PIECE_BYTES) flush();
      }
    }
    if (len > 0) flush();
    return pieces;
  }

  /** The response that unpacks base64 of gzip. */
  function unpack(texts, type = '') {
    const stream = new Blob(texts.map(fromBase64)).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(stream, { headers: { 'content-type': type } });
  }

  /** The trace of a saved document: its description, with a Blob for each file. Its elements are removed. */
  async function readPacked(document) {
    const described = document.getElementById('tl-trace');
    if (described === null) throw new Error('this HTML file is incomplete');
    const { pieces, ...trace } = JSON.parse(described.textContent);
    const elements = [...document.querySelectorAll('script.tl-data')];
    const files = trace.files.map(({ path }, index) => {
      const texts = elements.splice(0, pieces[index]).map((element) => {
        const text = element.textContent;
        element.remove();
        return text;
      });
      return { path, texts };
    });
    trace.files = await Promise.all(files.map(async ({ path, texts }, index) => {
      const blob = await unpack(texts).blob();
      if (blob.size !== trace.files[index].len_bytes) throw new Error(`this HTML file is incomplete: ${path}`);
      return { path, blob };
    }));
    return trace;
  }

  /**
   * The trace that was appended to a document, or null. HTML keeps neither carriage returns nor NUL, and bytes that
   * are not UTF-8 become U+FFFD.
   */
  function readPlain(document, path) {
    const element = document.getElementById('tl-plain');
    // The parser splits long texts, perhaps within a surrogate pair, which a Blob would replace.
    const texts = [];
    let half = '';
    for (const { data: part } of element.childNodes) {
      const text = half + part;
      half = /[\uD800-\uDBFF]$/.test(text.slice(-1)) ? text.slice(-1) : '';
      texts.push(half === '' ? text : text.slice(0, -1));
    }
    if (texts.every((text) => text.trim() === '')) return null;
    const nReplaced = texts.reduce((sum, text) => sum + text.split('\uFFFD').length - 1, 0);
    return { files: [{ path, blob: new Blob(texts) }], nReplaced };
  }

  const api = Object.freeze({ policyOf, write, writeTrace, pack, unpack, readPacked, readPlain });
  if (typeof module === 'object') module.exports = api;
  else global.traceloupeSingleFile = api;
})(globalThis);
