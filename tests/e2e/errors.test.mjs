// Everything that cannot be read is reported with the next step to take, and the page stays usable.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { jsonl, run, small, toolCall, zip } from './fixtures.mjs';
import { dropFiles, mounted } from './harness.mjs';
import {
  alert, body, button, drop, dropText, labels, row, rows, settled, shown, stage, summary, tree, until,
  warnings,
} from './reader.mjs';

const it = stage();

/** Waits for the alert; returns its code and text, which must state the next step. */
async function problem(page) {
  await alert(page).waitFor();
  const one = alert(page).locator('.problem').first();
  const text = await one.innerText();
  const [what, next] = await one.locator('p').evaluate((words) => {
    const first = words.querySelector('b').textContent;
    return [first, words.textContent.slice(first.length).replace(/^[.\s]+/, '')];
  });
  assert.ok(what.length > 5 && next.length > 10, text);
  assert.doesNotMatch(what + next, /undefined|\bnull\b|\[object/);
  return { code: await one.getAttribute('data-code'), what, next };
}

const FILES = [
  ['nothing.jsonl', '', 'empty', /nothing\.jsonl.*empty/i],
  ['blank.jsonl', ' \n\n ', 'empty', /blank\.jsonl/],
  ['login.html', '<!DOCTYPE html><html><title>Sign in</title></html>', 'looks-like-html', /web page/],
  ['shot.bin', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0, 255, 254]), 'not-a-trace', /binary/],
  ['notes.txt', 'just some words\nand more words\n', 'unknown-format', /contains no JSON/],
  ['a.zst', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 4, 0, 1, 2]), 'truncated-zstd', /cut off/],
];
for (const [name, bytes, code, what] of FILES) {
  test(`nothing to show: ${name}`, async () => {
    const { page, errors } = await it.open();
    await dropFiles(page, [{ name, bytes }]);
    const said = await problem(page);
    assert.equal(said.code, code);
    assert.match(said.what, what);
    assert.equal(await tree(page).count(), 0);
    // The next file opens without a reload, and the error is gone.
    await dropText(page, small(), 'good.jsonl');
    assert.equal(await alert(page).count(), 0);
    assert.equal((await summary(page)).events, 6);
    assert.deepEqual(errors, []);
  });
}

test('a cut file: everything before the cut, and the place of the cut', async () => {
  const { page } = await it.open();
  const text = small();
  const cut = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 60);
  await dropText(page, cut);
  assert.equal((await labels(page)).length, 5);
  await warnings(page).waitFor();
  await warnings(page).locator('summary').click();
  const at = cut.lastIndexOf('\n') + 1;
  const [, byte] = (await warnings(page).innerText()).match(/cut off[^]*line 6, byte (\d+)/);
  assert.ok(Number(byte) >= Buffer.from(cut.slice(0, at)).length && Number(byte) <= Buffer.from(cut).length, byte);
  assert.equal((await summary(page)).warnings, 1);
});

test('a bad line in the middle: left out, named, the rest is there', async () => {
  const { page } = await it.open();
  const lines = small().split('\n');
  lines.splice(2, 0, '{"broken": }}} oops');
  await dropText(page, lines.join('\n'));
  assert.equal((await labels(page)).filter((label) => /Tool call/.test(label)).length, 3);
  await warnings(page).locator('summary').click();
  assert.match(await warnings(page).innerText(), /line 3, byte/);
});

test('a cut gzip: everything before the cut', async () => {
  const { page } = await it.open();
  const text = jsonl(run('x', Array.from({ length: 2000 }, (_, at) => toolCall(at + 1, 'a', { at: Math.sin(at) }, at * 7))));
  const packed = gzipSync(text);
  await drop(page, [{ name: 'a.jsonl.gz', bytes: packed.subarray(0, packed.length / 2) }]);
  const { events } = await summary(page);
  assert.ok(events > 500 && events < 1900, `${events} events`);
  await warnings(page).locator('summary').click();
  assert.match(await warnings(page).innerText(), /gzip file is cut off/);
});

test('a cut zip says that it is cut', async () => {
  const { page } = await it.open();
  const archive = zip([{ name: 'a.jsonl', bytes: small() }]);
  await dropFiles(page, [{ name: 'a.zip', bytes: archive.subarray(0, archive.length - 30) }]);
  const said = await problem(page);
  assert.match(said.code, /^zip/);
  assert.match(said.next, /Unpack/);
});

