// The npm package: it can be packed and installed, has what it says, and its command works.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makePackage } from '../../.ci/package.mjs';
import { serve } from '../../.ci/serve.mjs';
import { small } from './fixtures.mjs';
import { DIST } from './harness.mjs';
import { rows, shown, stage } from './reader.mjs';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const CLI = path.join(ROOT, 'target/cli');
const SAMPLES = path.join(ROOT, 'public/samples');
/** Assembled, so that no file of the repository contains it. */
const TOKEN = ['ghp_', 'Z2h9kQ7vX4mB1nT8', 'cR5wY3jL6pD0sF2aG9eU'].join('');

const it = stage();
const folder = mkdtempSync(path.join(os.tmpdir(), 'traceloupe-package-'));
const installed = path.join(folder, 'node_modules/traceloupe');
const requests = path.join(folder, 'requests.txt');
const at = (name) => path.join(folder, name);
let served;

const npm = (...args) => execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

before(() => {
  makePackage(DIST, CLI, at('made'));
  const [{ filename }] = JSON.parse(npm('pack', './made', '--json'));
  writeFileSync(at('package.json'), '{"private":true}');
  npm('install', `./${filename}`);
  // Loaded before the command: notes every attempt to use the network.
  writeFileSync(at('watch.cjs'), `
    const note = (what) => require('fs').appendFileSync(${JSON.stringify(requests)}, what + '\\n');
    globalThis.fetch = () => note('fetch');
    require('net').Socket.prototype.connect = () => note('connect');
    require('dns').lookup = () => note('lookup');`);
});
after(async () => {
  await served?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the installed command in the folder. */
function traceloupe(args, { input = '' } = {}) {
  const bin = at('node_modules/.bin/traceloupe');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', at('watch.cjs'), bin, ...args], {
    cwd: folder, input, encoding: 'utf8', maxBuffer: 1 << 28,
  });
  return { status, stdout, stderr };
}

/** The trace in a report, taken out without our code. */
function traceIn(html) {
  const { files, pieces } = JSON.parse(html.match(/id="tl-trace">([^<]*)</)[1]);
  const all = [...html.matchAll(/class="tl-data">([^<]*)</g)].map((match) => match[1]);
  return files.map((file, index) => ({
    path: file.path, bytes: gunzipSync(Buffer.concat(all.splice(0, pieces[index]).map((piece) => Buffer.from(piece, 'base64')))),
  }));
}

test('it is packed, installed into an empty project, and shows a trace from there', async () => {
  const described = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
  assert.match(described.version, /^\d+\.\d+\.\d+$/);
  assert.equal(described.dependencies, undefined);
  for (const name of ['trace-loupe.d.ts', 'LICENSE', 'README.md', 'page/index.html', 'page/samples']) assert.ok(existsSync(path.join(installed, name)), name);
  const notice = readFileSync(path.join(installed, 'NOTICE'), 'utf8');
  for (const name of ['leptos', 'wasm-bindgen', 'serde', 'saphyr-parser', 'memchr']) assert.match(notice, new RegExp(`^${name} \\d`, 'm'));
  assert.doesNotMatch(notice, /proptest|insta /);

  served = await serve({
    folder,
    handle(request, response, url) {
      const files = { '/a.jsonl': small(), '/host.html': '<!doctype html><script type="module" src="node_modules/traceloupe/trace-loupe.js"></script><trace-loupe src="a.jsonl"></trace-loupe>' };
      if (!(url.pathname in files)) return false;
      response.writeHead(200, { 'content-type': url.pathname.endsWith('html') ? 'text/html' : 'application/json' });
      response.end(files[url.pathname]);
      return true;
    },
  });
  const { page } = await it.visit(`${served.origin}/host.html`, { view: 'inspector' });
  await page.frameLocator('trace-loupe iframe').getByRole('tree').or(page.frameLocator('trace-loupe iframe').locator('.list')).first().waitFor();
});

test('the viewer is taken apart and put together without a change', async () => {
  const { write } = createRequire(import.meta.url)(path.join(installed, 'single-file.cjs'));
  const { partsOf } = await import(path.join(installed, 'report.mjs'));
  const html = readFileSync(path.join(installed, 'traceloupe.html'), 'utf8');
  assert.equal(write(partsOf(html)).join(''), html);
  assert.throws(() => partsOf(html.slice(0, html.length / 2)), /incomplete/);
});

