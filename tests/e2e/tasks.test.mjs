// Questions of a user about a failed run, answered with the keyboard alone: ten tasks, each starting where the previous
// one ended, and none with more than two actions. A key is an action, and so is a typed word.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { event, jsonl, llmCall, run, toolCall } from './fixtures.mjs';
import { active, body, row, settled, shown, stage, until } from './reader.mjs';

const it = stage();

/** The maximum number of actions per task. */
const MOST = 2;

const BRIEF = 'You keep a shop. Be brief.';
const STUBBORN = 'You keep a shop. Be brief. Search until you find it.';
const ASKED = { role: 'user', content: 'Round the prices of the cart' };

/** An LLM call after `n` other messages. */
const call = (at, system, n, response) => llmCall(at, [
  { role: 'system', content: system }, ASKED,
  ...Array.from({ length: n }, (_, nth) => ({ role: 'assistant', content: `Step ${nth}` })),
], { role: 'assistant', content: response });

const edit = (at, from, to, file = '/shop/cart.py') => toolCall(
  at, 'Edit', { file_path: file, old_string: from, new_string: to }, 'ok',
);

const within = (parent, one) => ({ ...one, parent_id: `e-${parent}` });
const failed = (at, name, type, message) => toolCall(at, name, { to: 'shop.example' }, null, { error_type: type, message });

const BAD = run('the bad run', [
  call(1, BRIEF, 0, 'I read the cart first.'),
  toolCall(2, 'Read', { file_path: '/shop/cart.py' }, 'price = 1.005'),
  edit(3, 'long\nlist\nof\nlines', 'another\nlist\nof\nmany\nlines', '/shop/stock.py'),
  edit(4, 'price = 1.005', 'price = round(1.005)'),
  failed(5, 'deploy', 'PipelineFailed', 'a step of the pipeline failed'),
  within(5, toolCall(6, 'build', { target: 'shop' }, 'built')),
  within(5, failed(7, 'upload', 'QuotaExceeded', 'the disk of shop.example is full')),
  call(8, BRIEF, 2, 'The upload failed.'),
  call(9, STUBBORN, 3, 'I look for the rounding.'),
  call(10, STUBBORN, 4, 'I go on looking.'),
  ...Array.from({ length: 7 }, (_, nth) => event(11 + nth, 'TOOL_CALL', 'search', {
    tool_name: 'search', args: { query: 'rounding' }, result: { hits: 0 }, status: 'ok', error: null,
  }, { duration_ms: 600 })),
  edit(18, 'price = round(1.005)', 'price = round(1.005, 2)'),
  call(19, STUBBORN, 5, 'All prices are rounded to two digits.'),
  toolCall(20, 'save_memory', { text: 'done' }, 'ok'),
], 'error');

const GOOD = run('the good run', [
  call(1, BRIEF, 0, 'I read the cart first.'),
  toolCall(2, 'Read', { file_path: '/shop/cart.py' }, 'price = 1.005'),
  edit(3, 'price = 1.005', 'price = round(1.005, 2)'),
  call(4, BRIEF, 2, 'Done: two digits.'),
]).map((one) => ({ ...one, run_id: 'run-2', event_id: `good-${one.event_id}` }));

/** A user at the keyboard, whose actions are counted. */
function person(page) {
  const done = [];
  return {
    done,
    press: async (key) => {
      done.push(key);
      await page.keyboard.press(key);
    },
    type: async (word) => {
      done.push(`"${word}"`);
      await page.keyboard.type(word);
    },
  };
}

const table = [];

after(() => {
  const line = ([task, actions]) => `${task.padEnd(40)} ${actions.length}  ${actions.join(' ')}`;
  process.stdout.write(`${table.map(line).join('\n')}\n`);
});

/** Whether an element is on the screen, rather than only in the document. */
const isSeen = (locator) => locator.evaluate((element) => {
  const box = element.getBoundingClientRect();
  const at = document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height / 2, 8));
  return at !== null && (element.contains(at) || at.contains(element));
});

