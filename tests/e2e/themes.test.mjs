// Appearance: axe finds no violation in any state, light and dark, wide and narrow; themes; nothing is cut off at the
// side.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { claudeCode, jsonl, llmCall, loop, run, small, toolCall } from './fixtures.mjs';
import { AXE_PATH, dropFiles } from './harness.mjs';
import { active, alert, body, button, drawn, drop, dropText, openSettings, row, stage, still, until } from './reader.mjs';
import { clipped } from './overflow.mjs';

const it = stage();
const AXE = readFileSync(AXE_PATH, 'utf8');

/** A trace with a loop, an error, a failed call, several runs and a warning. */
const full = () => [
  { name: 'a.jsonl', bytes: `${loop(8)}{"cut": ` },
  { name: 'b.jsonl', bytes: jsonl(run('both', [
    llmCall(1, [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'Why?' }], { role: 'assistant', content: 'Because.' }),
    toolCall(2, 'fare', { from: 'A' }, null, { error_type: 'Timeout', message: 'late', stack: 'at fare\nat main' }),
  ])).replaceAll('run-1', 'run-2') },
  { name: 'c.jsonl', bytes: jsonl(claudeCode()) },
];

/** The rule that row names break on purpose; it has a test of its own below. */
const NAME_RULE = 'label-content-name-mismatch';

/** The violations axe finds, one line each: by all rules but the one above, or by `runOnly`. */
async function axe(page, rules = { [NAME_RULE]: { enabled: false } }, runOnly = undefined) {
  // Colours must have settled: no rule is judged in the middle of a transition.
  await still(page);
  await page.evaluate(AXE);
  return page.evaluate(async (options) => {
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'], ...options });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) =>
      `${id}: ${node.html.slice(0, 140)} (${node.failureSummary.split('\n')[1]?.trim().slice(0, 160)})`));
  }, runOnly === undefined ? { rules } : { runOnly });
}

/** The states in which the page is checked. */
const STATES = {
  'the empty page': async () => {},
  'a trace': async (page) => drop(page, full()),
  'an opened row': async (page) => {
    await drop(page, full());
    const filters = page.getByRole('button', { name: 'Filters' });
    if (await filters.isVisible()) await filters.click();
    await page.getByRole('list', { name: 'Runs' }).getByRole('button', { name: /both/ }).click();
    for (const name of [/Because/, /fare/]) {
      await row(page, name).click();
      const opened = body(page, await active(page));
      await until(async () => !/Reading…/.test(await opened.innerText()), 'the row has been read');
    }
  },
  'the raw text': async (page) => {
    await dropText(page, small());
    await row(page, /station_search/).click();
    await body(page, 'row-2').getByRole('tab', { name: 'Raw' }).click();
    await until(async () => await body(page, 'row-2').locator('.body__raw pre').count() > 0, 'the raw text is there');
  },
  'all findings': async (page) => {
    await drop(page, full());
    await page.getByRole('button', { name: /all findings$/ }).click();
    await page.getByRole('complementary', { name: 'All findings' }).waitFor();
  },
  'the menu': async (page) => {
    await drop(page, full());
    await page.getByRole('button', { name: 'Actions' }).click();
  },
  'two runs compared': async (page) => {
    await drop(page, full());
    await page.keyboard.press('C');
    await page.locator('.pairs__pair').first().waitFor();
  },
  'runs and filters': async (page) => {
    await drop(page, full());
    const filters = page.getByRole('button', { name: 'Filters' });
    if (await filters.isVisible()) await filters.click();
  },
  help: async (page) => {
    await dropText(page, small());
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
  },
  settings: async (page) => {
    await openSettings(page);
    await page.getByRole('dialog', { name: 'Settings' }).waitFor();
  },
  'what was opened': async (page) => {
    await dropText(page, small());
    // The button may be hidden on narrow pages; the dialog is the same.
    await page.locator('.file button').evaluate((one) => one.click());
    await page.getByRole('dialog', { name: 'About this trace' }).waitFor();
  },
  'a problem': async (page) => {
    await dropFiles(page, [{ name: 'nothing.jsonl', bytes: '' }]);
    await alert(page).waitFor();
    await alert(page).locator('summary').click();
  },
};

for (const theme of ['light', 'dark']) {
  for (const width of [1440, 360]) {
    test(`axe finds nothing: ${theme}, ${width} pixels wide`, async () => {
      const found = [];
      for (const [name, reach] of Object.entries(STATES)) {
        const { page } = await it.open(`#theme=${theme}`, { context: { viewport: { width, height: 900 }, reducedMotion: 'reduce' } });
        await reach(page);
        for (const line of await axe(page)) found.push(`${name}: ${line}`);
      }
      assert.deepEqual([...new Set(found)], []);
    });
  }
}

