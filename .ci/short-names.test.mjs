import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renamed, shortened } from './short-names.mjs';

const text = (name) => [name.length, ...Buffer.from(name)];
const section = (id, content) => [id, content.length, ...content];
/** A program that imports a function and a memory, and exports a function that calls the former with 20. */
function program() {
  const types = section(1, [2, 0x60, 1, 0x7f, 1, 0x7f, 0x60, 0, 1, 0x7f]);
  const imported = [...text('wbg'), ...text('__wbg_double_0123456789abcdef'), 0, 0];
  const memory = [...text('wbg'), ...text('memory'), 2, 1, 1, 2];
  const imports = section(2, [2, ...imported, ...memory]);
  const functions = section(3, [1, 1]);
  const exports = section(7, [2, ...text('__wbindgen_answer'), 0, 1, ...text('memory'), 2, 0]);
  const code = section(10, [1, 6, 0, 0x41, 20, 0x10, 0, 0x0b]);
  return Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...types, ...imports, ...functions, ...exports, ...code]);
}

const GLUE = `(memory, Program) => {
  const imports = { wbg: { memory, __wbg_double_0123456789abcdef: (it) => it * 2 } };
  const wasm = new WebAssembly.Instance(Program, imports).exports;
  return wasm.__wbindgen_answer() + wasm.memory.buffer.byteLength;
}`;

test('a program and its glue still understand each other, by short names', () => {
  const made = shortened(program(), GLUE);
  assert.ok(made.wasm.length < program().length - 35);
  assert.doesNotMatch(made.glue, /__wb/);
  const module = new WebAssembly.Module(made.wasm);
  assert.deepEqual(WebAssembly.Module.imports(module).map(({ name }) => name), ['w0', 'memory']);
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 2 });
  // The glue is a literal of this test.
  assert.equal(new Function(`return ${made.glue}`)()(memory, module), 40 + 65536);
});

test('what is not renamed stays byte for byte', () => {
  assert.deepEqual(renamed(program(), (name) => name), program());
});

test('a name that the glue has already is refused', () => {
  assert.throws(() => shortened(program(), `${GLUE}; const w0 = 1;`), /has the name w0 already/);
});

test('a hash of the folder of the builder is left out', () => {
  const built = (hash) => shortened(renamed(program(), (name) => (name === 'memory' ? `_WASM_SPLIT_MARKER_${hash}version` : name)), GLUE).wasm;
  assert.deepEqual(built('0123456789abcdef'), built('fedcba9876543210'));
  assert.ok(built('0123456789abcdef').includes('_WASM_SPLIT_MARKER_version'));
});
