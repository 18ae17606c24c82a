// The splitter over small modules: what is taken apart still does what the whole did.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FEATURES, binaryen } from './binaryen.mjs';
import { split } from './split.mjs';

/** The words of a module as a wasm with names. */
function assembled(text) {
  const module = binaryen.parseText(text);
  module.setFeatures(FEATURES);
  binaryen.setDebugInfo(true);
  const bytes = module.emitBinary();
  module.dispose();
  return bytes;
}

const LOADS = '(import "js" "load" (func $load))';
const LOADER = '(export "load_later" (func $load))';

/** Splits, by names that begin with `later`; starts core, and later when it is asked for. */
function start(body, js = {}) {
  const bytes = assembled(`(module ${LOADS} ${body} ${LOADER})`);
  const made = split(bytes, (name) => name.startsWith('later'));
  const log = [];
  const load = () => {
    log.push('load');
    new WebAssembly.Instance(new WebAssembly.Module(made.later), { core: core.exports });
  };
  const log32 = (value) => log.push(value);
  const imports = { js: { load, log: log32, ...js } };
  const core = new WebAssembly.Instance(new WebAssembly.Module(made.core), imports);
  return { ...made, log, run: core.exports.run, exports: core.exports };
}

const imports = (bytes) => WebAssembly.Module.imports(new WebAssembly.Module(bytes));

/** A body that no optimiser makes away with, and none finds worth inlining. */
const bulk = (seed) => Array.from({ length: 40 }, (_, at) =>
  `(local.set $x (i32.xor (i32.mul (local.get $x) (i32.const ${seed * 977 + at * 31}))
     (i32.rotl (local.get $x) (i32.const ${(seed + at) % 31}))))`).join('\n');

test('a moved function is called through a trampoline, and later is loaded once', () => {
  const { run, log, later, doors, moved } = start(`
    (func $later_twice (param i32) (result i32) (i32.mul (local.get 0) (i32.const 2)))
    (func (export "run") (param i32) (result i32) (call $later_twice (local.get 0)))`);
  assert.deepEqual([doors, moved], [1, 1]);
  assert.deepEqual(log, []);
  assert.equal(run(21), 42);
  assert.equal(run(4), 8);
  assert.deepEqual(log, ['load']);
  assert.deepEqual(WebAssembly.Module.exports(new WebAssembly.Module(later)), []);
});

test('what core does without moved functions loads nothing', () => {
  const { run, log } = start(`
    (func $later_one (result i32) (i32.const 1))
    (func (export "run") (param i32) (result i32)
      (if (result i32) (local.get 0) (then (call $later_one)) (else (i32.const 7))))`);
  assert.equal(run(0), 7);
  assert.deepEqual(log, []);
  assert.equal(run(1), 1);
  assert.deepEqual(log, ['load']);
});

test('what only moved functions reach moves too, what both reach stays, what nobody reaches goes', () => {
  const text = (own, shared, dead) => `
    (func $own (param $x i32) (result i32) ${own} (local.get $x))
    (func $shared (param $x i32) (result i32) ${shared} (local.get $x))
    (func $later_dead (param $x i32) (result i32) ${dead} (local.get $x))
    (func $later_a (param i32) (result i32) (i32.add (call $own (local.get 0)) (call $shared (local.get 0))))
    (func (export "run") (param i32) (result i32)
      (i32.sub (call $later_a (local.get 0)) (call $shared (local.get 0))))`;
  const bare = start(text('', '', ''));
  const withOwn = start(text(bulk(1), '', ''));
  const withShared = start(text('', bulk(2), ''));
  const withDead = start(text('', '', bulk(3)));
  assert.equal(withOwn.core.length, bare.core.length);
  assert.ok(withOwn.later.length > bare.later.length + 200);
  assert.ok(withShared.core.length > bare.core.length + 200);
  assert.ok(withShared.later.length < bare.later.length + 50);
  assert.equal(withDead.core.length, bare.core.length);
  assert.equal(withDead.later.length, bare.later.length);
  assert.equal(bare.moved, 2);
  // Against the same words by JavaScript.
  const scrambled = (value, seed) => {
    let x = value;
    for (let at = 0; at < 40; at += 1) {
      const by = (seed + at) % 31;
      x = Math.imul(x, seed * 977 + at * 31) ^ ((x << by) | (by === 0 ? 0 : x >>> (32 - by)));
    }
    return x;
  };
  assert.equal(withOwn.run(5), scrambled(5, 1));
  assert.equal(withShared.run(5), 5);
});

test('moved functions in tables are reached by their old numbers, from both sides', () => {
  const { run, log } = start(`
    (type $f (func (param i32) (result i32)))
    (table 3 3 funcref)
    (elem (i32.const 1) $later_half $stays)
    (func $later_half (param i32) (result i32) (i32.div_s (local.get 0) (i32.const 2)))
    (func $stays (param i32) (result i32) (i32.add (local.get 0) (i32.const 100)))
    (func $later_other (param i32) (result i32)
      (call_indirect (type $f) (call_indirect (type $f) (local.get 0) (i32.const 1)) (i32.const 2)))
    (func (export "run") (param i32 i32) (result i32)
      (if (result i32) (local.get 0)
        (then (call $later_other (local.get 1)))
        (else (call_indirect (type $f) (local.get 1) (i32.const 1)))))`);
  assert.equal(run(0, 12), 6);
  assert.equal(run(1, 12), 106);
  assert.deepEqual(log, ['load']);
});

