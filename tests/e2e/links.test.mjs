// Traces named in the link, samples, and the link's other settings.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { loop, small } from './fixtures.mjs';
import { BASE, DIST, OWN_REQUEST } from './harness.mjs';
import {
  active, alert, body, button, dropText, headline, row, settled, shown, stage, summary, tree, until,
} from './reader.mjs';

const it = stage();
const enc = encodeURIComponent;
const events = async (page) => (await summary(page)).events;

test('#trace= relative: a file beside the page, fetched once', async () => {
  it.server.put('runs/a.jsonl', small());
  it.server.hits.length = 0;
  const { page, errors, violations } = await it.open('#trace=runs/a.jsonl');
  await shown(page, 'a.jsonl');
  assert.equal(await events(page), 6);
  assert.equal(it.server.count('a.jsonl'), 1);
  assert.deepEqual(errors, []);
  assert.deepEqual(await violations(), []);
});

test('#trace= absolute, of another origin that lets it be read', async () => {
  const other = `http://localhost:${it.server.port}/t/cors/x.json`;
  const { page } = await it.open(`#trace=${enc(other)}`);
  await shown(page, 'x.json');
  assert.equal((await summary(page)).events, 1);
});

test('?trace= is moved into the fragment before anything else is asked for', async () => {
  it.server.put('a.jsonl', small());
  const { page } = await it.open('?trace=a.jsonl&title=Mine');
  await shown(page);
  assert.equal(await events(page), 6);
  assert.equal(await page.evaluate(() => location.search), '');
  assert.equal(await page.evaluate(() => location.hash), '#trace=a.jsonl&title=Mine');
});

test('several trace= are opened together; one that fails does not hide the other', async () => {
  it.server.put('a.jsonl', small());
  it.server.put('b.jsonl', loop().replaceAll('run-1', 'run-2'));
  const { page } = await it.open('#trace=a.jsonl&trace=b.jsonl');
  await shown(page);
  assert.deepEqual(await summary(page).then(({ runs, events: all }) => [runs, all]), [2, 17]);

  const half = await it.open(`#trace=a.jsonl&trace=${enc(`${it.server.origin}/t/status/404`)}`);
  await shown(half.page);
  await alert(half.page).waitFor();
  assert.match(await alert(half.page).textContent(), /no such file/);
  assert.equal(await events(half.page), 6);
});

test('a pasted address, and one typed into the field: the page loads again with #trace=', async () => {
  it.server.put('a.jsonl', small());
  const address = it.server.address('a.jsonl?sig=a%2Bb&sel=c%26d&e');
  const pasted = await it.open();
  const reloaded = pasted.page.waitForEvent('load');
  await pasted.page.evaluate((words) => {
    const data = new DataTransfer();
    data.setData('text/plain', ` ${words}\n`);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  }, address);
  await reloaded;
  await shown(pasted.page, 'a.jsonl');
  const hash = await pasted.page.evaluate(() => location.hash);
  assert.equal(decodeURIComponent(hash.replace('#trace=', '')), address);
  assert.equal(hash.indexOf('&'), -1, 'the address is one value');

  const typed = await it.open();
  await typed.page.getByLabel('or open an address').fill(address);
  await button(typed.page, 'Open').click();
  await shown(typed.page, 'a.jsonl');
  assert.equal(it.server.count('a.jsonl?sig=a%2Bb&sel=c%26d&e'), 2, 'asked for exactly as given');
  assert.equal(await events(typed.page), 6);
});

test('every sample of the empty page opens with one click', async (t) => {
  const { page } = await it.open();
  const links = page.locator('a[href^="#trace=samples/"]');
  const addresses = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href').slice('#trace='.length)));
  assert.ok(addresses.length >= 3);
  const missing = addresses.filter((address) => !existsSync(path.join(DIST, address)));
  if (missing.length > 0) {
    t.skip(`not in the built page: ${missing.join(', ')}`);
    return;
  }
  for (const address of addresses) {
    const { page: one } = await it.open();
    await one.locator(`a[href="#trace=${address}"]`).click();
    await shown(one);
    const said = await summary(one);
    assert.ok(said.runs > 0 && said.events > 5, `${address}: ${JSON.stringify(said)}`);
    assert.notEqual(said.format, 'records', address);
  }
});

test('title= and format= of the link', async () => {
  it.server.put('a.jsonl', small());
  const { page } = await it.open('#trace=a.jsonl&title=A%20b%26c&format=records');
  await shown(page, 'A b&c');
  assert.equal((await summary(page)).format, 'records');
});

test('sel= opens the event it names; Link makes such a link', async () => {
  it.server.put('a.jsonl', small());
  const made = await it.open('#trace=a.jsonl');
  await shown(made.page);
  await row(made.page, /fare/).click();
  await body(made.page, await active(made.page)).getByRole('button', { name: 'Link' }).click();
  const link = await until(() => made.page.evaluate(() => location.hash.includes('sel=') && location.hash), 'the link is there');
  assert.match(link, /^#trace=a\.jsonl&sel=/);

  const { page } = await it.open(link);
  await shown(page);
  await until(async () => await active(page) === 'row-3', 'the linked event is selected');
  await body(page, 'row-3').getByText('no answer').waitFor();
  assert.equal(await alert(page).count(), 0);
});

test('sel= works for a file that is dropped later', async () => {
  const { page } = await it.open('#sel=n:e-4');
  await dropText(page, small());
  await until(async () => await active(page) === 'row-4', 'the linked event is selected');
});

test('embed=1: a bare reader', async () => {
  it.server.put('a.jsonl', small());
  const { page } = await it.open('#trace=a.jsonl&embed=1');
  await shown(page);
  assert.equal(await button(page, 'Open…').count(), 0);
  await button(page, 'Actions').click();
  await button(page, 'Settings').waitFor();
  assert.equal(await button(page, 'Close the trace').count(), 0);
  await page.reload();
  await shown(page);
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'BODY');
  const empty = await it.open('#embed=1');
  assert.equal(await button(empty.page, 'Choose files…').count(), 0);
  await empty.page.getByText('Waiting for a trace').waitFor();
});

test('with a trace named, nothing is asked for but the page and the trace', async () => {
  it.server.put('a.jsonl', small());
  it.server.hits.length = 0;
  const { page } = await it.open('#trace=a.jsonl');
  await shown(page);
  await tree(page).focus();
  for (const key of ['*', 'End', 'Home', 'Enter', 'Escape', '?', 'Escape']) await page.keyboard.press(key);
  await settled(page);
  assert.deepEqual(it.server.hits.filter((hit) => !OWN_REQUEST.test(hit)), [`GET ${BASE}a.jsonl`]);
  assert.match(await headline(page), /a\.jsonl/);
});
