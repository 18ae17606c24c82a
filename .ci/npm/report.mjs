// Writes reports: the viewer and a trace in one HTML file, as the page saves it. The viewer comes from traceloupe.html.
import { createRequire } from 'node:module';

const { pack, write } = createRequire(import.meta.url)('./single-file.cjs');

/** The parts of `traceloupe.html`, in the form in which `write` of single-file.js has put them together. */
export function partsOf(html) {
  let at = 0;
  const between = (before, after) => {
    const start = html.indexOf(before, at);
    const end = start < 0 ? -1 : html.indexOf(after, start + before.length);
    if (end < 0) throw new Error(`traceloupe.html is incomplete: ${before} is missing`);
    at = end;
    return html.slice(start + before.length, end);
  };
  const data = (id) => between(`id="${id}">`, '</script>');
  // In the order of the document.
  const policy = between('http-equiv="Content-Security-Policy" content="', '">\n');
  const title = between('<title>', '</title>');
  const style = between('<style>', '</style>');
  const glue = between('<script id="tl-glue">', '</script>');
  const boot = between('<script>', '</script>');
  const brief = between('<div id="tl-brief">', '</div>\n<template id="tl-frame">');
  const frame = between('<template id="tl-frame">', '</template>');
  const [wasm, workerGlue, workerWasm, redactorGlue, redactorWasm, prices] = [
    'tl-wasm', 'tl-worker', 'tl-worker-wasm', 'tl-redactor', 'tl-redactor-wasm', 'tl-prices',
  ].map(data);
  return {
    policy, title, style, glue, boot, brief, frame, workerGlue, redactorGlue,
    files: { wasm: [wasm], workerWasm: [workerWasm], redactorWasm: [redactorWasm], prices: [prices] },
  };
}

/** A report as a list of strings and Blobs: `files` have a `path`, a `lenBytes` and a `stream()`. */
export async function reportOf(parts, { title, brief, files }) {
  const packed = [];
  for (const file of files) packed.push(await pack(file));
  const described = files.map(({ path, lenBytes }) => ({ path, len_bytes: lenBytes }));
  return write({ ...parts, title, brief, trace: { title, files: described }, packed });
}
