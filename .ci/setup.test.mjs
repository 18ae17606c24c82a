// Runs the set-up on a machine made of stubs: a PATH with the ordinary commands and the stubs of the test, and an empty
// folder for the tools.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const CI = path.dirname(fileURLToPath(import.meta.url));
const ORDINARY = ['awk', 'bash', 'cat', 'cp', 'cut', 'dirname', 'env', 'flock', 'grep', 'id', 'mkdir', 'mv', 'nproc',
  'printf', 'rm', 'sed', 'sh', 'sleep', 'tail', 'touch', 'tr'];

/** The variables of .ci/env.sh that end in `_version`. */
const VERSIONS = Object.fromEntries(
  execFileSync('bash', ['-c', '. "$0/env.sh"; set | grep "^[a-z_]*_version="', CI], { encoding: 'utf8' })
    .trim().split('\n').map((line) => line.split('=')),
);

/** The stub of `cargo install`: it leaves a command that prints its version in the given folder. */
const CARGO_INSTALL = `
command=\${crate%-cli}
mkdir -p "$root/bin"
for name in $command $command-test-runner; do
  printf '#!/bin/sh\\necho "%s %s"\\n' "$name" "$version" >"$root/bin/$name"
  chmod +x "$root/bin/$name"
done`;

/** A machine with cargo, node, npm, the wasm target and the npm packages, but without Trunk and wasm-bindgen. */
function machine(t) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'traceloupe-setup-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const bin = path.join(folder, 'bin');
  const cache = path.join(folder, 'cache');
  mkdirSync(bin);
  for (const name of [...ORDINARY, 'chmod']) {
    const [found] = process.env.PATH.split(':').map((it) => path.join(it, name)).filter(existsSync);
    if (found !== undefined) symlinkSync(found, path.join(bin, name));
  }
  symlinkSync(process.execPath, path.join(bin, 'node'));

  const stub = (name, script) => {
    const file = path.join(bin, name);
    writeFileSync(file, `#!/usr/bin/env bash\n${script}\n`);
    chmodSync(file, 0o755);
  };
  /** `install` is run after the arguments have been read into crate, version and root. */
  const cargo = (install = CARGO_INSTALL) => stub('cargo', `
[ "$1" = --version ] && { echo 'cargo 1.95.0 (f2d3ce0bd 2026-03-21)'; exit; }
echo "cargo $*" >>'${folder}/calls'
[ "$1" = install ] || { command=$1; shift; exec "cargo-$command" "$command" "$@"; }
crate=$2
while [ $# -gt 0 ]; do
  case $1 in --version) version=\${2#=} ;; --root) root=$2 ;; esac
  shift
done
${install}`);
  /** A `version` of null stands for the requested version; `status` is the exit status. */
  const binstall = ({ version = null, status = 0 } = {}) => stub('cargo-binstall', `
for crate; do :; done
while [ $# -gt 0 ]; do
  case $1 in --version) version=\${2#=} ;; --install-path) root=\${2%/bin} ;; esac
  shift
done
[ ${status} = 0 ] || exit ${status}
${version === null ? '' : `version=${version}`}
${CARGO_INSTALL}`);
  const command = (name, version) => stub(name, `echo "${name} ${version}"`);

  cargo();
  stub('npm', 'exit 1');
  stub('rustc', `echo '${folder}'`);
  writeFileSync(path.join(folder, 'libstd-1.rlib'), '');
  for (const name of ['binaryen', 'esbuild']) {
    const home = path.join(cache, 'npm/node_modules', name);
    mkdirSync(home, { recursive: true });
    const version = VERSIONS[`${name}_version`];
    writeFileSync(path.join(home, 'package.json'), JSON.stringify({ name, version }, null, 2));
  }

  const begin = () => {
    const child = spawn(path.join(bin, 'bash'), [path.join(CI, 'setup.sh'), 'build'], {
      env: { PATH: bin, HOME: folder, TRACELOUPE_CACHE: cache, TRACELOUPE_PROGRESS_S: '1' },
    });
    const said = { out: '', err: '' };
    child.stdout.on('data', (data) => { said.out += data; });
    child.stderr.on('data', (data) => { said.err += data; });
    const ended = new Promise((done) => { child.on('close', (status) => done({ status, ...said })); });
    return { child, said, ended };
  };
  return {
    folder, bin, cache, stub, cargo, binstall, command, begin,
    run: () => begin().ended,
    calls: () => existsSync(`${folder}/calls`) ? readFileSync(`${folder}/calls`, 'utf8').trim().split('\n') : [],
    installed: (name) => existsSync(path.join(cache, name)),
  };
}

