// Checks the built page: `dist` holds what is served and nothing else, and no program names a folder of the machine that built
// it. `node .ci/served.mjs [folder | program]`
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const HASH = '[0-9a-f]{14,16}';

/** Every file of the page, each exactly once. */
const SERVED = [
  'NOTICE\\.txt', 'index\\.html', 'trace-loupe\\.js', 'traceloupe\\.html',
  `boot-${HASH}\\.js`, `style-${HASH}\\.css`, `prices-${HASH}\\.json`,
  `traceloupe-${HASH}\\.js`, `traceloupe-${HASH}_bg\\.wasm`,
  ...['worker', 'redactor'].flatMap((name) => [`traceloupe-${name}-${HASH}\\.js`, `traceloupe-${name}_bg-${HASH}\\.wasm`]),
  ...readdirSync(join(ROOT, 'public/samples')).map((name) => `samples/${name.replaceAll('.', '\\.')}`),
].map((pattern) => new RegExp(`^${pattern}$`));

/** A source in a folder of a person or of a tool. The programs also search traces for the names of home folders. */
const SOURCE = /(?:\/(?:home|root|Users|builds)\/|[A-Z]:\\Users\\)[\w.@+-]+[\\/][\w.@+\\/-]*\.rs\b|\.(?:cargo|rustup)[\\/][\w.@+\\/-]+|registry[\\/]src[\\/][\w.@+\\/-]+/;

/** What is wrong with a list of names, with `/` between folders. */
export function namesFaults(names, served = SERVED) {
  const faults = names.filter((name) => !served.some((it) => it.test(name))).map((name) => `${name} is not served`);
  for (const it of served) {
    const count = names.filter((name) => it.test(name)).length;
    if (count !== 1) faults.push(`${count} files match ${it.source}`);
  }
  return faults;
}

/** The first name of a folder of the machine in a program; `own` are folders that no pattern finds. */
export function folderIn(wasm, own = []) {
  const text = Buffer.from(wasm).toString('latin1');
  // Not the folder alone: the programs have words such as `/app/`.
  const isNamed = (folder) => text.split(folder).slice(1).some((rest) => /^[\w.@+\\/-]*\.rs\b/.test(rest));
  return own.find((it) => it.length > 1 && isNamed(it)) ?? text.match(SOURCE)?.[0];
}

function programFaults(file) {
  const found = folderIn(readFileSync(file), [`${homedir()}/`, `${ROOT}/`]);
  return found ? [`${file} names a folder of this machine: ${found.slice(0, 120)}`] : [];
}

function faultsOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) => !it.isDirectory());
  const names = entries.map((it) => join(it.parentPath ?? it.path, it.name).slice(join(folder, '/').length).replaceAll('\\', '/'));
  return [...namesFaults(names), ...names.filter((it) => it.endsWith('.wasm')).flatMap((it) => programFaults(join(folder, it)))];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const given = process.argv[2] ?? 'dist';
  const faults = given.endsWith('.wasm') ? programFaults(given) : faultsOf(given);
  for (const fault of faults) console.error(`error: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
