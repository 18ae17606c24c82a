// <trace-loupe>: an agent trace in a page.
//
//   <script type="module" src="trace-loupe.js"></script>
//   <trace-loupe src="runs/4711.jsonl"></trace-loupe>
//
// The element makes a sandboxed frame with the viewer (traceloupe.html beside this file), fetches the trace with the
// rights of the page that it is in, and hands it to the frame in a message. The frame has an origin of its own, no
// storage, and no network: the viewer cannot read the page, and the page does not see what is in the trace.
//
// docs/embedding.md describes attributes, events and styles. Text between the tags is shown by browsers without
// custom elements and by pages that do not allow scripts, so it is the place for a link to the trace.

/** Attributes that go into the frame's link as they are. A change takes effect without loading the trace again. */
const STATE = { theme: 'theme', view: 'tab', sel: 'sel', filter: 'filter', query: 'q', run: 'run' };
const DEFAULT_HEIGHT_PX = 480;
const LEAST_HEIGHT_PX = 160;
/** The viewer as one file, which also works without an origin. */
const VIEWER = new URL('traceloupe.html', import.meta.url).href;

const STYLE = `
  :host { display: block; }
  :host([hidden]) { display: none; }
  .box { position: relative; block-size: var(--trace-loupe-height, ${DEFAULT_HEIGHT_PX}px); }
  iframe, .poster { inline-size: 100%; block-size: 100%; border: 0; box-sizing: border-box; }
  .poster { display: grid; place-items: center; gap: 0.75em; padding: 1em; cursor: pointer; font: inherit; color: inherit;
    background: transparent; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 6px; overflow: hidden; }
  .poster img { max-inline-size: 100%; max-block-size: 100%; min-block-size: 0; object-fit: contain; }
  .poster:focus-visible { outline: 2px solid Highlight; outline-offset: 2px; }
  .problem { margin: 0; padding: 0.5em 0.75em; border-inline-start: 3px solid #c33; }
  .problem[hidden] { display: none; }`;

