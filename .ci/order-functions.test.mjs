import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesFor, similarOrder } from './order-functions.mjs';
import { functionsOf } from './weigh.mjs';

/** `length` bytes that resemble no others: a different sequence for each `seed`. */
function noise(seed, length) {
  let state = seed;
  return Buffer.from(Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  }));
}

test('functions with common code stand side by side, each once', () => {
  const [a, b] = [noise(1, 400), noise(2, 400)];
  // Two kinds in alternation, each with a part of its own.
  const bodies = Array.from({ length: 40 }, (_, n) => Buffer.concat([n % 2 ? a : b, noise(n + 10, 60)]));
  const order = similarOrder(bodies);
  assert.deepEqual([...order].sort((x, y) => x - y), bodies.map((_, n) => n));
  const changes = order.slice(1).filter((n, k) => n % 2 !== order[k] % 2).length;
  assert.equal(changes, 1, order.join(' '));
});

test('functions without anything in common are all kept', () => {
  const order = similarOrder([noise(1, 50), Buffer.alloc(2), noise(2, 80), noise(3, 60)]);
  assert.deepEqual([...order].sort(), [0, 1, 2, 3]);
  assert.equal(order[0], 2, 'the longest comes first');
});

test('names say the order, behind the numbers of imports', () => {
  // One imported function, and three that return 7, 8 and 9.
  const type = [1, 5, 1, 0x60, 0, 1, 0x7f];
  const imported = [2, 7, 1, 1, 0x61, 1, 0x62, 0, 0];
  const functions = [3, 4, 3, 0, 0, 0];
  const code = [10, 16, 3, ...[7, 8, 9].flatMap((value) => [4, 0, 0x41, value, 0x0b])];
  const wasm = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...type, ...imported, ...functions, ...code]);
  const named = functionsOf(Buffer.concat([wasm, namesFor([2, 0, 1], 1)]));
  assert.deepEqual(named.map((it) => [it.body[2], it.name]), [[7, 'f000001'], [8, 'f000002'], [9, 'f000000']]);
});
