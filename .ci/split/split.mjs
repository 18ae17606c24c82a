// Takes a wasm apart: into core, which is there at once, and later, which core fetches when the first
// of its functions is called.
//
// Core keeps its memory, tables and globals; later imports them. Where core refers to a function that
// has moved, a trampoline of its name stands: it has later loaded, and calls the function through a
// table of its own. Moved functions call each other directly.
import { FEATURES, binaryen } from './binaryen.mjs';
import { weights } from './weights.mjs';

/** The function that core must export, by whose call later is instantiated. */
const LOADER = 'load_later';
/** The module that later imports everything from: the exports of core. */
const CORE = 'core';
const TABLE = 'later';
const IS_HERE = 'later is here';
const ENSURE = 'ensure later';

const listOf = (count, at) => Array.from({ length: count }, (_, index) => at(index));

function read(bytes) {
  const module = binaryen.readBinary(bytes);
  module.setFeatures(FEATURES);
  return module;
}

const functionsOf = (module) => listOf(module.getNumFunctions(), (index) =>
  binaryen.getFunctionInfo(module.getFunctionByIndex(index)));

const exportsOf = (module) => listOf(module.getNumExports(), (index) =>
  binaryen.getExportInfo(module.getExportByIndex(index)));

const segmentsOf = (module) => listOf(module.getNumElementSegments(), (index) =>
  binaryen.getElementSegmentInfo(module.getElementSegmentByIndex(index)));

// --- which functions move ---------------------------------------------------------------------

const REFERENCE = /\((?:call|return_call|ref\.func) \$(?:"((?:[^"\\]|\\.)*)"|([^\s()]+))/g;

/** A name as it stands between quotes in the text format. */
function unquoted(name) {
  const bytes = name.replace(/\\(?:u\{([0-9a-f]+)\}|([0-9a-f]{2})|(.))/gi, (_, point, byte, sign) => {
    if (point !== undefined) return String.fromCodePoint(parseInt(point, 16));
    if (byte !== undefined) return String.fromCharCode(parseInt(byte, 16));
    return { n: '\n', r: '\r', t: '\t' }[sign] ?? sign;
  });
  // Bytes above ASCII stand one by one.
  return /^[\x00-\xff]*$/.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes;
}

/** The functions that a function names. */
function namedIn({ body }) {
  if (!body) return new Set();
  const found = binaryen.emitText(body).matchAll(REFERENCE);
  return new Set([...found].map(([, quoted, plain]) => (quoted === undefined ? plain : unquoted(quoted))));
}

/** All names that can be reached from some, over `next`. */
function reached(from, next) {
  const seen = new Set(from);
  for (const name of seen) for (const other of next(name)) seen.add(other);
  return seen;
}

/**
 * What moves: functions of which `isLater(name, bytes)` is true, and all that only these can reach.
 * `doors` are those among them that core refers to.
 */
export function plan(bytes, isLater) {
  const module = read(bytes);
  const functions = functionsOf(module);
  const known = new Map(functions.map((it) => [it.name, { ...it, calls: namedIn(it) }]));
  const own = functions.filter((it) => !it.module);
  const sizes = weights(bytes);
  const wanted = new Set(own.filter((it, at) => isLater(it.name, sizes[at].bytes)).map((it) => it.name));
  for (const { calls } of known.values()) {
    for (const name of calls) if (!known.has(name)) throw new Error(`no function is called ${name}`);
  }
  const roots = [
    ...exportsOf(module).filter((it) => it.kind === binaryen.ExternalFunction).map((it) => it.value),
    ...segmentsOf(module).flatMap((it) => it.data),
  ];
  const start = module.getStart();
  if (start) roots.push(binaryen.getFunctionInfo(start).name);
  const calls = (name) => known.get(name).calls;
  const inCore = reached(roots, (name) => (wanted.has(name) ? [] : calls(name)));
  const doors = functions.filter((it) => wanted.has(it.name) && inCore.has(it.name));
  const behind = reached(doors.map((it) => it.name), calls);
  const moved = own.filter((it) => behind.has(it.name) && (wanted.has(it.name) || !inCore.has(it.name)));
  module.dispose();
  return { doors, moved };
}

// --- the two modules --------------------------------------------------------------------------

function optimise(module) {
  binaryen.setOptimizeLevel(2);
  binaryen.setShrinkLevel(2);
  module.optimize();
}

/** The module as bytes; without names unless they are wanted. */
function written(module, { keepNames }) {
  binaryen.setDebugInfo(keepNames);
  module.runPasses(['strip-producers', 'strip-target-features', ...keepNames ? [] : ['strip-debug']]);
  if (!module.validate()) throw new Error('the module is not valid');
  const bytes = module.emitBinary();
  module.dispose();
  return bytes;
}

/** The name of the memory inside, by the name it is exported with. */
function memoryOf(module) {
  if (!module.hasMemory()) return null;
  const found = exportsOf(module).find((it) => it.kind === binaryen.ExternalMemory);
  if (found === undefined) throw new Error('the memory is not exported');
  return found.value;
}

const tablesOf = (module) => listOf(module.getNumTables(), (index) =>
  binaryen.getTableInfo(module.getTableByIndex(index)));

