// The files that are measured: which, how large, and making them.
//
// They are made once and kept in the cache folder; another VERSION makes them anew. `manifest.json`
// beside them holds the size and the number of events of each.
import {
  closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync,
  readdirSync, rmSync, statfsSync, writeFileSync, writeSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { GIANTS, traceWith } from './giants.mjs';
import { SHAPES } from './shapes.mjs';

/** Counts the versions of the generator: any change of the bytes needs another one. */
const VERSION = 1;

/** A seed for each name (FNV-1a), so that new sets leave the others as they are. */
const seedOf = (name) => [...name].reduce(
  (hash, char) => Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0, 0x811c9dc5);

/** Where everything of the measurements is kept. */
export const FOLDER = path.join(
  process.env.TRACELOUPE_CACHE || path.join(os.homedir(), '.cache/traceloupe'), 'bench');
const DATA = path.join(FOLDER, `data-${VERSION}`);

const MB = 1e6;

/** All sets. `kind` is what is measured of it, `bytes` about how large it becomes. */
export const SETS = [
  ...['agentdbg', 'escapes', 'claude', 'records'].flatMap((shape) => [10, 100, 1000]
    // One gigabyte of plain records would tell nothing new.
    .filter((size) => shape !== 'records' || size < 1000)
    .map((size) => ({ name: `${shape}-${size}`, kind: 'jsonl', shape, bytes: size * MB }))),
  { name: 'million', kind: 'jsonl', shape: 'small', bytes: 390 * MB, events: 1_000_000 },
  { name: 'document-300', kind: 'document', shape: 'agentdbg', bytes: 300 * MB },
  ...GIANTS.map((giant) => ({
    name: `huge-${giant}`, kind: 'huge', giant, bytes: { string: 100, image: 50 }[giant] * MB || 20 * MB,
  })),
];

/** The sets that a word names: its name, its kind, or parts of both (`jsonl-100`, `1000`, `claude`). */
export function setsFor(only) {
  if (!only) return SETS;
  const wanted = only.split(',').map((word) => word.trim().split('-'));
  const chosen = SETS.filter((set) => {
    const words = [...set.name.split('-'), set.kind];
    return wanted.some((parts) => parts.every((part) => words.includes(part)));
  });
  if (chosen.length === 0) {
    throw new Error(`ONLY=${only} names nothing; there are: ${SETS.map((set) => set.name).join(', ')}`);
  }
  return chosen;
}

/** Makes what is missing; gives the sets with `file`, `bytes` and `events` as they are. */
export function prepare(sets, say) {
  mkdirSync(DATA, { recursive: true });
  for (const old of readdirSync(FOLDER)) {
    if (old.startsWith('data-') && old !== path.basename(DATA)) {
      rmSync(path.join(FOLDER, old), { recursive: true });
    }
  }
  const manifestFile = path.join(DATA, 'manifest.json');
  const manifest = existsSync(manifestFile) ? JSON.parse(readFileSync(manifestFile, 'utf8')) : {};
  const missing = sets.filter((set) => manifest[set.name] === undefined);
  checkRoom(missing.reduce((sum, set) => sum + set.bytes, 0));
  for (const set of missing) {
    const started = Date.now();
    manifest[set.name] = make(set);
    writeFileSync(manifestFile, JSON.stringify(manifest, null, 2));
    say(`made ${set.name}: ${Math.round(manifest[set.name].bytes / MB)} MB, ` +
      `${manifest[set.name].events} events, ${((Date.now() - started) / 1e3).toFixed(1)} s`);
  }
  return sets.map((set) => ({ ...set, ...manifest[set.name], file: fileOf(set) }));
}

function checkRoom(needed) {
  const { bavail, bsize } = statfsSync(DATA);
  const free = bavail * bsize;
  if (needed > 0 && free < needed + 1000 * MB) {
    throw new Error(`${DATA} needs ${Math.round(needed / MB)} MB and one gigabyte to spare, but ` +
      `${Math.round(free / MB)} MB are free. Make room, name another folder (TRACELOUPE_CACHE=…), ` +
      'or measure less (BENCH=small, ONLY=agentdbg-100).');
  }
}

const fileOf = (set) => path.join(DATA, set.name + (set.kind === 'document' ? '.json' : '.jsonl'));

/** Writes one file. */
function make(set) {
  const out = new Sink(fileOf(set));
  const seed = seedOf(set.name);
  if (set.kind === 'huge') {
    let events;
    for (const piece of traceWith(set.giant, seed, (count) => { events = count; })) out.write(piece);
    return { bytes: out.close(), events };
  }
  const shape = SHAPES[set.shape](seed);
  (set.kind === 'document' ? writeDocument : writeLines)(set, shape, out);
  return { bytes: out.close(), events: shape.events(), needles: shape.needles };
}

function writeLines(set, shape, out) {
  const isDone = () => (set.events === undefined ? out.bytes >= set.bytes : shape.events() >= set.events - 1);
  out.write(`${shape.first()}\n`);
  while (!isDone()) out.write(`${shape.next()}\n`);
  out.write(`${shape.end()}\n`);
}

/** An export of AgentDbg, indented as its command writes it. */
function writeDocument(set, shape, out) {
  const indented = (value, depth) => JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(depth)}`);
  const first = JSON.parse(shape.first());
  const run = {
    spec_version: '0.1', run_id: first.run_id, run_name: 'generated run', started_at: first.ts,
    ended_at: first.ts, duration_ms: 1, status: 'ok',
    counts: { llm_calls: 0, tool_calls: 0, errors: 0, loop_warnings: 0 }, last_event_ts: first.ts,
  };
  out.write(`{\n  "spec_version": "0.1",\n  "run": ${indented(run, 2)},\n  "events": [\n    ${indented(first, 4)}`);
  while (out.bytes < set.bytes) out.write(`,\n    ${indented(JSON.parse(shape.next()), 4)}`);
  out.write(`,\n    ${indented(JSON.parse(shape.end()), 4)}\n  ]\n}\n`);
}

/** A file that is written in large pieces. */
class Sink {
  constructor(file) {
    this.descriptor = openSync(file, 'w');
    this.waiting = [];
    this.waitingChars = 0;
    this.bytes = 0;
  }

  write(text) {
    this.waiting.push(text);
    this.waitingChars += text.length;
    this.bytes += Buffer.byteLength(text);
    if (this.waitingChars > 4e6) this.flush();
  }

  flush() {
    writeSync(this.descriptor, Buffer.from(this.waiting.join('')));
    this.waiting = [];
    this.waitingChars = 0;
  }

  close() {
    this.flush();
    closeSync(this.descriptor);
    return this.bytes;
  }
}

/** Reads a file once, so that all that is measured finds it in the system's cache. */
export function warm(file) {
  const descriptor = openSync(file, 'r');
  const buffer = Buffer.alloc(8 << 20);
  for (let read = 1; read > 0;) read = readSync(descriptor, buffer);
  closeSync(descriptor);
}
