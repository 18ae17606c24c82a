// All targets. A goal is the aim; a gate, if there is one, must not be missed.
//
// `value(set, all)` returns the measured value for a set: null if it could not be measured, undefined if the
// target does not apply to the set. Never change a number here to fit a result.
import { budgets } from './size.mjs';
import { median } from './statistics.mjs';

const isLarge = (set) => set.kind === 'jsonl' && set.shape !== 'small' && set.bytes > 50e6;
const isLines = (set) => set.kind === 'jsonl' || set.kind === 'huge';
const isThrottled = (set) => set.waits !== undefined;
const isMillion = (set) => set.name === 'million';
const of = (set, applies, value) => (applies(set) ? value() : undefined);
const middle = (set, figure) => median(set.rounds.map(figure));

/** Bytes of memory allowed for a file of lines. */
const memoryLimit = (set) => 64e6 + 100 * set.events;

/** The median of the slowest query; null if there is no search. */
function worstQuery(set, figure) {
  if (set.searches === null) return null;
  const queries = new Set(set.searches.map((it) => it.query));
  return Math.max(...[...queries].map((query) => (
    median(set.searches.filter((it) => it.query === query).map((it) => it[figure])))));
}

/** All targets; `unit` is printed after values, `least` means that larger is better. */
export const TARGETS = [
  {
    id: 'complete', words: 'complete, against bare reading', unit: '×', goal: 1.3, gate: 1.7,
    value: (set) => of(set, isLarge, () => middle(set, (it) => it.complete / it.read)),
  },
  {
    id: 'parse', words: 'complete, faster than file.text() + JSON.parse per line', unit: '×', goal: 3.5,
    least: true,
    value: (set) => of(set, isLarge, () => middle(set, (it) => it.parse / it.complete)),
  },
  {
    id: 'agentdbg', words: 'complete, faster than AgentDbg’s own page', unit: '×', goal: 20, least: true,
    value: (set) => of(set, () => set.agentdbg !== undefined, () => (
      // AgentDbg's page is fresh each time, so ours is too.
      set.agentdbg.problem ? null : set.agentdbg.drawn / middle(set, (it) => it.freshComplete))),
  },
  {
    id: 'first', words: 'first rows, against starting a worker and reading 8 MiB', unit: '×', goal: 1.5,
    value: (set) => of(set, isLines, () => middle(set, (it) => it.first / it.start)),
  },
  {
    id: 'memory', words: 'worker memory, share of 64 MB + 100 bytes per event', unit: '×', goal: 1,
    value: (set) => of(set, isLines, () => middle(set, (it) => it.memory) / memoryLimit(set)),
  },
  {
    id: 'document', words: 'complete, against bare reading', unit: '×', goal: 2.5,
    value: (set) => of(set, () => set.kind === 'document', () => middle(set, (it) => it.complete / it.read)),
  },
  {
    id: 'document-memory', words: 'worker memory, against the document', unit: '×', goal: 1.2,
    value: (set) => of(set, () => set.kind === 'document', () => middle(set, (it) => it.memory) / set.bytes),
  },
  {
    id: 'growth', words: 'time from 100 MB to 1 GB, against ten times', unit: '×', goal: 1.1,
    value: (set, all) => of(set, () => set.kind === 'jsonl' && set.name.endsWith('-1000'), () => {
      const small = all.find((it) => it.name === set.name.replace('-1000', '-100'));
      if (small === undefined) return undefined;
      const grown = middle(set, (it) => it.complete) / middle(small, (it) => it.complete);
      return grown / (set.bytes / small.bytes);
    }),
  },
  {
    id: 'block', words: 'longest main-thread block while loading', unit: ' ms', goal: 50,
    value: (set) => of(set, () => set.rounds !== undefined, () => middle(set, (it) => it.block)),
  },
  ...['wheel', 'pages', 'drag'].map((way) => ({
    id: `frames-${way}`, words: `frame while scrolling (${way}), p95`, unit: ' ms', goal: 16.7,
    value: (set) => of(set, isMillion, () => set.frames[way].p95),
  })),
  ...['Expand all', 'Collapse all'].map((label) => ({
    id: label.toLowerCase().replace(' ', '-'), words: `${label} on a million events`, unit: ' ms', goal: 200,
    value: (set) => of(set, isMillion, () => median(set.folds[label])),
  })),
  {
    id: 'search-first', words: 'search, first hit', unit: ' ms', goal: 150,
    value: (set) => of(set, () => set.searches !== undefined, () => worstQuery(set, 'first')),
  },
  {
    id: 'search-pass', words: 'search, full pass over 100 MB', unit: ' ms', goal: 1000,
    value: (set) => of(set, () => set.searches !== undefined, () => worstQuery(set, 'done')),
  },
  {
    id: 'throttled-usable', words: 'slow line and CPU: the empty page is usable', unit: ' ms', goal: 800,
    value: (set) => of(set, isThrottled, () => median(set.waits.map((it) => it.usable))),
  },
  {
    id: 'throttled-rows', words: 'slow line and CPU: rows of a linked trace of 100 kB', unit: ' ms', goal: 2500,
    value: (set) => of(set, isThrottled, () => median(set.waits.map((it) => it.rows))),
  },
  ...Object.entries(budgets).map(([program, { target, gate }]) => ({
    id: `gzip-${program}`, words: `${program}, gzip`, unit: ' kB', goal: target / 1e3, gate: gate / 1e3,
    value: (set) => of(set, () => set.kind === 'size', () => set.programs[program].gzip / 1e3),
  })),
];

/** The verdict for every target and every set it applies to: `{target, set, value, met, passed}`. */
export function judge(sets) {
  return TARGETS.flatMap((target) => sets.flatMap((set) => {
    const value = target.value(set, sets);
    if (value === undefined) return [];
    const holds = (limit) => value !== null && (target.least ? value >= limit : value <= limit);
    return [{
      target, set: set.name, value, met: holds(target.goal),
      // A target without a gate cannot fail.
      passed: target.gate === undefined || holds(target.gate),
    }];
  }));
}