const globalsOf = (module) => listOf(module.getNumGlobals(), (index) =>
  binaryen.getGlobalInfo(module.getGlobalByIndex(index)));

/** The moved functions alone; all else is to be imported from core, under its name inside. */
function makeLater(bytes, { moved, doors }) {
  const module = read(bytes);
  const memory = memoryOf(module);
  const isMoved = new Set(moved.map((it) => it.name));
  for (const { name } of exportsOf(module)) module.removeExport(name);
  for (const { name } of segmentsOf(module)) module.removeElementSegment(name);
  for (const { name, params, results } of functionsOf(module)) {
    if (isMoved.has(name)) continue;
    module.removeFunction(name);
    module.addFunctionImport(name, CORE, name, params, results);
  }
  for (const { name } of tablesOf(module)) module.addTableImport(name, CORE, name);
  for (const { name, type, mutable } of globalsOf(module)) {
    module.addGlobalImport(name, CORE, name, type, mutable);
  }
  if (memory !== null) module.addMemoryImport(memory, CORE, memory);
  module.addTableImport(TABLE, CORE, TABLE);
  module.addActiveElementSegment(TABLE, 'doors', doors.map((it) => it.name), module.i32.const(0));
  module.runPasses(['remove-memory-init', 'remove-unused-module-elements']);
  optimise(module);
  return module;
}

/** All but the moved functions, and a trampoline where core refers to one. */
function makeCore(bytes, { moved, doors }) {
  const module = read(bytes);
  const loader = exportsOf(module).find((it) => it.name === LOADER)?.value;
  if (loader === undefined) throw new Error(`${LOADER} is not exported`);
  const { none, i32, createType, expandType } = binaryen;
  module.addTable(TABLE, doors.length, doors.length);
  module.addTableExport(TABLE, TABLE);
  module.addGlobal(IS_HERE, i32, true, module.i32.const(0));
  module.addFunction(ENSURE, none, none, [], module.if(
    module.i32.eqz(module.global.get(IS_HERE, i32)),
    module.block(null, [
      module.call(loader, [], none),
      module.global.set(IS_HERE, module.i32.const(1)),
    ]),
  ));
  const numbers = new Map(doors.map(({ name }, index) => [name, index]));
  for (const { name, params, results } of moved) {
    module.removeFunction(name);
    if (!numbers.has(name)) continue;
    const given = expandType(params).map((type, index) => module.local.get(index, type));
    const called = module.call_indirect(
      TABLE, module.i32.const(numbers.get(name)), given, createType(expandType(params)), results);
    const body = module.block(null, [module.call(ENSURE, [], none), called], results);
    module.addFunction(name, params, results, [], body);
  }
  return module;
}

/** Short names for the exports of core, none that it has already. */
function* shortNames(module) {
  const taken = new Set(exportsOf(module).map((it) => it.name));
  for (let number = 0; ; number += 1) {
    const name = number.toString(36);
    if (!taken.has(name)) yield name;
  }
}

/** Has core export what later imports. */
function join(core, later) {
  const { ExternalFunction, ExternalTable, ExternalGlobal, ExternalMemory } = binaryen;
  const exported = new Map(exportsOf(core).map((it) => [`${it.kind} ${it.value}`, it.name]));
  const names = shortNames(core);
  const exportFrom = {
    [ExternalFunction]: (name, short) => core.addFunctionExport(name, short),
    [ExternalTable]: (name, short) => core.addTableExport(name, short),
    [ExternalGlobal]: (name, short) => core.addGlobalExport(name, short),
    [ExternalMemory]: (name, short) => core.addMemoryExport(name, short),
  };
  const nameOf = (kind, inside) => {
    const key = `${kind} ${inside}`;
    if (!exported.has(key)) {
      exported.set(key, names.next().value);
      exportFrom[kind](inside, exported.get(key));
    }
    return exported.get(key);
  };
  // An import is named by its base, which is the name inside of core.
  const imported = (list) => list.filter((it) => it.module === CORE);
  for (const { name, base, params, results } of imported(functionsOf(later))) {
    later.addFunctionImport(name, CORE, nameOf(ExternalFunction, base), params, results);
  }
  for (const { name, base } of imported(tablesOf(later))) {
    later.addTableImport(name, CORE, nameOf(ExternalTable, base));
  }
  for (const { name, base, type, mutable } of imported(globalsOf(later))) {
    later.addGlobalImport(name, CORE, nameOf(ExternalGlobal, base), type, mutable);
  }
  if (later.hasMemory()) {
    const memory = memoryOf(core);
    later.addMemoryImport(memory, CORE, nameOf(ExternalMemory, memory));
  }
}

/**
 * Splits a wasm with names. `isLater(name, bytes)` says which functions are to move. Gives
 * `{core, later, doors, moved}`: the two as bytes, and how many functions moved and how many of them
 * core refers to.
 */
export function split(bytes, isLater, { keepNames = false } = {}) {
  binaryen.setDebugInfo(true);
  const planned = plan(bytes, isLater);
  const later = makeLater(bytes, planned);
  const core = makeCore(bytes, planned);
  join(core, later);
  optimise(core);
  return {
    core: written(core, { keepNames }),
    later: written(later, { keepNames }),
    doors: planned.doors.length,
    moved: planned.moved.length,
  };
}
