// Measures one set, round by round. The baseline is measured before and after the page in each round.
import { warm } from './data.mjs';
import { measureAgentDbg } from './agentdbg.mjs';
import { elements, fold, scroll, SCROLLS } from './frames.mjs';
import { close, load, openOurs, openRow } from './page.mjs';
import { openProbe, runWorker, startAndRead } from './probe.mjs';
import { search, QUERIES } from './search.mjs';
import { percentile } from './statistics.mjs';

/** Chromium cannot hold a longer text in a string; and files of this size are opened at most three times. */
const LONGEST_TEXT_BYTES = 500e6;
const MOST_ROUNDS_OF_LARGE = 3;

/**
 * Measures one set. Returns it with `rounds` and, where they apply, `frames`, `folds`, `searches`, `opens`
 * and `agentdbg`. Each round opens the file in a page that has opened it before, and in a fresh one.
 */
export async function measure(set, { browser, server, rounds: wanted, say }) {
  const rounds = set.bytes > LONGEST_TEXT_BYTES ? Math.min(wanted, MOST_ROUNDS_OF_LARGE) : wanted;
  warm(set.file);
  const probe = await openProbe(browser, server, server.address(''));
  const ours = await openOurs(browser, server);
  const result = { ...set, rounds: [] };
  try {
    // The first time does not count: code is compiled, and the process has not yet allocated memory.
    await runWorker(probe.page, 'read', set.file);
    await loadChecked(ours.page, set);
    for (let round = 0; round < rounds; round += 1) {
      await close(ours.page);
      const fresh = await openFresh(set, browser, server);
      result.rounds.push({ ...await oneRound(set, probe.page, ours.page), ...fresh });
      say(`${set.name}, round ${round + 1}: ${JSON.stringify(rounded(result.rounds.at(-1)))}`);
    }
    if (set.name === 'million') Object.assign(result, await moving(ours.page, rounds));
    if (set.name === 'agentdbg-100') result.searches = await searches(ours.page, set, rounds);
    if (set.kind === 'huge') {
      result.opens = await openRow(ours.page, 'giant');
    }
    if (ours.errors.length > 0) throw new Error(`${set.name}: the page reports ${ours.errors[0]}`);
  } finally {
    await probe.context.close();
    await ours.close();
  }
  if (set.name === 'agentdbg-100') {
    result.agentdbg = await measureAgentDbg(browser, set, Math.min(rounds, 3), say);
  }
  return result;
}

/** The baseline is measured before and after the page, so that other load on the machine affects both. */
async function oneRound(set, probe, page) {
  const before = await runWorker(probe, 'read', set.file);
  const start = await startAndRead(probe, set.file);
  const ours = await loadChecked(page, set);
  const after = await runWorker(probe, 'read', set.file);
  const parse = await runWorker(probe, parserFor(set), set.file);
  return { ...ours, read: (before + after) / 2, start, parse };
}

function parserFor(set) {
  if (set.kind === 'document') return 'parseDocument';
  return set.bytes > LONGEST_TEXT_BYTES ? 'parseSlices' : 'parseText';
}

/** The same in a page that has not opened anything yet. */
async function openFresh(set, browser, server) {
  const opened = await openOurs(browser, server);
  const { first, complete, block } = await loadChecked(opened.page, set);
  await opened.close();
  return { freshFirst: first, freshComplete: complete, freshBlock: block };
}

/** Loads a file and fails if the page shows anything else, because then its speed means nothing. */
async function loadChecked(page, set) {
  const loaded = await load(page, set.file);
  if (loaded.events !== set.events) {
    throw new Error(`${set.name}: the page has ${loaded.events} events, the file ${set.events}`);
  }
  return loaded;
}

async function moving(page, rounds) {
  const frames = {};
  for (const way of Object.keys(SCROLLS)) {
    const { deltas, busy } = await scroll(page, way);
    // The frame clock has a resolution of a tenth of a millisecond.
    const of = (list, percent) => Math.round(percentile(list, percent) * 10) / 10;
    frames[way] = {
      p50: of(deltas, 50), p95: of(deltas, 95), p99: of(deltas, 99), busy: of(busy, 95),
    };
  }
  const folds = { 'Expand all': [], 'Collapse all': [] };
  for (let round = 0; round < rounds; round += 1) {
    const collapsed = await fold(page, 'Collapse all');
    const expanded = await fold(page, 'Expand all');
    if (collapsed.height >= expanded.height) throw new Error('collapsing has hidden no rows');
    folds['Collapse all'].push(collapsed.ms);
    folds['Expand all'].push(expanded.ms);
  }
  return { frames, folds, elements: await elements(page) };
}

/** One entry per query and round; null if there is no search. */
async function searches(page, set, rounds) {
  const all = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const query of QUERIES) {
      const found = await search(page, query.text);
      if (found === null) return null;
      const wanted = query.hits(set);
      if (wanted !== null && found.hits !== wanted) {
        throw new Error(`“${query.text}” stands ${wanted} times in ${set.name}; found: ${found.hits}`);
      }
      all.push({ query: query.words, ...found });
    }
  }
  return all;
}

const rounded = (figures) => Object.fromEntries(Object.entries(figures)
  .filter(([, value]) => typeof value === 'number').map(([name, value]) => [name, Math.round(value * 10) / 10]));
