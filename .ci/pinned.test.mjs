// No script takes another version of a package than the lock files say.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const read = (name) => readFileSync(path.join(ROOT, name), 'utf8');
const named = (folder, pattern) => readdirSync(path.join(ROOT, folder)).filter((name) => pattern.test(name)).map((name) => `${folder}/${name}`);
const SCRIPTS = ['Makefile', 'action.yml', '.ci/run', ...named('.ci', /\.sh$/), ...named('.github/workflows', /./)];

/** The commands of a shell script that match `pattern`, each to the end of its last line. */
function commands(script, pattern) {
  const lines = script.replace(/\\\n\s*/g, ' ').split('\n').filter((line) => !/^\s*#/.test(line));
  return lines.flatMap((line) => line.split(/&&|\|\||;|\|/)).filter((line) => pattern.test(line)).map((line) => line.trim());
}

const CARGO = /(^|[\s"@])cargo (bench|build|check|clippy|doc|fetch|install|metadata|run|rustc|test|tree|update)\b/;

test('commands are told apart, also where they go on in another line', () => {
  assert.deepEqual(commands('# cargo build\na && cargo build \\\n  --locked\ncargo fmt', CARGO), ['cargo build  --locked']);
});

test('each call of Cargo keeps to a lock file', () => {
  const found = SCRIPTS.flatMap((name) => commands(read(name), CARGO).map((command) => `${name}: ${command}`));
  assert.ok(found.length > 8, found.join('\n'));
  // What it prints for a person to run is no call.
  const free = found.filter((command) => !/ --(locked|frozen)\b/.test(command) && !/echo |fail "/.test(command));
  assert.deepEqual(free, []);
  for (const name of named('.ci', /\.mjs$/).filter((it) => !it.endsWith('.test.mjs'))) {
    const calls = read(name).match(/'cargo', (\[[^\]]*\]|\w+)/g) ?? [];
    for (const call of calls) assert.match(call.includes('[') ? call : read(name), /'--locked'/, name);
  }
  assert.match(read('Trunk.toml'), /^locked = true$/m);
});

test('npm installs what the lock file says, and runs no script of a package', () => {
  const found = SCRIPTS.flatMap((name) => commands(read(name), /(^|\s)(npm (ci|i|install|add|update)|npx)\b/).filter((it) => !/fail "/.test(it)));
  assert.equal(found.length, 1, found.join('\n'));
  assert.match(found[0], /^npm ci .*--ignore-scripts/);
});

test('each npm tool has a checksum, and any registry may send it', () => {
  const { packages: { '': own, ...packages } } = JSON.parse(read('.ci/npm-tools/package-lock.json'));
  const { dependencies, devDependencies } = JSON.parse(read('.ci/npm-tools/package.json'));
  assert.deepEqual([own.dependencies, own.devDependencies], [dependencies, devDependencies]);
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    assert.equal(packages[`node_modules/${name}`].version, version);
  }
  for (const [name, { integrity, resolved }] of Object.entries(packages)) {
    assert.match(integrity ?? '', /^sha512-/, name);
    assert.equal(resolved, undefined, name);
  }
});

test('each crate is from crates.io and has a checksum', () => {
  const packages = read('Cargo.lock').split('[[package]]\n').slice(1);
  const others = packages.filter((it) => it.includes('\nsource = '));
  assert.ok(others.length > 100 && others.length < packages.length);
  for (const it of others) assert.match(it, /\nsource = "registry\+https:\/\/github\.com\/rust-lang\/crates\.io-index"\nchecksum = "[0-9a-f]{64}"\n/);
});

test('the workflows build with one version of Rust, chosen by number', () => {
  const used = named('.github/workflows', /./).flatMap((name) => [...read(name).matchAll(/rustup toolchain install (\S+).* && rustup default (\S+)/g)]);
  assert.equal(used.length, 3);
  assert.equal(new Set(used.flatMap(([, installed, chosen]) => [installed, chosen])).size, 1);
  assert.ok(named('.github/workflows', /./).every((name) => !/rustup update/.test(read(name))));
});