const ADDRESSES = [
  ['no CORS', (server) => `http://localhost:${server.port}/t/plain/x.jsonl`, 'cors', /localhost.*CORS/],
  ['404', (server) => `${server.origin}/t/status/404`, 'http-404', /no such file/],
  ['403', (server) => `${server.origin}/t/status/403`, 'http-403', /refused/],
  ['500', (server) => `${server.origin}/t/status/500`, 'http-500', /500/],
  ['410', (server) => `${server.origin}/t/status/410`, 'http-410', /no longer has this file/],
  ['204', (server) => `${server.origin}/t/status/204`, 'http-204', /without a file/],
  ['304', (server) => `${server.origin}/t/status/304`, 'http-304', /has not changed/],
  ['302 without a place', (server) => `${server.origin}/t/status/302`, 'http-302', /redirects without saying where/],
  ['a redirect loop', (server) => `${server.origin}/t/loop/x`, 'bad-redirect', /redirects, and the redirect leads nowhere/],
  ['a connection that breaks before the first byte', (server) => `${server.origin}/t/broken/x.jsonl`, 'nothing-came', /nothing of the file arrived.*interrupted/],
  ['an encoding that cannot be decoded', (server) => `${server.origin}/t/garbled/x.jsonl`, 'nothing-came', /could not unpack/],
  ['the same, of another origin', (server) => `http://localhost:${server.port}/t/garbled/x.jsonl`, 'nothing-came', /could not unpack/],
  ['nobody there', () => 'http://127.0.0.1:9/x.jsonl', 'unreachable', /Could not reach 127\.0\.0\.1:9/],
  ['a web page', (server) => `${server.origin}/t/html/x`, 'looks-like-html', /web page/],
  ['javascript:', () => 'javascript:alert(1)', 'scheme', /cannot be opened/],
  ['data:', () => 'data:text/plain,x', 'data-address', /data:/],
  ['user and password', () => 'https://a:b@host.example/', 'user-info', /password/],
];
for (const [words, address, code, what] of ADDRESSES) {
  test(`an address that fails: ${words}`, async () => {
    const { page } = await it.open(`#trace=${encodeURIComponent(address(it.server))}`);
    const said = await problem(page);
    assert.equal(said.code, code);
    assert.match(said.what, what);
    // The details contain the address, and the page can open a file.
    if (code !== 'looks-like-html') {
      await alert(page).locator('summary').click();
      assert.ok((await alert(page).locator('pre').textContent()).includes(address(it.server)));
    }
    await dropText(page, small());
    assert.equal(await alert(page).count(), 0);
  });
}

test('a part of a file is shown, and called a part', async () => {
  const { page } = await it.open(`#trace=${encodeURIComponent(`${it.server.origin}/t/status/206`)}`);
  await shown(page);
  assert.match(await alert(page).locator('[data-code=http-206]').innerText(), /only a part of the file/);
});

test('a sel= that is not in the file is reported, and the file is shown', async () => {
  const unreadable = /event link is invalid/;
  const cases = {
    'n:nobody': /not in this file|not in the file/, 'p:77.9999-deadbeef': /not in this file|not in the file/,
    rubbish: unreadable, '%E0%A4%A': unreadable,
  };
  for (const [sel, words] of Object.entries(cases)) {
    it.server.put('a.jsonl', small());
    const { page, errors } = await it.open(`#trace=a.jsonl&sel=${sel}`);
    await shown(page);
    const said = await problem(page);
    assert.equal(said.code, 'sel', sel);
    assert.match(said.what, words, sel);
    assert.equal((await labels(page)).length, 6);
    assert.deepEqual(errors, []);
  }
});

test('the worker crashes while a trace is shown: reported, the rows stay, the next file opens', async () => {
  const { page } = await it.open();
  await dropText(page, small());
  await page.workers()[0].evaluate(() => { setTimeout(() => { throw new Error('boom'); }); });
  await alert(page).waitFor();
  const said = await problem(page);
  assert.equal(said.code, 'panic');
  await alert(page).locator('summary').click();
  assert.match(await alert(page).locator('pre').textContent(), /boom/);
  assert.equal((await labels(page)).length, 6);
  await row(page, /fare/).click();
  await dropText(page, small(), 'next.jsonl');
  assert.equal(await alert(page).count(), 0);
  await row(page, /fare/).click();
  await body(page, 'row-3').getByText('no answer').waitFor();
});

test('a trap of the page itself is said, once, and a reload helps', async () => {
  const { page } = await it.open();
  await page.evaluate(() => {
    // A module whose only function is `unreachable`.
    const bytes = '0061736d0100000001040160000003020100070501016600000a05010300000b'.match(/../g);
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes, (byte) => parseInt(byte, 16))));
    setTimeout(() => exports.f());
    setTimeout(() => exports.f());
    window.isOld = true;
  });
  const said = page.getByRole('alert').filter({ hasText: 'The page has stopped' });
  await said.waitFor();
  assert.equal(await said.count(), 1);
  await said.getByRole('button', { name: 'Reload' }).click();
  await page.waitForFunction(() => window.isOld === undefined);
  await mounted(page);
  await dropText(page, small(), 'small.jsonl');
});

