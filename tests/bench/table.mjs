// Formats results as Markdown tables.
import { median } from './statistics.mjs';

const middle = (set, figure) => median(set.rounds.map(figure));
const ms = (value) => (value < 100 ? value.toFixed(value < 10 ? 1 : 0) : Math.round(value).toLocaleString('en'));
const times = (value) => `${value.toFixed(value < 10 ? 2 : 0)} ×`;
const mb = (bytes) => Math.round(bytes / 1e6).toLocaleString('en');

/** A table with aligned columns. */
function table(head, rows) {
  const widths = head.map((_, at) => Math.max(3, ...[head, ...rows].map((row) => row[at].length)));
  const line = (cells) => `| ${cells.map((cell, at) => (
    at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, at) => (
    at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/** The times for opening each file. */
function loading(sets) {
  const head = ['File', 'MB', 'events', 'bare reading, ms', 'complete, ms', '', 'first rows, ms', '',
    'JSON.parse, ms', '', 'memory + Blobs, MB', 'longest block, ms', 'fresh page: first, complete, ms'];
  return table(head, sets.map((set) => {
    const each = (name) => middle(set, (it) => it[name]);
    const ratio = (above, below) => times(middle(set, (it) => it[above] / it[below]));
    return [
      set.name, mb(set.bytes), set.events.toLocaleString('en'), ms(each('read')),
      ms(each('complete')), ratio('complete', 'read'), ms(each('first')), ratio('first', 'start'),
      ms(each('parse')), ratio('parse', 'complete'), `${mb(each('memory'))} + ${mb(each('blobs'))}`, ms(each('block')),
      `${ms(each('freshFirst'))}, ${ms(each('freshComplete'))}`,
    ];
  }));
}

/** The same, reduced to the time that a user waits. */
function waiting(sets) {
  const head = ['File', 'MB', 'events', 'first rows, ms', 'complete, ms', 'bare reading, ms', 'JSON.parse, ms',
    'memory, MB'];
  return table(head, sets.map((set) => {
    const each = (name) => middle(set, (it) => it[name]);
    return [set.name, mb(set.bytes), set.events.toLocaleString('en'), ms(each('first')), ms(each('complete')),
      ms(each('read')), ms(each('parse')), mb(each('memory'))];
  }));
}

function moving(set) {
  const frames = Object.entries(set.frames).map(([way, frame]) => [
    `scrolling, ${way}`, String(frame.p50), String(frame.p95), String(frame.p99), String(frame.busy)]);
  const folds = Object.entries(set.folds).map(([label, list]) => `${label} ${ms(median(list))} ms`);
  return `${table(['A million events: ms from frame to frame', 'p50', 'p95', 'p99', 'busy p95'], frames)}\n\n` +
    `A million events: ${folds.join(', ')}; ${set.elements} DOM elements.`;
}

function searching(set) {
  if (set.searches === null) return 'Search: not there yet.';
  const queries = [...new Set(set.searches.map((it) => it.query))];
  return table(['Search over 100 MB', 'hits', 'first hit, ms', 'all, ms'], queries.map((query) => {
    const found = set.searches.filter((it) => it.query === query);
    return [query, found[0].hits.toLocaleString('en'), ms(median(found.map((it) => it.first))),
      ms(median(found.map((it) => it.done)))];
  }));
}

function throttled(set) {
  const each = (figure) => median(set.waits.map((it) => it[figure]));
  const kb = (bytes) => Math.round(bytes / 1e3).toLocaleString('en');
  return table(['9 Mbit/s, 85 ms, CPU ÷ 4, nothing cached', 'after ms', 'kB until then'], [
    ['the empty page is usable', ms(each('usable')), ''],
    ['rows of a linked trace of 100 kB', ms(each('rows')), kb(each('rowsBytes'))],
    ['speedscope’s page is usable', ms(each('speedscope')), kb(each('speedscopeBytes'))],
  ]);
}

/** Results that are not about opening files, for the sets where they were measured. */
function others(sets) {
  return sets.flatMap((set) => {
    const parts = [];
    if (set.frames) parts.push(moving(set));
    if (set.searches !== undefined) parts.push(searching(set));
    if (set.agentdbg !== undefined) {
      const { problem, drawn, elements } = set.agentdbg;
      parts.push(problem ? `AgentDbg’s own page: ${problem}.` : 'AgentDbg’s own page over ' +
        `${set.name}: ${ms(drawn)} ms, ${elements.toLocaleString('en')} DOM elements.`);
    }
    if (set.kind === 'size') {
      const weight = ({ plain, gzip, brotli }) => `${ms(plain / 1e3)} kB, ` +
        `${ms(gzip / 1e3)} kB with gzip, ${ms(brotli / 1e3)} kB with brotli`;
      for (const [program, size] of Object.entries(set.programs)) {
        parts.push(`The ${program} weighs ${weight(size)}.`);
      }
    }
    if (set.waits !== undefined) parts.push(throttled(set));
    if (set.problem !== undefined) parts.push(`Not measured: ${set.problem}.`);
    return parts;
  });
}

const isFile = (set) => set.rounds !== undefined;

/** All tables that have results. */
export function figures(sets) {
  const parts = others(sets);
  if (sets.some(isFile)) parts.unshift(loading(sets.filter(isFile)));
  const huge = sets.filter((set) => set.opens !== undefined);
  if (huge.length > 0) {
    parts.push(table(['Opening a row with one huge value', 'shown, ms', 'longest block, ms'], huge.map((set) => [
      set.name, set.opens.opened === null ? 'never' : ms(set.opens.opened), ms(set.opens.block)])));
  }
  return parts.join('\n\n');
}

/** The tables in docs/performance.md. */
export const brief = (sets) => [waiting(sets.filter(isFile)), ...others(sets)].join('\n\n');

/** Every target with its measured value. */
export function targets(verdicts) {
  const show = (value, unit) => (value === null ? 'not there' :
    unit === '×' ? times(value) : `${value < 100 ? value.toFixed(1) : Math.round(value)}${unit}`);
  return table(['Target', 'of', 'goal', 'gate', 'measured', ''], verdicts.map((verdict) => {
    const { target, set, value, met, passed } = verdict;
    const sign = target.least ? '≥' : '≤';
    const limit = (figure) => (figure === undefined ? '' : `${sign} ${figure}${target.unit === '×' ? ' ×' : target.unit}`);
    return [target.words, set, limit(target.goal), limit(target.gate), show(value, target.unit),
      met ? 'met' : passed ? 'missed' : 'GATE MISSED'];
  }));
}

/** The last line of the output. */
export function summary(verdicts) {
  return `${verdicts.filter((it) => it.met).length} of ${verdicts.length} targets met`;
}
