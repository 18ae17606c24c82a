// The boot script: everything that must happen before the wasm is loaded, or outside it.
//
// 1. the theme, before the first paint
// 2. messages from other windows: PING is answered at once, other messages wait for the page
// 3. the addresses in the link: their fetches start here, and nowhere else
// 4. the empty page, which stands in index.html: what is dropped, chosen or pasted before the program runs is kept
//    (start.js)
// 5. both programs, compiled while they arrive: the page's, whose glue runs as a script, and the worker's (glue text
//    and wasm), compiled once for all workers
// 6. the seal: a second policy, after which neither page nor worker can use the network
// 7. the worker, started from a blob after the seal, so that it inherits the policy
//
// This is a classic script, because module scripts run neither from disk nor in a sandboxed frame. The page
// uses it through `window.traceloupe`; src/page/opening/boot.rs documents each part.
'use strict';

(function boot() {
  const SEAL = "default-src 'none'; script-src 'wasm-unsafe-eval'; style-src 'none'; " +
    "img-src data: blob:; media-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'";
  const MOST_WAITING_MESSAGES = 8;
  /**
   * The worker's program is asked for when that of the page is there, which is needed first, or after this time: on a
   * slow line, the rest of the page's program then bridges the round trip, in which the line would be idle.
   */
  const HEAD_START_MS = 350;

  const { readLink, readAddresses, theme, isEmbedded, isPrivateHost } = globalThis.traceloupeAddresses;
  const isFramed = window.parent !== window;

  // --- the link ------------------------------------------------------------------------------

  const link = readLink(location.search, location.hash);
  if (link.fragment !== null) {
    // Moved out of the query, so that a reload or a referrer does not send trace addresses to a server.
    try {
      history.replaceState(history.state, '', location.pathname + link.fragment);
    } catch {
      // Not always allowed in an opaque origin; the address has been read in any case.
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
  // What a frame of another page does not show is hidden before the first paint, too.
  if (isEmbedded(link.pairs)) document.documentElement.dataset.embedded = 'true';

  // --- messages ------------------------------------------------------------------------------

  const waiting = [];
  let deliver = null;

  /** Whether a message is accepted: from this window, its opener, its parent, or a window that it opened. */
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

  const FETCH = {
    mode: 'cors', credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store',
    redirect: 'follow',
  };

  const refusedByPolicy = new Set();
  addEventListener('securitypolicyviolation', (event) => refusedByPolicy.add(event.blockedURI));

  /** Why a fetch failed. The browser only reports "Failed to fetch". */
  async function why(url) {
    if (refusedByPolicy.has(url)) return 'csp';
    if (!navigator.onLine) return 'offline';
    const { protocol, hostname } = new URL(url);
    if (location.protocol === 'https:' && protocol === 'http:' && !isPrivateHost(hostname)) {
      return 'mixed-content';
    }
    const control = new AbortController();
    try {
      // An opaque answer shows that the server is reachable; the body is not fetched a second time.
      await fetch(url, { ...FETCH, mode: 'no-cors', signal: control.signal });
      return 'cors';
    } catch {
      return 'unreachable';
    } finally {
      control.abort();
    }
  }

  async function arrive(url, control) {
    let response;
    try {
      response = await fetch(url, { ...FETCH, signal: control.signal });
    } catch {
      if (control.signal.aborted) return { error: 'cancelled' };
      const cause = await Promise.race([why(url), aborted(control.signal)]);
      return { error: control.signal.aborted ? 'cancelled' : cause };
    }
    if (response.ok) return { response };
    control.abort(); // the body of an error page is not a trace
    return { error: 'http-' + response.status };
  }

  function aborted(signal) {
    return new Promise((done) => signal.addEventListener('abort', () => done('cancelled')));
  }

  /** Starts the fetch of one address. `arrival` never rejects. */
  function startFetch({ role, name, url, host, refused, text }) {
    const control = new AbortController();
    let arrival;
    if (refused) arrival = Promise.resolve({ error: refused });
    else if (text !== undefined) arrival = Promise.resolve({ response: new Response(text) });
    else arrival = arrive(url, control);
    return Object.freeze({ role, name, url, host, arrival, cancel: () => control.abort() });
  }

  const addressesOf = ({ pairs }) => readAddresses(pairs, document.baseURI, isFramed);
  let sources = addressesOf(link).map(startFetch);
  let isSealed = false;

  /** Gives up the addresses, because something else is opened. */
  function cancelLink() {
    for (const source of sources) source.cancel();
    sources = [];
  }

  /** Fetches what the link names now, unless that is on its way. A sealed page cannot: it is loaded again. */
  function followLink() {
    const next = addressesOf(readLink('', location.hash));
    const list = (all) => all.map(({ role, url, name }) => [role, url, name].join(' ')).join('\n');
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

  // The page's program follows the link once it runs.
  const following = new AbortController();
  addEventListener('hashchange', followLink, { signal: following.signal });

  // --- the empty page ------------------------------------------------------------------------

  const start = globalThis.traceloupeStart({
    isEmbedded: isEmbedded(link.pairs), openLink, cancelLink, sources: () => sources,
  });

  function takeGiven(callback) {
    following.abort();
    return start.takeGiven(callback);
  }

  const parsed = new Promise((done) => addEventListener('DOMContentLoaded', done, { once: true }));
  const loaded = new Promise((done) => addEventListener('load', done, { once: true }));
  parsed.then(start.tell);

  // --- the page's own files ------------------------------------------------------------------

  // In a folder, this element names the files of both programs. In the single HTML file, it contains the
  // page's glue, and further elements contain the worker's glue and both wasm files in base64.
  const glueScript = document.getElementById('tl-glue');
  const isSingleFile = !glueScript.src;

  /** The page's glue, which runs as soon as it is there. */
  function loadGlue() {
    if (isSingleFile) return parsed;
    if (typeof wasm_bindgen !== 'undefined') return Promise.resolve();
    return new Promise((done, failed) => {
      glueScript.addEventListener('load', done);
      glueScript.addEventListener('error', () => failed(new Error(`no answer for ${glueScript.src}`)));
    });
  }

  async function ownFile(address, priority = 'auto') {
    // File names contain a hash of the content, so a cached file is never out of date.
    const how = { cache: 'force-cache', priority };
    const response = await fetch(new URL(address, document.baseURI), how);
    if (!response.ok) throw new Error(`${response.status} for ${address}`);
    return response;
  }

  const bytesIn = (element) =>
    Uint8Array.from(atob(element.textContent), (char) => char.charCodeAt(0)).buffer;

  /**
   * Compiles a program while it arrives. Browsers do so only for the media type of wasm, which some servers do not
   * know.
   */
  async function compile(response) {
    const isWasm = /^application\/wasm\b/i.test(response.headers.get('content-type') ?? '');
    if (isWasm && WebAssembly.compileStreaming) return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer());
  }

  /**
   * Asks for a file of the page, or finds the element of the single HTML file that has it. Resolves when the file has begun to
   * arrive.
   */
  async function begin(address, id, priority) {
    if (!isSingleFile) return ownFile(address, priority);
    await parsed; // the elements come later in the file
    return document.getElementById(id);
  }

  const compiled = (file) => (isSingleFile ? WebAssembly.compile(bytesIn(file)) : compile(file));

  /**
   * The list of prices, by which costs are estimated. The single HTML file has none. It is asked for before the
   * seal, which does not wait for it; without it no costs are estimated.
   */
  async function loadPrices() {
    if (isSingleFile || !glueScript.dataset.prices) return null;
    return (await ownFile(glueScript.dataset.prices, 'low')).text();
  }

  // --- the seal ------------------------------------------------------------------------------

  /** Called once no more own files have to be asked for; waits for styles and scripts and for every address to answer. */
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

  /** Follows the glue in the worker's script, so it must not use any variables around it. */
  function workerMain() {
    /**
     * The bytes of a file in order. `next(lenBytes)` resolves to a Uint8Array, or to null at the end. It has so
     * many bytes, or those that are left, or, in a browser that cannot read files into a given buffer, however
     * many there are. The array is valid until the next call, since its memory is used again: new memory for each
     * piece would cost as much time as reading into it.
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
        // A browser that does not know `min` returns what has arrived, at least one byte.
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

    // Waits for the compiled module. initSync runs main(), which listens to the messages; those that were there before the
    // module are passed on to it.
    const early = [];
    onmessage = (event) => {
      if (!(event.data instanceof WebAssembly.Module)) {
        early.push(event);
        return;
      }
      onmessage = null;
      wasm_bindgen.initSync({ module: event.data });
      for (const one of early) onmessage(one);
    };
  }

  let workerGlue = null;
  let workerModule = null;
  let workerAddress = null;

  // The page's policy allows a single Trusted Types policy with this name, so no other script can create
  // script URLs. This one accepts only the URL of the worker.
  const trusted = globalThis.trustedTypes?.createPolicy('traceloupe', {
    createScriptURL(address) {
      if (workerAddress === null || address !== workerAddress) {
        throw new TypeError('This is not the worker of this page');
      }
      return address;
    },
  });

  function spawnWorker() {
    if (!isSealed) throw new Error('The worker is started after the seal');
    if (workerAddress === null) {
      const text = new Blob([workerGlue, `\n(${workerMain})();\n`], { type: 'text/javascript' });
      workerAddress = URL.createObjectURL(text);
    }
    const worker = new Worker(trusted ? trusted.createScriptURL(workerAddress) : workerAddress);
    // The worker may be started while its program is still arriving.
    if (workerModule !== null) worker.postMessage(workerModule);
    else completing.then(() => worker.postMessage(workerModule), () => {});
    return worker;
  }

  // --- the start -----------------------------------------------------------------------------

  /** What the user can do when the page cannot start. */
  function remedy() {
    if (typeof WebAssembly === 'undefined') {
      return 'This browser has no WebAssembly, or it is turned off. Traceloupe needs it.';
    }
    if (location.protocol === 'file:') {
      return 'A page opened from disk may not read the files beside it. ' +
        'Open the single HTML file instead, or serve the folder with a web server.';
    }
    if (window.origin === 'null') {
      return 'This frame is sandboxed, so the page may not read its own files. Give the frame ' +
        'allow-same-origin, or frame the single HTML file instead.';
    }
    return 'The page could not load all of its files. Reload it to try again.';
  }

  async function showFailure(error) {
    await parsed;
    start.fail(`Traceloupe could not start. ${remedy()} (${error.message || error})`);
  }

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
  // The page can be sealed as soon as all of its files have begun to arrive. For an address in the link it is, since the
  // worker is started after the seal. Otherwise it waits until they are there: a sealed page would have to be loaded
  // again for an address that is typed meanwhile.
  const ready = sources.length > 0 ? Promise.all([files.page, files.worker, gluing]) : completing;
  // Asked for before the seal, which forbids further requests.
  const pricing = ready.then(loadPrices).catch(() => null);
  const sealing = ready.then(seal);
  // The program reports what cannot be loaded, if it runs; showFailure reports it otherwise.
  sealing.catch(() => {});

  window.traceloupe = Object.freeze({
    sources: () => sources,
    completed: () => completing,
    isCompleted: () => workerModule !== null,
    prices: () => pricing,
    sealed: () => sealing,
    remedy,
    spawnWorker,
    takeMessages,
    takeGiven,
    takeOver: start.takeOver,
    contents: start.contents,
    wantedDialog: start.wanted,
  });

  Promise.all([starting, loadGlue(), parsed])
    .then(([module]) => wasm_bindgen({ module_or_path: module }))
    .catch(showFailure);
})();