// Users of voice control say the text that they see on a row, so its name must contain that text (WCAG 2.5.3).
test('axe finds nothing: the visible text of a row is part of its name', async () => {
  const { page } = await it.open();
  await drop(page, full());
  assert.deepEqual(await axe(page, {}, [NAME_RULE]), []);
});

test('control: axe does find a fault that is planted', async () => {
  const { page } = await it.open();
  await page.evaluate(() => document.querySelector('main').append(document.createElement('button')));
  assert.ok((await axe(page)).some((line) => line.startsWith('button-name')));
});

for (const [width, height] of [[1440, 900], [800, 800], [390, 780], [320, 640]]) {
  test(`nothing is cut off at the side, ${width} pixels wide`, async () => {
    const odd = [];
    for (const [name, reach] of Object.entries(STATES)) {
      const { page } = await it.open('', { context: { viewport: { width, height } } });
      await reach(page);
      await drawn(page);
      for (const line of await clipped(page)) odd.push(`${name}: ${line}`);
    }
    assert.deepEqual(odd, []);
  });
}

test('control: what is too wide for the page, for a box that clips, and for the window, is found', async () => {
  const { page } = await it.open('', { context: { viewport: { width: 900, height: 800 } } });
  await drop(page, full());
  assert.deepEqual(await clipped(page), []);
  const cases = {
    // The page clips: the document does not get wider, so its width shows nothing.
    '.app > .main': (at) => { at.style.minWidth = '1200px'; },
    '.top': (at) => { at.append(Object.assign(document.createElement('div'), { textContent: 'word'.repeat(300) })); },
    '.foot': (at) => { at.append(Object.assign(document.createElement('span'), { textContent: 'x'.repeat(400) })); },
  };
  for (const [selector, widen] of Object.entries(cases)) {
    const opened = await it.open('', { context: { viewport: { width: 900, height: 800 } } });
    await drop(opened.page, full());
    await opened.page.locator(selector).evaluate(widen);
    assert.notDeepEqual(await clipped(opened.page), [], selector);
    assert.ok(await opened.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), selector);
  }
});

test('what a row says takes two lines on a phone, and one on a wide screen', async () => {
  const words = 'I look it up in the list of all stations, and then in the one of all fares. '.repeat(2);
  const text = jsonl(run('long words', [llmCall(1, [{ role: 'user', content: 'Why?' }], { role: 'assistant', content: words })]));
  const heights = [];
  for (const width of [390, 1440]) {
    const { page } = await it.open('', { context: { viewport: { width, height: 844 } } });
    await dropText(page, text);
    const box = await row(page, /I look it up/).locator('.row__sum').boundingBox();
    heights.push(Math.round(box.height / 18));
  }
  assert.deepEqual(heights, [2, 1]);
});

test('theme= of the link, the system\'s theme, and the button', async () => {
  const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await it.open('#theme=dark', { context: { colorScheme: 'light' } });
  const light = await it.open('#theme=light', { context: { colorScheme: 'dark' } });
  const system = await it.open('', { context: { colorScheme: 'dark' } });
  const colours = await Promise.all([dark, light, system].map(({ page }) => background(page)));
  assert.equal(colours[0], colours[2], 'the system says dark');
  assert.notEqual(colours[0], colours[1]);
  // Follows the system at once while the user has not chosen a theme.
  await system.page.emulateMedia({ colorScheme: 'light' });
  await until(async () => await background(system.page) === colours[1], 'it follows the system');
  await button(system.page, 'Theme').click();
  assert.equal(await background(system.page), colours[0]);
  await system.page.reload();
  assert.equal(await background(system.page), colours[0], 'the choice is kept');
});

test('a theme of the link is not kept', async () => {
  const { page } = await it.open('#theme=dark');
  await page.goto('about:blank');
  await page.goto(it.server.address());
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), undefined);
});

test('with reduced motion nothing moves', async () => {
  const { page } = await it.open('', { context: { reducedMotion: 'reduce' } });
  await drop(page, full());
  await openSettings(page);
  const moving = await page.evaluate(() => document.getAnimations().filter((one) => {
    const { duration, iterations } = one.effect.getComputedTiming();
    return duration > 1 || iterations === Infinity;
  }).length);
  const slow = await page.evaluate(() => [...document.querySelectorAll('*')].filter((one) => {
    const style = getComputedStyle(one);
    const long = (words) => words.split(',').some((word) => parseFloat(word) > 0.01);
    return long(style.transitionDuration) || (style.animationName !== 'none' && long(style.animationDuration));
  }).map((one) => one.className).slice(0, 5));
  assert.equal(moving, 0);
  assert.deepEqual(slow, []);
});

test('the page can be zoomed and has a title and a language', async () => {
  const { page } = await it.open();
  assert.match(await page.title(), /Traceloupe/);
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'en');
  assert.doesNotMatch(await page.locator('meta[name=viewport]').getAttribute('content'), /maximum-scale|user-scalable/);
});
