// The conversation as a document: texts, the steps between them, and how it works together with selecting, opening,
// searching and the other views.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { jsonl } from './fixtures.mjs';
import { AXE_PATH } from './harness.mjs';
import { dropText, row, stage, still, until } from './reader.mjs';

const it = stage();

const ANSWER = 'The **total** was rounded twice.\n\n- once per line\n- once at the end';

/** Two turns: text and calls, a call without text, a note, and thinking. */
function session() {
  const records = [];
  let at = Date.parse('2026-01-05T10:00:00Z');
  let last = null;
  const add = (record, ms = 2000) => {
    const uuid = `u-${records.length}`;
    at += ms;
    records.push({ uuid, parentUuid: last, sessionId: 's-1', version: '2.1.0', timestamp: new Date(at).toISOString(), ...record });
    last = uuid;
  };
  const says = (content) => add({ type: 'assistant', message: {
    id: `msg_${records.length}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5-20250929',
    usage: { input_tokens: 1000, output_tokens: 10 }, content,
  } });
  const result = (id, content) => add({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] } });
  const call = (id, command) => ({ type: 'tool_use', id, name: 'Bash', input: { command } });
  add({ type: 'user', message: { role: 'user', content: 'Why is the cart one cent off?' } });
  says([{ type: 'text', text: 'I will look at the rounding.' }, call('t1', 'grep -n round src/cart.ts')]);
  result('t1', '12: round(line)');
  says([call('t2', 'sed -n 12p src/cart.ts')]);
  result('t2', 'round(line)');
  add({ type: 'system', subtype: 'turn_duration' });
  says([{ type: 'thinking', thinking: 'Both places round.' }, { type: 'text', text: ANSWER }]);
  add({ type: 'user', message: { role: 'user', content: 'Fix it' } }, 3_600_000);
  says([call('t3', 'npm test')]);
  result('t3', 'ok');
  says([{ type: 'text', text: 'Done.' }]);
  return jsonl(records);
}

const ready = async (options = { view: null }) => {
  const opened = await it.open('', options);
  await dropText(opened.page, session());
  return opened;
};

const texts = (page) => page.locator('.said');

test('a conversation opens as a transcript: texts as documents, calls as steps', async () => {
  const { page, errors } = await ready();
  assert.equal(await page.getByRole('tab', { name: 'Transcript' }).getAttribute('aria-selected'), 'true');
  await until(async () => await page.locator('.said .prose').getByText('total', { exact: true }).count() === 1, 'the answer is drawn');
  assert.equal(await page.locator('.said li').count(), 2);
  const persons = page.locator('.said[data-by="person"]');
  assert.deepEqual(await persons.locator('.said__text').allInnerTexts(), ['Why is the cart one cent off?', 'Fix it']);
  assert.match(await persons.first().innerText(), /User[\s\S]*Turn 1 · 10:00:02/);
  assert.match(await persons.nth(1).innerText(), /^waited 1 h( 0 min)? for the user/);
  assert.match(await page.locator('.said[data-by="model"]').first().innerText(), /Assistant\s*claude-sonnet-4-5/);
  const steps = page.locator('.row:not([data-speech])');
  await until(async () => (await steps.allInnerTexts()).join().includes('npm test'), 'the steps have their commands');
  assert.equal(await steps.count(), 3);
  // The note and the call without text are not part of the conversation.
  assert.equal(await page.locator('.row[data-look="note"]').count(), 0);
  assert.match(await page.locator('.foot').innerText(), /folded or hidden/);
  assert.deepEqual(errors, []);
});

test('texts and steps do not lie over each other', async () => {
  const { page } = await ready();
  await until(async () => await page.locator('.said__text .prose, .said__text .text').count() >= 5, 'the texts are read');
  const boxes = () => page.evaluate(() => [...document.querySelectorAll('.said, .row:not([data-speech]), .fold')]
    .map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]).sort((a, b) => a[0] - b[0]));
  await until(async () => {
    const all = await boxes();
    return all.length >= 8 && all.every(([top], at) => at === 0 || top >= all[at - 1][1] - 1);
  }, 'each begins where the one before ends');
});

test('one selection in all views; keys 1 2 3 go from one to the other, and the choice is kept', async () => {
  const { page, errors } = await ready();
  await row(page, /npm test/).first().click();
  await page.keyboard.press('2');
  await until(async () => await page.getByRole('tab', { name: 'Timeline' }).getAttribute('aria-selected') === 'true', 'the timeline is shown');
  assert.equal(await texts(page).count(), 0);
  assert.equal(await row(page, /npm test/).first().getAttribute('aria-selected'), 'true');
  assert.match(page.url(), /tab=inspector/);
  await page.keyboard.press('3');
  await until(async () => await page.locator('.axis').count() === 1, 'the waterfall has an axis');
  assert.equal(await row(page, /npm test/).first().getAttribute('aria-selected'), 'true');
  await page.keyboard.press('1');
  await until(async () => await texts(page).count() > 0, 'the transcript is back');
  assert.doesNotMatch(page.url(), /tab=/);
  await page.keyboard.press('2');
  await page.reload();
  await dropText(page, session());
  await until(async () => await page.getByRole('tab', { name: 'Timeline' }).getAttribute('aria-selected') === 'true', 'the timeline is remembered');
  assert.deepEqual(errors, []);
});

test('a text is selected by a click, and its details open below it', async () => {
  const { page } = await ready();
  const answer = texts(page).filter({ hasText: 'rounded twice' });
  await answer.click();
  await until(async () => await answer.getAttribute('data-selected') === 'true', 'it is selected');
  await answer.getByRole('button', { name: 'Details' }).click();
  const body = page.locator('.body');
  await body.waitFor();
  const [text, details] = await Promise.all([answer.boundingBox(), body.boundingBox()]);
  assert.ok(details.y >= text.y + text.height - 1, `${details.y} is below ${text.y + text.height}`);
});

test('what a transcript leaves out is shown in the timeline', async () => {
  const { page } = await ready();
  await page.locator('#search-input').fill('turn_duration');
  await until(async () => await page.locator('#search-count').getAttribute('data-total') === '1', 'it is found');
  await page.locator('#search-input').press('Enter');
  await until(async () => await page.getByRole('tab', { name: 'Timeline' }).getAttribute('aria-selected') === 'true', 'the timeline is shown');
  await until(async () => await page.locator('.row[aria-selected="true"][data-look="note"]').count() === 1, 'the note is selected');
});

test('a link names the view, and an embedded page keeps to rows', async () => {
  const linked = await it.open('#tab=waterfall', { view: null });
  await dropText(linked.page, session());
  await until(async () => await linked.page.locator('.axis').count() === 1, 'the waterfall is shown');
  it.server.put('talk.jsonl', session());
  const bare = await it.open('#trace=talk.jsonl&embed=1', { view: null });
  await until(async () => await bare.page.locator('.row').count() > 3, 'rows are shown');
  assert.equal(await texts(bare.page).count(), 0);
});

test('the waterfall has own times, one axis, and the critical path below the bars', async () => {
  const { page } = await ready({ view: 'waterfall' });
  await until(async () => await page.locator('.axis').count() === 1, 'the waterfall is shown');
  assert.match(await page.locator('.foot').innerText(), /critical path, [\d.]+ s/);
  const owns = await page.locator('.row__own').allInnerTexts();
  assert.ok(owns.some((words) => /\d (ms|s)/.test(words)), owns.join());
  assert.ok(await page.locator('.row__bar b').count() > 0);
  // Bars are on one axis: later rows begin further right.
  const lefts = await page.locator('.row[data-look="shell"] .row__bar i').evaluateAll((all) => all.map((one) => parseFloat(one.style.left)));
  assert.deepEqual(lefts, [...lefts].sort((a, b) => a - b));
  assert.ok(lefts.at(-1) > lefts[0]);
});

test('statistics begin with where the time went and how full the context was', async () => {
  const { page } = await ready();
  await page.keyboard.press('i');
  const view = page.getByRole('tabpanel', { name: 'Statistics' });
  await view.getByRole('heading', { name: 'Where the time went' }).waitFor();
  const legend = await view.locator('.spent__legend').first().innerText();
  assert.match(legend, /Models/);
  assert.match(legend, /Shell|Files and search|Tools/);
  assert.match(await view.innerText(), /active; excludes .+ of pauses/);
  const parts = await view.locator('.spent i').evaluateAll((all) => all.map((one) => parseFloat(one.style.width)));
  assert.ok(Math.abs(parts.reduce((all, part) => all + part, 0) - 100) < 0.5, `${parts} is all of it`);
  assert.match(await view.innerText(), /fullest at call \d: 1\.0k tokens/);
  // The contents of the context: layers, and their tokens at a call.
  const layers = view.locator('.context path[data-layer]');
  await layers.first().waitFor({ state: 'attached' });
  assert.equal(await view.locator('.context__legend li').count(), await layers.count());
  const card = view.locator('.context__card');
  assert.equal(await card.count(), 0, 'nothing lies over the chart unless it is asked for');
  await view.locator('.context').hover({ position: { x: 2, y: 40 } });
  assert.match(await card.innerText(), /^Call 1, event \d+\s+1\.0k/);
  await view.locator('.context').click({ position: { x: 2, y: 40 } });
  await page.mouse.move(5, 5);
  await view.getByRole('button', { name: /^Call 1, event/ }).waitFor();
  assert.match(await card.innerText(), /^Call 1, event/, 'the chosen call stays');
  assert.equal(await view.locator('.context__labels span').first().textContent(), '0');
  assert.equal(await view.locator('.context__calls span').first().textContent(), 'call 1');
  const slider = view.getByRole('slider', { name: 'Selected LLM call' });
  await slider.press('End');
  await view.getByText(/Largest additions up to\s*Call [^1]/).waitFor();
  assert.match(await slider.getAttribute('aria-valuetext'), /^Call [^1]\d*, event \d+: 1\.0k/);
  assert.match(await card.innerText(), /^Call [^1]/);
  await slider.press('Enter');
  await view.waitFor({ state: 'detached' });
  await page.locator('.body').waitFor();
});

test('Ctrl+K opens the palette, which runs a command found by typing', async () => {
  const { page, errors } = await ready();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Commands and runs' });
  await field.fill('waterf');
  assert.equal(await page.getByRole('option').count(), 1);
  await page.keyboard.press('Enter');
  await until(async () => await page.locator('.axis').count() === 1, 'the waterfall is shown');
  await page.keyboard.press('Control+k');
  await field.fill('no such command');
  await page.getByText('No matching commands or runs').waitFor();
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  assert.deepEqual(errors, []);
});

test('the palette has what the menus and bars have', async () => {
  const { page } = await ready();
  await page.keyboard.press('Control+k');
  const said = (await page.getByRole('option').allInnerTexts()).join('\n');
  for (const words of ['Expand all', 'Collapse all', 'Minimal', 'Normal', 'Verbose', 'Statistics', 'Copy a link to this run',
    'Copy the id', 'Check against', 'Export the run', 'Settings', 'theme', 'About this trace', 'Close the trace', 'Open…']) {
    assert.ok(said.includes(words), words);
  }
  await page.getByRole('combobox', { name: 'Commands and runs' }).fill('verbose');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Verbose', pressed: true }).waitFor();
});

test('axe finds nothing in any view, light and dark, wide and narrow', async () => {
  const source = readFileSync(AXE_PATH, 'utf8');
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [1440, 390]) {
      const context = { viewport: { width, height: 900 }, colorScheme };
      const { page } = await ready({ view: null, context });
      await page.evaluate(source);
      for (const key of ['1', '2', '3']) {
        await page.keyboard.press(key);
        await until(async () => await page.locator('.row').count() > 3, 'rows are drawn');
        await still(page);
        const found = await page.evaluate(async () => {
          const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
          return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ').slice(0, 200)}`);
        });
        assert.deepEqual(found, [], `${colorScheme}, ${width}, view ${key}`);
      }
      await page.context().close();
    }
  }
});
