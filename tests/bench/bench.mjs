// `make bench`: how fast the built page is, compared with the minimum that the browser needs. README.md in
// this folder explains the results.
//
//   ONLY=agentdbg-100,huge   only these sets (names, or parts of them: 100, claude, jsonl-1000)
//   BENCH=small              only the sets of 10 MB
//   PROFILE=1                functions and their times instead of the table
//   ROUNDS=5                 number of rounds
//   throttled                only the waits on a slow line and machine (throttled.mjs)
//   TRACELOUPE_DIST=folder   another built page
//   --write                  writes the tables into docs/performance.md
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DIST, launch, startServer } from '../e2e/harness.mjs';
import { FOLDER, prepare, setsFor } from './data.mjs';
import { measure } from './measure.mjs';
import { profile } from './profile.mjs';
import { sizeOf } from './size.mjs';
import { measureThrottled } from './throttled.mjs';
import { brief, figures, summary, targets } from './table.mjs';
import { judge } from './targets.mjs';

const TABLES = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../docs/performance.md');
const say = (words) => console.error(words);

function machine(browser) {
  const [cpu] = os.cpus();
  return `${cpu.model}, ${os.cpus().length} cores, ${Math.round(os.totalmem() / 1e9)} GB, ` +
    `${os.type()} ${os.release()}, Chromium ${browser.version()}, ${new Date().toISOString().slice(0, 10)}`;
}

/** A browser per set, so that memory use does not carry over. */
async function eachSet(act) {
  const sets = prepare(setsFor(process.env.BENCH === 'small' ? 'jsonl-10' : process.env.ONLY), say);
  const server = await startServer();
  try {
    for (const set of sets) {
      const browser = await launch();
      try {
        await act(set, { browser, server });
      } finally {
        await browser.close();
      }
    }
  } finally {
    await server.close();
  }
}

async function run() {
  const rounds = Number(process.env.ROUNDS || 5);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('ROUNDS is a whole number, 1 or more');
  const results = [sizeOf(DIST)];
  let about;
  const isThrottledOnly = process.argv.includes('throttled');
  if (isThrottledOnly || !(process.env.ONLY || process.env.BENCH)) {
    try {
      results.push(await measureThrottled({ rounds, say }));
    } catch (error) {
      results.push({ name: 'throttled', problem: error.message });
      say(error.message);
    }
  }
  if (isThrottledOnly) {
    const browser = await launch();
    about = machine(browser);
    await browser.close();
    return { about, rounds, results };
  }
  await eachSet(async (set, { browser, server }) => {
    about = machine(browser);
    try {
      results.push(await measure(set, { browser, server, rounds, say }));
    } catch (error) {
      // The other sets are still measured, but the run has failed.
      results.push({ name: set.name, problem: error.message });
      say(error.message);
    }
  });
  return { about, rounds, results };
}

/** Writes the text between the markers in docs/performance.md. */
function write(text) {
  const page = readFileSync(TABLES, 'utf8');
  const [head, tail] = [page.split('<!-- bench -->')[0], page.split('<!-- /bench -->')[1]];
  if (tail === undefined) throw new Error('docs/performance.md has no <!-- bench --> and <!-- /bench -->');
  writeFileSync(TABLES, `${head}<!-- bench -->\n${text}\n<!-- /bench -->${tail}`);
}

async function main() {
  if (process.env.PROFILE) {
    await eachSet(async (set, stage) => console.log(`\n${await profile(set, stage)}`));
    return;
  }
  const measured = await run();
  const { about, rounds, results } = measured;
  const kept = path.join(FOLDER, 'results');
  mkdirSync(kept, { recursive: true });
  const file = path.join(kept, `${new Date().toISOString().replace(/\..*/, '').replaceAll(':', '')}.json`);
  writeFileSync(file, JSON.stringify(measured, null, 2));
  say(`all figures: ${file}`);

  const verdicts = judge(results);
  const head = `${about}; medians of ${rounds} rounds.`;
  if (process.argv.includes('--write')) write(`${head}\n\n${brief(results)}\n\n${summary(verdicts)}.`);
  console.log(`\n${head}\n\n${figures(results)}\n\n${targets(verdicts)}\n\n${summary(verdicts)}`);
  const isMissed = verdicts.some((verdict) => !verdict.passed);
  if (isMissed || results.some((set) => set.problem)) process.exitCode = 1;
}

await main();
