// The step of the build behind Trunk: takes the wasm of the built page apart into core and later, and
// tells the page where they are. `node .ci/split/build.mjs [folder]`; PROFILE=1 keeps the names.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownList } from './names.mjs';
import { split } from './split.mjs';

const folder = process.argv[2] ?? 'dist';
const [name, ...others] = readdirSync(folder).filter((it) => it.endsWith('.wasm'));
if (name === undefined || others.length > 0) throw new Error(`no single wasm in ${folder}: run trunk first`);

const list = ownList();
const bytes = readFileSync(join(folder, name));
const { core, later, doors, moved } = split(bytes, list.isLater, { keepNames: Boolean(process.env.PROFILE) });
if (list.unused().length > 0) {
  throw new Error(`.ci/split/later.txt: no function is called ${list.unused().join(', ')}`);
}

/** Writes a part under a name that carries a hash of its content. */
function write(part, content) {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const file = `traceloupe-${part}-${hash}.wasm`;
  writeFileSync(join(folder, file), content);
  return file;
}

rmSync(join(folder, name));
const [coreName, laterName] = [write('core', core), write('later', later)];
const page = join(folder, 'index.html');
const html = readFileSync(page, 'utf8');
const address = new RegExp(`data-wasm="([^"]*)${name.replaceAll('.', '\\.')}"`);
if (!address.test(html)) throw new Error(`${page} does not name ${name}`);
writeFileSync(page, html.replace(address, `data-wasm="$1${coreName}" data-later="$1${laterName}"`));
console.log(`${moved} functions are loaded later, ${doors} of them called from core`);
