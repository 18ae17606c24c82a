// Puts the functions of a wasm file into an order that compresses better: functions with the same pieces of code next
// to each other. gzip finds repetitions only within 32 kB, and the linker puts equal-looking functions, such as the
// instances of a generic function, far apart. The code stays the same. `node .ci/order-functions.mjs FILE.wasm`;
// `wasm-opt` must be on the PATH.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FUNCTION_NAMES, functionsOf, nImportedFunctions } from './weigh.mjs';

/** How many preceding bytes gzip can still refer to while it compresses a function. */
const WINDOW_BYTES = 30_000;
/** Length of the pieces by which functions are compared. */
const PIECE_BYTES = 6;
/** How many bits of their hash distinguish pieces. */
const HASH_BITS = 22;
/** Pieces that occur in more functions are ignored: they are always in the window. */
const MOST_FUNCTIONS = 2_000;
/** Between 0, which prefers long functions, and 1, which prefers short ones. */
const LENGTH_WEIGHT = 0.7;

/** The hashes of the pieces of `body`, each once: `seen` has for each piece the last `visit` in which it occurred. */
function* piecesOf(body, visit, seen) {
  for (let at = 0; at + PIECE_BYTES <= body.length; at += 1) {
    let hash = 2166136261;
    for (let k = 0; k < PIECE_BYTES; k += 1) hash = Math.imul(hash ^ body[at + k], 16777619);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    hash = (hash ^ (hash >>> 13)) >>> (32 - HASH_BITS);
    if (seen[hash] !== visit) {
      seen[hash] = visit;
      yield hash;
    }
  }
}

/** For each piece the functions that contain it, as one array and the start of each piece's part. */
function functionsByPiece(bodies) {
  const starts = new Uint32Array(2 ** HASH_BITS + 1);
  const eachPiece = (use) => {
    const seen = new Uint32Array(2 ** HASH_BITS);
    bodies.forEach((body, number) => {
      for (const piece of piecesOf(body, number + 1, seen)) use(piece, number);
    });
  };
  eachPiece((piece) => { starts[piece + 1] += 1; });
  for (let piece = 0; piece < 2 ** HASH_BITS; piece += 1) starts[piece + 1] += starts[piece];
  const functions = new Uint32Array(starts[2 ** HASH_BITS]);
  const next = starts.slice();
  eachPiece((piece, number) => { functions[next[piece]++] = number; });
  return { starts, functions };
}

/**
 * The numbers of `bodies` in the order in which they compress best: each is followed by the one that shares most pieces
 * with those before it in the window, relative to its length.
 */
export function similarOrder(bodies) {
  const { starts, functions } = functionsByPiece(bodies);
  const inWindow = new Uint16Array(2 ** HASH_BITS);
  const common = new Float64Array(bodies.length);
  const weights = bodies.map((body) => (body.length + 8) ** LENGTH_WEIGHT);
  const longestFirst = bodies.map((_, number) => number).sort((a, b) => bodies[b].length - bodies[a].length);
  const seen = new Uint32Array(2 ** HASH_BITS);
  let visit = 0;

  const count = (piece, by) => {
    const [from, to] = [starts[piece], starts[piece + 1]];
    if (to - from > MOST_FUNCTIONS) return;
    for (let k = from; k < to; k += 1) common[functions[k]] += by;
  };
  const enter = (body) => {
    visit += 1;
    for (const piece of piecesOf(body, visit, seen)) if (inWindow[piece]++ === 0) count(piece, 1);
  };
  const leave = (body) => {
    visit += 1;
    for (const piece of piecesOf(body, visit, seen)) if (--inWindow[piece] === 0) count(piece, -1);
  };

  const order = [];
  const placed = new Uint8Array(bodies.length);
  let [first, windowBytes] = [0, 0];
  while (order.length < bodies.length) {
    let [best, most] = [-1, 0];
    for (let number = 0; number < bodies.length; number += 1) {
      const score = placed[number] ? 0 : common[number] / weights[number];
      if (score > most) [best, most] = [number, score];
    }
    if (best < 0) best = longestFirst.find((number) => !placed[number]);
    placed[best] = 1;
    order.push(best);
    windowBytes += bodies[best].length;
    enter(bodies[best]);
    for (; windowBytes > WINDOW_BYTES && first < order.length - 1; first += 1) {
      windowBytes -= bodies[order[first]].length;
      leave(bodies[order[first]]);
    }
  }
  return order;
}

const number = (value) => { // LEB128
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return Buffer.from([...bytes, value]);
};
const text = (value) => Buffer.concat([number(value.length), Buffer.from(value)]);
const part = (id, content) => Buffer.concat([Buffer.from([id]), number(content.length), content]);

/** A section that names each function by its place in `order`, so that sorting by name gives that order. */
export function namesFor(order, nImported) {
  const entries = order.map((defined, place) => [nImported + defined, `f${String(place).padStart(6, '0')}`]);
  entries.sort((a, b) => a[0] - b[0]);
  const names = Buffer.concat([
    number(entries.length), ...entries.flatMap(([index, name]) => [number(index), text(name)]),
  ]);
  return part(0, Buffer.concat([text('name'), part(FUNCTION_NAMES, names)]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = process.argv[2];
  const wasm = readFileSync(file);
  const order = similarOrder(functionsOf(wasm).map((it) => it.body));
  // Outside the published folder.
  mkdirSync('target', { recursive: true });
  const named = join('target', `${basename(file)}.named`);
  const ordered = join('target', `${basename(file)}.ordered`);
  writeFileSync(named, Buffer.concat([wasm, namesFor(order, nImportedFunctions(wasm))]));
  execFileSync('wasm-opt', [
    '--enable-simd', '--enable-bulk-memory', '--enable-bulk-memory-opt', '--enable-sign-ext',
    '--enable-nontrapping-float-to-int', '--enable-mutable-globals', '--enable-reference-types', '--enable-multivalue',
    '--reorder-functions-by-name', named, '-o', ordered,
  ], { stdio: 'inherit' });
  copyFileSync(ordered, file);
}