const TRUNK = `trunk-${VERSIONS.trunk_version}/bin/trunk`;
const BINDGEN = `wasm-bindgen-${VERSIONS.wasm_bindgen_version}/bin/wasm-bindgen`;

test('commands of the right version on the PATH are used, and nothing is said', async (t) => {
  const it = machine(t);
  it.command('trunk', VERSIONS.trunk_version);
  it.command('wasm-bindgen', VERSIONS.wasm_bindgen_version);
  assert.deepEqual(await it.run(), { status: 0, out: '', err: '' });
  assert.deepEqual(it.calls(), []);
});

test('a command of another version on the PATH is not used', async (t) => {
  const it = machine(t);
  it.command('trunk', '0.21.1');
  it.command('wasm-bindgen', `${VERSIONS.wasm_bindgen_version}1`);
  const { status, out, err } = await it.run();
  assert.equal(status, 0, out + err);
  assert.ok(it.installed(TRUNK) && it.installed(BINDGEN));
  assert.ok(it.calls().every((call) => call.startsWith('cargo install')), it.calls().join('\n'));
  // The second run finds both.
  assert.deepEqual(await it.run(), { status: 0, out: '', err: '' });
});

test('only what is missing is installed, at its exact version', async (t) => {
  const it = machine(t);
  it.command('trunk', VERSIONS.trunk_version);
  const { status, out } = await it.run();
  assert.equal(status, 0, out);
  assert.equal(it.calls().length, 1);
  assert.match(it.calls()[0], new RegExp(`^cargo install wasm-bindgen-cli --version =${VERSIONS.wasm_bindgen_version} `));
  assert.doesNotMatch(out, /Trunk/);
});

test('the plan names what is missing and how long it takes, before anything is installed', async (t) => {
  const it = machine(t);
  it.cargo(`echo 'no network'; exit 1`);
  const { out } = await it.run();
  const [first, ...rest] = out.split('\n');
  assert.equal(first, '== Missing on this machine:');
  assert.match(rest[0], new RegExp(`Trunk ${VERSIONS.trunk_version} +compiled from crates.io +about \\d+ (min|s)$`));
  assert.match(rest[1], new RegExp(`wasm-bindgen ${VERSIONS.wasm_bindgen_version} +compiled .* about \\d+ (min|s)$`));
  assert.match(rest[2], /^== Together about \d+ (min|s) if the \d+ cores are free/);
});

test('cargo binstall is preferred', async (t) => {
  const it = machine(t);
  it.binstall();
  const { status, out, err } = await it.run();
  assert.equal(status, 0, out + err);
  assert.match(out, /downloaded by cargo binstall +about 20 s/);
  assert.ok(it.installed(TRUNK) && it.installed(BINDGEN));
  assert.deepEqual(it.calls().filter((call) => !call.startsWith('cargo binstall ')), []);
  assert.ok(it.calls().every((call) => call.includes('--strategies crate-meta-data ')));
});

for (const [what, fault] of [['fails', { status: 1 }], ['brings another version', { version: '0.0.1' }]]) {
  test(`where cargo binstall ${what}, the crate is compiled`, async (t) => {
    const it = machine(t);
    it.binstall(fault);
    const { status, out, err } = await it.run();
    assert.equal(status, 0, out + err);
    assert.equal(it.calls().filter((call) => call.startsWith('cargo install ')).length, 2);
    assert.deepEqual(await it.run(), { status: 0, out: '', err: '' });
  });
}

test('while a crate is compiled, lines say how far it is', async (t) => {
  const it = machine(t);
  it.command('wasm-bindgen', VERSIONS.wasm_bindgen_version);
  it.cargo(`
printf '       Fetch [==>     ] 7 complete; 2 pending   \\r' >&2
sleep 1.5
printf '   Compiling syn v2.0.1\\n    Building [==>     ] 3/9: syn, serde(build)   \\r' >&2
sleep 1.5
printf '   Compiling serde v1.0.0\\n    Finished in 3 s\\n' >&2
sleep 1.5
${CARGO_INSTALL}`);
  const { status, out } = await it.run();
  assert.equal(status, 0, out);
  assert.match(out, /^ +[3-6] s +Trunk: Finished in 3 s$/m);
  assert.match(out, /^ +[12] s +Trunk: Fetch: 7 complete; 2 pending$/m);
  assert.match(out, /^ +[1-4] s +Trunk: 3 of 9 crates compiled, now syn, serde\(build\)$/m);
  assert.match(out, /^ +[3-8] s +Trunk: done$/m);
  assert.match(out, /^== Set-up done in /m);
});

