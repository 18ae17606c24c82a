// The empty page before the page's program runs: input that is dropped, chosen, pasted or typed is kept, and shown as
// accepted, until the program requests it.
//
// The page itself is in index.html. The program takes over its elements (`takeOver`) instead of drawing them again.
// boot.js calls `traceloupeStart` once and passes the returned functions on to the program.
'use strict';

globalThis.traceloupeStart = function start({ isEmbedded, openLink, cancelLink, sources, ownName, needed }) {
  const element = (id) => document.getElementById(id);
  const early = new AbortController(); // for the listeners that the program replaces with its own
  let kept = null; // the latest input, until the program requests it
  let deliver = null; // the callback of the program, once it has requested input
  let hasFailed = false; // whether the program cannot start
  let wanted = ''; // the dialog that was requested before the program can open it

  // --- input -----------------------------------------------------------------------------------

  /** The contents of a drop: `{entries, handles, files, text}`. All of them must be requested during the event. */
  function contents(data) {
    const items = [...data.items].filter((item) => item.kind === 'file');
    return {
      handles: items.map((item) => item.getAsFileSystemHandle?.()).filter(Boolean),
      entries: items.map((item) => item.webkitGetAsEntry?.()).filter(Boolean),
      files: [...data.files],
      text: data.getData('text/plain'),
    };
  }

  function give(what) {
    const given = { handles: [], entries: [], files: [], text: '', isPicked: false, ...what };
    const text = given.text.trim();
    if (given.files.length === 0 && given.entries.length === 0 && text === '') return;
    if (deliver !== null) {
      deliver(given);
    } else if (given.files.length === 0 && /^https?:\/\/\S+$/.test(text)) {
      openLink(`#trace=${encodeURIComponent(text)}`);
    } else {
      cancelLink(); // new input replaces the addresses in the link
      const { files: [first, ...more], entries } = given;
      const name = entries[0]?.name ?? first?.name ?? 'pasted text';
      kept = { ...given, name: more.length > 0 ? `${name} and ${more.length} more` : name };
      tell();
    }
  }

  // --- display ---------------------------------------------------------------------------------

  /** A size for people: `12.3 MB`. */
  function sizeWords(lenBytes) {
    const units = ['bytes', 'kB', 'MB', 'GB'];
    const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, lenBytes)) / 3));
    const amount = lenBytes / 1000 ** power;
    return `${power > 0 && amount < 100 ? amount.toFixed(1) : Math.round(amount)} ${units[power]}`;
  }

  /** Shows the accepted input, or the trace that the link loads, or the file that it is about, or nothing. */
  function tell() {
    const file = needed();
    const place = element('needed'); // not in the document while a trace is shown
    if (place !== null) {
      place.hidden = file === null;
      if (file !== null) element('needed-file').textContent = `${file.name} (${sizeWords(file.lenBytes)})`;
    }
    const bar = element('frame-progress');
    if (bar === null) return; // not parsed yet, or the program has taken over
    const source = sources()[0];
    const name = (kept?.name ?? source?.host) || ownName();
    const what = name || source?.name || '';
    bar.hidden = what === '' || hasFailed;
    element('frame-taken').textContent = what && `Loading ${what}`;
    element('frame-said').textContent = what && `Loading ${what}. It will open when the page has finished loading.`;
  }

  /** Shows the summary in the single HTML file in place of the empty page, until its trace has been read. */
  function showBrief() {
    brief = element('tl-brief');
    element('start').hidden = true;
    element('start').before(brief);
  }

  /** Drops the accepted input, because the link has changed. */
  function forget() {
    kept = null;
    tell();
  }

  /** Shows that the program cannot start. */
  function fail(words) {
    const problem = element('frame-problem');
    if (problem === null) return; // the program has taken over and shows its own messages
    hasFailed = true;
    tell();
    problem.hidden = false;
    element('frame-status').textContent = words;
  }

  // --- events ----------------------------------------------------------------------------------

  const on = (name, act, options) => document.addEventListener(name, act, options);
  const whileEarly = { signal: early.signal };
  const drag = (is) => element('frame-drop')?.toggleAttribute('hidden', !is);
  let isDraggedHere = false;
  on('dragstart', () => { isDraggedHere = true; }, whileEarly);
  on('dragend', () => { isDraggedHere = false; }, whileEarly);
  on('dragover', (event) => {
    event.preventDefault();
    if (!isEmbedded && !isDraggedHere) drag(true);
  }, whileEarly);
  on('dragleave', (event) => {
    if (event.relatedTarget === null) drag(false);
  }, whileEarly);
  on('drop', (event) => {
    event.preventDefault();
    drag(false);
    if (!isEmbedded && !isDraggedHere) give(contents(event.dataTransfer));
    isDraggedHere = false;
  }, whileEarly);
  on('paste', (event) => {
    if (isEmbedded || event.target.closest?.('input, textarea, select, [contenteditable]')) return;
    const files = [...event.clipboardData.files];
    give(files.length > 0 ? { files } : { text: event.clipboardData.getData('text/plain') });
  }, whileEarly);

  // These listeners stay, because the program adds none to the elements that it takes over.
  on('change', ({ target }) => {
    if (target.id !== 'pick-files' && target.id !== 'pick-folder') return;
    give({ files: [...target.files], isPicked: true });
    target.value = ''; // allows choosing the same file again
  });
  on('submit', (event) => {
    if (!event.target.matches('.empty__address')) return;
    event.preventDefault();
    give({ text: element('address').value });
  });
  on('click', (event) => {
    const at = (selector) => event.target.closest?.(selector);
    if (at('[data-pick]')) element(at('[data-pick]').dataset.pick).click();
    else if (at('[data-formats]')) {
      element('all-formats').open = true;
      element('all-formats').scrollIntoView();
    } else if (at('[data-theme-switch]')) switchTheme();
    else if (at('[data-dialog]')) wanted = at('[data-dialog]').dataset.dialog;
    else if (at('#frame-cancel')) {
      cancelLink();
      forget();
    } else if (at('.empty__sample')?.hash === location.hash) {
      event.preventDefault(); // following the link would change nothing
      location.reload();
    }
  });

  function switchTheme() {
    const root = document.documentElement;
    const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = isDark ? 'light' : 'dark';
    try {
      localStorage.setItem('traceloupe.theme', root.dataset.theme);
    } catch {
      // no storage in a sandboxed frame
    }
  }

  // --- the program takes over ------------------------------------------------------------------

  /** Passes input to `callback` from now on. Returns the input so far, or undefined. */
  function takeGiven(callback) {
    deliver = callback;
    early.abort();
    const given = kept ?? undefined;
    kept = null;
    return given;
  }

  let page = null; // the empty page, which stays in memory while a trace is shown
  let brief = null; // the summary in the single HTML file, until its trace has been shown

  /**
   * Moves the empty page into `place`, keeping its focus and scroll position. The first time it comes from the frame in
   * index.html, which is removed. In the single HTML file, the summary is shown in its place the first time.
   */
  function takeOver(place) {
    if (page !== null && brief !== null) {
      brief.remove();
      brief = null;
      page.hidden = false;
    }
    page ??= element('start');
    if (brief !== null) place.append(brief);
    const frame = element('frame');
    const focused = document.activeElement;
    const bars = (root) => [...root.querySelectorAll('.top button, .foot button')];
    const at = frame === null ? -1 : bars(frame).indexOf(focused);
    const scrolled = page.scrollTop;
    if (place.moveBefore && page.isConnected) place.moveBefore(page, null);
    else place.append(page);
    frame?.remove();
    page.scrollTop = scrolled;
    const next = at < 0 ? focused : bars(place.parentElement)[at];
    if (next !== document.activeElement && (at >= 0 || page.contains(next))) next?.focus({ preventScroll: true });
  }

  return { tell, forget, fail, showBrief, takeGiven, takeOver, contents, wanted: () => wanted };
};
