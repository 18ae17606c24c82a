// Search: finding, marking, listing and jumping to matches, by mouse, keyboard and link.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { claudeCode, jsonl, llmCall, loop, run, toolCall } from './fixtures.mjs';
import { AXE_PATH, dropFiles } from './harness.mjs';
import { active, ask, body, button, closeTrace, drop, dropText, row, rows, shown, stage, still, tree, until } from './reader.mjs';
import { clipped } from './overflow.mjs';

const it = stage();
const AXE = readFileSync(AXE_PATH, 'utf8');

const field = (page) => page.locator('#search-input');
const count = (page) => page.locator('#search-count');
const fault = (page) => page.getByRole('alert', { name: 'Search', exact: true });
const list = (page) => page.getByRole('complementary', { name: 'Matches' });
const total = async (page) => Number(await count(page).getAttribute('data-total'));
const said = (page) => page.locator('.live').textContent();
const marks = (page, where = '.list') => page.locator(`${where} mark`).allTextContents();

/** Types a query and waits until everything has been searched; returns the number of matches. */
async function search(page, text) {
  await field(page).fill(text);
  return settled(page);
}

async function settled(page) {
  await until(async () => await count(page).getAttribute('data-done') === 'true', 'the search is done');
  return total(page);
}

/** Every way to write text: raw, escaped, encoded twice; in keys, names, numbers. */
const written = () => [
  ...run('written', [
    llmCall(1, [{ role: 'user', content: 'Where is the needle?' }], { role: 'assistant', content: 'line one\nline "two" Ünder a/b' }),
    toolCall(2, 'needle_search', { city: 'Zürich 😀', limit: 4711 }, { stations: ['Zürich HB'] }),
    toolCall(3, 'fare', { packed: '{"q": "x y", "code": "a\\nb"}' }, 'Needle NEEDLE needles'),
  ]),
].map((one) => JSON.stringify(one).replaceAll('ü', '\\u00fc').replaceAll('😀', '\\ud83d\\ude00').replaceAll('/', '\\/')).join('\n');

const ready = async (text, suffix = '', options = {}) => {
  const opened = await it.open(suffix, options);
  await dropText(opened.page, text);
  return opened;
};

test('plain text, any case or this one, whole words, expressions', async () => {
  const { page } = await ready(written());
  assert.equal(await search(page, 'needle'), 6, 'in prompts, names, results, in any case');
  assert.equal(await count(page).textContent(), '6 matches in 3 events');
  assert.equal(await search(page, 'Needle'), 1, 'a capital in the query: this case');
  const option = (name) => button(page, name);
  assert.equal(await option('Match case').getAttribute('aria-pressed'), 'true');
  await option('Match case').click();
  assert.equal(await settled(page), 6);
  await option('Whole words').click();
  await until(async () => await settled(page) === 3, 'needles and needle_search are other words');
  await option('Whole words').click();
  await option('Regular expression').click();
  assert.equal(await search(page, 'needle[s_]'), 3);
  assert.equal(await search(page, '\\d{4}'), 6, 'the number, and the years of five times');
});

test('text is found however the file escapes it', async () => {
  const { page } = await ready(written());
  for (const [text, hits] of [['Zürich', 2], ['ZÜRICH 😀', 0], ['zürich 😀', 1], ['"two" Ü', 1], ['a/b', 1], ['"q": "x y"', 1], ['u00fc', 0], ['4711', 1], ['one\\nline', 0]]) {
    assert.equal(await search(page, text), hits, text);
  }
  await button(page, 'Regular expression').click();
  assert.equal(await search(page, 'one\\nline'), 1);
  assert.equal(await search(page, '"a\\nb"'), 1, 'in a string within a string');
});

test('hits are marked in rows and bodies, and nothing else is', async () => {
  const { page } = await ready(written());
  await search(page, 'zürich');
  await row(page, /needle_search/).getByText('2 matches').waitFor();
  assert.deepEqual(await marks(page), ['Zürich'], 'in the summary');
  await row(page, /needle_search/).click();
  await until(async () => (await marks(page)).length === 3, 'in the body, too');
  assert.ok((await marks(page)).every((text) => text === 'Zürich'));
  assert.equal(await page.locator('.badge[data-tone=hit]').count(), 1);
  await field(page).fill('');
  await until(async () => (await marks(page)).length === 0, 'no query, no marks');
  assert.equal(await page.locator('.badge[data-tone=hit]').count(), 0);
});

