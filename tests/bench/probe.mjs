// The baseline: the minimum that the browser needs, and the time of a page without an index. Each is measured in a
// fresh worker of a page without a policy, in the same browser.

/** Reads slices, one ahead, and discards them. */
const READ = `
const SLICE = 8 << 20;
async function* slices(file) {
  let next = file.slice(0, SLICE).arrayBuffer();
  for (let at = 0; at < file.size; at += SLICE) {
    const buffer = await next;
    if (at + SLICE < file.size) next = file.slice(at + SLICE, at + 2 * SLICE).arrayBuffer();
    yield buffer;
  }
}
`;

const WORKERS = {
  /** Reads every byte into memory. */
  read: `${READ}
onmessage = async ({ data: file }) => {
  const started = performance.now();
  let bytes = 0;
  for await (const buffer of slices(file)) bytes += buffer.byteLength;
  if (bytes !== file.size) throw new Error('not all was read');
  postMessage(performance.now() - started);
};`,
  /** `file.text()` and `JSON.parse` of each line; the values are kept, as a viewer must keep them. */
  parseText: `
onmessage = async ({ data: file }) => {
  const started = performance.now();
  const values = [];
  for (const line of (await file.text()).split('\\n')) {
    if (line !== '') values.push(JSON.parse(line));
  }
  postMessage(performance.now() - started);
};`,
  /** `TextDecoder` over slices and `JSON.parse` of each line, without keeping the values: for files of
      any size. */
  parseSlices: `${READ}
onmessage = async ({ data: file }) => {
  const started = performance.now();
  const decoder = new TextDecoder();
  let rest = '';
  for await (const buffer of slices(file)) {
    const lines = (rest + decoder.decode(buffer, { stream: true })).split('\\n');
    rest = lines.pop();
    for (const line of lines) JSON.parse(line);
  }
  postMessage(performance.now() - started);
};`,
  /** `file.text()` and `JSON.parse` of one document. */
  parseDocument: `
onmessage = async ({ data: file }) => {
  const started = performance.now();
  JSON.parse(await file.text());
  postMessage(performance.now() - started);
};`,
};

/** A page that measures the baseline; `base` is where our page is served. Close its `context` when done. */
export async function openProbe(browser, server, base) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${server.origin}/t/html/probe`);
  await page.evaluate(async (address) => {
    const input = document.createElement('input');
    Object.assign(input, { type: 'file', id: 'file' });
    document.body.append(input);
    // The worker's program, which startAndRead needs: compiled once, as the page does.
    const html = new DOMParser().parseFromString(await (await fetch(address)).text(), 'text/html');
    const script = html.getElementById('tl-glue');
    const part = (name) => fetch(new URL(script.getAttribute(name), address));
    const tail = `\nonmessage = (event) => {
      wasm_bindgen.initSync({ module: event.data });
      onmessage = async ({ data: file }) => {
        await file.slice(0, 8 << 20).arrayBuffer();
        postMessage('read');
      };
    };`;
    window.ours = {
      module: await WebAssembly.compile(await (await part('data-worker-wasm')).arrayBuffer()),
      worker: URL.createObjectURL(new Blob([await (await part('data-worker')).text(), tail])),
    };
  }, base);
  return { context, page };
}

const give = (page, file) => page.locator('#file').setInputFiles(file);

/** The time in milliseconds that one of the WORKERS takes for a file; null if it fails (a string is too long). */
export async function runWorker(page, name, file) {
  await give(page, file);
  return page.evaluate(async (text) => {
    const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
    const worker = new Worker(address);
    const answer = await new Promise((done) => {
      worker.onmessage = ({ data }) => done(data);
      worker.onerror = () => done(null);
      worker.postMessage(document.getElementById('file').files[0]);
    });
    worker.terminate();
    URL.revokeObjectURL(address);
    return answer;
  }, `addEventListener('unhandledrejection', (event) => { throw event.reason; });\n${WORKERS[name]}`);
}

/**
 * The time in milliseconds to start a worker from the compiled module, as boot.js does, and to read the first 8 MiB of
 * a file in it.
 */
export async function startAndRead(page, file) {
  await give(page, file);
  return page.evaluate(async () => {
    const started = performance.now();
    const worker = new Worker(window.ours.worker);
    worker.postMessage(window.ours.module);
    worker.postMessage(document.getElementById('file').files[0]);
    await new Promise((done) => {
      worker.onmessage = done;
    });
    const ms = performance.now() - started;
    worker.terminate();
    return ms;
  });
}