const randomToken = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The name of a file, from its address. */
function nameOf(address) {
  const part = new URL(address, document.baseURI).pathname.split('/').filter(Boolean).pop() ?? 'trace';
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export class TraceLoupe extends HTMLElement {
  static observedAttributes = ['src', 'height', 'viewer', ...Object.keys(STATE)];

  #box = document.createElement('div');
  #problem = document.createElement('p');
  #frame = null;
  #token = randomToken();
  #isReady = false;
  /** What is shown or being loaded: a Blob with a name, and a number that tells late answers from the current one. */
  #given = null;
  #turn = 0;
  #loading = new AbortController();
  #seen = null;
  #listener = (event) => this.#take(event);

  constructor() {
    super();
    const style = document.createElement('style');
    style.textContent = STYLE;
    this.#box.className = 'box';
    this.#box.part = 'box';
    this.#problem.className = 'problem';
    this.#problem.part = 'problem';
    this.#problem.setAttribute('role', 'alert');
    this.#problem.hidden = true;
    this.attachShadow({ mode: 'open' }).append(style, this.#problem, this.#box);
  }

  connectedCallback() {
    addEventListener('message', this.#listener);
    this.#setHeight();
    if (this.hasAttribute('poster')) this.#showPoster();
    else this.#whenSeen();
  }

  disconnectedCallback() {
    removeEventListener('message', this.#listener);
    this.#seen?.disconnect();
    this.#loading.abort();
    this.#frame = null;
    this.#isReady = false;
    this.#box.replaceChildren();
  }

  attributeChangedCallback(name, old, now) {
    if (old === now || !this.isConnected) return;
    if (name === 'height') this.#setHeight();
    else if (this.#frame === null) return;
    else if (name === 'viewer') this.#start();
    else if (name === 'src') this.#load();
    else this.#frame.src = this.#address(); // a change of the fragment alone: the frame stays
  }

  /** Shows a trace that is already there: a Blob, an ArrayBuffer or a string. Resolves to its counts. */
  load(trace, fileName = 'trace') {
    this.removeAttribute('src');
    this.#loading.abort();
    this.#given = { trace, fileName, done: deferred() };
    this.#turn += 1;
    const { promise } = this.#given.done;
    promise.catch(() => {}); // the event `error` reports it too
    if (this.#frame === null) this.#start();
    else this.#hand();
    return promise;
  }

  // --- the frame -------------------------------------------------------------------------------

  #address() {
    const link = new URLSearchParams({ embed: '1', token: this.#token });
    for (const [attribute, key] of Object.entries(STATE)) {
      const value = this.getAttribute(attribute);
      if (value !== null) link.set(key, value);
    }
    // A link has no form encoding: a plus is a plus.
    const viewer = new URL(this.getAttribute('viewer') ?? VIEWER, document.baseURI);
    viewer.hash = link.toString().replaceAll('+', '%20');
    return viewer.href;
  }

  /** Starts when the element comes near the window. */
  #whenSeen() {
    if (typeof IntersectionObserver === 'undefined') return this.#start();
    this.#seen = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      this.#seen.disconnect();
      this.#start();
    }, { rootMargin: '400px' });
    this.#seen.observe(this);
  }

  #showPoster() {
    const button = document.createElement('button');
    button.className = 'poster';
    button.part = 'poster';
    const address = this.getAttribute('poster');
    if (address !== '') {
      const image = document.createElement('img');
      image.alt = '';
      image.loading = 'lazy';
      image.src = address;
      button.append(image);
    }
    const words = document.createElement('span');
    words.textContent = `Show the trace ${this.title || (this.hasAttribute('src') ? nameOf(this.getAttribute('src')) : '')}`.trim();
    button.append(words);
    button.addEventListener('click', () => {
      this.#start();
      this.#frame.focus();
    });
    this.#box.replaceChildren(button);
  }

  #start() {
    this.#isReady = false;
    const frame = document.createElement('iframe');
    const viewer = new URL(this.getAttribute('viewer') ?? VIEWER, document.baseURI);
    // A viewer on another site may keep its origin, which it needs to read its own files. One on this site may not: it
    // would have the rights of this page.
    const isForeign = viewer.origin !== location.origin && viewer.protocol.startsWith('http');
    frame.setAttribute('sandbox', `allow-scripts allow-downloads allow-popups${isForeign ? ' allow-same-origin' : ''}`);
    frame.setAttribute('allow', 'clipboard-write');
    frame.referrerPolicy = 'no-referrer';
    frame.title = this.title || 'Agent trace';
    frame.part = 'frame';
    frame.src = this.#address();
    this.#frame = frame;
    this.#box.replaceChildren(frame);
    if (this.#given === null) this.#load();
  }

  #setHeight() {
    const height = this.getAttribute('height');
    if (height === null || height === 'auto') return;
    const isNumber = /^\d+(\.\d+)?$/.test(height);
    this.style.setProperty('--trace-loupe-height', isNumber ? `${height}px` : height);
  }

  // --- the trace -------------------------------------------------------------------------------

  /** Fetches the trace of `src` with the rights of this page. */
  async #load() {
    const src = this.getAttribute('src');
    if (src === null) return;
    this.#loading.abort();
    this.#loading = new AbortController();
    const turn = this.#turn += 1;
    try {
      const response = await fetch(src, { signal: this.#loading.signal });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      const trace = await response.blob();
      if (turn !== this.#turn) return;
      this.#given = { trace, fileName: nameOf(src), done: deferred() };
      this.#given.done.promise.catch(() => {});
      this.#hand();
    } catch (error) {
      if (turn !== this.#turn || error.name === 'AbortError') return;
      this.#fail('fetch', `The trace ${nameOf(src)} could not be fetched (${error.message}).`);
    }
  }

  /** Hands the trace to the frame, once both are there. */
  #hand() {
    if (!this.#isReady || this.#given === null) return;
    const { trace, fileName } = this.#given;
    this.#send({ cmd: 'load', id: this.#turn, trace, fileName, title: this.title || undefined });
  }

  #send(message) {
    // The frame has no origin to name. The token in its link, which only this page knows, is in the message.
    this.#frame?.contentWindow?.postMessage({ traceloupe: 1, token: this.#token, ...message }, '*');
  }

  #take({ source, data }) {
    if (this.#frame === null || source !== this.#frame.contentWindow || data?.traceloupe !== 1) return;
    if (data.event === 'ready') {
      this.#isReady = true;
      this.#hand();
    } else if (data.event === 'selection') {
      this.#tell('select', { sel: data.sel, kind: data.kind });
    } else if (data.event === 'resize' && (this.getAttribute('height') ?? 'auto') === 'auto') {
      if (Number.isFinite(data.height)) this.style.setProperty('--trace-loupe-height', `${Math.max(LEAST_HEIGHT_PX, data.height)}px`);
    } else if (data.id === this.#turn && typeof data.ok === 'boolean') {
      if (data.ok) {
        const { traceloupe, id, ok, ...counts } = data;
        this.#problem.hidden = true;
        this.#given?.done.resolve(counts);
        this.#tell('ready', counts);
      } else {
        this.#fail(data.error?.code ?? 'unknown', data.error?.message ?? 'The trace could not be read.');
      }
    }
  }

  #fail(code, message) {
    this.#problem.textContent = message;
    this.#problem.hidden = false;
    this.#given?.done.reject(new Error(message));
    this.#tell('error', { code, message });
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

function deferred() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}

if (!customElements.get('trace-loupe')) customElements.define('trace-loupe', TraceLoupe);
