// Values in the form that suits them: Markdown, commands, edits, patches, listings, tasks, hidden characters; and links
// that ask for confirmation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claudeCode, jsonl, run, toolCall } from './fixtures.mjs';
import { body, dropText, row, settled, stage, until } from './reader.mjs';

const it = stage();

async function ready(text) {
  const opened = await it.open();
  await dropText(opened.page, text);
  return opened;
}

/** A trace with one tool call, opened. */
async function call(name, args, result) {
  const opened = await ready(jsonl(run('values', [toolCall(1, name, args, result)])));
  await row(opened.page, new RegExp(name)).click();
  const shown = body(opened.page, 'row-1');
  await shown.waitFor();
  await settled(opened.page);
  return { ...opened, shown };
}

const search = async (page, text) => {
  await page.locator('#search-input').fill(text);
  await until(async () => await page.locator('#search-count').getAttribute('data-done') === 'true', 'the search is done');
};

const ANSWER = [
  '# Report', '', 'All **three** parts pass; see `run.sh` and [the notes](https://example.org/notes).', '',
  '1. first', '2. second', '', '| Part | State |', '| --- | --- |', '| one | done |', '',
  '```js', 'const n = 1;', '```', '', '![chart](https://images.example.org/x.png)', '', '<img src=x onerror=alert(1)>', '',
].join('\n');

const answer = async () => {
  const { page } = await ready(jsonl(claudeCode({ text: ANSWER })));
  const last = page.getByRole('tree', { name: 'Timeline' }).getByRole('treeitem').last();
  await last.click();
  await page.locator('.body .prose').first().waitFor();
  return page;
};

test('an answer in Markdown is a document: no HTML is live, nothing is loaded, its source is one click away', async () => {
  const page = await answer();
  const prose = page.locator('.body .prose').first();
  assert.equal(await prose.getByRole('heading', { name: 'Report' }).count(), 1);
  assert.deepEqual(await prose.locator('ol > li').allTextContents(), ['first', 'second']);
  assert.equal((await prose.locator('td').allTextContents()).join(), 'one,done');
  assert.equal(await prose.locator('b').first().textContent(), 'three');
  assert.equal(await prose.locator('.prose__code [data-json="word"]').first().textContent(), 'const');
  assert.equal(await prose.locator('img, a, script').count(), 0);
  assert.match(await prose.textContent(), /<img src=x onerror=alert\(1\)>/);
  assert.match(await prose.textContent(), /\(images\.example\.org\)/);
  await page.locator('.body').getByRole('button', { name: 'Source', exact: true }).first().click();
  assert.equal(await page.locator('.body pre.text').first().textContent(), ANSWER);
});

test('a link shows its host, and opens only after a question', async () => {
  const page = await answer();
  await page.locator('.body .prose').first().getByRole('button', { name: 'the notes' }).click();
  const dialog = page.getByRole('dialog');
  assert.match(await dialog.textContent(), /example\.org/);
  assert.match(await dialog.textContent(), /https:\/\/example\.org\/notes/);
  await dialog.getByRole('button', { name: 'Stay here' }).click();
  await dialog.waitFor({ state: 'hidden' });
  assert.equal(page.context().pages().length, 1);
});

test('a hit is marked in the document, and one that only the source has is shown in the source', async () => {
  const page = await answer();
  await search(page, 'second');
  await until(async () => (await page.locator('.body .prose li mark').count()) > 0, 'the mark is in the list');
  await search(page, '**three**');
  await until(async () => (await page.locator('.body pre.text mark').allTextContents())[0] === '**three**', 'the source is shown');
});

test('a command stands at a prompt, and its output has its colours', async () => {
  const { shown } = await call('bash', { command: 'make test' }, '\u001b[1;31mFAIL\u001b[0m a.test\n10%\r100%\n');
  assert.match(await shown.locator('.block--command').textContent(), /make test/);
  const fail = shown.locator('[data-colour="red"]');
  assert.equal(await fail.textContent(), 'FAIL');
  const output = await shown.locator('pre[data-look="terminal"]').textContent();
  assert.equal(output, 'FAIL a.test\n100%\n');
  await shown.getByRole('button', { name: 'Source', exact: true }).click();
  await until(async () => /10%/.test(await shown.textContent()), 'the source has what was written over');
});

test('an edit is a diff with its changed words, and a patch has line numbers', async () => {
  const edit = { file_path: 'src/a.js', old_string: 'let n = 1;\nrun(n);', new_string: 'let n = 2;\nrun(n);' };
  const { shown } = await call('edit', edit, 'ok');
  assert.match(await shown.locator('.diff__head').textContent(), /src\/a\.js.*\+1.*−1/);
  assert.deepEqual(await shown.locator('.diff__changed').allTextContents(), ['1', '2']);
  const patch = '--- a/b.txt\n+++ b/b.txt\n@@ -7,2 +7,2 @@\n same\n-old\n+new\n';
  const second = await call('git_diff', { n: 1 }, patch);
  const numbers = await second.shown.locator('.diff__no').allTextContents();
  assert.deepEqual(numbers, ['7', '7', '8', '', '', '8']);
});

test('a listing of a file has its numbers and colours, and tasks are a list', async () => {
  const { shown } = await call('view', { path: 'a.py' }, '     1→import os\n     2→print(os.name)\n');
  assert.equal(await shown.locator('.source__numbers').textContent(), '1\n2\n');
  assert.equal(await shown.locator('[data-json="word"]').first().textContent(), 'import');
  const todos = [{ content: 'Read', status: 'completed' }, { content: 'Write', status: 'in_progress' }];
  const second = await call('plan', { todos }, 'ok');
  assert.match(await second.shown.textContent(), /Tasks: 1 of 2 done/);
  assert.deepEqual(await second.shown.locator('.task__words').allTextContents(), ['Read', 'Write']);
});

test('JSON that a tool gave as text is shown as JSON', async () => {
  const { shown } = await call('fetch', { id: 1 }, JSON.stringify({ state: 'open', labels: ['a', 'b'] }));
  assert.equal(await shown.locator('[data-json="key"]').first().textContent(), 'state');
});

test('characters that cannot be seen are marked, and stay in the text', async () => {
  const odd = 'if (is\u200bAdmin) { /* \u202e } \u2066 */';
  const { shown } = await call('show', { id: 1 }, odd);
  const marks = shown.locator('.odd-char');
  assert.deepEqual(await marks.evaluateAll((all) => all.map((one) => one.dataset.code)), ['U+200B', 'U+202E', 'U+2066']);
  assert.equal(await shown.locator('pre.text').last().textContent(), odd);
});
