// What keeps the page from starting, or its worker: what the browser lacks, and what a security policy of the site that
// serves the page forbids. The errors of programs and requests would not name it. boot.js uses it as `traceloupeObstacles`.
'use strict';

(function obstacles(global) {
  /** A module whose only function makes a vector and a reference, and drops them. */
  const SMALLEST_MODULE = [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 12, 1, 10, 0, 65, 0, 253, 15, 26, 208, 111, 26, 11,
  ];

  /** What the page needs and this browser lacks (docs/browsers.md), or null. */
  function lack() {
    if (typeof WebAssembly === 'undefined') return 'WebAssembly, or it is turned off';
    if (!WebAssembly.validate(new Uint8Array(SMALLEST_MODULE))) return 'WebAssembly with SIMD and reference types';
    if (typeof DecompressionStream === 'undefined') return 'DecompressionStream';
    if (!CSS.supports('selector(:has(a))')) return ':has() in styles';
    if (!CSS.supports('color', 'light-dark(red, red)')) return 'light-dark() in styles';
    return null;
  }

  /** What policies have refused: `{directive, what, policy}`. */
  const refusals = [];
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, originalPolicy, disposition }) => {
    if (disposition === 'enforce') refusals.push({ directive: effectiveDirective, what: blockedURI, policy: originalPolicy });
  });

  /** Refusals by a policy of the site. The page's own policies are in its head. */
  function ofSite() {
    const own = [...document.querySelectorAll('meta[http-equiv]')].map(({ content }) => content);
    return refusals.filter(({ policy }) => !own.includes(policy));
  }

  const words = ({ directive, what }) => `${directive} blocks ${what || 'it'}`;

  /** The words of the policy that forbids the worker, or nothing. */
  function refusedWorker() {
    const refused = ofSite().find(({ directive, what }) => directive === 'worker-src' || what === 'blob');
    return refused === undefined ? '' : words(refused);
  }

  /** The page's one policy of Trusted Types; null if the site forbids it, and undefined if the browser has none. */
  function createPolicy(name, rules) {
    try {
      return global.trustedTypes?.createPolicy(name, rules);
    } catch {
      refusals.push({ directive: 'trusted-types', what: `the policy “${name}”`, policy: '' });
      return null;
    }
  }

  /** What the user can do when the page cannot start. */
  function remedy() {
    const [refused] = ofSite();
    if (refused !== undefined) {
      return `A security policy (Content-Security-Policy) of the site that serves this page forbids a part of it: ${words(refused)}. ` +
        'It must allow what the policy in index.html allows.';
    }
    if (location.protocol === 'file:') {
      return 'A page opened from disk cannot read the files next to it. ' +
        'Open the single HTML file instead, or serve the folder with a web server.';
    }
    if (window.origin === 'null') {
      return 'This frame is sandboxed, so the page cannot read its own files. Give the frame ' +
        'allow-same-origin, or frame the single HTML file instead.';
    }
    return 'The page could not load all of its files. Reload it to try again.';
  }

  global.traceloupeObstacles = Object.freeze({
    lack, remedy, refusedWorker, createPolicy,
    hasRefused: (address) => refusals.some(({ what }) => what === address),
  });
})(globalThis);