test('a row opened after the crash says that it cannot be read, instead of waiting for ever', async () => {
  const { page } = await it.open();
  await dropText(page, small());
  await page.workers()[0].evaluate(() => { setTimeout(() => { throw new Error('boom'); }); });
  await alert(page).waitFor();
  await row(page, /fare/).click();
  await body(page, 'row-3').waitFor();
  await until(async () => !/Reading…/.test(await body(page, 'row-3').innerText()), 'it says that it cannot be read');
});

test('cancel while an address hangs: the page can open a file', async () => {
  const { page } = await it.visit(it.server.address(`#trace=${encodeURIComponent(`${it.server.origin}/t/hang/x`)}`));
  await mounted(page);
  const bar = page.getByRole('progressbar', { name: 'Loading' });
  await bar.waitFor();
  assert.match(await page.locator('.progress').textContent(), /127\.0\.0\.1/);
  await button(page, 'Discard').click();
  await bar.waitFor({ state: 'detached' });
  await button(page, 'Choose files…').waitFor();
  await dropText(page, small());
  assert.equal((await summary(page)).events, 6);
});

test('cancel while a body comes slowly', async () => {
  const { page } = await it.visit(it.server.address(`#trace=${encodeURIComponent(`${it.server.origin}/t/drip/1000000`)}`));
  await mounted(page);
  await page.getByRole('progressbar', { name: 'Loading' }).waitFor();
  await page.keyboard.press('Escape');
  await button(page, 'Choose files…').waitFor();
  await settled(page);
  assert.equal(await alert(page).count(), 0, 'the piece that came is not opened');
  await dropText(page, small());
  assert.equal((await summary(page)).events, 6);
});

test('cancel while a large file is read: the rest is left unread, and its worker is gone', async () => {
  const { page } = await it.open();
  const gone = [];
  const watch = (worker) => worker.on('close', () => gone.push(worker));
  page.workers().forEach(watch);
  page.on('worker', watch);
  // Generated in the page: 160 MB of the same line. The click also comes from the page, as soon as part of the file has
  // been read: a click from the test could come after the end of the file.
  const said = await page.evaluate((line) => new Promise((done) => {
    const words = [];
    const look = () => {
      const progress = document.querySelector('.progress');
      if (progress === null) {
        if (words.length > 0) done(words);
        return;
      }
      const isRead = Number(progress.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow')) > 0;
      const cancel = [...progress.querySelectorAll('button')].find((one) => one.textContent === 'Discard');
      const now = progress.textContent;
      if (!isRead || cancel === undefined || !now.includes('events') || words.includes(now)) return;
      words.push(now);
      if (words.length === 1) cancel.click();
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    const piece = `${line}\n`.repeat(Math.ceil(1_000_000 / line.length));
    const data = new DataTransfer();
    data.items.add(new File(Array.from({ length: 160 }, () => piece), 'large.jsonl'));
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
  }), small().split('\n')[2]);
  for (const words of said) assert.match(words, /large\.jsonl.*[kM]B of 16\d(\.\d)? MB.*events/);
  assert.equal(said.length, 1, `nothing is read after the click: ${said.join('; ')}`);
  await until(() => gone.length > 0, 'the worker is gone');
  assert.equal(await rows(page).count(), 0);
  await dropText(page, small(), 'next.jsonl');
  assert.equal((await summary(page)).events, 6);
});

test('a file dropped while another is read replaces it', async () => {
  const { page } = await it.visit(it.server.address(`#trace=${encodeURIComponent(`${it.server.origin}/t/drip/1000000`)}`));
  await mounted(page);
  await page.getByRole('progressbar', { name: 'Loading' }).waitFor();
  await dropText(page, small(), 'mine.jsonl');
  it.server.release();
  await settled(page);
  // Later bytes from the address do not replace the file that the user has opened.
  assert.equal((await summary(page)).events, 6);
  assert.equal(await alert(page).count(), 0);
});

test('a file dropped while an address hangs is shown at once: the address is given up', async () => {
  const { page } = await it.visit(it.server.address(`#trace=${encodeURIComponent(`${it.server.origin}/t/hang/x`)}`));
  await mounted(page);
  await dropText(page, small(), 'mine.jsonl');
  assert.equal((await summary(page)).events, 6);
  assert.equal(await alert(page).count(), 0);
});

test('dropping nothing changes nothing', async () => {
  const { page } = await it.open();
  await dropText(page, small());
  await dropFiles(page, []);
  await settled(page);
  assert.equal((await summary(page)).events, 6);
});
