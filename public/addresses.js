// Parses the part of the link that is needed before the wasm is loaded: the addresses of traces.
//
// Pure functions that use neither the network nor the page. boot.js uses them as `traceloupeAddresses`, and
// tests/e2e/addresses.test.mjs tests them in Node. src/protocol/route.rs has the whole grammar of the
// link, and the rules here must agree with it.
'use strict';

(function addresses(global) {
  const { fileOn } = typeof require === 'function' ? require('./file-hosts.js') : global.traceloupeFileHosts;

  /** Other viewers' words for `trace`; accepted but never written. */
  const TRACE_ALIASES = new Set([
    'trace', 'url', 'profileURL', 'traceURL', 'loadTimelineFromURL', 'path', 'fileUrl', 'log_file',
  ]);

  /** All keys of the grammar, as in src/protocol/route.rs. Each ends an address that was written without percent-encoding. */
  const KEYS = new Set([
    ...TRACE_ALIASES,
    'v', 'title', 'format', 'map', 'data', 'compare', 'need', 'tab', 'view', 'run', 'run_id', 'agent', 'sel', 'filter', 'dim',
    'q', 'qopts', 'uiFind', 'theme', 'uiTheme', 'embed', 'token',
  ]);

  /** The longest trace in a link. Chromium accepts links of 2 MB. */
  const MOST_DATA_CHARS = 1_500_000;

  /** The most fetches that a link may start. */
  const MOST_TRACES = 16;

  /** Percent-decodes a text. A text with an invalid `%` is returned unchanged. `+` stays a plus sign. */
  function decode(raw) {
    try {
      return decodeURIComponent(raw);
    } catch {
      return raw;
    }
  }

  /** Decodes an address, a second time if necessary, because some tools encode it twice. */
  function decodeAddress(raw) {
    const once = decode(raw);
    return /^[a-z]+%3A%2F%2F/i.test(once) ? decode(once) : once;
  }

  /**
   * Splits `k=v&k=v` into pairs `{key, raw, value}`; `value` is null for a key without `=`. An address with a
   * literal `?` was written without encoding: the pairs after it belong to the address unless their keys are in
   * `KEYS`, and its text is not decoded.
   */
  function parsePairs(text) {
    const pairs = [];
    let address = null; // the pair that the following pairs may belong to
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

  /** The text of the fragment or query without its prefix (`#`, `?`, and the `#!/?` of some viewers). */
  function body(part) {
    return part.replace(/^(#!?\/?\??|\?)/, '');
  }

  /**
   * Merges query and fragment; if a key is in both, the fragment wins. Returns the pairs, and the new
   * fragment (with its `#`) if the query must be moved into it. Otherwise the new fragment is null, and the
   * existing one stays as written.
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

  /** The last value of a key that may be given only once. */
  function single(pairs, key) {
    return pairs.reduce((found, pair) => (pair.key === key ? pair.value : found), null);
  }

  /** The theme requested by the link: `light`, `dark`, `system`, or null. */
  function theme(pairs) {
    const asked = single(pairs, 'theme') || single(pairs, 'uiTheme');
    return ['light', 'dark', 'system'].includes(asked) ? asked : null;
  }

  /** Whether the link requests the embedded page, without the parts that a frame of another page does not need. */
  function isEmbedded(pairs) {
    const flags = pairs.filter(({ key, value }) => key === 'embed' && /^(1|true|0|false)?$/.test(value ?? ''));
    return flags.length > 0 && !/^(0|false)$/.test(flags.at(-1).value ?? '');
  }

  /** Names that exist only in a local network: without a dot, or in a domain that is reserved for it. */
  const LOCAL_NAME = /^[^.]*$|\.(localhost|local|internal|intranet|private|corp|home|lan|home\.arpa)$/;

  /**
   * IPv4: this network, loopback, link-local, private, shared by a provider, of protocols, for benchmarks, multicast and
   * reserved.
   */
  const LOCAL_IPV4 = new RegExp(
    '^(0|10|127|169\\.254|192\\.168|192\\.0\\.0|172\\.(1[6-9]|2\\d|3[01])|' +
    '100\\.(6[4-9]|[7-9]\\d|1[01]\\d|12[0-7])|198\\.1[89]|22[4-9]|2[3-5]\\d)\\.',
  );

  /** IPv6 outside the global range, and the two ranges in it that contain IPv4 addresses (Teredo, 6to4). */
  const LOCAL_IPV6 = /^(?![23][0-9a-f]{3}:)|^2001:0?:|^2002:/;

  /** Loopback, link-local and private addresses, and names that exist only in a local network. */
  function isPrivateHost(hostname) {
    const host = hostname.toLowerCase().replace(/^\[|\]$/g, '').replace(/\.$/, '');
    if (host.includes(':')) return LOCAL_IPV6.test(host);
    // URL has normalised all other notations to this one.
    return (/^\d+(\.\d+){3}$/.test(host) ? LOCAL_IPV4 : LOCAL_NAME).test(host);
  }

  function lastPart(url) {
    const part = url.pathname.split('/').filter((piece) => piece !== '').pop();
    return part === undefined ? url.host : decode(part);
  }

  /**
   * The trace itself, if the value of `trace=` is base64 of UTF-8 JSON rather than an address, as in links of
   * Invariant Explorer (`/traceview?trace=`); otherwise null. Both base64 alphabets are accepted, and so are
   * spaces that were pluses. A path that happens to be valid base64 does not decode to text in brackets.
   */
  function traceInLink(value) {
    const digits = value.trim().replace(/ /g, '+').replace(/-/g, '+').replace(/_/g, '/');
    if (!/^[0-9A-Za-z+/]{4,}={0,2}$/.test(digits)) return null;
    try {
      const bytes = Uint8Array.from(atob(digits.replace(/=+$/, '')), (char) => char.charCodeAt(0));
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      return /^\s*(\[[^]*\]|\{[^]*\})\s*$/.test(text) ? text : null;
    } catch {
      return null; // not base64, or not UTF-8
    }
  }

  const IN_LINK = { role: 'trace', name: 'trace in the link', url: '', host: '', refused: null, lookup: null };

  /**
   * The trace in `data=gz.…`: the gzipped bytes of a file in base64url. Reading unpacks them, with its usual limits.
   * `refused` is set if it is longer than a link may be, or cut, which chat programs do to long links.
   */
  function dataInLink(value) {
    const refuse = (refused) => ({ ...IN_LINK, given: value, refused });
    if (value.length > MOST_DATA_CHARS) return refuse('data-too-long');
    const [, digits] = /^gz\.([\w-]+)=*$/.exec(value) ?? [];
    if (digits === undefined) return refuse('bad-data');
    try {
      const text = atob(digits.replace(/-/g, '+').replace(/_/g, '/'));
      const body = Uint8Array.from(text, (char) => char.charCodeAt(0));
      return body[0] === 0x1f && body[1] === 0x8b ? { ...IN_LINK, given: value, body } : refuse('bad-data');
    } catch {
      return refuse('bad-data');
    }
  }

  /**
   * Parses one address, relative to `base`, into `{role, name, given, url, host, refused, lookup, isKnownHost}`. `given`
   * is the value in the link. `refused` is null, or
   * the code of the reason for not fetching the address. If the link contains the trace itself, `body` (text or
   * bytes) is set and nothing is fetched. `lookup` is set if the address of the file must be looked up at its host first
   * (file-hosts.js).
   */
  function readAddress(role, value, base, isFramed) {
    const text = role === 'trace' ? traceInLink(value) : null;
    if (text !== null) return { ...IN_LINK, given: value, body: text };
    let url;
    try {
      url = new URL(value, base);
    } catch {
      return { role, name: value, given: value, url: value, host: '', refused: 'bad-address', lookup: null };
    }
    const page = new URL(base);
    const file = fileOn(url);
    const fetched = file?.url ? new URL(file.url) : url;
    return {
      role, name: lastPart(url), given: value, url: fetched.href, host: fetched.host,
      refused: file?.url === null ? 'no-file-host' : refusal(fetched, page, isFramed),
      lookup: file?.lookup ? file : null, isKnownHost: file !== undefined,
    };
  }

  function refusal(url, page, isFramed) {
    if (url.protocol === 'data:') return 'data-address'; // use data= instead
    if (url.protocol === 'blob:') return 'blob-address'; // whoever has the Blob can send it in a message
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'scheme';
    if (url.username !== '' || url.password !== '') return 'user-info'; // fetch would reject it
    // A page that frames us must not use our permissions to read the user's local network.
    if (isFramed && url.origin !== page.origin && isPrivateHost(url.hostname)) {
      return 'private-host';
    }
    return null;
  }

  /** The file on disk that a link is about: `need=name~size~mark`, as `{name, lenBytes}`; null if it names none. */
  function readNeed(pairs) {
    const [, name, size] = /^(.+)~(\d{1,15})~[0-9a-f]*$/.exec(single(pairs, 'need') ?? '') ?? [];
    return name === undefined ? null : { name, lenBytes: Number(size) };
  }

  /** All addresses in order: the traces without duplicates, the trace in the link, then the trace to compare with. */
  function readAddresses(pairs, base, isFramed) {
    const given = pairs.filter((pair) => pair.key === 'trace' && pair.value);
    const values = [...new Set(given.map((pair) => pair.value))].slice(0, MOST_TRACES);
    const found = values.map((value) => readAddress('trace', value, base, isFramed));
    const data = single(pairs, 'data');
    if (data) found.push(dataInLink(data));
    const compare = single(pairs, 'compare');
    if (compare) found.push(readAddress('compare', compare, base, isFramed));
    return found;
  }

  const api = Object.freeze({
    KEYS, parsePairs, readLink, readAddresses, readNeed, theme, isEmbedded, isPrivateHost, traceInLink,
  });
  if (typeof module === 'object') module.exports = api;
  else global.traceloupeAddresses = api;
})(globalThis);
