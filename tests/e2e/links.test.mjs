// Traces named in the link, samples, and the link's other settings.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
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

test('an address that does not answer says so, and does not hide another one for long', async () => {
  it.server.put('a.jsonl', small());
  const hanging = `${it.server.origin}/t/hang/x.jsonl`;
  const alone = await it.visit(it.server.address(`#trace=${enc(hanging)}`));
  const both = await it.visit(it.server.address(`#trace=${enc(hanging)}&trace=a.jsonl`));
  await alone.page.locator('.progress').filter({ hasText: /no answer for \d+ s/ }).waitFor();
  await shown(both.page);
  assert.equal(await events(both.page), 6);
  assert.match(await alert(both.page).textContent(), /has not answered for 10 seconds/);
  assert.equal(await alert(alone.page).count(), 0, 'it may still answer');
  it.server.release();
});

test('a download that has stopped says so instead of a rate', async () => {
  const { page } = await it.visit(it.server.address(`#trace=${enc(`${it.server.origin}/t/drip/1000`)}`));
  const bar = page.locator('.progress');
  await bar.filter({ hasText: /nothing for \d+ s/ }).waitFor();
  assert.doesNotMatch(await bar.textContent(), /B\/s/);
  it.server.release();
});

test('in a frame of another site, no redirect is followed', async () => {
  const { page } = await it.visit(`http://site.test:${it.server.port}/t/html/x`);
  const framed = async (address) => {
    await page.evaluate((src) => {
      document.querySelector('iframe')?.remove();
      document.body.append(Object.assign(document.createElement('iframe'), { src, width: 900, height: 600 }));
    }, `${it.server.address()}#trace=${enc(address)}`);
    const said = page.frameLocator('iframe').getByRole('alert');
    await said.waitFor();
    return [await said.locator('.problem').first().getAttribute('data-code'), await said.textContent()];
  };
  it.server.hits.length = 0;
  const other = `http://other.test:${it.server.port}`;
  const [code, words] = await framed(`${other}/t/away/localhost:${it.server.port}`);
  assert.equal(code, 'redirected');
  assert.match(words, /follows no redirect/);
  assert.equal((await framed(`${other}/t/plain/x.json`))[0], 'framed');
  assert.equal((await framed(`http://localhost:${it.server.port}/t/cors/x.json`))[0], 'private-host');
  assert.equal(it.server.count('/t/cors/'), 0, 'the place of the redirect is not asked');
});

test('the link of an open trace does not name a run of the next one', async () => {
  const { page } = await it.open();
  await dropText(page, small() + loop().replaceAll('run-1', 'run-2'), 'two.jsonl');
  await page.evaluate(() => history.replaceState(history.state, '', '#run=run-2'));
  await page.evaluate(() => dispatchEvent(new HashChangeEvent('hashchange')));
  await settled(page);
  await dropText(page, small(), 'one.jsonl');
  await settled(page);
  assert.equal(await alert(page).count(), 0);
  assert.doesNotMatch(await page.evaluate(() => location.hash), /run=/);
});

/** Answers requests to a host that the test cannot reach. `answers` maps addresses to bodies. */
const host = (pattern, answers, asked = []) => ({
  prepare: (page) => page.route(pattern, (route) => {
    const request = route.request();
    asked.push([request.url(), request.headers().accept]);
    const body = answers[request.url()];
    const headers = { 'access-control-allow-origin': '*' };
    return route.fulfill(body === undefined ? { status: 404, headers } : { status: 200, headers, body });
  }),
});

test('the page of a file on a known host: the file is fetched, and the link stays as it is', async () => {
  const file = 'https://raw.githubusercontent.com/o/r/main/run.jsonl';
  const link = 'https://github.com/o/r/blob/main/run.jsonl';
  const { page, errors } = await it.open(`#trace=${enc(link)}`, host('https://*githubusercontent.com/**', { [file]: small() }));
  await shown(page, 'run.jsonl');
  assert.equal(await events(page), 6);
  assert.match(await page.evaluate(() => location.hash), /github\.com%2Fo%2Fr%2Fblob/);
  assert.deepEqual(errors, []);
});

test('files of gists and releases are looked up at their host', async () => {
  const id = '0123456789abcdef0123';
  const raw = `https://gist.githubusercontent.com/u/${id}/raw/1/run.jsonl`;
  const gists = { [`https://api.github.com/gists/${id}`]: JSON.stringify({ files: { a: { filename: 'run.jsonl', raw_url: raw } } }), [raw]: small() };
  const gist = await it.open(`#trace=https://gist.github.com/u/${id}`, host(/github/, gists));
  await shown(gist.page);
  assert.equal(await events(gist.page), 6);

  const asset = 'https://api.github.com/repos/o/r/releases/assets/7';
  const assets = JSON.stringify({ assets: [{ name: 'run.jsonl', url: asset }] });
  const releases = { 'https://api.github.com/repos/o/r/releases/tags/v1': assets, [asset]: small() };
  const asked = [];
  const release = await it.open('#trace=https://github.com/o/r/releases/download/v1/run.jsonl', host(/github/, releases, asked));
  await shown(release.page, 'run.jsonl');
  assert.deepEqual(asked.at(-1), [asset, 'application/octet-stream']);

  const missing = await it.open('#trace=https://github.com/o/r/releases/download/v1/other.jsonl', host(/github/, releases));
  await alert(missing.page).waitFor();
  assert.match(await alert(missing.page).textContent(), /no such file in this gist or release/);
  const unknown = await it.open('#trace=https://github.com/o/r/releases/download/v2/run.jsonl', host(/github/, releases));
  await alert(unknown.page).waitFor();
  assert.match(await alert(unknown.page).textContent(), /404/);
});

