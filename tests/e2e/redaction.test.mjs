// What leaves the page is redacted and reviewed first.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { claudeCode, jsonl } from './fixtures.mjs';
import { button, dropText, openSettings, stage, still, until } from './reader.mjs';
import { AXE_PATH } from './harness.mjs';

const it = stage();
const AXE = readFileSync(AXE_PATH, 'utf8');

// Put together here, so that no tool takes it for a token.
const TOKEN = ['ghp', 'q7Rk2Zp9Lx4Vb8Nw3Tc6Ym1Hd5Jf0GsAeUi9'].join('_');
const MAIL = 'grete.holm@kontor.dk';

const dialog = (page, name) => page.getByRole('dialog', { name });
const review = (page) => dialog(page, 'Redact before saving');

/** A run whose answer has a token twice, and an address. */
const withSecrets = () => jsonl(claudeCode()).replaceAll('a.txt', `GH_TOKEN=${TOKEN} ${MAIL} ${TOKEN}`);

async function exporting(page) {
  await page.keyboard.press('w');
  const open = dialog(page, 'Export as…');
  await until(async () => /type/.test(await open.locator('#export-preview').textContent()), 'there is a preview');
  await button(open, 'Download').click();
}

async function saved(page, press) {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return readFileSync(await file.path(), 'utf8');
}

test('a file is reviewed, and saved redacted', async () => {
  const { page, errors, violations } = await it.open('');
  await dropText(page, withSecrets());
  await exporting(page);
  await review(page).waitFor();
  assert.match(await review(page).textContent(), /Tokens and keys of services \(\d+\)/);
  assert.match(await review(page).textContent(), /\[redacted:github-token#1\]/);
  const text = await saved(page, () => button(review(page), 'Save redacted').click());
  assert.ok(!text.includes(TOKEN) && !text.includes(MAIL), text);
  assert.match(text, /redacted:github-token#1/);
  JSON.parse(text);
  assert.deepEqual(errors, []);
  assert.deepEqual(await violations(), []);
});

test('kinds and single values stay if their boxes are cleared, and the file can be saved as it is', async () => {
  const { page, errors } = await it.open('');
  await dropText(page, withSecrets());
  await exporting(page);
  await review(page).getByRole('checkbox', { name: /E-mail addresses/ }).uncheck();
  let text = await saved(page, () => button(review(page), 'Save redacted').click());
  assert.ok(!text.includes(TOKEN) && text.includes(MAIL), text);

  await exporting(page);
  const first = review(page).getByRole('listitem').filter({ hasText: TOKEN }).first();
  await first.getByRole('checkbox').uncheck();
  text = await saved(page, () => button(review(page), 'Save redacted').click());
  assert.ok(text.includes(TOKEN) && !text.includes(MAIL), text);

  await exporting(page);
  text = await saved(page, () => button(review(page), 'Save as it is').click());
  assert.ok(text.includes(TOKEN) && text.includes(MAIL), text);
  assert.deepEqual(errors, []);
});

test('a file without secrets is saved at once, and so is every file if redaction is off', async () => {
  const { page } = await it.open('');
  await dropText(page, jsonl(claudeCode()));
  await page.keyboard.press('w');
  await until(async () => /type/.test(await page.locator('#export-preview').textContent()), 'there is a preview');
  const plain = await saved(page, () => button(dialog(page, 'Export as…'), 'Download').click());
  assert.match(plain, /a\.txt/);
  await page.keyboard.press('Escape');

  await openSettings(page);
  await page.locator('#redacts-files').uncheck();
  await page.keyboard.press('Escape');
  await dropText(page, withSecrets(), 'second.jsonl');
  const text = await saved(page, () => exporting(page));
  assert.ok(text.includes(TOKEN), text);
});

test('if the redactor does not arrive, nothing is saved', async () => {
  const prepare = (target) => target.route(/traceloupe-redactor/, (route) => route.abort());
  const { page } = await it.open('', { prepare });
  await dropText(page, withSecrets());
  await exporting(page);
  await until(async () => /could not be loaded/.test(await page.locator('body').innerText()), 'it says so');
});

test('axe finds nothing in the review', async () => {
  for (const [width, height, colorScheme] of [[1440, 900, 'light'], [360, 740, 'dark']]) {
    const { page } = await it.open('', { context: { viewport: { width, height }, colorScheme } });
    await dropText(page, withSecrets());
    await exporting(page);
    await review(page).waitFor();
    await still(page);
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/review-${colorScheme}.png` });
    await page.evaluate(AXE);
    const found = await page.evaluate(async () => {
      const { violations } = await globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    });
    assert.deepEqual(found, []);
  }
});
