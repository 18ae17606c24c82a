// The boot script: everything that must happen before the wasm is loaded, or outside it.
//
// 1. the theme, before the first paint
// 2. messages from other windows: PING is answered at once, other messages are kept for the page
// 3. the addresses in the link: their fetches start here, and nowhere else (fetching.js)
// 4. the empty page, which is in index.html: input that is dropped, chosen or pasted before the program runs is kept
//    (start.js)
// 5. both programs, compiled while they arrive: the page's, whose glue runs as a script, and the worker's (glue text
//    and wasm), compiled once for all workers
// 6. the seal: a second policy, after which neither page nor worker can use the network
// 7. the worker, started from a blob after the seal, so that it inherits the policy; and the redactor, in the same way,
//    once something leaves the page
// 8. the single HTML file (single-file.js): the trace that is in it, and the parts of the page for files that are saved
//
// This is a classic script, because module scripts run neither from disk nor in a sandboxed frame. The page
// uses it through `window.traceloupe`; src/page/boot.rs documents each part.
'use strict';

(function boot() {
  const SEAL = "default-src 'none'; script-src 'wasm-unsafe-eval'; style-src 'none'; " +
    "img-src data: blob:; media-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'";
  const MOST_WAITING_MESSAGES = 8;
  /**
   * The worker's program is requested once the page's program has arrived, because that one is needed first, or after
   * this time. On a slow connection, the rest of the page's program is then transferred during the round trip of the
   * request, when the connection would otherwise be idle.
   */
  const HEAD_START_MS = 350;

  const { readLink, readAddresses, readNeed, theme, isEmbedded, isPrivateHost } = globalThis.traceloupeAddresses;
  const singleFile = globalThis.traceloupeSingleFile;
  const workerBytes = globalThis.traceloupeWorkerBytes;
  const obstacles = globalThis.traceloupeObstacles;
  const isFramed = window.parent !== window;
  const bootScript = document.currentScript;
  // If the page is a folder, this element names the files of both programs. In the single HTML file, it contains the
  // page's glue, and further elements contain the worker's glue and both wasm files.
  const glueScript = document.getElementById('tl-glue');
  const isSingleFile = !glueScript.src;

  // --- the link ------------------------------------------------------------------------------

  const link = readLink(location.search, location.hash);
  if (link.fragment !== null) {
    // Moved out of the query, so that a reload or a referrer does not send trace addresses to a server.
    try {
      history.replaceState(history.state, '', location.pathname + link.fragment);
    } catch {
      // Not always allowed in an opaque origin. The address has been read in any case.
    }
  }

  // --- the theme -----------------------------------------------------------------------------

  function storedTheme() {
    try {
      return localStorage.getItem('traceloupe.theme');
    } catch {
      return null; // no storage in a sandboxed frame
    }
  }

  const wantedTheme = theme(link.pairs) || storedTheme();
  if (wantedTheme === 'light' || wantedTheme === 'dark') {
    document.documentElement.dataset.theme = wantedTheme;
  }
  // Parts that an embedded page does not show are hidden before the first paint too.
  if (isEmbedded(link.pairs)) document.documentElement.dataset.embedded = 'true';

  // --- messages ------------------------------------------------------------------------------

  const waiting = [];
  let deliver = null;

  /** Whether messages from a window are accepted: this window, its opener, its parent, or one that it opened. */
  function maySpeak(source) {
    if (source === null) return false;
    if (source === window || source === window.opener || source === window.parent) return true;
    try {
      return source.opener === window;
    } catch {
      return false; // not a window
    }
  }

  addEventListener('message', (event) => {
    if (!maySpeak(event.source)) return;
    if (event.data === 'PING') {
      event.source.postMessage('PONG', '*');
      return;
    }
    if (typeof event.data !== 'object' || event.data === null) return;
    if (deliver !== null) deliver(event);
    else if (waiting.length < MOST_WAITING_MESSAGES) waiting.push(event);
  });

  function takeMessages(callback) {
    deliver = callback;
    for (const event of waiting.splice(0)) callback(event);
  }

  // --- the addresses -------------------------------------------------------------------------

  const startFetch = globalThis.traceloupeFetching({
    isPrivateHost, isFramed, hasRefused: obstacles.hasRefused, sources: () => sources,
  });
  const addressesOf = ({ pairs }) => readAddresses(pairs, document.baseURI, isFramed);
  let sources = addressesOf(link).map(startFetch);
  let isSealed = false;

  /** Cancels the fetches of the addresses, because something else is opened. */
  function cancelLink() {
    for (const source of sources) source.cancel();
    sources = [];
  }

  /** Fetches the addresses of a changed link, unless they are being fetched. A sealed page cannot, so it reloads. */
  function followLink() {
    const next = addressesOf(readLink('', location.hash));
    const list = (all) => all.map(({ role, url, given }) => `${role} ${url || given}`).join('\n');
    if (list(next) === list(sources)) return;
    if (isSealed) {
      location.reload();
      return;
    }
    cancelLink();
    sources = next.map(startFetch);
    start.forget();
  }

  function openLink(fragment) {
    location.hash = fragment;
    followLink();
  }

  // Once the page's program runs, it follows the link itself.
  const following = new AbortController();
  addEventListener('hashchange', followLink, { signal: following.signal });

  // --- the empty page ------------------------------------------------------------------------

  const start = globalThis.traceloupeStart({
    isEmbedded: isEmbedded(link.pairs), openLink, cancelLink, sources: () => sources, ownName: () => ownName,
    needed: () => readNeed(readLink('', location.hash).pairs),
  });

  function takeGiven(callback) {
    following.abort();
    return start.takeGiven(callback);
  }

  const parsed = new Promise((done) => addEventListener('DOMContentLoaded', done, { once: true }));
  const loaded = new Promise((done) => addEventListener('load', done, { once: true }));
  if (isSingleFile) document.documentElement.dataset.scripted = 'true';
  let ownName = ''; // the name of the trace in the single HTML file
  let emptyFrame = ''; // the HTML of the empty page, as it was before any input
  let ownTrace = null;
  parsed.then(() => {
    document.getElementById('unscripted')?.remove();
    if (isSingleFile) findOwnTrace();
    else emptyFrame = ['frame', 'pick-files', 'pick-folder'].map((id) => document.getElementById(id).outerHTML).join('\n');
    start.tell();
  });

  // --- the trace in the single HTML file -----------------------------------------------------

  /** Begins to unpack the trace in this document, and puts the empty page in its place. */
  function findOwnTrace() {
    const template = document.getElementById('tl-frame');
    emptyFrame = template.innerHTML;
    const texts = [...document.querySelectorAll('script, style, #tl-plain')].flatMap((element) => [...element.childNodes]);
    const weight = texts.reduce((sum, text) => sum + text.length, emptyFrame.length);
    const isPlain = document.getElementById('tl-plain') !== null;
    const given = isPlain ? singleFile.readPlain(document, fileStem()) : singleFile.readPacked(document);
    template.replaceWith(template.content);
    if (given === null) {
      document.getElementById('tl-brief').remove();
      return;
    }
    ownTrace = Promise.resolve(given).then((trace) => ({ nReplaced: 0, ...trace, weight }));
    ownTrace.catch(() => {}); // the program reports it
    // The text stays if the program cannot start.
    starting.then(() => document.getElementById('tl-plain')?.remove(), () => {});
    ownName = isPlain ? fileStem() : document.title;
    start.showBrief();
  }

  /** The name of this document without its ending. */
  function fileStem() {
    const name = location.pathname.split('/').pop() ?? '';
    try {
      return decodeURIComponent(name).replace(/\.html?$/i, '') || 'trace';
    } catch {
      return name; // an invalid `%`
    }
  }

  // --- the page's own files ------------------------------------------------------------------

  /** Loads the page's glue, which runs as soon as it has arrived. */
  function loadGlue() {
    if (isSingleFile) return parsed;
    if (typeof wasm_bindgen !== 'undefined') return Promise.resolve();
    return new Promise((done, failed) => {
      glueScript.addEventListener('load', done);
      const fail = async () => failed(new Error(await whyNoScript(glueScript.src)));
      glueScript.addEventListener('error', fail);
      // The script may have failed before this one ran.
      loaded.then(() => typeof wasm_bindgen === 'undefined' && fail());
    });
  }

  /** Why a script of the page has not run. The browser reports the same error for all reasons. */
  async function whyNoScript(address) {
    try {
      const { headers } = await ownFile(address);
      return `${address} has the media type ${headers.get('content-type')}, with which the browser runs no script`;
    } catch (error) {
      return error.message;
    }
  }

  async function ownFile(address, priority = 'auto') {
    // File names contain a hash of the content, so a cached file is never out of date.
    const how = { cache: 'force-cache', priority };
    const response = await fetch(new URL(address, document.baseURI), how);
    if (!response.ok) throw new Error(`${response.status} for ${address}`);
    const isPage = /^text\/html\b/i.test(response.headers.get('content-type') ?? '');
    if (isPage) throw new Error(`a web page in place of ${address}`);
    return response;
  }

  const unpackedIn = (element, type) => singleFile.unpack([element.textContent], type);

  /** An element of the single HTML file, once the parser has passed its end. */
  function whole(id) {
    return new Promise((done) => {
      const find = () => document.getElementById(id);
      const observer = new MutationObserver(look);
      function look() {
        if (!find()?.nextElementSibling) return;
        observer.disconnect();
        done(find());
      }
      observer.observe(document, { childList: true, subtree: true });
      look();
      parsed.then(() => {
        observer.disconnect();
        done(find());
      });
    });
  }

  /**
   * Compiles a program while it arrives. Browsers support this only for the media type of wasm, which some servers do
   * not send.
   */
  async function compile(response) {
    const isWasm = /^application\/wasm\b/i.test(response.headers.get('content-type') ?? '');
    if (isWasm && WebAssembly.compileStreaming) return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer());
  }

  /**
   * Requests a file of the page, or finds the element of the single HTML file that contains it. Resolves when the file
   * has begun to arrive.
   */
  async function begin(address, id, priority) {
    if (missing !== null) throw new Error(`no ${missing}`);
    if (trusted === null) throw new Error('no worker could be started');
    return isSingleFile ? whole(id) : ownFile(address, priority);
  }

  const compiled = (file) => compile(isSingleFile ? unpackedIn(file, 'application/wasm') : file);

  /**
   * Loads the list of prices, which is used to estimate costs. The list is requested before the seal, but the seal does
   * not wait for it. Without it, no costs are estimated.
   */
  async function loadPrices() {
    if (isSingleFile) return unpackedIn(document.getElementById('tl-prices')).text();
    if (!glueScript.dataset.prices) return null;
    return (await ownFile(glueScript.dataset.prices, 'low')).text();
  }

  // --- saving as a single HTML file ----------------------------------------------------------

  /**
   * The parts of the page that a saved file needs, in the form of single-file.js. They are read before the seal, from
   * the browser's cache, because the page has just loaded the same files.
   */
  async function ownParts() {
    if (isSingleFile) {
      const text = (id) => document.getElementById(id).textContent;
      return {
        policy: document.querySelector('meta[http-equiv]').content,
        style: document.querySelector('style').textContent,
        boot: bootScript.textContent,
        glue: glueScript.textContent,
        workerGlue: text('tl-worker'),
        redactorGlue: text('tl-redactor'),
        files: {
          wasm: [text('tl-wasm')], workerWasm: [text('tl-worker-wasm')], redactorWasm: [text('tl-redactor-wasm')],
          prices: [text('tl-prices')],
        },
      };
    }
    const { wasm, workerWasm, redactor, redactorWasm, prices, policy } = glueScript.dataset;
    if (!policy) return null; // not built for it
    const read = (address) => ownFile(address, 'low');
    const sheet = document.querySelector('link[rel=stylesheet]').href;
    const [style, boot, glue, redactorGlue, ...blobs] = await Promise.all([
      ...[sheet, bootScript.src, glueScript.src, redactor].map(async (address) => (await read(address)).text()),
      ...[wasm, workerWasm, redactorWasm, prices].map(async (address) => (await read(address)).blob()),
    ]);
    return { policy, style, boot, glue, workerGlue, redactorGlue, blobs };
  }

  /**
   * A single HTML file with a trace, as a Blob: its files (`{path, blob}`), how they are read, a title, and the HTML of
   * a summary for readers without scripts.
   */
  async function htmlOf({ title, brief, files, ...how }) {
    const parts = await keeping;
    if (parts === null) throw new Error('the files of the page could not be kept');
    if (!parts.files) {
      const [wasm, workerWasm, redactorWasm, prices] = await Promise.all(parts.blobs.map(singleFile.pack));
      parts.files = { wasm, workerWasm, redactorWasm, prices };
    }
    const packed = [];
    for (const { blob } of files) packed.push(await singleFile.pack(blob));
    const trace = { title, ...how, files: files.map(({ path, blob }) => ({ path, len_bytes: blob.size })) };
    const pieces = singleFile.write({ ...parts, title, brief, frame: emptyFrame, trace, packed });
    return new Blob(pieces, { type: 'text/html' });
  }

  /**
   * Loads the redactor's program, which is only needed once something leaves the page. Requested last, and not waited
   * for. Without it, nothing is redacted, and what should be redacted is not saved.
   */
  async function loadRedactor() {
    if (isSingleFile) {
      const wasm = unpackedIn(document.getElementById('tl-redactor-wasm'), 'application/wasm');
      return { text: document.getElementById('tl-redactor').textContent, module: await compile(wasm) };
    }
    const { redactor, redactorWasm } = glueScript.dataset;
    if (!redactor) return null;
    const requests = [ownFile(redactor, 'low'), ownFile(redactorWasm, 'low')];
    const [glue, module] = await Promise.all(requests);
    return { text: await glue.text(), module: await compile(module) };
  }

  // --- the seal ------------------------------------------------------------------------------

  /** Called once all files of the page have been requested. Waits for styles, scripts and responses of addresses. */
  async function seal() {
    await loaded;
    // The link can change while the page waits.
    for (let seen = null; seen !== sources;) {
      seen = sources;
      await Promise.all(seen.map((source) => source.arrival));
    }
    const policy = document.createElement('meta');
    policy.httpEquiv = 'Content-Security-Policy';
    policy.content = SEAL;
    document.head.append(policy);
    isSealed = true;
  }

  // --- the worker ----------------------------------------------------------------------------

  /** This function is placed after the glue in the worker's script, so it must not use any outer variables. */
  function workerMain() {
    /**
     * Returns the bytes of a file in order. `next(lenBytes)` resolves to a Uint8Array, or to null at the end. The array
     * has the requested number of bytes, or the rest of the file. Browsers that cannot read files into a given buffer
     * return as many bytes as they have. The array is valid until the next call, because its memory is reused: new
     * memory for each piece would cost as much time as reading into it.
     */
    globalThis.readPieces = (file) => {
      const stream = file.stream();
      let reader;
      let buffer = new ArrayBuffer(0);
      try {
        reader = stream.getReader({ mode: 'byob' });
      } catch {
        reader = stream.getReader();
        buffer = null;
      }
      async function readInto(lenBytes) {
        if (buffer.byteLength < lenBytes) buffer = new ArrayBuffer(lenBytes);
        // A browser without support for `min` returns the bytes that have arrived, at least one.
        const { value } = await reader.read(new Uint8Array(buffer, 0, lenBytes), { min: lenBytes });
        buffer = value.buffer;
        return value.length > 0 ? value : null;
      }
      return {
        next: async (lenBytes) => (
          buffer === null ? (await reader.read()).value ?? null : readInto(lenBytes)
        ),
        end: () => reader.cancel(),
      };
    };

    // Waits for the compiled module. initSync runs main(), which starts listening to messages. Messages that arrived
    // before the module are passed on to it.
    const early = [];
    onmessage = async (event) => {
      if (!(event.data instanceof WebAssembly.Module)) {
        early.push(event);
        return;
      }
      onmessage = null;
      wasm_bindgen.initSync({ module: event.data });
      for (const one of early) {
        onmessage(one);
        // As between messages: a search sent right after the files needs the session that they begin.
        await null;
      }
    };
  }

  let workerGlue = null;
  let workerModule = null;
  /** The URLs of the scripts of both workers, by their glue. */
  const scriptAddresses = new Map();

  // The page's policy allows a single Trusted Types policy with this name, so no other script can create
  // script URLs. This one accepts only the URLs of the two workers.
  const trusted = obstacles.createPolicy('traceloupe', {
    createScriptURL(address) {
      if (![...scriptAddresses.values()].includes(address)) {
        throw new TypeError('This is not the worker of this page');
      }
      return address;
    },
  });

  /** Starts a worker with this glue. It waits for its module. */
  function startScript(glue) {
    if (!scriptAddresses.has(glue)) {
      const text = new Blob([workerBytes.script, glue, `\n(${workerMain})();\n`], { type: 'text/javascript' });
      scriptAddresses.set(glue, URL.createObjectURL(text));
    }
    const address = scriptAddresses.get(glue);
    return workerBytes.adapt(new Worker(trusted ? trusted.createScriptURL(address) : address));
  }

  function spawnWorker() {
    if (!isSealed) throw new Error('The worker cannot be started before the page is sealed');
    if (obstacles.refusedWorker() !== '') throw new Error(obstacles.refusedWorker());
    const worker = startScript(workerGlue);
    // The worker may be started while its program is still arriving. The module is then sent later.
    if (workerModule !== null) worker.postMessage(workerModule);
    else completing.then(() => worker.postMessage(workerModule), () => {});
    return worker;
  }

  /** Resolves to a redactor, or to null if its program has not been loaded. */
  async function spawnRedactor() {
    const program = await redacting;
    if (!isSealed || program === null) return null;
    const worker = startScript(program.text);
    worker.postMessage(program.module);
    return worker;
  }

  // --- the start -----------------------------------------------------------------------------

  async function showFailure(error) {
    await parsed;
    delete document.documentElement.dataset.scripted;
    await new Promise((done) => setTimeout(done)); // a refusal by a policy is reported a little later than the error
    if (missing !== null) {
      start.fail(`Traceloupe cannot run in this browser, which has no ${missing}. It needs Chrome or Edge 123, ` +
        'Firefox 121, Safari 17.5, or a newer version.');
    } else start.fail(`Traceloupe could not start. ${obstacles.remedy()} (${error.message || error})`);
  }

  const missing = obstacles.lack();
  const { wasm, worker, workerWasm } = glueScript.dataset;
  const files = { page: begin(wasm, 'tl-wasm'), glue: begin(worker, 'tl-worker', 'low') };
  const starting = files.page.then(compiled);
  const headStart = new Promise((done) => setTimeout(done, HEAD_START_MS));
  files.worker = Promise.race([headStart, starting.catch(() => {})]).then(() => begin(workerWasm, 'tl-worker-wasm', 'low'));
  const gluing = files.glue.then((file) => (isSingleFile ? file.textContent : file.text())).then((text) => {
    workerGlue = text;
  });
  const completing = Promise.all([gluing, files.worker.then(compiled)]).then(([, module]) => {
    workerModule = module;
  });
  // If the link has an address, the page is sealed as soon as all of its files have begun to arrive, because the worker
  // is only started after the seal. Otherwise the seal waits until the files are complete, because a sealed page would
  // have to be reloaded for an address that is typed in the meantime.
  const ready = sources.length > 0 ? Promise.all([files.page, files.worker, gluing]) : completing;
  // Requested before the seal, which forbids further requests.
  const pricing = ready.then(loadPrices).catch(() => null);
  const keeping = ready.then(ownParts).catch(() => null);
  const redacting = ready.then(loadRedactor).catch(() => null);
  const sealing = ready.then(seal);
  // If the program runs, it reports files that cannot be loaded. Otherwise, showFailure does.
  sealing.catch(() => {});

  window.traceloupe = Object.freeze({
    sources: () => sources,
    completed: () => completing,
    isCompleted: () => workerModule !== null,
    prices: () => pricing,
    ownName: () => ownName,
    ownTrace: () => ownTrace,
    htmlOf,
    sealed: () => sealing,
    remedy: obstacles.remedy,
    refusedWorker: obstacles.refusedWorker,
    spawnWorker,
    spawnRedactor,
    takeMessages,
    takeGiven,
    takeOver: start.takeOver,
    contents: start.contents,
    wantedDialog: start.wanted,
  });

  Promise.all([starting, loadGlue(), parsed])
    .then(([module]) => wasm_bindgen({ module_or_path: module }))
    .catch(showFailure);
  document.documentElement.dataset.begun = 'true';
})();