const seen = async (locator, words) => {
  await locator.waitFor();
  await until(() => isSeen(locator), `${words} is seen`);
};

test('ten tasks by keyboard alone', async () => {
  const { page, errors } = await it.open('', {
    context: { permissions: ['clipboard-read', 'clipboard-write'], viewport: { width: 1440, height: 900 } },
  });

  let chooser = null;
  page.on('filechooser', (it) => {
    chooser = it;
  });
  // The browser has only just been told to leave file choices to the test.
  await settled(page);

  /** Performs one task, and counts its actions. */
  const task = async (name, act, most = MOST) => {
    const who = person(page);
    await act(who);
    table.push([name, who.done]);
    assert.ok(who.done.length <= most, `${name}: ${who.done.join(' ')}`);
  };
  const selected = (number) => until(
    async () => await active(page) === `row-${number}`, `row ${number} is selected`,
  );

  await task('open the file', async (who) => {
    await who.press('o');
    await until(() => chooser !== null, 'the browser asks for files');
    await chooser.setFiles([
      { name: 'bad.jsonl', mimeType: 'text/plain', buffer: Buffer.from(jsonl(BAD)) },
      { name: 'good.jsonl', mimeType: 'text/plain', buffer: Buffer.from(jsonl(GOOD)) },
    ]);
    await shown(page, 'bad');
    await seen(row(page, /deploy/).first(), 'a row');
  });

  await task('the first error', async (who) => {
    await who.press('x');
    await selected(5);
    await seen(page.locator('#row-5').getByText('PipelineFailed'), 'its reason');
  });

  await task('its cause', async (who) => {
    await who.press('r');
    await selected(7);
    await seen(body(page, 'row-7').getByText('the disk of shop.example is full').first(), 'the cause');
  });

  await task('the loop and its cost', async (who) => {
    await who.press(']');
    await selected(11);
    const fold = page.locator('#timeline [id^=fold-]').first();
    await seen(fold, 'what repeating took');
    assert.equal(await fold.locator('.row__dur').innerText(), '5.6 s');
  });

  await task('the change of the prompt before it', async (who) => {
    await who.press('P');
    await selected(9);
    await seen(body(page, 'row-9').locator('.diff').getByText('Search until you find it').first(), 'the change');
  });

  await task('the file that was edited twice', async (who) => {
    await who.press('4');
    await page.locator('.touch').first().waitFor();
    await who.press('J');
    const focused = page.locator('.touch__head:focus');
    await seen(focused, 'the file');
    assert.match(await focused.innerText(), /cart\.py[\s\S]*2 changes/);
  });

  await task('the final answer', async (who) => {
    await who.press('A');
    await selected(19);
    await seen(body(page, 'row-19').getByText('All prices are rounded to two digits.').first(), 'the answer');
  });

  await task('compared with the good run', async (who) => {
    await who.press('C');
    assert.equal(await page.getByRole('tab', { name: 'Compare' }).getAttribute('aria-selected'), 'true');
    await seen(page.locator('.pairs__pair').first(), 'the first step that differs');
    assert.match(await page.locator('.pairs__runs').innerText(), /good run/);
  }, 6);

  await task('a note of it', async (who) => {
    await who.press('a');
    await selected(19);
    await page.locator('.anno-form textarea:focus').waitFor();
    await seen(page.locator('.anno-form textarea'), 'the form');
    await who.type('unproven');
    await until(() => page.evaluate(() => Object.entries(localStorage).some(([key, value]) => (
      key.startsWith('traceloupe.annotations.') && value.includes('unproven')
    ))), 'the note is kept');
  });

  await task('the link to it', async (who) => {
    await who.press('Control+Enter');
    await page.locator('.anno-form').waitFor({ state: 'detached' });
    await seen(body(page, 'row-19').locator('.comment').getByText('unproven'), 'the note');
    await who.press('y');
    await until(async () => /[#&]sel=/.test(await page.evaluate(() => navigator.clipboard.readText())), 'the link is copied');
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url().replace('#', '#v=1&'));
  });

  assert.equal(table.length, 10);
  assert.deepEqual(errors, []);
});
