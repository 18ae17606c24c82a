// The messages of `make serve` about its port, and where it prints the address.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SCRIPT = path.join(path.dirname(fileURLToPath(import.meta.url)), 'serve.mjs');

function folder(t) {
  const made = mkdtempSync(path.join(os.tmpdir(), 'traceloupe-serve-'));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function start(port, ...args) {
  const child = spawn(process.execPath, [SCRIPT, ...args], { env: { ...process.env, PORT: port } });
  const said = { out: '', err: '' };
  child.stdout.on('data', (data) => { said.out += data; });
  child.stderr.on('data', (data) => { said.err += data; });
  const ended = new Promise((done) => { child.on('close', (status) => done({ status, ...said })); });
  return { child, said, ended };
}

/** A port that is in use until the test ends. */
async function takenPort(t) {
  const server = net.createServer();
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => server.close());
  return String(server.address().port);
}

test('a port in use is reported before the build, with what to do', async (t) => {
  const port = await takenPort(t);
  const { status, out, err } = await start(port, '--check-port').ended;
  assert.equal(status, 1);
  assert.equal(out, '');
  assert.match(err, new RegExp(`^error: port ${port} is in use .* make serve PORT=8081\\n$`));
});

test('a free port passes the check, and is free afterwards', async () => {
  for (let round = 0; round < 2; round += 1) {
    assert.deepEqual(await start('0', '--check-port').ended, { status: 0, out: '', err: '' });
  }
});

for (const port of ['http', '70000', '-1', '80 80']) {
  test(`PORT=${port} is refused in one sentence`, async () => {
    const { status, err } = await start(port, '--check-port').ended;
    assert.equal(status, 1);
    assert.match(err, /^error: PORT=.* is not a port: use a number from 1 to 65535, .*\n$/);
  });
}

test('a folder without a page is reported with what to do', async (t) => {
  const { status, err } = await start('0', folder(t)).ended;
  assert.equal(status, 1);
  assert.match(err, /^error: there is no index\.html in .*: build the page first with make build\n$/);
});

test('the address is the last line, and leads to the page', async (t) => {
  const home = folder(t);
  writeFileSync(path.join(home, 'index.html'), '<p>the page</p>');
  const { child, said, ended } = start('0', home);
  t.after(() => child.kill());
  await new Promise((spoke) => child.stdout.once('data', spoke));
  const [, address] = /Traceloupe is at (http:\S+) \(Ctrl\+C stops the server\)\n$/.exec(said.out) ?? [];
  assert.ok(address, said.out);
  assert.equal(await (await fetch(address)).text(), '<p>the page</p>');
  child.kill();
  await ended;
});
