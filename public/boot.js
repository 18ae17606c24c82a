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

  async function loadPage() {
    if (isSingleFile) {
      await parsed; // the element with the wasm comes later in the file
      return bytesIn(document.getElementById('tl-wasm'));
    }
    return (await ownFile(glueScript.dataset.wasm)).arrayBuffer();
  }

  async function loadWorker() {
    if (isSingleFile) {
      return {
        glue: document.getElementById('tl-worker').textContent,
        wasm: bytesIn(document.getElementById('tl-worker-wasm')),
      };
    }
    const { worker, workerWasm } = glueScript.dataset;
    const [glue, wasm] = await Promise.all([
      ownFile(worker, 'low').then((response) => response.text()),
      ownFile(workerWasm, 'low').then((response) => response.arrayBuffer()),
    ]);
    return { glue, wasm };
  }

  /**
   * The list of prices, by which costs are estimated. The single HTML file has none. It is asked for before the
   * seal, which does not wait for it; without it no costs are estimated.
   */
  async function loadPrices() {
    if (isSingleFile || !glueScript.dataset.prices) return null;
    return (await ownFile(glueScript.dataset.prices, 'low')).text();
  }

  let pageModule = null;
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

  /** The source of a script that calls `main`, which must not use any variables around it. */
  const scriptOf = (main, ...given) =>
    `\n(${main})(${given.map((it) => JSON.stringify(it)).join(', ')});\n`;

  /**
   * Reads files for the worker, so that reading and indexing run in parallel. Pieces are sent as they are
   * read, at most as many as were requested. Each request returns the buffer of an earlier piece, because
   * allocating a new one costs as much time as reading into it. Pieces grow, because every message between
   * workers takes a fifth of a millisecond at either end.
   */
  function readerMain() {
    const MOST_BYTES = 4 << 20;
    // Enough for the first screen of rows, which should not wait for more.
    const FIRST_PIECE_BYTES = 1 << 19;
    const buffers = [];
    // Keeps a reference to each stream, because an unreferenced stream may be garbage-collected while it is
    // being read.
    const streams = new Map();

    function openStream(file) {
      const stream = file.stream();
      try {
        const reader = stream.getReader({ mode: 'byob' });
        let lenBytes = FIRST_PIECE_BYTES;
        const read = () => {
          const filled = fill(reader, lenBytes);
          lenBytes = Math.min(2 * lenBytes, MOST_BYTES);
          return filled;
        };
        return { reader, read, last: null };
      } catch {
        // This browser cannot read files into a given buffer.
        const reader = stream.getReader();
        return { reader, read: async () => (await reader.read()).value, last: null };
      }
    }

    /** Reads `lenBytes` bytes into a buffer, or what is left of the file. */
    async function fill(reader, lenBytes) {
      let buffer = buffers.pop() ?? new ArrayBuffer(MOST_BYTES);
      let len = 0;
      while (len < lenBytes) {
        const { value, done } = await reader.read(new Uint8Array(buffer, len, lenBytes - len));
        buffer = value.buffer;
        if (done) break;
        len += value.length;
      }
      if (len > 0) return new Uint8Array(buffer, 0, len);
      buffers.push(buffer);
      return undefined;
    }

    onmessage = async ({ data: { ticket, file, buffer, isOver } }) => {
      if (buffer) buffers.push(buffer);
      if (isOver) {
        streams.get(ticket)?.reader.cancel();
        streams.delete(ticket);
        return;
      }
      if (file) streams.set(ticket, openStream(file));
      const stream = streams.get(ticket);
      try {
        // Fills one buffer after the other.
        const before = stream?.last;
        if (stream) stream.last = before === null ? stream.read() : before.then(stream.read);
        const piece = await stream?.last;
        if (piece === undefined) streams.delete(ticket);
        postMessage({ ticket, piece: piece ?? null }, piece === undefined ? [] : [piece.buffer]);
      } catch (error) {
        postMessage({ ticket, failure: String(error?.message || error) });
      }
    };
    postMessage(null); // ready
  }

  /** Follows the glue in the worker's script. */
  function workerMain(readerScript) {
    const PIECES_AHEAD = 3;
    let reader = null;
    let tickets = 0;
    const reading = new Map();

    function startReader() {
      const text = new Blob([readerScript], { type: 'text/javascript' });
      const address = URL.createObjectURL(text);
      const trusted = globalThis.trustedTypes?.createPolicy('traceloupe', {
        createScriptURL(wanted) {
          if (wanted !== address) throw new TypeError('This is not the reader of this worker');
          return wanted;
        },
      });
      const started = new Worker(trusted ? trusted.createScriptURL(address) : address);
      started.onmessage = ({ data }) => {
        if (data === null) reader = started;
        else reading.get(data.ticket)?.(data);
      };
      started.onerror = (event) => {
        event.preventDefault();
        reader = null;
        for (const take of reading.values()) take({ failure: 'the reader has stopped' });
      };
    }

    try {
      startReader();
    } catch {
      // An old browser, or a frame, that does not allow a worker to start a worker: this worker then reads by
      // itself.
    }

    /** The pieces of a file, read in this worker. */
    function readHere(file) {
      const stream = file.stream().getReader();
      return {
        next: async () => (await stream.read()).value ?? null,
        end: () => stream.cancel(),
      };
    }

    /** The pieces of a file, read in the reader worker. */
    function readThere(file) {
      const ticket = (tickets += 1);
      const here = [];
      let isAsking = null;
      /** The buffer of the latest piece. A request for the next piece means that it is free again. */
      let buffer = null;
      const give = ({ piece, failure }) => {
        buffer = piece?.buffer ?? null;
        if (failure === undefined) isAsking.done(piece);
        else isAsking.failed(new Error(failure));
        isAsking = null;
      };
      reading.set(ticket, (answer) => {
        here.push(answer);
        if (isAsking !== null) give(here.shift());
      });
      reader.postMessage({ ticket, file });
      for (let n = 1; n < PIECES_AHEAD; n += 1) reader.postMessage({ ticket });
      return {
        next() {
          reader?.postMessage({ ticket, buffer }, buffer === null ? [] : [buffer]);
          buffer = null;
          return new Promise((done, failed) => {
            isAsking = { done, failed };
            if (here.length > 0) give(here.shift());
          });
        },
        end() {
          reading.delete(ticket);
          reader?.postMessage({ ticket, isOver: true });
        },
      };
    }

    /**
     * The pieces of a file: `next()` resolves to a Uint8Array, or to null at the end. The reader worker
     * starts some milliseconds after this one, so a file that this one has begun to read is handed over.
     */
    globalThis.readPieces = (file) => {
      let isThere = reader !== null;
      let pieces = isThere ? readThere(file) : readHere(file);
      let lenBytes = 0;
      return {
        async next() {
          if (!isThere && reader !== null) {
            pieces.end();
            pieces = readThere(file.slice(lenBytes));
            isThere = true;
          }
          const piece = await pieces.next();
          lenBytes += piece?.length ?? 0;
          return piece;
        },
        end: () => pieces.end(),
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
      const main = scriptOf(workerMain, scriptOf(readerMain));
      const text = new Blob([workerGlue, main], { type: 'text/javascript' });
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
  const pageLoaded = loadPage();
  const starting = pageLoaded.then(async (wasm) => {
    pageModule = await WebAssembly.compile(wasm);
  });

  async function completeOwn() {
    const { glue, wasm } = await loadWorker();
    workerGlue = glue;
    workerModule = await WebAssembly.compile(wasm);
  }

  // If the page cannot start, this never settles, because showFailure reports the error. If the page has
  // started but the worker's program cannot be loaded, both promises reject.
  const completing = pageLoaded.then(completeOwn, () => new Promise(() => {}));
  const sealing = completing.then(seal);
  const pricing = pageLoaded.then(loadPrices).catch(() => null);

  window.traceloupe = Object.freeze({
    sources: () => sources,
    completed: () => completing,
    prices: () => pricing,
    sealed: () => sealing,
    remedy,
    spawnWorker,
    takeMessages,
  });

  starting.then(() => parsed)
    .then(() => wasm_bindgen({ module_or_path: pageModule }))
    .catch(showFailure);
})();