test('a hit after the cut of a long output is shown', async () => {
  const long = `${'line\n'.repeat(60)}the needle\n${'line\n'.repeat(60)}`;
  const { page } = await ready(jsonl(run('long', [toolCall(1, 'read', { path: 'x' }, long)])));
  await search(page, 'needle');
  await field(page).press('Enter');
  await until(async () => (await marks(page, '.body')).join() === 'needle', 'the text is not cut');
});

test('hits in collapsed and folded rows are counted there and gone to', async () => {
  const { page } = await ready(jsonl(claudeCode({ result: 'the needle' })));
  await page.keyboard.press('-');
  await page.locator('#row-2').waitFor({ state: 'detached' });
  assert.equal(await search(page, 'needle'), 1);
  await page.locator('#row-1').getByText('1 event with matches inside').waitFor();
  await field(page).press('Enter');
  await until(async () => await active(page) === 'row-2', 'what hid it is open');
  await body(page, 'row-2').getByText('needle').waitFor();

  await dropText(page, loop(8), 'loop.jsonl');
  assert.equal(await search(page, '"search"'), 0, 'quotes are no part of a string');
  await search(page, 'search');
  const fold = page.locator('.fold');
  await fold.getByText('7 events with matches').waitFor();
  for (let n = 0; n < 3; n += 1) await field(page).press('Enter');
  await until(async () => await fold.getByText('events with matches').count() === 0, 'what is unfolded hides nothing');
});

test('rows without a hit fold into lines, are unfolded there, and come back with Esc', async () => {
  const { page, errors, violations } = await it.open();
  const calls = Array.from({ length: 12 }, (_, at) => toolCall(at + 1, `tool_${at}`, { at }, at === 5 ? 'the needle' : 'hay'));
  await dropText(page, jsonl(run('folding', calls)));
  const named = page.locator('.list .row');
  const n = () => named.count();
  const whole = await n();
  await search(page, 'needle');
  const folds = page.locator('[id^="misses-"]');
  await until(async () => await folds.count() === 2, 'what stands before and behind the hit folds');
  assert.deepEqual(await named.evaluateAll((all) => all.map((one) => /tool_\d+/.exec(one.innerText)?.[0])), ['tool_5']);
  assert.match(await folds.last().innerText(), /^7 rows without a match/);
  await folds.last().click();
  await until(async () => await n() === 8, 'the rows behind it');
  await search(page, 'the needle');
  await until(async () => await n() === 1, 'another search folds anew');
  await page.keyboard.press('Escape');
  await until(async () => await n() === whole, 'all rows');
  assert.deepEqual([errors, await violations()], [[], []]);
});

test('next and previous wrap around, close what they opened, and show the position', async () => {
  const { page } = await ready(written());
  await page.keyboard.press('/');
  await page.keyboard.type('needle');
  await settled(page);
  await page.keyboard.press('Enter');
  await until(async () => await active(page) === 'row-1', 'the first');
  await until(async () => /^1 of 3 events · 6 matches$/.test(await count(page).textContent()), 'the counter');
  await body(page, 'row-1').waitFor();
  await page.keyboard.press('Enter');
  await until(async () => await active(page) === 'row-2', 'the second');
  await body(page, 'row-1').waitFor({ state: 'detached' });
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('Shift+Enter');
  await until(async () => await active(page) === 'row-3', 'around the end');
  await tree(page).focus();
  await page.keyboard.press('n');
  await until(async () => await active(page) === 'row-1', 'n');
  await page.keyboard.press('N');
  await until(async () => await active(page) === 'row-3', 'N');
  assert.equal(await said(page), '6 matches in 3 events');
});

test('a hit that is asked for before any has been found is gone to', async () => {
  const { page } = await ready(written());
  await page.keyboard.press('/');
  await page.keyboard.type('needle');
  await page.keyboard.press('Enter');
  await until(async () => await active(page) === 'row-1', 'the first');
  await body(page, 'row-1').locator('mark[data-current]').waitFor();
});

