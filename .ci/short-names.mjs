// Shortens the names with which the programs and their glue call each other: `__wbg_appendChild_8b2c…` in both files
// becomes `w17`. The hashes in them cannot be compressed: docs/decisions/build.md has the figures.
// `node .ci/short-names.mjs [folder]`, before the scripts are minified.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const IMPORTS = 2;
const EXPORTS = 7;
const HEADER_BYTES = 8;

/** The names that wasm-bindgen makes. Others, such as `memory`, may mean something else in the glue. */
const MADE = /^(?:__wb|wasm_bindgen__)\w+$/;

/** An export of Leptos that nothing calls, with a hash of the folder in which Cargo keeps its crates. */
const MARKER = /^_WASM_SPLIT_MARKER_[0-9a-f]{16}/;

/** A reader of the parts of a wasm file that hold names. */
function readerOf(bytes, start = 0) {
  let at = start;
  return {
    get at() { return at; },
    byte: () => bytes[at++],
    number() { // LEB128
      for (let value = 0, shift = 0; ; shift += 7) {
        const part = bytes[at++];
        value += (part & 127) * 2 ** shift;
        if (part < 128) return value;
      }
    },
    bytes(length) {
      at += length;
      return bytes.subarray(at - length, at);
    },
    text() {
      return Buffer.from(this.bytes(this.number())).toString();
    },
  };
}

function number(value) {
  const all = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...all, left];
    all.push((left % 128) | 128);
  }
}

const text = (name) => [...number(Buffer.byteLength(name)), ...Buffer.from(name)];

/** The bytes that say what an import is: a function, table, memory, global or tag. */
function kindOf(reader) {
  const from = reader.at;
  const kind = reader.byte();
  const limits = () => {
    const flags = reader.byte();
    reader.number();
    if (flags & 1) reader.number();
  };
  if (kind === 0) reader.number();
  else if (kind === 1) { reader.byte(); limits(); }
  else if (kind === 2) limits();
  else if (kind === 3) { reader.byte(); reader.byte(); }
  else if (kind === 4) { reader.byte(); reader.number(); }
  else throw new Error(`an import of kind ${kind}`);
  return [from, reader.at];
}

/** A wasm file with the names of its imports and exports replaced by what `rename` returns for them. */
export function renamed(wasm, rename) {
  const parts = [wasm.subarray(0, HEADER_BYTES)];
  const reader = readerOf(wasm, HEADER_BYTES);
  while (reader.at < wasm.length) {
    const section = reader.byte();
    const content = reader.bytes(reader.number());
    const inside = readerOf(content);
    let made = content;
    if (section === IMPORTS || section === EXPORTS) {
      const count = inside.number();
      const entries = Array.from({ length: count }, () => {
        const module = section === IMPORTS ? text(inside.text()) : [];
        const name = text(rename(inside.text()));
        if (section === IMPORTS) return [...module, ...name, ...content.subarray(...kindOf(inside))];
        return [...name, inside.byte(), ...number(inside.number())];
      });
      made = Buffer.from([...number(count), ...entries.flat()]);
    }
    parts.push(Buffer.from([section, ...number(made.length)]), made);
  }
  return Buffer.concat(parts);
}

/** A program and its glue with short names for what they call of each other. */
export function shortened(wasm, glue) {
  const module = new WebAssembly.Module(wasm);
  const all = [...WebAssembly.Module.imports(module), ...WebAssembly.Module.exports(module)].map(({ name }) => name);
  const words = new Set(glue.match(/[\w$]+/g));
  const made = [...new Set(all)].filter((name) => MADE.test(name) && words.has(name));
  const names = new Map(made.map((name, at) => [name, `w${at}`]));
  for (const short of names.values()) if (words.has(short)) throw new Error(`the glue has the name ${short} already`);
  const rename = (name) => names.get(name) ?? name;
  return { wasm: renamed(wasm, (name) => rename(name).replace(MARKER, '_WASM_SPLIT_MARKER_')), glue: glue.replace(/[\w$]+/g, rename) };
}

function shortenFolder(folder) {
  const programs = readdirSync(folder).filter((name) => name.endsWith('_bg.wasm'));
  if (programs.length === 0) throw new Error(`no program in ${folder}`);
  for (const program of programs) {
    const [wasm, glue] = [program, program.replace('_bg.wasm', '.js')].map((name) => join(folder, name));
    const made = shortened(readFileSync(wasm), readFileSync(glue, 'utf8'));
    writeFileSync(wasm, made.wasm);
    writeFileSync(glue, made.glue);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) shortenFolder(process.argv[2] ?? 'dist');
