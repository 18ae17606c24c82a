// The licences of everything that is part of the programs. The list comes from Cargo, the texts from the packages
// themselves. `node .ci/notice.mjs FILE` writes them.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** Every program that is published. */
const PROGRAMS = ['traceloupe-page', 'traceloupe-worker', 'traceloupe-redactor', 'traceloupe-cli'];

/** All packages that are linked into the programs, from Cargo's description of the workspace. */
export function linked({ packages, resolve: graph }, programs) {
  const byId = new Map(packages.map((one) => [one.id, one]));
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const open = packages.filter((one) => programs.includes(one.name)).map(({ id }) => id);
  if (open.length !== programs.length) throw new Error(`not all of ${programs} are in the workspace`);
  const seen = new Set(open);
  while (open.length > 0) {
    for (const { pkg, dep_kinds: kinds } of nodes.get(open.pop()).deps) {
      // Build scripts and tests are not part of the programs, nor are macros, which run in the compiler.
      const isMacro = byId.get(pkg).targets.some(({ kind }) => kind.includes('proc-macro'));
      if (seen.has(pkg) || isMacro || !kinds.some(({ kind }) => kind === null)) continue;
      seen.add(pkg);
      open.push(pkg);
    }
  }
  return [...seen].map((id) => byId.get(id)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The texts of the licences that a package brings along. */
function textsOf({ manifest_path: manifest, license_file: named }) {
  const folder = dirname(manifest);
  const isLicence = (name) => /^(licen[cs]e|copying|notice|unlicense)/i.test(name) && !/\.(rs|toml|json)$/i.test(name);
  const names = new Set(readdirSync(folder, { withFileTypes: true }).filter((it) => it.isFile() && isLicence(it.name)).map(({ name }) => name));
  if (named && existsSync(join(folder, named))) names.add(named);
  return [...names].sort().map((name) => readFileSync(join(folder, name), 'utf8').replace(/\r/g, '').trim());
}

/** The whole file: which packages there are, and each text once, with the packages that it belongs to. */
export function notice(packages, read = textsOf) {
  const own = packages.filter(({ source }) => source === null);
  const others = packages.filter(({ source }) => source !== null);
  const unlicensed = others.filter(({ license, license_file: file }) => !license && !file);
  if (unlicensed.length > 0) throw new Error(`no licence is known of ${unlicensed.map(({ name }) => name)}`);
  const texts = new Map();
  for (const one of others) {
    for (const text of read(one)) texts.set(text, [...(texts.get(text) ?? []), `${one.name} ${one.version}`]);
  }
  const lines = [
    'Traceloupe is under the MIT licence; see LICENSE. Its programs contain the standard library of Rust',
    '(MIT OR Apache-2.0, https://github.com/rust-lang/rust) and these packages:', '',
    ...others.map((one) => `${one.name} ${one.version}: ${one.license ?? 'see below'}${one.repository ? ` (${one.repository})` : ''}`),
  ];
  for (const [text, names] of texts) lines.push('', '-'.repeat(80), names.join(', '), '', text);
  if (own.length === 0) throw new Error('the programs themselves are not in the list');
  return `${lines.join('\n')}\n`;
}

/** The licence of the list of prices, which is in the list itself. */
function pricesNotice() {
  const { license } = JSON.parse(readFileSync(join(ROOT, 'public/prices.json'), 'utf8'));
  return `\n${'-'.repeat(80)}\nprices of models, from genai-prices (https://github.com/pydantic/genai-prices)\n\n${license}\n`;
}

/** The licences of all that is in the programs and beside them. */
export function wholeNotice() {
  const metadata = execFileSync('cargo', [
    'metadata', '--format-version', '1', '--locked', '--filter-platform', 'wasm32-unknown-unknown',
  ], { cwd: ROOT, maxBuffer: 1 << 28, encoding: 'utf8' });
  return notice(linked(JSON.parse(metadata), PROGRAMS)) + pricesNotice();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(process.argv[2], wholeNotice());
