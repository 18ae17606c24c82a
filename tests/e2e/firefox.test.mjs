// The same page in Firefox: opening, reading, searching, keyboard navigation, and the seal.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { firefoxPath, launchFirefox } from './firefox.mjs';
import { loop, small } from './fixtures.mjs';
import { startServer } from './harness.mjs';
import { until } from './reader.mjs';

const skip = firefoxPath() ? false : 'there is no Firefox on this machine';
let server;
let firefox;

before(async () => {
  if (skip) return;
  server = await startServer();
  firefox = await launchFirefox();
});

after(async () => {
  await firefox?.close();
  await server?.close();
});

const count = (selector) => firefox.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
const text = (selector) => firefox.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`);

/** Opens a trace by its link, in a document of its own. */
async function opened(name, bytes) {
  server.put(name, bytes);
  await firefox.open('about:blank');
  firefox.log.length = 0;
  await firefox.open(server.address(`#trace=${name}`));
  await until(async () => await count('[role=treeitem]') > 0, 'rows are drawn');
}

test('a link opens a trace; nothing is refused or reported', { skip }, async () => {
  await opened('a.jsonl', small());
  await until(async () => /Sealed/.test(await text('body')), 'the page says that it is sealed');
  assert.equal(await count('[role=alert]:not(:empty)'), 0);
  assert.deepEqual(firefox.log.filter((line) => line.startsWith('error')), []);
});

test('the seal holds: no request leaves the page', { skip }, async () => {
  await opened('a.jsonl', small());
  await until(async () => /Sealed/.test(await text('body')), 'the page says that it is sealed');
  server.hits.length = 0;
  const said = await firefox.evaluate(`fetch(${JSON.stringify(server.address('leak'))}).then(() => 'sent', () => 'refused')`);
  assert.equal(said, 'refused');
  assert.deepEqual(server.hits.filter((hit) => hit.includes('leak')), []);
});

test('keys move, open a row and show loops; a search has hits', { skip }, async () => {
  await opened('b.jsonl', loop());
  await firefox.press('2');
  await firefox.press('j');
  await firefox.press('j');
  await firefox.press(' ');
  await until(async () => await count('.body__blocks .block') > 0, 'an opened row has its blocks');
  await firefox.press(']');
  await firefox.press('/');
  for (const key of 'search') await firefox.press(key);
  await until(async () => await count('mark') > 0, 'hits are marked');
});
