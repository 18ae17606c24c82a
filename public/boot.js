// The boot: all that must happen before the wasm is there, or outside it.
//
// 1. the theme, before the first paint
// 2. messages from other windows: PING is answered at once, the rest waits for the page
// 3. the addresses in the link: their fetches are started here, and nowhere else
// 4. the page's program: its glue runs as a script, its wasm is compiled here; then the worker's program
//    (glue text and wasm), fetched and compiled once and kept for every worker, while the page starts
// 5. the seal: a second policy, after which neither page nor worker can use the network
// 6. the worker, born from a blob after the seal, so that it inherits it
//
// Classic script, no module: module scripts run neither from disk nor in a sandboxed frame.
// `window.traceloupe` is what the page sees of it; src/page/opening/boot.rs documents each part.
'use strict';

(function boot() {
  const SEAL = "default-src 'none'; script-src 'wasm-unsafe-eval'; style-src 'none'; " +
    "img-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'";
  const MOST_WAITING_MESSAGES = 8;

  const { readLink, readAddresses, theme, isPrivateHost } = globalThis.traceloupeAddresses;
  const isFramed = window.parent !== window;

  // --- the link ------------------------------------------------------------------------------

  const link = readLink(location.search, location.hash);
  if (link.fragment !== null) {
    // Out of the query, so that trace addresses reach no server's log by a reload or a referrer.
    try {
      history.replaceState(history.state, '', location.pathname + link.fragment);
    } catch {
      // An opaque origin may not always do this; the address is read all the same.
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

  /** Ourselves, who opened us, who frames us, or whom we opened. */
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

  /** Why a fetch failed: all a script is told is "Failed to fetch". */
  async function why(url) {
    if (refusedByPolicy.has(url)) return 'csp';
    if (!navigator.onLine) return 'offline';
    const { protocol, hostname } = new URL(url);
    if (location.protocol === 'https:' && protocol === 'http:' && !isPrivateHost(hostname)) {
      return 'mixed-content';
    }
    const control = new AbortController();
    try {
      // An opaque answer shows that the server is there; its body is not fetched a second time.
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
    control.abort(); // the body of an error page is nobody's trace
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

  // In a folder the element names the files of both programs; in the single HTML file the page's glue
  // is inside the element, and elements beside it hold the worker's glue and both wasm in base64.
  const glueScript = document.getElementById('tl-glue');
  const isSingleFile = !glueScript.src;

  async function ownFile(address, priority = 'auto') {
    // The names carry a hash of the content, so whatever the cache has is right.
    const how = { cache: 'force-cache', priority };
    const response = await fetch(new URL(address, document.baseURI), how);
    if (!response.ok) throw new Error(`${response.status} for ${address}`);
    return response;
  }

  const bytesIn = (element) =>
    Uint8Array.from(atob(element.textContent), (char) => char.charCodeAt(0)).buffer;

  async function loadPage() {
    if (isSingleFile) {
      await parsed; // the wasm comes further down in the file
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

  let pageModule = null;
  let workerGlue = null;
  let workerModule = null;

  // --- the seal ------------------------------------------------------------------------------

  let isSealed = false;

  /** Called with all own files in; waits for styles and scripts, and for every address to answer. */
  async function seal() {
    await Promise.all([loaded, ...sources.map((source) => source.arrival)]);
    const policy = document.createElement('meta');
    policy.httpEquiv = 'Content-Security-Policy';
    policy.content = SEAL;
    document.head.append(policy);
    isSealed = true;
  }

  // --- the worker ----------------------------------------------------------------------------

  /** A script of a worker that does what the function does. It may use nothing from around it. */
  const scriptOf = (main, ...given) =>
    `\n(${main})(${given.map((it) => JSON.stringify(it)).join(', ')});\n`;

  /**
   * Reads files for the worker, which indexes meanwhile: reading takes a thread's time too. Sends a
   * file's pieces as they come, no more of them than were asked for, in memory that comes back with the
   * next question: new memory for every piece costs as much as reading it.
   */
  function readerMain() {
    const PIECE_BYTES = 1 << 20;
    // Enough for the first screen of rows, which is not to wait for more.
    const FIRST_PIECE_BYTES = 1 << 19;
    const rooms = [];
    // The streams stand here while they are read: one that nobody holds may be forgotten half-way.
    const streams = new Map();

    function openStream(file) {
      const stream = file.stream();
      try {
        const reader = stream.getReader({ mode: 'byob' });
        let lenBytes = FIRST_PIECE_BYTES;
        const read = () => {
          const filled = fill(reader, lenBytes);
          lenBytes = PIECE_BYTES;
          return filled;
        };
        return { reader, read, last: null };
      } catch {
        // A browser whose files cannot be read into given memory.
        const reader = stream.getReader();
        return { reader, read: async () => (await reader.read()).value, last: null };
      }
    }

    /** So many bytes in a room, or what is left of the file. */
    async function fill(reader, lenBytes) {
      let room = rooms.pop() ?? new ArrayBuffer(PIECE_BYTES);
      let len = 0;
      while (len < lenBytes) {
        const { value, done } = await reader.read(new Uint8Array(room, len, lenBytes - len));
        room = value.buffer;
        if (done) break;
        len += value.length;
      }
      if (len > 0) return new Uint8Array(room, 0, len);
      rooms.push(room);
      return undefined;
    }

    onmessage = async ({ data: { ticket, file, room, isOver } }) => {
      if (room) rooms.push(room);
      if (isOver) {
        streams.get(ticket)?.reader.cancel();
        streams.delete(ticket);
        return;
      }
      if (file) streams.set(ticket, openStream(file));
      const stream = streams.get(ticket);
      try {
        // One piece after the other: a room is filled before the next is begun.
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

  /** What follows the glue in the worker's script. */
  function workerMain(readerScript) {
    const PIECES_AHEAD = 4;
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
      // No worker in a worker: an old browser, or a frame that forbids it. Then it reads by itself.
    }

    /** The pieces of a file, read by this worker itself. */
    function readHere(file) {
      const stream = file.stream().getReader();
      return {
        next: async () => (await stream.read()).value ?? null,
        end: () => stream.cancel(),
      };
    }

    /** The pieces of a file, read by the reader. */
    function readThere(file) {
      const ticket = (tickets += 1);
      const here = [];
      let isAsking = null;
      /** The memory of the piece that was taken last. Who asks for the next one is done with it. */
      let room = null;
      const give = ({ piece, failure }) => {
        room = piece?.buffer ?? null;
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
          reader?.postMessage({ ticket, room }, room === null ? [] : [room]);
          room = null;
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
     * The pieces of a file: `next()` resolves to a Uint8Array, or to null at the end. The reader is
     * there some milliseconds after this worker, so a file that has begun goes over to it.
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

    // Waits for the compiled module. initSync runs main() before the next message is taken, so a
    // message posted right after the module is not lost.
    onmessage = ({ data }) => {
      onmessage = null;
      wasm_bindgen.initSync({ module: data });
    };
  }

  let workerAddress = null;

  // The page's policy admits this one, once: no other script can make an address that a worker or a
  // script element takes, and this one makes only the worker's own.
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

  /** What the reader can do when the page cannot start. */
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
    if (status === null) return; // the page has mounted: its own messages are shown there
    status.setAttribute('role', 'alert');
    status.textContent = `Traceloupe could not start. ${remedy()} (${error.message || error})`;
  }

  // The worker's files are asked for when the page's are in, so that nothing is on the wire beside
  // what the page cannot start without.
  const pageLoaded = loadPage();
  const starting = pageLoaded.then(async (wasm) => {
    pageModule = await WebAssembly.compile(wasm);
  });

  async function completeOwn() {
    const { glue, wasm } = await loadWorker();
    workerGlue = glue;
    workerModule = await WebAssembly.compile(wasm);
  }

  // When the page cannot start, nobody waits for these: showFailure reports it. When it has started and
  // the worker's program cannot be loaded, both promises reject.
  const completing = pageLoaded.then(completeOwn, () => new Promise(() => {}));
  const sealing = completing.then(seal);

  window.traceloupe = Object.freeze({
    sources: () => sources,
    completed: () => completing,
    sealed: () => sealing,
    remedy,
    spawnWorker,
    takeMessages,
  });

  starting.then(() => parsed)
    .then(() => wasm_bindgen({ module_or_path: pageModule }))
    .catch(showFailure);
})();
