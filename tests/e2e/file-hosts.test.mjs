// What public/file-hosts.js makes of addresses that people copy from the page of a file.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const { fileOn } = createRequire(import.meta.url)('../../public/file-hosts.js');
const of = (address) => fileOn(new URL(address));
const ID = '0123456789abcdef0123456789abcdef';

/** Addresses of pages, and of the files that they show. */
const FILES = {
  'https://github.com/o/r/blob/main/logs/run%201.jsonl': 'https://raw.githubusercontent.com/o/r/main/logs/run%201.jsonl',
  'https://github.com/o/r/blob/main/run.jsonl?plain=1#L12': 'https://raw.githubusercontent.com/o/r/main/run.jsonl',
  'https://github.com/o/r/raw/v1.2/run.jsonl': 'https://raw.githubusercontent.com/o/r/v1.2/run.jsonl',
  'https://github.com/o/r/raw/refs/heads/main/run.jsonl': 'https://raw.githubusercontent.com/o/r/main/run.jsonl',
  'https://huggingface.co/datasets/o/r/blob/main/a/run.jsonl': 'https://huggingface.co/datasets/o/r/resolve/main/a/run.jsonl',
  'https://hf.co/o/r/blob/main/run.jsonl': 'https://huggingface.co/o/r/resolve/main/run.jsonl',
  'https://huggingface.co/spaces/o/r/resolve/main/run.jsonl?download=true': 'https://huggingface.co/spaces/o/r/resolve/main/run.jsonl',
  'https://gitlab.com/group/sub/p/-/blob/main/a/run.jsonl': 'https://gitlab.com/api/v4/projects/group%2Fsub%2Fp/repository/files/a%2Frun.jsonl/raw?ref=main',
  'https://gitlab.com/g/p/-/raw/main/run%201.jsonl?inline=false': 'https://gitlab.com/api/v4/projects/g%2Fp/repository/files/run%201.jsonl/raw?ref=main',
  'https://bitbucket.org/w/r/src/main/a/run.jsonl': 'https://api.bitbucket.org/2.0/repositories/w/r/src/main/a/run.jsonl',
  'https://www.dropbox.com/s/abc/run.jsonl?dl=0': 'https://dl.dropboxusercontent.com/s/abc/run.jsonl',
  'https://www.dropbox.com/scl/fi/abc/run.jsonl?rlkey=k&dl=0': 'https://dl.dropboxusercontent.com/scl/fi/abc/run.jsonl?rlkey=k',
};

test('the page of a file leads to the file', () => {
  for (const [page, file] of Object.entries(FILES)) assert.deepEqual(of(page), { url: file }, page);
});

test('the address of a file is its own, so a second look changes nothing', () => {
  for (const file of Object.values(FILES)) assert.equal((of(file) ?? { url: file }).url, file);
});

test('other addresses are fetched as they are', () => {
  for (const address of [
    'https://files.example/o/r/blob/main/run.jsonl', 'https://raw.githubusercontent.com/o/r/main/run.jsonl',
    `https://gist.githubusercontent.com/u/${ID}/raw/run.jsonl`, 'https://github.com/o/r', 'https://notgithub.com/o/r/blob/m/x',
    'https://github.com.example/o/r/blob/main/x', 'https://gist.github.com/discover', 'https://dl.dropboxusercontent.com/s/a/b',
    'https://gistpreview.github.io/?what', 'https://gitlab.com/g/p/-/blob/main/%ff',
  ]) assert.equal(of(address), undefined, address);
});

test('a file of a gist is looked up: the one that the link names, else the first that may be a trace', () => {
  const files = {
    'readme.txt': { filename: 'readme.txt', raw_url: 'r' },
    'run 1.jsonl': { filename: 'run 1.jsonl', raw_url: 'one' },
    'run_2.jsonl': { filename: 'run_2.jsonl', raw_url: 'two' },
  };
  const choose = (address, list = files) => of(address).choose({ files: list });
  assert.equal(of(`https://gist.github.com/u/${ID}`).lookup, `https://api.github.com/gists/${ID}`);
  assert.equal(choose(`https://gist.github.com/u/${ID}`), 'one');
  assert.equal(choose(`https://gist.github.com/u/${ID}#file-run_2-jsonl`), 'two');
  assert.equal(choose(`https://gistpreview.github.io/?${ID}/index.html`), 'one');
  assert.equal(choose(`https://gist.github.com/${ID}`, { a: files['readme.txt'] }), 'r');
  assert.equal(choose(`https://gist.github.com/${ID}`, {}), undefined);
});

test('a file of a release is looked up by its name', () => {
  const found = of('https://github.com/o/r/releases/download/v1.0/run%201.jsonl.gz');
  assert.equal(found.lookup, 'https://api.github.com/repos/o/r/releases/tags/v1.0');
  assert.equal(found.accept, 'application/octet-stream');
  const assets = [{ name: 'other', url: 'x' }, { name: 'run 1.jsonl.gz', url: 'y' }];
  assert.equal(found.choose({ assets }), 'y');
  assert.equal(found.choose({ assets: [] }), undefined);
  assert.equal(found.choose({ message: 'Not Found' }), undefined);
  const latest = of('https://github.com/o/r/releases/latest/download/run.jsonl');
  assert.equal(latest.lookup, 'https://api.github.com/repos/o/r/releases/latest');
});

test('hosts that let no other site read their files are refused', () => {
  for (const address of [
    'https://github.com/o/r/actions/runs/1/artifacts/2', 'https://codeload.github.com/o/r/zip/main', 'https://1drv.ms/u/x',
    'https://drive.google.com/file/d/abc/view', 'https://x.sharepoint.com/a',
  ]) assert.deepEqual(of(address), { url: null }, address);
});
