// Printing: all lines of a list, including those that are not on the screen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, dropText, stage, until } from './reader.mjs';

const it = stage();

const N_TURNS = 60;

/** A conversation whose turns each have a call between question and answer. */
function conversation(nTurns = N_TURNS) {
  const messages = [];
  for (let turn = 1; turn <= nTurns; turn += 1) {
    messages.push(
      { role: 'user', content: `question ${turn} begins` },
      {
        role: 'assistant', content: null,
        tool_calls: [{ id: `c${turn}`, type: 'function', function: { name: `look_up_${turn}`, arguments: `{"at":${turn}}` } }],
      },
      { role: 'tool', tool_call_id: `c${turn}`, content: `found ${turn}` },
      { role: 'assistant', content: `answer ${turn} begins\n\nand ends ${turn}.` },
    );
  }
  return JSON.stringify(messages);
}

/** Opens a conversation in a page whose print dialog is never shown. */
async function ready(nTurns, prepare = () => {}) {
  const { page, errors } = await it.open('', { view: null });
  await page.evaluate(() => {
    window.nPrints = 0;
    window.print = () => { window.nPrints += 1; };
  });
  await dropText(page, conversation(nTurns), 'conversation.json');
  await prepare(page);
  return { page, errors };
}

const printed = (page) => until(() => page.evaluate(() => window.nPrints === 1), 'the dialog is asked for');
const nDrawn = (page) => page.locator('.row').count();

/** The text of the lines on paper, from top to bottom. */
const onPaper = (page) => page.evaluate(() => {
  const lines = [...document.querySelectorAll('.row:not([data-speech]), .list__said')];
  const seen = lines.map((line) => [line.getBoundingClientRect(), line.innerText.match(/(question|look_up_|answer) ?\d+/)?.[0]]);
  const shown = seen.filter(([{ height }, words]) => height > 0 && words);
  return shown.sort(([one], [other]) => one.top - other.top).map(([, words]) => words.replace(/_(?=\d)| /, ' '));
});

test('Ctrl+P prints all lines in their order, and the list is as before afterwards', async () => {
  const { page, errors } = await ready();
  const before = await nDrawn(page);
  assert.ok(before < 2 * N_TURNS, 'the screen has only some of them');
  await page.keyboard.press('Control+p');
  await printed(page);
  await page.emulateMedia({ media: 'print' });
  const expected = Array.from({ length: N_TURNS }, (_, at) => [`question ${at + 1}`, `look_up ${at + 1}`, `answer ${at + 1}`]).flat();
  assert.deepEqual(await onPaper(page), expected);
  // The texts are complete, and nothing overlaps.
  assert.equal(await page.locator('.said__text').getByText(`and ends ${N_TURNS}.`).count(), 1);
  const overlaps = await page.evaluate(() => {
    const boxes = [...document.querySelectorAll('.row:not([data-speech]), .list__said')].map((it) => it.getBoundingClientRect());
    boxes.sort((one, other) => one.top - other.top);
    return boxes.filter((box, at) => at > 0 && box.top < boxes[at - 1].bottom - 1).length;
  });
  assert.equal(overlaps, 0);
  for (const hidden of ['.views', '.overview', '.side', '.foot', '#search-input']) {
    assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
  }
  await page.emulateMedia({ media: null });
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await until(async () => await nDrawn(page) <= before + 5, 'only the window is drawn');
  assert.deepEqual(errors, []);
});

test('what is printed is in the colours of the light theme, on as many pages as it needs', async () => {
  const { page } = await ready(N_TURNS, (page) => page.emulateMedia({ colorScheme: 'dark' }));
  await page.keyboard.press('Control+p');
  await printed(page);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const ink = await page.evaluate(() => getComputedStyle(document.querySelector('.said__text')).color);
  const [light] = ink.match(/\d+/g).map(Number);
  assert.ok(light < 100, `dark letters, not ${ink}`);
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  const nPages = pdf.match(/\/Type\s*\/Page\b/g).length;
  assert.ok(nPages >= 4 && nPages <= 20, `${nPages} pages`);
});

test('of very many lines the first are printed, and the paper says so', async () => {
  const { page } = await ready(800);
  await choose(page, 'Print…');
  await printed(page);
  await page.emulateMedia({ media: 'print' });
  assert.match(await page.locator('.list__left-out').innerText(), /^The first 2,000 of 3,200 rows/);
  assert.equal((await onPaper(page)).at(-1), 'answer 500');
});

test('another view is printed instead of the rows', async () => {
  const { page } = await ready(N_TURNS, async (page) => {
    await page.keyboard.press('5');
    await page.getByText('Where the time went').or(page.getByText('Calls by')).first().waitFor();
  });
  const before = await nDrawn(page);
  await page.keyboard.press('Control+p');
  await printed(page);
  assert.equal(await nDrawn(page), before);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('.list').isVisible(), false);
  assert.ok(await page.locator('.exhibit').isVisible());
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  assert.ok(pdf.match(/\/Type\s*\/Page\b/g).length <= 4);
});

test('where the browser opens no dialog, the list is as before with the next key', async () => {
  const { page } = await ready();
  const before = await nDrawn(page);
  await page.keyboard.press('Control+p');
  await printed(page);
  assert.ok(await nDrawn(page) > before);
  await page.keyboard.press('j');
  await until(async () => await nDrawn(page) <= before + 5, 'only the window is drawn');
});

test('what stands beside the rows is not printed', async () => {
  const { page } = await ready(N_TURNS, (page) => page.keyboard.press('f'));
  await page.locator('.panel').waitFor();
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('.panel').isVisible(), false);
});
