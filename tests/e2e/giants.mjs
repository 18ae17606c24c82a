// Files made to hang a view: each is small or cheap to make, and too much of something for one view or one opened row.
import { square } from '../../.ci/png.mjs';
import { claudeCode, event, jsonl, llmCall, run, toolCall, zip } from './fixtures.mjs';

/** A run in which one tool call returns this text. */
const result = (text) => jsonl(run('one call', [toolCall(1, 'before', { n: 1 }, 'fine'), toolCall(2, 'giant', { n: 2 }, text)]));

/** `n` lines, in chunks that can be dropped as one file. */
const lines = (n, line) => {
  const parts = [];
  for (let from = 0; from < n; from += 10_000) {
    let text = '';
    for (let at = from; at < Math.min(n, from + 10_000); at += 1) text += `${JSON.stringify(line(at))}\n`;
    parts.push(Buffer.from(text));
  }
  return Buffer.concat(parts);
};

/** `n` spans, each the parent of the next. */
const nested = (n) => lines(n, (at) => event(0, 'TOOL_CALL', `level ${at % 9}`, { tool_name: `level ${at % 9}`, args: at, result: at },
  { event_id: `e-${at}`, parent_id: at === 0 ? null : `e-${at - 1}` }));

/** `n` calls of tools with different names. */
const names = (n) => lines(n, (at) => event(at % 60, 'TOOL_CALL', `tool_${at}`, { tool_name: `tool_${at}`, args: { at }, result: at, status: 'ok' },
  { event_id: `e-${at}` }));

/** `n` runs of one call each. */
const runs = (n) => lines(n, (at) => event(at % 60, 'TOOL_CALL', 'look', { tool_name: 'look', args: { at }, result: at, status: 'ok' },
  { event_id: `e-${at}`, run_id: `run-${at}` }));

/** A PNG of one colour: its file is small, its pixels are not. */
const picture = (side) => square(side, Buffer.alloc(side * (side * 3 + 1)));

/** A session in which a tool returns a picture of this size. */
function pictured(side) {
  const records = claudeCode();
  const source = { type: 'base64', media_type: 'image/png', data: picture(side).toString('base64') };
  records[2].message.content[0].content = [{ type: 'image', source }];
  return jsonl(records);
}

/** A zip whose `n` entries all are the same stored bytes. */
function overlapping(n, len) {
  const whole = zip([{ name: 'a.jsonl', bytes: jsonl(run('a', [toolCall(1, 'look', {}, 'x'.repeat(len))])) }]);
  const end = whole.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const directory = whole.readUInt32LE(end + 16);
  const entry = whole.subarray(directory, end);
  const entries = Array.from({ length: n }, () => entry);
  const tail = Buffer.from(whole.subarray(end));
  tail.writeUInt16LE(Math.min(n, 65_535), 8);
  tail.writeUInt16LE(Math.min(n, 65_535), 10);
  tail.writeUInt32LE(entry.length * n, 12);
  return Buffer.concat([whole.subarray(0, directory), ...entries, tail]);
}

/** YAML whose references multiply: each of `n` lists holds the one before it nine times. */
const yaml = (n) => Array.from({ length: n }, (_, at) => `a${at}: &a${at} [${at === 0
  ? '"x"' : Array(9).fill(`*a${at - 1}`).join(',')}]\n`).join('');

/** `n` different traces in a zip. */
const archive = (n) => zip(Array.from({ length: n }, (_, at) => ({
  name: `runs/${at}.jsonl`, bytes: `${JSON.stringify(event(0, 'TOOL_CALL', 'look', { tool_name: 'look', args: at, result: at }, { run_id: `r-${at}` }))}\n`,
})));

const ESC = '\x1b';

/** The files by name: what is in each, its name, its bytes. */
export const GIANTS = {
  names_5k: () => ['events.jsonl', names(5_000)],
  names_20k: () => ['events.jsonl', names(20_000)],
  names_50k: () => ['events.jsonl', names(50_000)],
  invisible: () => ['events.jsonl', result('\u200b'.repeat(500_000))],
  combining: () => ['events.jsonl', result(`a${'\u0301'.repeat(1_900_000)}`)],
  combined: () => ['events.jsonl', result('a\u0301\u0302\u0303'.repeat(540_000))],
  bidi: () => ['events.jsonl', result('\u202ea\u2066b'.repeat(100_000))],
  colours: () => ['events.jsonl', result(Array.from({ length: 200_000 }, (_, at) => `${ESC}[${31 + at % 7}mx`).join(''))],
  colour_lines: () => ['events.jsonl', result(Array.from({ length: 100_000 }, (_, at) => `${ESC}[${31 + at % 7}mx${ESC}[0m\n`).join(''))],
  code: () => ['session.jsonl', jsonl(claudeCode({ tool: 'giant', input: { file_path: '/project/a.py', content: `${'1,"a",'.repeat(20_000)}\n` } }))],
  nested_50k: () => ['events.jsonl', nested(50_000)],
  picture_16k: () => ['session.jsonl', pictured(16_000)],
  runs_100k: () => ['events.jsonl', runs(100_000)],
  runs_1m: () => ['events.jsonl', runs(1_000_000)],
  zip_60k: () => ['many.zip', archive(60_000)],
  zip_overlap: () => ['overlap.zip', overlapping(1_000, 10_000_000)],
  yaml: () => ['bomb.yaml', yaml(12)],
  million_lines: () => ['events.jsonl', result('line\n'.repeat(1_000_000))],
  one_line: () => ['events.jsonl', result('word '.repeat(2_000_000))],
  one_word: () => ['events.jsonl', result('x'.repeat(10_000_000))],
  keys: () => ['events.jsonl', result(Object.fromEntries(Array.from({ length: 1_000_000 }, (_, at) => [`key_${at}`, at])))],
  items: () => ['events.jsonl', result(Array.from({ length: 1_000_000 }, (_, at) => at))],
  markdown: () => ['events.jsonl', jsonl(run('md', [llmCall(1, '> '.repeat(50_000), `${'- '.repeat(20_000)}\n\n${'*a_'.repeat(50_000)}\n\n${'[a]('.repeat(30_000)}`)]))],
  table: () => ['events.jsonl', jsonl(run('md', [llmCall(1, 'q', `|${'a|'.repeat(2_000)}\n|${'-|'.repeat(2_000)}\n${`|${'b|'.repeat(2_000)}\n`.repeat(50)}`)]))],
};
