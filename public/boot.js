// The boot script: everything that must happen before the wasm is loaded, or outside it.
//
// 1. the theme, before the first paint
// 2. messages from other windows: PING is answered at once, other messages wait for the page
// 3. the addresses in the link: their fetches start here, and nowhere else
// 4. the page's program: its glue runs as a script, and its wasm is compiled here. Then, while the page
//    starts, the worker's program (glue text and wasm) is fetched and compiled once for all workers
// 5. the seal: a second policy, after which neither page nor worker can use the network
// 6. the worker, started from a blob after the seal, so that it inherits the policy
//
// This is a classic script, because module scripts run neither from disk nor in a sandboxed frame. The page
// uses it through `window.traceloupe`; src/page/opening/boot.rs documents each part.
'use strict';

(function boot() {
  const SEAL = "default-src 'none'; script-src 'wasm-unsafe-eval'; style-src 'none'; " +
    "img-src data: blob:; media-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'";
  const MOST_WAITING_MESSAGES = 8;

  const { readLink, readAddresses, theme, isPrivateHost } = globalThis.traceloupeAddresses;
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

  const sources = readAddresses(link.pairs, document.baseURI, isFramed).map(startFetch);

  const parsed = new Promise((done) => addEventListener('DOMContentLoaded', done, { once: true }));
  const loaded = new Promise((done) => addEventListener('load', done, { once: true }));

  // --- the page's own files ------------------------------------------------------------------

  // In a folder, this element names the files of both programs. In the single HTML file, it contains the
  // page's glue, and further elements contain the worker's glue and both wasm files in base64.
  const glueScript = document.getElementById('tl-glue');
  const isSingleFile = !glueScript.src;

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

  async function loadPage() {
    if (isSingleFile) {
      await parsed; // the element with the wasm comes later in the file
      return WebAssembly.compile(bytesIn(document.getElementById('tl-wasm')));
    }
    return compile(await ownFile(glueScript.dataset.wasm));
  }

  async function loadWorker() {
    if (isSingleFile) {
      return [
        document.getElementById('tl-worker').textContent,
        await WebAssembly.compile(bytesIn(document.getElementById('tl-worker-wasm'))),
      ];
    }
    const { worker, workerWasm } = glueScript.dataset;
    return Promise.all([
      ownFile(worker, 'low').then((response) => response.text()),
      ownFile(workerWasm, 'low').then(compile),
    ]);
  }

  /**
   * The list of prices, by which costs are estimated. The single HTML file has none. It is asked for before the
   * seal, which does not wait for it; without it no costs are estimated.
   */
  async function loadPrices() {
    if (isSingleFile || !glueScript.dataset.prices) return null;
    return (await ownFile(glueScript.dataset.prices, 'low')).text();
  }

  let workerGlue = null;
  let workerModule = null;

  // --- the seal ------------------------------------------------------------------------------

  let isSealed = false;

  /** Called once all own files are loaded; waits for styles and scripts and for every address to answer. */
  async function seal() {
    await Promise.all([loaded, ...sources.map((source) => source.arrival)]);
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

    // Waits for the compiled module. initSync runs main() before the next message is delivered, so a message
    // posted right after the module is not lost.
    onmessage = ({ data }) => {
      onmessage = null;
      wasm_bindgen.initSync({ module: data });
    };
  }

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
    worker.postMessage(workerModule);
    return worker;
  }

  // --- the start -----------------------------------------------------------------------------

  /** What the user can do when the page cannot start. */
  function remedy() {
    if (typeof WebAssembly === 'undefined') {
      return 'This browser has no WebAssembly, or it is switched off. Traceloupe needs it.';
    }
    if (location.protocol === 'file:') {
      return 'Opened from disk, a page may not read the files beside it. ' +
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
    const status = document.getElementById('frame-status');
    if (status === null) return; // the page has mounted and shows its own messages
    status.setAttribute('role', 'alert');
    status.textContent = `Traceloupe could not start. ${remedy()} (${error.message || error})`;
  }

  // The worker's files are requested after the page's, so that they do not delay the files that the page
  // needs to start.
  const starting = loadPage();

  async function completeOwn() {
    [workerGlue, workerModule] = await loadWorker();
  }

  // If the page cannot start, this never settles, because showFailure reports the error. If the page has
  // started but the worker's program cannot be loaded, both promises reject.
  const completing = starting.then(completeOwn, () => new Promise(() => {}));
  const sealing = completing.then(seal);
  const pricing = starting.then(loadPrices, () => null).catch(() => null);

  window.traceloupe = Object.freeze({
    sources: () => sources,
    completed: () => completing,
    prices: () => pricing,
    sealed: () => sealing,
    remedy,
    spawnWorker,
    takeMessages,
  });

  Promise.all([starting, parsed])
    .then(([module]) => wasm_bindgen({ module_or_path: module }))
    .catch(showFailure);
})();
