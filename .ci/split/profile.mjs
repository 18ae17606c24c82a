// What ordinary work uses, against what later.txt moves: prints functions that move and are used (they
// have to stay), and the largest that are not used and stay (they may move). It wants a page that was not
// taken apart yet:
//   trunk build --release --dist target/dist-whole && node .ci/split/profile.mjs target/dist-whole
// Every function of a copy sets a global of its own when it is called, and a browser does what
// tests/e2e/ordinary.mjs says.
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FEATURES, binaryen } from './binaryen.mjs';
import { ownList, plain } from './names.mjs';
import { plan } from './split.mjs';
import { weights } from './weights.mjs';

const SHOWN = 100;
const MARK = 'used ';

/** The wasm with a mark for each of its own functions, by their order. */
function marked(bytes) {
  const module = binaryen.readBinary(bytes);
  module.setFeatures(FEATURES);
  const all = Array.from({ length: module.getNumFunctions() }, (_, at) => module.getFunctionByIndex(at));
  const own = all.filter((ref) => !binaryen.getFunctionInfo(ref).module);
  own.forEach((ref, at) => {
    const name = MARK + at;
    const { body, results } = binaryen.getFunctionInfo(ref);
    module.addGlobal(name, binaryen.i32, true, module.i32.const(0));
    module.addGlobalExport(name, name);
    const mark = module.global.set(name, module.i32.const(1));
    binaryen.Function.setBody(ref, module.block(null, [mark, body], results));
  });
  binaryen.setDebugInfo(false);
  return module.emitBinary();
}

/** The numbers of the functions that have been called in a page or a worker. */
const called = (target) => target.evaluate(async (mark) => {
  if (typeof wasm_bindgen !== 'function') return [];
  const marks = Object.entries(await wasm_bindgen()).filter(([name]) => name.startsWith(mark));
  return marks.filter(([, global]) => global.value === 1).map(([name]) => Number(name.slice(mark.length)));
}, MARK).catch(() => []);

async function ordinaryWork() {
  const { launch, startServer } = await import('../../tests/e2e/harness.mjs');
  const { SHARED, dropText, freshPage } = await import('../../tests/e2e/reader.mjs');
  const { REAL, ordinary, readThrough } = await import('../../tests/e2e/ordinary.mjs');
  const browser = await launch();
  const server = await startServer();
  const { page } = await freshPage(browser, server);
  await page.waitForTimeout(2000); // the worker practises
  const real = REAL.map(([file, query]) => [file.split('/').pop(), readFileSync(join(SHARED, 'traces', file)), query]);
  const used = new Set();
  const look = async () => {
    const found = await Promise.all([page, ...page.workers()].map(called));
    found.flat().forEach((at) => used.add(at));
  };
  await look();
  for (const [name, text, query] of [...ordinary(), ...real]) {
    await dropText(page, text, name);
    await readThrough(page, query);
    await look();
  }
  await browser.close();
  await server.close();
  return used;
}

const folder = process.argv[2];
const wasm = readdirSync(folder).find((name) => name.endsWith('.wasm'));
const bytes = readFileSync(join(folder, wasm));
const copy = resolve(`${folder}-marked`);
cpSync(folder, copy, { recursive: true });
binaryen.setDebugInfo(true);
writeFileSync(join(copy, wasm), marked(bytes));
process.env.TRACELOUPE_DIST = copy;
const used = await ordinaryWork();

binaryen.setDebugInfo(true);
const moved = new Set(plan(bytes, ownList().isLater).moved.map((it) => plain(it.name)));
const functions = weights(bytes).map((it, at) => ({ ...it, isUsed: used.has(at), moves: moved.has(it.name) }));
const list = (title, of) => {
  const found = functions.filter(of).toSorted((a, b) => b.bytes - a.bytes);
  console.log(`${title}: ${found.length}, ${found.reduce((sum, it) => sum + it.bytes, 0)} bytes`);
  for (const { name, bytes: length } of found.slice(0, SHOWN)) console.log(String(length).padStart(8), name);
};
list('moved and used', (it) => it.moves && it.isUsed);
list('kept and not used', (it) => !it.moves && !it.isUsed);
