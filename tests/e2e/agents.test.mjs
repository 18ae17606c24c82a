// Sub-agents: their cards, entering and leaving them, the link, and everything inside one of them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { jsonl } from './fixtures.mjs';
import { AXE_PATH } from './harness.mjs';
import { active, drop, row, stage, still, until } from './reader.mjs';
import { clipped } from './overflow.mjs';

const it = stage();

/** A session that starts an agent, which starts another one; each is in a file of its own. */
export function files() {
  let n = 0;
  let at = Date.parse('2026-01-05T10:00:00Z');
  const writer = (more) => {
    const records = [];
    const add = (record) => {
      n += 1;
      at += 2000;
      records.push({ uuid: `u-${n}`, parentUuid: records.at(-1)?.uuid ?? null, sessionId: 's-1', version: '2.1.0', timestamp: new Date(at).toISOString(), ...more, ...record });
    };
    return {
      records,
      person: (content) => add({ type: 'user', message: { role: 'user', content } }),
      says: (...content) => add({ type: 'assistant', message: {
        id: `msg_${n}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5-20250929', content,
        usage: { input_tokens: 1000, output_tokens: 10 },
      } }),
      result: (id, content, rest = {}) => add({ type: 'user', ...rest, message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, ...(rest.is_error ? { is_error: true } : {}) }] } }),
    };
  };
  const text = (words) => ({ type: 'text', text: words });
  const call = (id, name, input) => ({ type: 'tool_use', id, name, input });
  const main = writer({});
  const outer = writer({ isSidechain: true, agentId: 'one' });
  const inner = writer({ isSidechain: true, agentId: 'two' });
  main.person('Find the rounding fault');
  main.says(text('I will send somebody.'), call('t1', 'Task', { subagent_type: 'Explore', description: 'Look for rounding', prompt: 'Look for rounding in src' }));
  outer.person('Look for rounding in src');
  outer.says(call('b1', 'Bash', { command: 'grep -rn round src' }));
  outer.result('b1', 'src/cart.ts:12');
  outer.says(call('b2', 'Bash', { command: 'false' }));
  outer.result('b2', 'Exit code 1', { is_error: true });
  outer.says(call('t2', 'Task', { subagent_type: 'Plan', description: 'Plan the repair', prompt: 'Plan it' }));
  inner.person('Plan it');
  inner.says(call('b3', 'Bash', { command: 'sed -n 12p src/cart.ts' }));
  inner.result('b3', 'round(line)');
  inner.says(text('Round once, at the end.'));
  outer.result('t2', 'Round once, at the end.', { toolUseResult: { agentId: 'two', totalDurationMs: 6000 } });
  outer.says(text('It is in src/cart.ts, line 12.'));
  main.result('t1', 'It is in src/cart.ts, line 12.', { toolUseResult: { agentId: 'one', totalDurationMs: 22_000 } });
  main.says(text('Found it.'));
  return [
    { name: 'session.jsonl', bytes: jsonl(main.records) },
    { name: 'agent-one.jsonl', bytes: jsonl(outer.records) },
    { name: 'agent-two.jsonl', bytes: jsonl(inner.records) },
  ];
}

const ready = async (options = {}, suffix = '') => {
  const opened = await it.open(suffix, options);
  await drop(opened.page, files());
  return opened;
};

const cards = (page) => page.locator('.row--card');
const card = (page, name) => cards(page).filter({ hasText: name });
const crumbs = (page) => page.getByRole('navigation', { name: 'Agents' });
const path = async (page) => (await crumbs(page).locator('li').allInnerTexts()).map((it) => it.trim());
const summaries = async (page) => (await page.locator('.row:not([data-speech]) .row__sum').allInnerTexts()).filter((it) => it !== '');
const isWhole = (page) => until(async () => await crumbs(page).count() === 0, 'the whole run is shown');

test('a sub-agent is a card: task, outcome, calls, errors, and its last words', async () => {
  const { page, errors } = await ready();
  await until(async () => await cards(page).count() === 2, 'there are two cards');
  const explore = card(page, 'Explore');
  await until(async () => /Look for rounding/.test(await explore.innerText()), 'its task is there');
  await until(async () => /It is in src\/cart.ts, line 12/.test(await explore.innerText()), 'its answer is there');
  assert.match(await explore.locator('.card__facts').innerText(), /^Done · 10 calls · 1 error$/);
  assert.match(await explore.locator('.row__tok').innerText(), /6\.0k → ≥ 60/);
  assert.match(await explore.locator('.row__dur').innerText(), /\d+(\.\d)? s/);
  assert.match(await card(page, 'Plan').locator('.card__facts').innerText(), /^Done · 3 calls$/);
  // The lines do not overlap.
  const boxes = await page.evaluate(() => [...document.querySelectorAll('.row, .fold')].map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]).sort((a, b) => a[0] - b[0]));
  assert.ok(boxes.every(([top], at) => at === 0 || Math.abs(top - boxes[at - 1][1]) < 1), JSON.stringify(boxes));
  assert.deepEqual(errors, []);
});

test('the button shows only that agent, the breadcrumb leads back, and the selection stays', async () => {
  const { page, errors, violations } = await ready();
  await card(page, 'Explore').getByRole('button', { name: 'Only the agent Explore' }).click();
  await until(async () => (await path(page)).join() === 'Run,Explore', 'the breadcrumb is there');
  assert.match(await crumbs(page).innerText(), /Done · 10 calls · 1 error/);
  await until(async () => (await summaries(page)).includes('grep -rn round src'), 'its calls are there');
  assert.equal(await row(page, /Found it/).count(), 0);
  assert.equal(await row(page, /Find the rounding fault/).count(), 0);
  // Into the sub-agent of the sub-agent, with the keyboard. The click opens its row and the space bar closes it,
  // because Enter would move into an open row.
  await card(page, 'Plan').locator('.row__name').click();
  await page.keyboard.press(' ');
  await page.keyboard.press('Enter');
  await until(async () => (await path(page)).join() === 'Run,Explore,Plan', 'one further');
  assert.equal(await row(page, /grep -rn/).count(), 0);
  const selected = await row(page, /Plan the repair/).getAttribute('aria-selected');
  assert.equal(selected, 'true', 'the row of the agent stays selected');
  await row(page, /sed -n 12p/).click();
  await crumbs(page).getByRole('button', { name: 'Explore' }).click();
  await until(async () => (await path(page)).join() === 'Run,Explore', 'one back');
  assert.equal(await row(page, /sed -n 12p/).getAttribute('aria-selected'), 'true', 'what was selected inside still is');
  await page.keyboard.press('Escape');
  await isWhole(page);
  assert.equal(await row(page, /sed -n 12p/).getAttribute('aria-selected'), 'true');
  assert.equal(await row(page, /Found it/).count(), 1);
  assert.deepEqual([errors, await violations()], [[], []]);
});

test('the link leads to the agent, with the event that is selected inside', async () => {
  const served = files();
  for (const { name, bytes } of served) it.server.put(name, bytes);
  const trace = served.map(({ name }) => `trace=${name}`).join('&');
  const { page } = await it.open(`#${trace}`);
  await card(page, 'Plan').getByRole('button', { name: 'Only the agent Plan' }).click();
  await until(() => /[&#]agent=/.test(page.url()), 'the link names the agent');
  const link = page.url();
  const again = await it.visit(link);
  await until(async () => (await path(again.page)).join() === 'Run,Explore,Plan', 'the link leads there');
  await until(async () => (await summaries(again.page)).includes('sed -n 12p src/cart.ts'), 'its rows are there');
  // The same link without the agent, in the same page.
  await again.page.evaluate(() => { location.hash = location.hash.replace(/&agent=[^&]*/, ''); });
  await isWhole(again.page);
  await again.page.evaluate((hash) => { location.hash = hash; }, new URL(link).hash);
  await until(async () => (await path(again.page)).length === 3, 'and with it again');
  await again.page.keyboard.press('Escape');
  await isWhole(again.page);
  assert.doesNotMatch(again.page.url(), /agent=/);
  // A missing agent is reported, and the rest is shown.
  const wrong = await it.visit(link.replace(/agent=[^&]*/, 'agent=n%3Anobody'));
  await wrong.page.getByRole('alert', { name: 'Problems' }).waitFor();
  assert.equal(await crumbs(wrong.page).count(), 0);
});

test('a jump to what is outside leads back to the whole run', async () => {
  const { page } = await ready();
  await card(page, 'Explore').getByRole('button', { name: 'Only the agent Explore' }).click();
  await crumbs(page).waitFor();
  await until(() => /agent=/.test(page.url()), 'the link names the agent');
  await page.keyboard.press('x');
  await until(async () => await row(page, /false/).getAttribute('aria-selected') === 'true', 'the error inside is selected');
  assert.equal((await path(page)).length, 2, 'the error is inside');
  await page.locator('#search-input').fill('Found it');
  await until(async () => {
    await page.locator('#search-input').press('Enter');
    return await crumbs(page).count() === 0;
  }, 'the whole run is shown');
  await until(async () => await row(page, /Found it/).getAttribute('aria-selected') === 'true', 'the hit is selected');
  assert.doesNotMatch(page.url(), /agent=/);
});

test('filters count and show only what is inside', async () => {
  const { page } = await ready();
  await card(page, 'Plan').getByRole('button', { name: 'Only the agent Plan' }).click();
  await crumbs(page).waitFor();
  await page.keyboard.press('F');
  await page.getByRole('combobox', { name: 'Search and filter' }).fill('tool:Bash');
  await page.keyboard.press('Enter');
  await until(async () => /^1 of 5 rows/.test(await page.locator('.filter__count').innerText()), 'one of its rows is left');
  assert.deepEqual(await summaries(page), ['sed -n 12p src/cart.ts']);
});

test('in a transcript the card stands for what the agent did, until it is opened or entered', async () => {
  const { page, errors } = await ready({ view: null });
  await until(async () => await cards(page).count() === 1, 'the outer agent is a card');
  assert.equal(await row(page, /grep -rn/).count(), 0);
  assert.match(await cards(page).innerText(), /Done · 10 calls · 1 error/);
  await cards(page).locator('.row__chev').click();
  await until(async () => await row(page, /grep -rn/).count() === 1, 'it is opened');
  await cards(page).first().locator('.row__chev').click();
  await until(async () => await row(page, /grep -rn/).count() === 0, 'it is closed');
  await page.keyboard.press('Enter');
  await until(async () => (await path(page)).join() === 'Run,Explore', 'it is entered');
  await until(async () => /It is in src\/cart.ts/.test(await page.locator('.said').last().innerText()), 'its words are text');
  // No rows of the run enclose it, so it is not indented.
  assert.equal(await page.locator('.said').last().evaluate((one) => one.style.paddingLeft), '0px');
  await page.keyboard.press('Escape');
  await isWhole(page);
  assert.equal(await active(page), await cards(page).first().getAttribute('id'));
  assert.deepEqual(errors, []);
});

test('axe finds nothing in cards and the breadcrumb, and nothing is cut off', async () => {
  const found = [];
  for (const theme of ['light', 'dark']) {
    for (const width of [1440, 390]) {
      for (const view of ['inspector', 'transcript']) {
        const { page } = await ready({ view, context: { viewport: { width, height: 900 }, reducedMotion: 'reduce' } }, `#theme=${theme}`);
        await cards(page).first().waitFor();
        const look = async (name) => {
          await still(page);
          await page.evaluate(readFileSync(AXE_PATH, 'utf8'));
          const rules = { 'label-content-name-mismatch': { enabled: false } };
          const { violations } = await page.evaluate((options) => window.axe.run(document, options), { rules });
          found.push(...violations.map((one) => `${theme} ${width} ${view} ${name}: ${one.id} ${one.nodes[0].html.slice(0, 160)}`));
          found.push(...(await clipped(page)).map((one) => `${theme} ${width} ${view} ${name}: ${one}`));
        };
        await look('cards');
        await card(page, 'Explore').first().getByRole('button', { name: 'Only the agent Explore' }).click();
        await crumbs(page).waitFor();
        await look('breadcrumb');
      }
    }
  }
  assert.deepEqual(found, []);
});