test('a report opens from disk, has the trace byte for byte, and a brief without scripts', async () => {
  const bytes = readFileSync(path.join(SAMPLES, 'trip-planner.jsonl'));
  const { status, stderr } = traceloupe(['report', path.join(SAMPLES, 'trip-planner.jsonl'), '-o', 'r.html', '--title', 'A <b>run</b>']);
  assert.equal(status, 0, stderr);
  assert.match(stderr, /^r\.html: \d\.\d MB\n$/);
  const html = readFileSync(at('r.html'), 'utf8');
  assert.deepEqual(traceIn(html), [{ path: 'trip-planner.jsonl', bytes }]);
  const policy = (text) => text.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/)[1];
  assert.equal(policy(html), policy(readFileSync(path.join(installed, 'traceloupe.html'), 'utf8')));

  const { page } = await it.visit(`file://${at('r.html')}`, { view: 'inspector' });
  await shown(page);
  await page.locator('.brief').waitFor();
  assert.match(await page.locator('.foot').innerText(), /In this HTML file of [\d.]+ MB/);
  assert.equal(await page.title(), 'trip_planner.py:plan - 2026-11-14 09:12 · A <b>run</b> · Traceloupe');
  const context = await it.browser.newContext({ javaScriptEnabled: false });
  const still = await context.newPage();
  await still.goto(`file://${at('r.html')}`);
  assert.match(await still.locator('#tl-brief').innerText(), /Possible loops[^]*was called 7 times/);
  await context.close();
});