test('moved functions call each other directly, and recursion goes across both', () => {
  const { run, later, core } = start(`
    (import "js" "log" (func $log (param i32)))
    (func $later_even (param i32) (result i32)
      (if (result i32) (local.get 0)
        (then (call $odd (i32.sub (local.get 0) (i32.const 1)))) (else (i32.const 1))))
    (func $odd (param i32) (result i32)
      (if (result i32) (local.get 0)
        (then (call $later_even (i32.sub (local.get 0) (i32.const 1)))) (else (i32.const 0))))
    (func $later_inner (param i32 i64 f64) (result i32)
      (if (result i32) (local.get 0)
        (then (call $later_inner (i32.sub (local.get 0) (i32.const 1)) (local.get 1) (local.get 2)))
        (else (i32.add (i32.wrap_i64 (local.get 1)) (i32.trunc_f64_s (local.get 2))))))
    (func $later_outer (param i32) (result i32)
      (call $later_inner (local.get 0) (i64.const 5) (f64.const 2.5)))
    (func $later_nothing (param i32) (call $log (local.get 0)))
    (func (export "run") (param i32 i32) (result i32)
      (call $later_nothing (local.get 1))
      (if (result i32) (local.get 0)
        (then (call $later_even (local.get 1))) (else (call $later_outer (local.get 1)))))
    (export "odd" (func $odd))`);
  for (const n of [0, 1, 10, 501]) assert.equal(run(1, n), n % 2 === 0 ? 1 : 0);
  assert.equal(run(0, 9), 7);
  // Only what core has is imported: of the functions `odd` and the one of JavaScript.
  const functions = imports(later).filter(({ kind }) => kind === 'function');
  assert.equal(functions.length, 2);
  assert.ok(functions.every(({ module, name }) => module === 'core' && name.length <= 4));
  assert.ok(imports(core).every(({ module }) => module === 'js'));
});

test('memory, its data and globals are shared, and memory grows for both', () => {
  const { run, exports } = start(`
    (memory (export "memory") 1 4)
    (data (i32.const 8) "\\2a")
    (global $stack (mut i32) (i32.const 1000))
    (func $later_peek (param i32) (result i32)
      (drop (memory.grow (i32.const 1)))
      (i32.store (i32.const 65600) (i32.load8_u (local.get 0)))
      (global.set $stack (i32.sub (global.get $stack) (i32.const 16)))
      (i32.load (i32.const 65600)))
    (func (export "run") (param i32) (result i32) (call $later_peek (local.get 0)))
    (func (export "stack") (result i32) (global.get $stack))`);
  assert.equal(run(8), 42);
  assert.equal(exports.stack(), 984);
  new Uint8Array(exports.memory.buffer)[9] = 7;
  assert.equal(run(9), 7);
  assert.equal(exports.memory.buffer.byteLength, 3 * 65536);
});

test('an export that has moved is still there', () => {
  const { exports, log } = start(`
    (func $later_run (export "run") (result i32) (i32.const 3))`);
  assert.equal(exports.run(), 3);
  assert.deepEqual(log, ['load']);
});

test('names with any signs are followed', () => {
  const odd = '<a::b<dyn x, \\"\\c3\\a9\\\\\\">>::{closure#0}';
  const { run } = start(`
    (func $"later ${odd}" (param i32) (result i32) (call $"${odd}" (local.get 0)))
    (func $"${odd}" (param $x i32) (result i32) ${bulk(1)} (local.get $x))
    (func (export "run") (param i32) (result i32) (call $"later ${odd}" (local.get 0)))`);
  assert.equal(typeof run(1), 'number');
});

test('a loader that fails leaves things as they were: the next call asks again', () => {
  let fails = true;
  const bytes = assembled(`(module ${LOADS} ${LOADER}
    (func $later_one (result i32) (i32.const 1))
    (func (export "run") (result i32) (call $later_one)))`);
  const made = split(bytes, (name) => name.startsWith('later'));
  const load = () => {
    if (fails) throw new Error('not yet');
    new WebAssembly.Instance(new WebAssembly.Module(made.later), { core: core.exports });
  };
  const core = new WebAssembly.Instance(new WebAssembly.Module(made.core), { js: { load } });
  assert.throws(() => core.exports.run(), /not yet/);
  fails = false;
  assert.equal(core.exports.run(), 1);
});

test('the same wasm gives the same two, with names only where they are wanted', () => {
  const bytes = assembled(`(module ${LOADS} ${LOADER}
    (func $later_one (param $x i32) (result i32) ${bulk(4)} (local.get $x))
    (func (export "run") (param i32) (result i32) (call $later_one (local.get 0))))`);
  const isLater = (name) => name.startsWith('later');
  const [once, again, named] = [{}, {}, { keepNames: true }].map((how) => split(bytes, isLater, how));
  assert.deepEqual(once, again);
  const holds = (made, name) => Buffer.from(made).includes(name);
  assert.equal(holds(once.core, 'later_one') || holds(once.later, 'later_one'), false);
  assert.equal(holds(named.later, 'later_one'), true);
  assert.ok(named.later.length > once.later.length);
});

test('a wasm without the loader is refused', () => {
  assert.throws(() => split(assembled('(module (func (export "run")))'), () => false), /load_later/);
});
