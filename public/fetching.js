// Fetches the addresses in the link, and finds out why one cannot be fetched. boot.js calls `traceloupeFetching` once,
// before the page is sealed; nothing else fetches a trace.
'use strict';

globalThis.traceloupeFetching = function fetching({ isPrivateHost, isFramed, hasRefused, sources }) {
  const FETCH = {
    mode: 'cors', credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store',
    redirect: 'follow',
  };
  /** After so long without an answer, an address no longer holds back the others of the link. */
  const LONG_MS = 10_000;
  /** Good answers without a file. */
  const WITHOUT_FILE = [204, 205];

  /** Whether the host answers with a redirect. It only shows if the host allows cross-origin requests. */
  async function isRedirect(url, how) {
    try {
      return (await fetch(url, { ...how, redirect: 'manual' })).type === 'opaqueredirect';
    } catch {
      return false;
    }
  }

  /** Finds out why a fetch failed, because the browser only reports "Failed to fetch". */
  async function why(url) {
    if (hasRefused(url)) return 'csp';
    if (!navigator.onLine) return 'offline';
    const { protocol, hostname } = new URL(url);
    if (location.protocol === 'https:' && protocol === 'http:' && !isPrivateHost(hostname)) {
      return 'mixed-content';
    }
    const control = new AbortController();
    const how = { ...FETCH, signal: control.signal };
    try {
      // The next request would follow a redirect, which must not happen in a frame.
      if (isFramed) return await isRedirect(url, how) ? 'redirected' : 'framed';
      // An opaque response shows that the server is reachable. Its body is not fetched.
      const { type } = await fetch(url, { ...how, mode: 'no-cors' });
      return type === 'opaque' ? 'cors' : 'nothing-came';
    } catch {
      return await isRedirect(url, how) ? 'bad-redirect' : 'unreachable';
    } finally {
      control.abort();
    }
  }

  /** Looks up the address of a file at its host (file-hosts.js); null if the host does not have the file. */
  async function lookUp({ lookup, choose }, signal) {
    const response = await fetch(lookup, { ...FETCH, signal });
    if (!response.ok) return { error: 'http-' + response.status };
    const address = choose(await response.json());
    return /^https:/.test(address ?? '') ? { address } : { error: 'not-listed' };
  }

  async function arrive({ url, lookup, isKnownHost }, control) {
    let response;
    try {
      const how = { ...FETCH, signal: control.signal };
      // A page that frames this one could lead it into the user's network by a redirect. Known hosts redirect to their own.
      if (isFramed && !isKnownHost) how.redirect = 'error';
      let found = { address: url };
      if (lookup !== null) {
        found = await lookUp(lookup, control.signal);
        if (found.error) return found;
        if (lookup.accept) how.headers = { accept: lookup.accept };
      }
      response = await fetch(found.address, how);
    } catch {
      if (control.signal.aborted) return { error: 'cancelled' };
      const cause = await Promise.race([why(lookup?.lookup ?? url), aborted(control.signal)]);
      return { error: control.signal.aborted ? 'cancelled' : cause };
    }
    if (response.ok && !WITHOUT_FILE.includes(response.status)) return { response };
    control.abort(); // the body of an error page is not a trace
    return { error: 'http-' + response.status };
  }

  function aborted(signal) {
    return new Promise((done) => signal.addEventListener('abort', () => done('cancelled')));
  }

  const never = () => new Promise(() => {});

  /** Gives up an address that has not answered for long, once another address of the link has arrived. */
  async function orGiveUp(arriving, control) {
    let hasArrived = false;
    const arrived = arriving.then(() => { hasArrived = true; });
    await Promise.race([arrived, new Promise((done) => setTimeout(done, LONG_MS))]);
    if (!hasArrived) {
      const others = sources().map(async ({ arrival }) => (await arrival).response ?? Promise.reject());
      await Promise.race([arrived, Promise.any(others).catch(never)]);
    }
    if (hasArrived) return arriving;
    control.abort();
    return { error: 'no-answer' };
  }

  /** Starts the fetch of one address. `arrival` never rejects. */
  function startFetch(address) {
    const { role, name, given, url, host, refused, body } = address;
    const control = new AbortController();
    let arrival;
    if (refused) arrival = Promise.resolve({ error: refused });
    else if (body !== undefined) arrival = Promise.resolve({ response: new Response(body) });
    else arrival = orGiveUp(arrive(address, control), control);
    return Object.freeze({ role, name, given, url, host, arrival, cancel: () => control.abort() });
  }

  return startFetch;
};