test('a host that lets no other site read its files is not asked', async () => {
  const asked = [];
  const { page } = await it.open('#trace=https://drive.google.com/file/d/abc/view', host(/google/, {}, asked));
  await alert(page).waitFor();
  assert.match(await alert(page).textContent(), /drive\.google\.com does not allow other sites/);
  assert.deepEqual(asked, []);
});

test('data=: the trace is in the link, and nothing is fetched', async () => {
  const data = gzipSync(small()).toString('base64url');
  it.server.hits.length = 0;
  const { page, errors } = await it.open(`#data=gz.${data}`);
  await shown(page);
  assert.equal(await events(page), 6);
  assert.match(await headline(page), /trace in the link/);
  assert.deepEqual(it.server.hits.filter((hit) => !OWN_REQUEST.test(hit)), []);
  assert.deepEqual(errors, []);
  // A link that a chat program has cut.
  const cut = await it.open(`#data=gz.${data.slice(0, -40)}`);
  await until(async () => /cut|incomplete|truncated|ends/i.test(await cut.page.locator('body').textContent()), 'the end is missing');
  const broken = await it.open('#data=gz.no');
  await alert(broken.page).waitFor();
  assert.match(await alert(broken.page).textContent(), /link is not complete/);
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

test('need=: the page asks for the file, and says if another one is opened', async () => {
  const bytes = small();
  const mark = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const link = (size, digits) => `#need=${enc(`run 1.jsonl~${size}~${digits}`)}&q=wrap`;
  const open = async (suffix) => {
    const { page } = await it.open(suffix);
    const asked = page.locator('#needed');
    await asked.waitFor();
    assert.match(await asked.textContent(), new RegExp(`run 1\\.jsonl \\(${(bytes.length / 1000).toFixed(1)} kB\\)`));
    await page.setInputFiles('#pick-files', { name: 'copy.jsonl', mimeType: '', buffer: Buffer.from(bytes) });
    await shown(page, 'copy.jsonl');
    return page;
  };
  const size = Buffer.byteLength(bytes);
  for (const digits of [mark, '']) {
    const page = await open(link(size, digits));
    await settled(page);
    assert.equal(await page.locator('#search-input').inputValue(), 'wrap', 'the rest of the link is followed');
    assert.equal(await alert(page).count(), 0);
  }
  const other = await open(link(size, mark.replace(/./g, (digit) => (digit === '0' ? '1' : '0'))));
  await alert(other).waitFor();
  assert.match(await alert(other).textContent(), /about another file: run 1\.jsonl/);
});

test('Share: a link to this place, a link with the trace, and code for a page', async () => {
  const link = (page, nth = 0) => page.getByRole('textbox', { name: 'Link' }).nth(nth).inputValue();
  it.server.put('a.jsonl', small());
  const { page } = await it.open('#trace=a.jsonl');
  await shown(page);
  await row(page, /search/).first().click();
  await page.keyboard.press('S');
  await until(async () => /sel=/.test(await link(page)), 'the link names the selected row');
  assert.match(await link(page), /#v=1&trace=a\.jsonl&sel=/);
  assert.match(await page.getByLabel('Code for a page').textContent(), /^<iframe src="http[^"]*#v=1&amp;embed=1&amp;trace=a\.jsonl"/);

  // The link with the trace shows the same events, without the file.
  await button(page, 'Make the link').click();
  await until(async () => await page.getByRole('textbox', { name: 'Link' }).count() === 2, 'the link is made');
  const whole = new URL(await link(page, 1));
  assert.match(whole.hash, /^#v=1&data=gz\.[\w-]+$/);
  const again = await it.open(whole.hash);
  await shown(again.page);
  assert.equal(await events(again.page), await events(page));
  await again.page.keyboard.press('Escape');

  // A file on disk: the link asks for it.
  const local = await it.open();
  await local.page.setInputFiles('#pick-files', { name: 'my run.jsonl', mimeType: '', buffer: Buffer.from(small()) });
  await shown(local.page);
  await local.page.keyboard.press('S');
  const digits = createHash('sha256').update(small()).digest('hex').slice(0, 16);
  const needed = `need=my%20run.jsonl~${Buffer.byteLength(small())}~${digits}`;
  await until(async () => (await link(local.page)).includes(`#v=1&${needed}`), 'the link asks for the file');
  assert.equal(await local.page.getByLabel('Code for a page').count(), 0, 'a file on disk has no code for a page');
});
