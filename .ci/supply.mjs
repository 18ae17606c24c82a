// What others wrote and we use: the licence of each crate and npm tool must be in the list of supply.json, and none may have
// a known vulnerability. `node .ci/supply.mjs`; docs/decisions/build.md says where the advisories come from.
// TRACELOUPE_ADVISORIES=required makes it an error if they cannot be read.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const ADVISORIES = 'https://api.osv.dev/v1';
/** For a question and its answer. */
const LIMIT_MS = 20_000;

const json = (name) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));

/** Whether an SPDX expression can be met with the licences that are allowed. Old crates write `/` for `OR`. */
export function isAllowed(expression, allowed) {
  const words = expression.replaceAll('/', ' OR ').replace(/\s+WITH\s+/g, '+WITH+').match(/[()]|[^\s()]+/g) ?? [];
  const term = () => {
    const word = words.shift();
    if (word !== '(') return allowed.includes(word?.replace('+WITH+', ' WITH '));
    const inside = either();
    if (words.shift() !== ')') throw new Error(`no licence expression: ${expression}`);
    return inside;
  };
  // Both sides are read in any case.
  const joined = (part, word, join) => () => {
    let all = part();
    while (words[0] === word) {
      words.shift();
      all = join(all, part());
    }
    return all;
  };
  const both = joined(term, 'AND', (a, b) => a && b);
  const either = joined(both, 'OR', (a, b) => a || b);
  const found = either();
  if (words.length > 0) throw new Error(`no licence expression: ${expression}`);
  return found;
}

/** The crates of Cargo's description that are not our own. */
export const cratesOf = ({ packages }) => packages.filter(({ source }) => source !== null)
  .map(({ name, version, license, source }) => ({ ecosystem: 'crates.io', name, version, licence: license, source }));

/** The packages of a lock file of npm, those for other systems too. */
export const toolsOf = ({ packages }) => Object.entries(packages).filter(([path]) => path !== '')
  .map(([path, { version, license }]) => ({ ecosystem: 'npm', name: path.split('node_modules/').at(-1), version, licence: license }));

/** A sentence for each package whose licence or source is not in the list. */
export function faultsOf(packages, { licences, licences_of_tools: ofTools }) {
  return packages.flatMap(({ ecosystem, name, version, licence, source }) => {
    const allowed = ecosystem === 'npm' ? [...licences, ...ofTools] : licences;
    const faults = [];
    if (!licence) faults.push(`${name} ${version} names no licence`);
    else if (!isAllowed(licence, allowed)) faults.push(`${name} ${version} is under ${licence}, which .ci/supply.json does not list`);
    if (source !== undefined && source !== 'registry+https://github.com/rust-lang/crates.io-index') faults.push(`${name} ${version} is from ${source}`);
    return faults;
  });
}

async function ask(path, question, get) {
  const answer = await get(`${ADVISORIES}${path}`, {
    signal: AbortSignal.timeout(LIMIT_MS),
    ...(question && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(question) }),
  });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
}

/**
 * What is known of the packages: `vulnerable` has a sentence for each advisory that is not accepted, `notes` one for each
 * that is, or that says only that a package is not maintained. An error means that nothing could be asked.
 */
export async function advisoriesOf(packages, accepted, get = fetch, today = new Date().toISOString().slice(0, 10)) {
  const queries = packages.map(({ ecosystem, name, version }) => ({ package: { ecosystem, name }, version }));
  const { results } = await ask('/querybatch', { queries }, get);
  if (results?.length !== packages.length) throw new Error('an answer of another length');
  const [vulnerable, notes] = [[], []];
  for (const [at, { vulns = [] }] of results.entries()) {
    for (const { id } of vulns) {
      const { name, version } = packages[at];
      const known = await ask(`/vulns/${encodeURIComponent(id)}`, undefined, get);
      if (known.withdrawn) continue;
      const excuse = accepted.find((it) => it.id === id && it.until >= today);
      const about = (known.affected ?? []).filter((it) => it.package?.name === name);
      const kind = about.length > 0 && about.every((it) => it.database_specific?.informational)
        ? about[0].database_specific.informational : undefined;
      const sentence = `${name} ${version}: ${id}${known.summary ? `, ${known.summary}` : ''}`;
      if (excuse) notes.push(`${sentence} (accepted until ${excuse.until}: ${excuse.reason})`);
      else if (kind !== undefined && kind !== 'unsound') notes.push(`${sentence} (${kind})`);
      else vulnerable.push(sentence);
    }
  }
  return { vulnerable, notes };
}

async function main() {
  const rules = json('.ci/supply.json');
  const metadata = execFileSync('cargo', ['metadata', '--format-version', '1', '--locked'], { cwd: ROOT, maxBuffer: 1 << 28, encoding: 'utf8' });
  const packages = [...cratesOf(JSON.parse(metadata)), ...toolsOf(json('.ci/npm-tools/package-lock.json'))];
  const faults = faultsOf(packages, rules);
  const counts = ['crates.io', 'npm'].map((from) => `${packages.filter(({ ecosystem }) => ecosystem === from).length} of ${from}`);
  if (faults.length === 0) console.log(`licences: ${counts.join(' and ')}, all in the list`);
  try {
    const { vulnerable, notes } = await advisoriesOf(packages, rules.accepted_advisories);
    for (const note of notes) console.log(`advisory: ${note}`);
    faults.push(...vulnerable);
    if (vulnerable.length === 0) console.log('advisories: no known vulnerability');
  } catch (error) {
    const sentence = `the advisories were NOT checked: ${new URL(ADVISORIES).host} gave no answer (${error.cause?.code ?? error.message})`;
    if (process.env.TRACELOUPE_ADVISORIES === 'required') faults.push(sentence);
    else console.log(sentence);
  }
  for (const fault of faults) console.error(`error: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
