// Sites that serve the page with a policy, a file or a media type with which it cannot run: the page names the cause.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { small } from './fixtures.mjs';
import { BASE, dropFiles, mounted } from './harness.mjs';
import { alert, stage } from './reader.mjs';

const it = stage();

/** Opens the page with other answers for some of its files: `change(name, response)` returns what to change, if anything. */
async function openChanged(change) {
  return it.visit(it.server.address(), {
    prepare: (page) => page.route(`**${BASE}**`, async (route) => {
      const name = new URL(route.request().url()).pathname.slice(BASE.length);
      const changed = change(name);
      if (changed === undefined) return route.continue();
      const response = await route.fetch();
      return route.fulfill({ response, ...changed, headers: { ...response.headers(), ...changed.headers } });
    }),
  });
}
const withPolicy = (policy) => openChanged((name) => (name === '' ? { headers: { 'content-security-policy': policy } } : undefined));
const withType = (pattern, type) => openChanged((name) => (pattern.test(name) ? { headers: { 'content-type': type, 'x-content-type-options': 'nosniff' } } : undefined));
const without = (pattern, answer = { status: 404, body: 'none' }) => openChanged((name) => (pattern.test(name) ? answer : undefined));

/** The visible alert's text, once it is there. */
async function said(page, pattern) {
  const shown = page.getByRole('alert').filter({ visible: true }).filter({ hasText: pattern });
  await shown.first().waitFor();
  assert.equal(await page.getByRole('progressbar').filter({ visible: true }).count(), 0, 'nothing loads for ever');
  return shown.first().textContent();
}

test('a page whose scripts are kept from running says so without a script', async () => {
  for (const opened of [
    await withPolicy("default-src 'none'"), await without(/^boot-/), await withType(/^boot-/, 'text/plain'),
  ]) {
    const words = await said(opened.page, /script of this page did not run/);
    assert.match(words, /missing or has a wrong media type, or a Content-Security-Policy of this site/);
    await opened.page.close();
  }
  const well = await it.open();
  assert.equal(await well.page.getByText('script of this page did not run').count(), 0);
});

test('a policy of the site that forbids a part of the page is named', async () => {
  for (const [policy, words] of [
    ["trusted-types 'none'", /Content-Security-Policy.*trusted-types/],
    ["script-src 'self'", /Content-Security-Policy.*script-src.*wasm-eval/],
    ["connect-src 'none'", /Content-Security-Policy.*connect-src/],
  ]) {
    const { page } = await withPolicy(policy);
    assert.match(await said(page, /could not start/), words, policy);
    await page.close();
  }
});

test('a policy of the site that forbids the worker is named, and is no bug', async () => {
  for (const policy of ["script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self'"]) {
    const { page } = await withPolicy(policy);
    await mounted(page);
    await dropFiles(page, [{ name: 'a.jsonl', bytes: small() }]);
    await alert(page).waitFor();
    assert.equal(await alert(page).locator('.problem').first().getAttribute('data-code'), 'worker-refused', policy);
    assert.match(await alert(page).textContent(), /security policy of the site.*worker-src blob:/s);
    await page.close();
  }
});

test('files of the page that are missing, or are something else, are named', async () => {
  for (const [opening, words] of [
    [without(/^traceloupe-[0-9a-f]+\.js$/), /404 for .*traceloupe-[0-9a-f]+\.js/],
    [withType(/^traceloupe-[0-9a-f]+\.js$/, 'text/plain'), /media type text\/plain/],
    [without(/^traceloupe-[0-9a-f]+_bg\.wasm$/), /404 for .*_bg\.wasm/],
    [without(/_bg\.wasm$/, { status: 200, body: '<!doctype html>', headers: { 'content-type': 'text/html' } }), /a web page in place of .*wasm/],
  ]) {
    const { page } = await opening;
    assert.match(await said(page, /could not start/), words);
    await page.close();
  }
});