test('a line comes at least every 20 s unless a test asks for more', () => {
  const every = execFileSync('bash', ['-c', 'unset TRACELOUPE_PROGRESS_S; . "$0/progress.sh"; echo $progress_every_s', CI]);
  assert.ok(Number(every) > 0 && Number(every) <= 20, String(every));
});

test('what fails is shown with the end of its log, and the other crate is installed all the same', async (t) => {
  const it = machine(t);
  it.cargo(`
[ "$crate" = trunk ] && { printf '    Building [=> ] 1/9: syn   \\rerror: linker cc not found\\n' >&2; exit 101; }
${CARGO_INSTALL}`);
  const { status, out, err } = await it.run();
  assert.equal(status, 1);
  assert.match(out, /Trunk: failed/);
  assert.match(err, /^error: linker cc not found$/m);
  assert.doesNotMatch(err, /Building \[/);
  assert.match(err, /the whole log: .*trunk\.log/);
  assert.match(err, /^error: the set-up is not complete: see above; .* run it again/m);
  assert.ok(!it.installed(TRUNK) && it.installed(BINDGEN));
});

for (const [name, sentence] of [
  ['cargo', /^error: cargo is missing: install Rust .* with rustup/m],
  ['node', /^error: node is missing: install Node 20 or newer/m],
  ['npm', /^error: npm is missing: it comes with Node/m],
]) {
  test(`without ${name}, one sentence says what to do`, async (t) => {
    const it = machine(t);
    rmSync(path.join(it.bin, name));
    const { status, err } = await it.run();
    assert.equal(status, 1);
    assert.match(err, sentence);
  });
}

test('a Rust that is too old is refused before anything is compiled', async (t) => {
  const it = machine(t);
  it.stub('cargo', `echo 'cargo 1.94.1 (abcdef012 2026-01-01)'`);
  const { status, out, err } = await it.run();
  assert.equal(status, 1);
  assert.equal(out, '');
  assert.match(err, /^error: cargo 1\.94\.1 .* is too old: install Rust 1\.95 or newer \(rustup update\)$/m);
});

/** Whether a process is running. */
function lives(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(condition, what) {
  for (const end = Date.now() + 20_000; Date.now() < end; await delay(50)) if (condition()) return;
  assert.fail(`never: ${what}`);
}

test('Ctrl+C ends the compilers too, and the next run installs', async (t) => {
  const it = machine(t);
  it.command('wasm-bindgen', VERSIONS.wasm_bindgen_version);
  const pidFile = path.join(it.folder, 'pid');
  it.cargo(`echo $$ >'${pidFile}.part'; mv '${pidFile}.part' '${pidFile}'; sleep 60 & wait`);
  const { child, ended } = it.begin();
  await until(() => existsSync(pidFile), 'the compiler starts');
  const pid = Number(readFileSync(pidFile, 'utf8'));
  child.kill('SIGINT');
  assert.equal((await ended).status, 130);
  await until(() => !lives(pid), 'the compiler ends');
  it.cargo();
  const { status, out } = await it.run();
  assert.equal(status, 0, out);
  assert.ok(it.installed(TRUNK));
});

const flock = process.env.PATH.split(':').some((it) => existsSync(path.join(it, 'flock')));
test('a second set-up says that it waits, and installs nothing twice', { skip: !flock && 'no flock here' }, async (t) => {
  const it = machine(t);
  const go = path.join(it.folder, 'go');
  it.cargo(`until [ -e '${go}' ]; do sleep 0.1; done\n${CARGO_INSTALL}`);
  const first = it.begin();
  await until(() => it.calls().length === 2, 'the first compiles');
  const second = it.begin();
  await until(() => second.said.out.includes('Still waiting'), 'the second says that it waits');
  writeFileSync(go, '');
  assert.equal((await first.ended).status, 0);
  const { status, out } = await second.ended;
  assert.equal(status, 0);
  assert.match(out, /^== Another set-up is running: waiting until it is done\n/);
  assert.equal(it.calls().length, 2);
});
