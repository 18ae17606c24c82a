// Measures AgentDbg's own page with the same run, in the same browser.
import { spawn, spawnSync } from 'node:child_process';
import { createReadStream, existsSync, linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { FOLDER } from './data.mjs';
import { median } from './statistics.mjs';

/** The last version with its own page: 0.3.0 is a shim around its successor. */
const PACKAGE = 'agentdbg==0.2.4';
const VENV = path.join(FOLDER, PACKAGE.replace('==', '-'));
const COMMAND = path.join(VENV, 'bin/agentdbg');
const RUNS = path.join(FOLDER, 'agentdbg-runs');

/** Installs the package into a folder of its own. Returns the reason if that fails. */
function install(say) {
  if (existsSync(COMMAND)) return null;
  say(`installing ${PACKAGE}`);
  for (const [command, ...args] of [
    ['python3', '-m', 'venv', VENV],
    [path.join(VENV, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', PACKAGE],
  ]) {
    const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0) {
      rmSync(VENV, { recursive: true, force: true });
      return `could not be installed: ${(error?.message ?? stderr).trim().split('\n').at(-1)}`;
    }
  }
  return null;
}

/** Copies the file to where AgentDbg looks for runs. Returns the id of the run. */
async function placeRun(file) {
  const lines = createInterface({ input: createReadStream(file) });
  let first;
  for await (const line of lines) {
    first = JSON.parse(line);
    break;
  }
  lines.close();
  const folder = path.join(RUNS, 'runs', first.run_id);
  rmSync(RUNS, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  linkSync(file, path.join(folder, 'events.jsonl'));
  writeFileSync(path.join(folder, 'run.json'), JSON.stringify({
    spec_version: '0.1', run_id: first.run_id, run_name: 'generated run', started_at: first.ts,
    ended_at: first.ts, duration_ms: 1, status: 'ok',
    counts: { llm_calls: 0, tool_calls: 0, errors: 0, loop_warnings: 0 }, last_event_ts: first.ts,
  }));
  return first.run_id;
}

function freePort() {
  return new Promise((done) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

async function answering(address, child) {
  for (let n = 0; n < 200 && child.exitCode === null; n += 1) {
    if (await fetch(`${address}/api/runs`).then((answer) => answer.ok, () => false)) return true;
    await new Promise((go) => setTimeout(go, 100));
  }
  return false;
}

/**
 * Opens the run in AgentDbg's page `rounds` times. `drawn`: milliseconds from the request for the events
 * until all of them are in the document and laid out; `elements`: number of elements after that. `{problem}`
 * if it cannot be measured.
 */
export async function measureAgentDbg(browser, set, rounds, say) {
  const problem = install(say);
  if (problem !== null) return { problem };
  const run = await placeRun(set.file);
  const port = await freePort();
  const child = spawn(COMMAND, ['view', run, '--no-browser', '--port', String(port)], {
    env: { ...process.env, AGENTDBG_DATA_DIR: RUNS }, stdio: 'ignore',
  });
  try {
    const address = `http://127.0.0.1:${port}`;
    if (!await answering(address, child)) return { problem: 'its server does not answer' };
    const drawn = [];
    let elements;
    for (let round = 0; round < rounds; round += 1) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      const page = await context.newPage();
      await page.goto(`${address}/?run_id=${run}`, { waitUntil: 'commit' });
      drawn.push(await page.evaluate(waitForEvents, set.events));
      elements = await page.evaluate(() => document.querySelectorAll('*').length);
      await context.close();
      say(`AgentDbg's page, round ${round + 1}: ${Math.round(drawn.at(-1))} ms`);
    }
    return { drawn: median(drawn), elements };
  } finally {
    child.kill();
  }
}

/** In AgentDbg's page: waits until this many events are drawn. */
async function waitForEvents(wanted) {
  const count = () => document.querySelectorAll('#timeline-events > *').length;
  while (count() < wanted) await new Promise((go) => setTimeout(go, 20));
  await new Promise(requestAnimationFrame);
  await new Promise((go) => setTimeout(go, 0));
  const asked = performance.getEntriesByType('resource').find((entry) => entry.name.endsWith('/events'));
  return performance.now() - asked.startTime;
}