test('a redacted report has no secret, in no part; what cannot be redacted is not written', async () => {
  const trace = readFileSync(path.join(SAMPLES, 'bug-fix.jsonl'), 'utf8').replace('The cart test', `The ${TOKEN} test`);
  assert.ok(trace.includes(TOKEN));
  const name = `${TOKEN}.jsonl`;
  writeFileSync(at(name), trace);
  const { status, stderr } = traceloupe(['report', name, '--redact', '--title', `of ${TOKEN}`, '-o', 'safe.html']);
  assert.equal(status, 0, stderr);
  assert.match(stderr, /^Redacted \d+ places: .*Tokens and keys of services/);
  const html = readFileSync(at('safe.html'), 'utf8');
  const [file] = traceIn(html);
  for (const text of [html, file.path, file.bytes.toString()]) assert.ok(!text.includes(TOKEN));
  assert.match(html, /<title>of \[redacted:/);
  assert.match(file.bytes.toString(), /The \[redacted:/);
  const markdown = traceloupe(['report', name, '--redact', '--markdown']);
  assert.match(markdown.stdout, /The \[redacted:/);
  assert.ok(!markdown.stdout.includes(TOKEN));
  for (const args of [['summary'], ['summary', '--json'], ['check'], ['check', '--json']]) {
    assert.ok(traceloupe([...args, name]).stdout.includes(TOKEN), 'it would be there');
    assert.doesNotMatch(traceloupe([...args, name, '--redact']).stdout, new RegExp(TOKEN));
  }

  writeFileSync(at('packed.jsonl.gz'), gzipSync(trace));
  assert.equal(traceloupe(['report', 'packed.jsonl.gz', '--redact', '-o', 'packed.html']).status, 0);
  const [unpacked] = traceIn(readFileSync(at('packed.html'), 'utf8'));
  assert.deepEqual([unpacked.path, unpacked.bytes], ['packed.jsonl', file.bytes]);
  const refused = (args, pattern) => {
    const { status, stderr } = traceloupe(['report', ...args, '--redact', '-o', 'not.html']);
    assert.equal(status, 2);
    assert.match(stderr, pattern);
    assert.ok(!existsSync(at('not.html')));
  };
  refused([path.join(ROOT, 'tests/databases/goose.db'), name], /goose\.db cannot be redacted: secrets can only be found in text/);
  writeFileSync(at('cut.gz'), gzipSync(trace).subarray(0, 500));
  refused(['cut.gz'], /cut\.gz cannot be unpacked/);
});

test('a check fails on what it looks for, and its JSON says what that is', () => {
  const loop = path.join(SAMPLES, 'trip-planner.jsonl');
  const found = traceloupe(['check', loop]);
  assert.equal(found.status, 1);
  assert.match(found.stdout, /^Run: [^]*\nFailed: critical: `search_trains`/);
  const passed = traceloupe(['check', loop, '--fail-on', 'outcome,problems', '--json']);
  assert.equal(passed.status, 0);
  assert.deepEqual(JSON.parse(passed.stdout).failed, []);
  const json = JSON.parse(traceloupe(['check', loop, '--json']).stdout);
  assert.deepEqual(json.failed.map(({ check, run }) => [check, run]), [['critical', 0]]);
  const { version, runs: [run] } = JSON.parse(traceloupe(['summary', loop, '--json']).stdout);
  assert.equal(version, 1);
  assert.deepEqual(
    [run.format, run.outcome, run.llm_calls, run.tool_calls, run.errors, run.errors_never_fixed, run.active_ms],
    ['AgentDbg', 'ok-with-loops', 18, 17, 1, 1, 46_381],
  );
});

test('folders, archives, the standard input and several files are one trace each', () => {
  const runs = (args, options) => JSON.parse(traceloupe(['summary', '--json', ...args], options).stdout).runs.map(({ id }) => id).sort();
  const name = (file) => path.join(SAMPLES, file);
  const one = runs([name('trip-planner.jsonl')]);
  assert.equal(one.length, 1);
  assert.deepEqual(runs(['-'], { input: readFileSync(name('trip-planner.jsonl')) }), one);
  mkdirSync(at('runs/deep'), { recursive: true });
  writeFileSync(at('runs/picture.png'), 'no trace');
  writeFileSync(at('runs/deep/a.jsonl.gz'), gzipSync(readFileSync(name('trip-planner.jsonl'))));
  assert.deepEqual(runs(['runs']), one);
  const all = runs([name('trip-planner.jsonl'), name('bug-fix.jsonl')]);
  assert.ok(all.length > 1);
  writeFileSync(at('runs/b.jsonl'), readFileSync(name('bug-fix.jsonl')));
  const report = traceloupe(['report', 'runs', '-o', '-']);
  assert.deepEqual(traceIn(report.stdout).map(({ path }) => path), ['runs/b.jsonl', 'runs/deep/a.jsonl.gz']);
  assert.deepEqual(runs(['runs']), all);
});

test('errors say what is wrong, with status 2', () => {
  writeFileSync(at('no.bin'), Buffer.from([0, 1, 2, 3]));
  mkdirSync(at('empty'), { recursive: true });
  const says = (args, pattern) => {
    const { status, stdout, stderr } = traceloupe(args);
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
    assert.match(stderr, pattern);
    assert.doesNotMatch(stderr, /\n\s+at /, 'no stack');
  };
  says([], /Usage:/);
  says(['repair', 'x'], /there is no command repair[^]*Usage:/);
  says(['summary'], /summary needs a file/);
  says(['summary', '--title', 'x', 'y'], /summary has no option --title/);
  says(['summary', 'missing.jsonl'], /missing\.jsonl cannot be read \(there is no such file\)/);
  says(['summary', 'empty'], /empty has no files that can be traces/);
  says(['summary', 'no.bin'], /no\.bin: .*docs\/formats\.md/s);
  says(['check', 'no.bin', '--fail-on', 'critical,all'], /--fail-on takes a list of critical, .*, not all/);
  writeFileSync(at('own.jsonl'), small());
  says(['report', 'own.jsonl', '-o', './own.jsonl'], /own\.jsonl is a file of the trace/);
  says(['report', path.join(SAMPLES, 'bug-fix.jsonl'), '-o', 'missing/r.html'], /missing\/r\.html cannot be written \(ENOENT\)/);
  assert.equal(traceloupe(['--help']).status, 0);
  assert.equal(traceloupe(['--version']).stdout.trim(), JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')).version);
});

/** The program with a limit of so many pages of memory above what it begins with. */
function limited(wasm, pages) {
  const MEMORY = 5;
  const read = (at) => {
    let [n, shift] = [0, 0];
    for (;; at += 1, shift += 7) {
      n |= (wasm[at] & 127) << shift;
      if (wasm[at] < 128) return [n, at + 1];
    }
  };
  const written = (n) => (n > 127 ? [(n & 127) | 128, ...written(n >>> 7)] : [n]);
  for (let at = 8; ;) {
    const [lenBytes, start] = read(at + 1);
    if (wasm[at] === MEMORY) {
      const [least] = read(start + 2);
      const section = [1, 1, ...written(least), ...written(least + pages)];
      return Buffer.concat([wasm.subarray(0, at), Buffer.from([MEMORY, section.length, ...section]), wasm.subarray(start + lenBytes)]);
    }
    at = start + lenBytes;
  }
}

test('a trace that needs more memory than there is says so', () => {
  cpSync(installed, at('small'), { recursive: true });
  const program = at('small/traceloupe_cli_bg.wasm');
  writeFileSync(program, limited(readFileSync(program), 16));
  for (const args of [['summary'], ['report', '--redact', '-o', 'large.html']]) {
    const { status, stderr } = spawnSync(process.execPath, [at('small/traceloupe.mjs'), ...args, path.join(SAMPLES, 'trip-planner.jsonl')], { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 2);
    assert.match(stderr, /traceloupe: the trace needs more memory than .*\n$/);
  }
  assert.ok(!existsSync(at('large.html')));
});

test('text of a trace cannot act on a terminal or begin a line', () => {
  const hostile = '::error::x\u001b[2J\u009b2J\u202e';
  const line = (record) => `${JSON.stringify({ sessionId: 's', version: '2.1.0', timestamp: '2026-01-05T10:00:00.000Z', ...record })}\n`;
  writeFileSync(at('hostile.jsonl'), line({ type: 'user', uuid: 'a', message: { role: 'user', content: hostile } }));
  for (const args of [['summary', 'hostile.jsonl'], ['summary', 'hostile.jsonl', '--json'], ['report', 'hostile.jsonl', '--markdown']]) {
    const { status, stdout } = traceloupe(args);
    assert.equal(status, 0);
    assert.match(stdout, /::error::x/);
    assert.doesNotMatch(stdout, /[\u001b\u009b\u202e]/);
  }
  assert.doesNotMatch(traceloupe(['summary', 'hostile.jsonl']).stdout, /^\s*::/m);
});

test('the command made no network request', () => {
  assert.ok(!existsSync(requests));
  spawnSync(process.execPath, ['--require', at('watch.cjs'), '-e', 'fetch("http://localhost/")']);
  assert.equal(readFileSync(requests, 'utf8'), 'fetch\n', 'requests would have been noted');
});