test('Esc in the field clears the search and gives the keyboard back; elsewhere it clears first', async () => {
  const { page } = await ready(written());
  await search(page, 'needle');
  await field(page).press('Escape');
  assert.equal(await field(page).inputValue(), '');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'timeline');
  await count(page).waitFor({ state: 'detached' });
  await search(page, 'needle');
  await tree(page).focus();
  await page.keyboard.press('Escape');
  assert.equal(await field(page).inputValue(), '');
  assert.equal(await rows(page).count(), 5, 'and the trace is still there');
});

test('the list of hits leads to their rows', async () => {
  const { page } = await ready(written());
  await search(page, 'needle');
  await count(page).click();
  const items = list(page).getByRole('listitem');
  await until(async () => await items.count() === 6, 'all six');
  assert.match(await items.nth(0).textContent(), /2 · model-1.*Where is the needle\?/);
  assert.deepEqual(await marks(page, '.hits'), ['needle', 'needle', 'needle', 'Needle', 'NEEDLE', 'needle']);
  await items.nth(4).getByRole('button').click();
  await until(async () => await active(page) === 'row-3', 'the row of the hit');
  await body(page, 'row-3').waitFor();
  await search(page, 'Zürich');
  await until(async () => await items.count() === 2, 'another query, another list');
  await button(page, 'Close the list of matches').click();
  assert.equal(await list(page).count(), 0);
});

test('an invalid expression is reported with its position, and the field still works', async () => {
  const { page, errors } = await ready(written());
  // The options appear once the field is used, and stay while one of them is set.
  assert.equal(await button(page, 'Regular expression').isVisible(), false);
  await field(page).focus();
  await button(page, 'Regular expression').click();
  await page.locator('#timeline').focus();
  assert.equal(await button(page, 'Regular expression').getAttribute('aria-pressed'), 'true');
  await field(page).fill('need(le');
  assert.match(await fault(page).textContent(), /^At character 5: .*closing/);
  assert.equal(await field(page).getAttribute('aria-invalid'), 'true');
  await field(page).fill('need(le)');
  assert.equal(await settled(page), 6);
  assert.equal(await fault(page).count(), 0);
  assert.deepEqual(errors, []);
});

/** A trace of this many bytes in which every call contains a needle, and one of them a pin. */
const large = (bytes) => {
  const call = (at, word) => JSON.stringify(toolCall(at % 60, 'step', { at, text: 'hay '.repeat(200) }, word));
  const n = Math.round(bytes / call(1, 'needle').length);
  return Array.from({ length: n }, (_, at) => call(at, at === n >> 1 ? 'pin' : 'needle')).join('\n');
};

test('a new query stops the old one, and requests are answered in between', async () => {
  const text = large(12e6);
  const { page } = await ready(text);
  await field(page).fill('(h|a|y| )+q');
  await button(page, 'Regular expression').click();
  await field(page).fill('pin');
  assert.equal(await settled(page), 1);
  assert.equal(await search(page, 'needle'), text.split('"needle"').length - 1);
  assert.equal(await count(page).getAttribute('data-total'), String(text.split('"needle"').length - 1));
  await count(page).click();
  await until(async () => /matches in/.test(await list(page).textContent()), 'the list');
  for (let n = 0; n < 9; n += 1) await list(page).getByRole('button', { name: 'Show 100 more' }).click();
  await list(page).getByText(/^The first 1.000 of .* matches are listed$/).waitFor();
});

test('the part already read is searched while the rest is read', async () => {
  const { page } = await it.open();
  const text = large(40e6);
  await page.evaluate(() => { window.first = []; });
  const whole = text.split('"needle"').length - 1;
  await dropFiles(page, [{ name: 'large.jsonl', bytes: text }]);
  await field(page).fill('needle');
  const seen = [];
  await until(async () => {
    seen.push(await total(page));
    return await count(page).getAttribute('data-done') === 'true';
  }, 'all is searched');
  await shown(page);
  assert.equal(await total(page), whole);
  assert.ok(seen.every((n, at) => at === 0 || n >= seen[at - 1]), 'hits only grow');
});

