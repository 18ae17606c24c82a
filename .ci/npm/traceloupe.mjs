#!/usr/bin/env node
// The command `traceloupe`: reports, checks and summaries of traces, made by the same code as the page, under Node. It
// makes no network request. docs/ci.md describes it.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { filesOf, held } from './files.mjs';
import { partsOf, reportOf } from './report.mjs';

const require = createRequire(import.meta.url);
const beside = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');

const HELP = `Usage:
  traceloupe report FILE… [-o FILE] [--markdown] [--title TITLE] [--redact]
      Writes one HTML file with the viewer and the trace; with --markdown, the brief of each run.
      Without -o: report.html, or the standard output for Markdown. -o - is the standard output.
  traceloupe summary FILE… [--json] [--redact]
      Prints counts, failures and possible loops of each run.
  traceloupe check FILE… [--fail-on LIST] [--json] [--redact]
      The same, and ends with status 1 if something of the list is found: critical, warning (possible loops),
      errors (failures that were never fixed), outcome (runs that failed), problems (data that could not be read).
      Without --fail-on: critical,problems.

  --redact removes secrets and personal data first; if that fails, nothing is written.
  FILE may be a folder, an archive, or - for the standard input. All files of a call are one trace.
  Status: 0 fine, 1 found something, 2 called wrongly or nothing could be read.
  Nothing is uploaded: the command makes no network request.
`;
const DEFAULT_CHECKS = 'critical,problems';

/** Ends the command with status 2 and a sentence: it was called wrongly, or a file cannot be read. */
class Misuse extends Error {}

function fail(words) {
  throw new Misuse(words);
}

/** Calls the program, whose errors are sentences. */
function program(call) {
  try {
    return call(require('./traceloupe_cli.cjs'));
  } catch (error) {
    throw typeof error === 'string' ? new Misuse(error) : error;
  }
}

function open(files, parts) {
  const prices = gunzipSync(Buffer.from(parts.files.prices.join(''), 'base64')).toString();
  const host = {
    lenBytes: (index) => files[index].lenBytes,
    read: (index, start, lenBytes) => files[index].read(start, lenBytes),
  };
  return program(({ Trace }) => Trace.open(host, files.map(({ path }) => path), prices));
}

/** Texts without secrets. `files` are searched for more of them. */
const redactTexts = (texts, files = []) => program(({ redact }) => redact(files, texts));

/** A file as text: gzip hides secrets. */
function unpacked({ path, bytes }) {
  const packed = bytes();
  if (packed[0] !== 0x1f || packed[1] !== 0x8b) return { path, bytes: packed };
  try {
    return { path: path.replace(/\.gz$/i, ''), bytes: gunzipSync(packed) };
  } catch (error) {
    return fail(`${path} cannot be unpacked, so it cannot be redacted (${error.code ?? error.message})`);
  }
}

function redacted(files) {
  const given = files.map(unpacked);
  const redact = (some) => redactTexts(some.map(({ path }) => path), some.map(({ bytes }) => bytes));
  try {
    const { said, files: made, texts } = redact(given);
    console.error(said);
    return made.map((bytes, index) => held(texts[index], bytes));
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    // Which file it was is only of interest if it fails.
    const cause = given.find((file) => {
      try {
        redact([file]);
        return false;
      } catch {
        return true;
      }
    });
    return fail(`${cause?.path ?? 'the trace'} cannot be redacted: ${error.message}`);
  }
}

async function write(output, pieces) {
  if (output === '-') {
    for (const piece of pieces) process.stdout.write(typeof piece === 'string' ? piece : Buffer.from(await piece.arrayBuffer()));
    return;
  }
  let lenBytes = 0;
  try {
    const file = openSync(output, 'w');
    for (const piece of pieces) {
      const bytes = Buffer.from(typeof piece === 'string' ? piece : await piece.arrayBuffer());
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      lenBytes += bytes.length;
    }
    closeSync(file);
  } catch (error) {
    fail(`${output} cannot be written (${error.code ?? error.message})`);
  }
  console.error(`${output}: ${(lenBytes / 1e6).toFixed(lenBytes < 1e5 ? 3 : 1)} MB`);
}

