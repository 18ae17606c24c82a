// Code size by crate and by format of a wasm file that still has function names, as wasm-bindgen writes it
// (target/wasm-bindgen/release). `size.mjs` prints the result. `node .ci/weigh.mjs FILE.wasm [TEXT]` lists
// the functions with TEXT in their names.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const CODE_SECTION = 10;
const CUSTOM_SECTION = 0;
/** The subsection of the name section that has the names of functions. */
export const FUNCTION_NAMES = 1;

/** `{name, bytes, body}` per function that the wasm defines, in order: `bytes` is the length of its code `body`. */
export function functionsOf(bytes) {
  let at = 8; // after the magic number and the version
  const byte = () => bytes[at++];
  const number = () => { // LEB128
    for (let value = 0, shift = 0; ; shift += 7) {
      const part = byte();
      value += (part & 127) * 2 ** shift;
      if (part < 128) return value;
    }
  };
  const text = () => {
    const length = number();
    at += length;
    return Buffer.from(bytes.subarray(at - length, at)).toString();
  };

  const bodies = [];
  const names = new Map();
  while (at < bytes.length) {
    const section = byte();
    const length = number();
    const end = at + length;
    if (section === CODE_SECTION) {
      for (let left = number(); left > 0; left -= 1) {
        const bodyLength = number();
        bodies.push(bytes.subarray(at, at + bodyLength));
        at += bodyLength;
      }
    } else if (section === CUSTOM_SECTION && text() === 'name') {
      while (at < end) {
        const part = byte();
        const partLength = number();
        const partEnd = at + partLength;
        if (part === FUNCTION_NAMES) {
          for (let left = number(); left > 0; left -= 1) names.set(number(), text());
        }
        at = partEnd;
      }
    }
    at = end;
  }
  const nImported = nImportedFunctions(bytes);
  return bodies.map((body, index) => ({
    // Without the hash of each crate: `core[c5930c85a12de822]`.
    name: (names.get(nImported + index) ?? '').replace(/(?<=\w)\[[0-9a-f]{8,16}\]/g, ''),
    bytes: body.length,
    body,
  }));
}

/** How many functions a wasm file imports: they have the lowest indices. */
export function nImportedFunctions(bytes) {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
  return imports.filter((it) => it.kind === 'function').length;
}

const OWN = /\btraceloupe_\w+(?:::\w+)*/;

/**
 * The crate that a function is attributed to: ours if its name contains one of our paths, otherwise the first crate in
 * it.
 */
export function crateOf(name) {
  const path = name.match(OWN)?.[0] ?? name.match(/\b[a-z]\w*(?=::)/)?.[0] ?? '(other)';
  return path.split('::')[0];
}

/** The part of our own crates: `formats::agentv`, `core::json`, `words`; null for other crates. */
export function partOf(name) {
  const [crate, ...inside] = name.match(OWN)?.[0].split('::') ?? [];
  if (crate === undefined) return null;
  const package_ = crate.slice('traceloupe_'.length);
  const isDivided = ['core', 'engine', 'formats', 'page', 'session'].includes(package_) && inside.length > 0;
  return [package_, ...(isDivided ? inside.slice(0, 1) : [])].join('::');
}

/** Bytes by key, the largest first. Functions whose key is null are left out. */
export function sumBy(functions, keyOf) {
  const sums = new Map();
  for (const { name, bytes } of functions) {
    const key = keyOf(name);
    if (key !== null) sums.set(key, (sums.get(key) ?? 0) + bytes);
  }
  return [...sums].sort((a, b) => b[1] - a[1]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file, text = ''] = process.argv.slice(2);
  const found = functionsOf(readFileSync(file)).filter((it) => it.name.includes(text));
  for (const [name, bytes] of sumBy(found, (name) => name)) console.log(String(bytes).padStart(8), name);
}
