// What the link says, as far as it must be known before the wasm is there: the addresses to load.
//
// Pure functions: no network, no page. Loaded by boot.js as `traceloupeAddresses`, and by node in
// tests/e2e/addresses.test.mjs. The whole grammar of the address is in src/view/route.rs; the rules
// named here are its rules.
'use strict';

(function addresses(global) {
  /** Words other viewers use for `trace`. They are read, never written. */
  const TRACE_ALIASES = new Set([
    'trace', 'url', 'profileURL', 'traceURL', 'loadTimelineFromURL', 'path', 'fileUrl', 'log_file',
  ]);

  /** Every key of the grammar: one of these ends an address that was written without encoding. */
  const KEYS = new Set([
    ...TRACE_ALIASES,
    'v', 'title', 'format', 'file', 'data', 'compare', 'need', 'view', 'sel', 'tab', 'range',
    'visStart', 'visEnd', 'q', 'uiFind', 'filter', 'open', 'shut', 'lane', 'theme', 'uiTheme',
    'embed', 'hide', 'density', 'keys', 'lang', 'wheel', 'token', 'debug',
  ]);

  /** A link may start this many fetches. */
  const MOST_TRACES = 16;

  /** Percent-decodes; a bad `%` leaves the text as it is. A `+` is a plus. */
  function decode(raw) {
    try {
      return decodeURIComponent(raw);
    } catch {
      return raw;
    }
  }

  /** Decodes an address; some tools encode it twice. */
  function decodeAddress(raw) {
    const once = decode(raw);
    return /^[a-z]+%3A%2F%2F/i.test(once) ? decode(once) : once;
  }

  /**
   * Splits `k=v&k=v` into pairs `{key, raw, value}`; `value` is null for a key without `=`.
   *
   * An address with a literal `?` was written without encoding: the pairs that follow it belong to
   * it as long as their keys are not ours, and its text is taken as it stands.
   */
  function parsePairs(text) {
    const pairs = [];
    let address = null; // the pair that still takes what follows
    for (const piece of text.split('&')) {
      if (piece === '') continue;
      const at = piece.indexOf('=');
      const written = decode(at < 0 ? piece : piece.slice(0, at));
      const raw = at < 0 ? '' : piece.slice(at + 1);
      if (address && !KEYS.has(written)) {
        address.raw += '&' + piece;
        address.value = address.raw;
        continue;
      }
      const key = TRACE_ALIASES.has(written) ? 'trace' : written;
      const isAddress = key === 'trace' || key === 'compare';
      const isLiteral = isAddress && raw.includes('?');
      const value = at < 0 ? null : isLiteral ? raw : isAddress ? decodeAddress(raw) : decode(raw);
      const pair = { key, raw, value };
      pairs.push(pair);
      address = isLiteral ? pair : null;
    }
    return pairs;
  }

  /** The text of the fragment or query without its marks (`#`, `?`, and the `#!/?` of some viewers). */
  function body(part) {
    return part.replace(/^(#!?\/?\??|\?)/, '');
  }

  /**
   * Brings query and fragment together. Where a key is in both, the fragment wins.
   * Returns the pairs, and the new fragment (with its `#`) when the query has to move into it, else
   * null: a fragment that stands alone is left as it was written.
   */
  function readLink(search, hash) {
    const inHash = parsePairs(body(hash));
    const inQuery = parsePairs(body(search));
    if (inQuery.length === 0) return { pairs: inHash, fragment: null };
    const taken = new Set(inHash.map((pair) => pair.key));
    const pairs = [...inQuery.filter((pair) => !taken.has(pair.key)), ...inHash];
    const written = pairs.map(({ key, value }) => {
      const name = encodeURIComponent(key);
      return value === null ? name : `${name}=${encodeURIComponent(value)}`;
    });
    return { pairs, fragment: '#' + written.join('&') };
  }

  /** The last value of a key that may stand only once. */
  function single(pairs, key) {
    return pairs.reduce((found, pair) => (pair.key === key ? pair.value : found), null);
  }

  /** The theme the link asks for: `light`, `dark`, `system`, or null. */
  function theme(pairs) {
    const asked = single(pairs, 'theme') || single(pairs, 'uiTheme');
    return ['light', 'dark', 'system'].includes(asked) ? asked : null;
  }

  /** Loopback, link-local and private addresses, and names that only a local network knows. */
  function isPrivateHost(hostname) {
    const host = hostname.toLowerCase().replace(/^\[|\]$/g, '').replace(/\.$/, '');
    if (host === 'localhost' || /\.(localhost|local|internal)$/.test(host)) return true;
    if (host.includes(':')) return /^(::1?$|::ffff:|f[cd]|fe[89ab])/.test(host);
    if (!/^\d+(\.\d+){3}$/.test(host)) return false; // URL has brought all spellings to this one
    return /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(host);
  }

  function lastPart(url) {
    const part = url.pathname.split('/').filter((piece) => piece !== '').pop();
    return part === undefined ? url.host : decode(part);
  }

  /**
   * The trace itself, where `trace=` is no address but base64 of UTF-8 JSON, as Invariant Explorer
   * links it (`/traceview?trace=`): either alphabet, a plus may have become a space. Else null. A
   * path in the letters of base64 does not decode to text between brackets.
   */
  function traceInLink(value) {
    const digits = value.trim().replace(/ /g, '+').replace(/-/g, '+').replace(/_/g, '/');
    if (!/^[0-9A-Za-z+/]{4,}={0,2}$/.test(digits)) return null;
    try {
      const bytes = Uint8Array.from(atob(digits.replace(/=+$/, '')), (char) => char.charCodeAt(0));
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      return /^\s*(\[[^]*\]|\{[^]*\})\s*$/.test(text) ? text : null;
    } catch {
      return null; // neither base64 nor UTF-8
    }
  }

  /**
   * One address of the link, relative ones taken from `base`: `{role, name, url, host, refused}`,
   * where `refused` is null or the code of the reason why it is not fetched at all. A trace that
   * stands in the link itself is its `text`, and nothing is fetched.
   */
  function readAddress(role, value, base, isFramed) {
    const text = role === 'trace' ? traceInLink(value) : null;
    if (text !== null) {
      return { role, name: 'trace in the link', url: '', host: '', refused: null, text };
    }
    let url;
    try {
      url = new URL(value, base);
    } catch {
      return { role, name: value, url: value, host: '', refused: 'bad-address' };
    }
    const page = new URL(base);
    return {
      role, name: lastPart(url), url: url.href, host: url.host,
      refused: refusal(url, page, isFramed),
    };
  }

  function refusal(url, page, isFramed) {
    if (url.protocol === 'data:') return 'data-address'; // the link's own data= is for that
    if (url.protocol === 'blob:') return 'blob-address'; // whoever has the blob can send it
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'scheme';
    if (url.username !== '' || url.password !== '') return 'user-info'; // fetch rejects it
    // A page that frames us must not use our permissions to read the reader's own network.
    if (isFramed && url.origin !== page.origin && isPrivateHost(url.hostname)) {
      return 'private-host';
    }
    return null;
  }

  /** All addresses of the link in their order: the traces, each once, then the one to compare with. */
  function readAddresses(pairs, base, isFramed) {
    const given = pairs.filter((pair) => pair.key === 'trace' && pair.value);
    const values = [...new Set(given.map((pair) => pair.value))].slice(0, MOST_TRACES);
    const found = values.map((value) => readAddress('trace', value, base, isFramed));
    const compare = single(pairs, 'compare');
    if (compare) found.push(readAddress('compare', compare, base, isFramed));
    return found;
  }

  const api = Object.freeze({
    parsePairs, readLink, readAddresses, theme, isPrivateHost, traceInLink,
  });
  if (typeof module === 'object') module.exports = api;
  else global.traceloupeAddresses = api;
})(globalThis);
