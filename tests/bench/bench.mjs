// `make bench`: how fast the built page is, beside what the browser needs at least. README.md here says
// how to read it.
//
//   ONLY=agentdbg-100,huge   only these sets (names, or parts of them: 100, claude, jsonl-1000)
//   BENCH=small              only the sets of 10 MB
//   ROUNDS=5                 how often each is measured
//   TRACELOUPE_DIST=folder   another built page
//   --write                  puts the tables into the README of the project
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DIST, launch, startServer } from '../e2e/harness.mjs';
import { FOLDER, prepare, setsFor } from './data.mjs';
import { measure } from './measure.mjs';
import { sizeOf } from './size.mjs';
import { figures, summary, targets } from './table.mjs';
import { judge } from './targets.mjs';

const README = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../README.md');
const say = (words) => console.error(words);

function machine(browser) {
  const [cpu] = os.cpus();
  return `${cpu.model}, ${os.cpus().length} cores, ${Math.round(os.totalmem() / 1e9)} GB, ` +
    `${os.type()} ${os.release()}, Chromium ${browser.version()}, ${new Date().toISOString().slice(0, 10)}`;
}

async function run() {
  const rounds = Number(process.env.ROUNDS || 5);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('ROUNDS is a whole number, 1 or more');
  const only = process.env.BENCH === 'small' ? 'jsonl-10' : process.env.ONLY;
  const sets = prepare(setsFor(only), say);
  const server = await startServer();
  const results = [{ ...sizeOf(DIST) }];
  let about;
  try {
    for (const set of sets) {
      // A browser for each set: what one leaves behind in memory is not carried to the next.
      const browser = await launch();
      about = machine(browser);
      try {
        results.push(await measure(set, { browser, server, rounds, say }));
      } finally {
        await browser.close();
      }
    }
  } finally {
    await server.close();
  }
  return { about, rounds, results };
}

/** Puts the text between the marks of the README. */
function write(text) {
  const readme = readFileSync(README, 'utf8');
  const [head, tail] = [readme.split('<!-- bench -->')[0], readme.split('<!-- /bench -->')[1]];
  if (tail === undefined) throw new Error('the README has no <!-- bench --> and <!-- /bench -->');
  writeFileSync(README, `${head}<!-- bench -->\n${text}\n<!-- /bench -->${tail}`);
}

const { about, rounds, results } = await run();
const kept = path.join(FOLDER, 'results');
mkdirSync(kept, { recursive: true });
const file = path.join(kept, `${new Date().toISOString().replace(/\..*/, '').replaceAll(':', '')}.json`);
writeFileSync(file, JSON.stringify({ about, rounds, results }, null, 2));
say(`all figures: ${file}`);
const verdicts = judge(results);

const text = `${about}; medians of ${rounds} rounds.\n\n${figures(results)}`;
if (process.argv.includes('--write')) write(`${text}\n\n${summary(verdicts)}.`);
console.log(`\n${text}\n\n${targets(verdicts)}\n\n${summary(verdicts)}`);
if (verdicts.some((verdict) => !verdict.passed)) process.exitCode = 1;
