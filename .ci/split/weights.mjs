// How many bytes of code the functions of a wasm take. For choosing what later.txt says:
// `node .ci/split/weights.mjs file.wasm` for the paths of the project and of packages in their names,
// `node .ci/split/weights.mjs file.wasm 'text in names'` for functions.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { plain } from './names.mjs';

/** `{name, bytes}` of each function of a wasm that it does not import, in their order. */
export function weights(bytes) {
  let at = 8;
  const number = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = bytes[at];
      at += 1;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  const text = () => {
    const length = number();
    at += length;
    return Buffer.from(bytes.subarray(at - length, at)).toString();
  };
  const bodies = [];
  const names = new Map();
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
  const first = imports.filter((it) => it.kind === 'function').length;
  while (at < bytes.length) {
    const id = bytes[at];
    at += 1;
    const length = number();
    const end = at + length;
    if (id === 10) {
      for (let left = number(); left > 0; left -= 1) {
        const begin = at;
        const bodyLength = number();
        at += bodyLength;
        bodies.push(at - begin);
      }
    } else if (id === 0 && text() === 'name') {
      while (at < end) {
        const part = bytes[at];
        at += 1;
        const partLength = number();
        const after = at + partLength;
        if (part === 1) for (let left = number(); left > 0; left -= 1) names.set(number(), text());
        at = after;
      }
    }
    at = end;
  }
  return bodies.map((length, index) => ({ name: plain(names.get(first + index) ?? ''), bytes: length }));
}

/** The path that a function is counted under. */
export function groupOf(name) {
  const own = name.match(/\btraceloupe(::\w+)*/)?.[0];
  const path = (own ?? name.match(/\b[a-z]\w*(::\w+)*/)?.[0] ?? name).split('::');
  return path.slice(0, own === undefined ? 1 : 4).join('::');
}

function print(file, part) {
  const all = weights(readFileSync(file)).filter((it) => part === undefined || it.name.includes(part));
  const sums = new Map();
  for (const { name, bytes } of all) {
    const key = part === undefined ? groupOf(name) : name;
    sums.set(key, (sums.get(key) ?? 0) + bytes);
  }
  for (const [name, bytes] of [...sums].sort((a, b) => b[1] - a[1])) {
    console.log(String(bytes).padStart(8), name);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) print(...process.argv.slice(2));