async function report({ trace, files, parts, safe }, { output, markdown, title: wanted }) {
  const path = output ?? (markdown ? '-' : 'report.html');
  if (files.some(({ file }) => file === resolve(path))) fail(`${path} is a file of the trace; choose another one with -o`);
  if (markdown) return write(path, [safe(trace.markdown())]);
  const title = safe(wanted ?? trace.title());
  return write(path, await reportOf(parts, { title, brief: safe(trace.html(title)), files }));
}

/** JSON in which no character acts on a terminal. */
const harmless = (json) => JSON.stringify(JSON.parse(json), null, 2)
  .replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

function summary({ trace, safe }, { json }) {
  process.stdout.write(json ? `${harmless(safe(trace.json()))}\n` : safe(trace.text()));
}

function checksOf(list) {
  const checks = list.split(',').map((word) => word.trim()).filter(Boolean);
  const known = program(({ checkWords }) => checkWords());
  const unknown = checks.find((word) => !known.includes(word));
  if (unknown !== undefined || checks.length === 0) fail(`--fail-on takes a list of ${known.join(', ')}, not ${unknown ?? 'nothing'}`);
  return checks;
}

function check({ trace, safe }, { json, 'fail-on': list = DEFAULT_CHECKS }) {
  const found = trace.check(checksOf(list));
  process.stdout.write(json ? `${harmless(safe(found.json))}\n` : safe(found.text));
  if (found.count > 0) process.exitCode = 1;
}

const COMMANDS = {
  report: { run: report, options: ['output', 'markdown', 'title', 'redact'] },
  summary: { run: summary, options: ['json', 'redact'] },
  check: { run: check, options: ['json', 'fail-on', 'redact'] },
};

function parsed() {
  const options = {
    help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' }, output: { type: 'string', short: 'o' },
    redact: { type: 'boolean' }, markdown: { type: 'boolean' }, title: { type: 'string' }, json: { type: 'boolean' },
    'fail-on': { type: 'string' },
  };
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return fail(`${error.message}\n\n${HELP}`);
  }
}

async function main() {
  const { values, positionals: [name, ...given] } = parsed();
  if (values.version) return console.log(JSON.parse(beside('package.json')).version);
  if (values.help) return process.stdout.write(HELP);
  if (name === undefined) fail(HELP);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : fail(`there is no command ${name}\n\n${HELP}`);
  const other = Object.keys(values).find((option) => !command.options.includes(option));
  if (other !== undefined) fail(`${name} has no option --${other}\n\n${HELP}`);
  if (given.length === 0) fail(`${name} needs a file, a folder, or - for the standard input`);
  const isLeftOut = (path) => program((cli) => cli.isLeftOut(path));
  if (values['fail-on'] !== undefined) checksOf(values['fail-on']);
  const read = await filesOf(given, { isLeftOut, fail });
  const parts = partsOf(beside('traceloupe.html'));
  const files = values.redact ? redacted(read) : read;
  // What is made of a redacted trace is searched too, because it is put together anew.
  const safe = (text) => (values.redact ? redactTexts([text]).texts[0] : text);
  return command.run({ trace: open(files, parts), files, parts, safe }, values);
}

/** Why the command ended, in words. */
function words(error) {
  if (error instanceof Misuse) return error.message;
  if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) return error.stack;
  let panic;
  try {
    panic = require('./traceloupe_cli.cjs').panicMessage();
  } catch {
    // The program has no memory left for it.
  }
  return panic === undefined
    ? 'the trace needs more memory than a WebAssembly program can use (4 GB). Split it, or name fewer files'
    : `this is a bug in Traceloupe, not a problem of the file. Please report it: ${panic}`;
}

// A pipe that is closed early, as by `head`.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
try {
  await main();
} catch (error) {
  console.error(`traceloupe: ${words(error)}`);
  process.exitCode = 2;
}