test('packed and joined files are searched unpacked', async () => {
  const { page } = await it.open();
  await drop(page, [
    { name: 'a.jsonl.gz', bytes: gzipSync(written()) },
    { name: 'b.jsonl', bytes: written().replaceAll('run-1', 'run-2') },
  ]);
  assert.equal(await search(page, 'needle'), 12);
  assert.match(await count(page).textContent(), /12 matches in 6 events/);
});

test('q= in the link searches, and what is searched for goes into the link', async () => {
  const { page } = await ready(written(), '#q=n%65edle%5Bs_%5D&qopts=regex&x=1');
  assert.equal(await field(page).inputValue(), 'needle[s_]');
  assert.equal(await settled(page), 3);
  await button(page, 'Regular expression').click();
  await search(page, 'a & b=é#');
  await until(async () => (await page.evaluate(() => location.hash)) === '#x=1&q=a%20%26%20b%3D%C3%A9%23', 'the link has it');
  await field(page).fill('');
  await until(async () => (await page.evaluate(() => location.hash)) === '#x=1', 'and forgets it');
  await page.evaluate(() => { location.hash = '#x=1&q=needle'; });
  await until(async () => await field(page).inputValue() === 'needle', 'an address typed by hand is followed');
  assert.equal(await settled(page), 6);
});

test('another window may start a search, but does not receive its hits', async () => {
  const { page } = await ready(written());
  const answer = await ask(page, { cmd: 'search', q: 'needle' });
  assert.deepEqual(Object.keys(answer).sort(), ['id', 'ok', 'traceloupe']);
  assert.equal(await settled(page), 6);
  await ask(page, { cmd: 'search', q: '' });
  await count(page).waitFor({ state: 'detached' });
});

test('the query is applied to the next trace; closing clears it', async () => {
  const { page } = await ready(written());
  await search(page, 'needle');
  await dropText(page, written().replaceAll('needle', 'pin'), 'other.jsonl');
  assert.equal(await settled(page), 2);
  await closeTrace(page);
  await dropText(page, written());
  assert.equal(await field(page).inputValue(), '');
});

test('bytes that belong to no event are searched too', async () => {
  const { page } = await ready(`${written()}\nsome log line with a pin in it\n`);
  assert.equal(await search(page, 'with a pin'), 1);
  assert.equal(await count(page).textContent(), '1 match in 0 events');
  await count(page).click();
  const item = list(page).getByRole('listitem').getByRole('button');
  assert.match(await item.textContent(), /^no event · byte/);
  assert.ok(await item.isDisabled());
});

test('markup in hits stays text', async () => {
  const evil = '<img src=x onerror=alert(1)> needle </mark><script>alert(1)</script>';
  const { page, errors, violations } = await ready(jsonl(run('evil', [toolCall(1, 'read', { evil }, evil)])));
  await search(page, 'needle </mark>');
  await count(page).click();
  await field(page).press('Enter');
  await until(async () => (await marks(page, '.body')).length >= 2, 'marked');
  assert.equal(await page.locator('.main img, .main script').count(), 0);
  assert.deepEqual([errors, await violations()], [[], []]);
});

for (const theme of ['light', 'dark']) {
  for (const width of [1440, 1000, 360]) {
    test(`axe finds nothing and nothing scrolls sideways: ${theme}, ${width} pixels wide`, async () => {
      const { page } = await ready(`${written()}\nnoise with a needle\n`, `#theme=${theme}`, { context: { viewport: { width, height: 900 }, reducedMotion: 'reduce' } });
      await search(page, 'needle');
      await field(page).press('Enter');
      await count(page).click();
      await body(page, 'row-1').waitFor();
      for (const wrong of [false, true]) {
        if (wrong) {
          await button(page, 'Regular expression').click();
          await field(page).fill('(');
          await fault(page).waitFor();
        }
        await still(page);
        await page.evaluate(AXE);
        const found = await page.evaluate(async () => {
          const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
          return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`));
        });
        assert.deepEqual(found, []);
        assert.deepEqual(await clipped(page), []);
      }
    });
  }
}
