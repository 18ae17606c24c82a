// Small traces generated here, so that tests know every word in them.
import { crc32 } from 'node:zlib';

/** An AgentDbg event of spec 0.1. */
export function event(at, type, name, payload = {}, more = {}) {
  return {
    spec_version: '0.1', event_id: `e-${at}`, run_id: 'run-1', parent_id: null, event_type: type,
    ts: new Date(Date.UTC(2026, 0, 5, 10, 0, at)).toISOString(), duration_ms: null, name, payload, meta: {},
    ...more,
  };
}

/** An AgentDbg tool call. */
export const toolCall = (at, name, args, result, error = null) => event(at, 'TOOL_CALL', name, {
  tool_name: name, args, result, status: error === null ? 'ok' : 'error', error,
});

/** An AgentDbg LLM call. */
export const llmCall = (at, prompt, response, model = 'model-1') => event(at, 'LLM_CALL', model, {
  model, prompt, response, usage: { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 },
});

/** Values as JSON lines. */
export const jsonl = (values) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** A complete run: a start, the given events (with times added), an end. */
export function run(name, events, status = 'ok') {
  return [
    event(0, 'RUN_START', name, { run_name: name }),
    ...events,
    event(events.length + 1, 'RUN_END', name, { status }),
  ];
}

/** One LLM call, then four different tool calls, one of which failed. */
export const small = () => jsonl(run('small run', [
  llmCall(1, [{ role: 'user', content: 'Where is the station?' }], { role: 'assistant', content: 'I look it up.' }),
  toolCall(2, 'station_search', { city: 'Zürich', limit: 3 }, { stations: ['Zürich HB'] }),
  toolCall(3, 'fare', { from: 'A', to: 'B' }, null, { error_type: 'Timeout', message: 'no answer', stack: 'at fare' }),
  toolCall(4, 'book', { train: 'RJX 163' }, 'booked'),
]));

/** The same call with the same result, `times` times, followed by another call. */
export const loop = (times = 8) => jsonl(run('a loop', [
  ...Array.from({ length: times }, (_, at) => toolCall(at + 1, 'search', { query: 'x' }, { hits: 0 })),
  toolCall(times + 1, 'finish', { ok: true }, 'done'),
]));

/** A short Claude Code session; `words` are inserted into each of its texts. */
export function claudeCode(words = {}) {
  const { user = 'List the files', text = 'I list them.', tool = 'Bash', input = { command: 'ls' }, result = 'a.txt' } = words;
  const base = { sessionId: 's-1', cwd: '/project', gitBranch: 'main', version: '2.1.0' };
  const at = (second) => new Date(Date.UTC(2026, 0, 5, 10, 0, second)).toISOString();
  return [
    { ...base, type: 'user', uuid: 'u-1', parentUuid: null, timestamp: at(0), message: { role: 'user', content: user } },
    {
      ...base, type: 'assistant', uuid: 'u-2', parentUuid: 'u-1', timestamp: at(1), requestId: 'r-1',
      message: {
        id: 'm-1', type: 'message', role: 'assistant', model: 'claude-x', stop_reason: 'tool_use',
        content: [{ type: 'thinking', thinking: text, signature: '' }, { type: 'text', text }, { type: 'tool_use', id: 'toolu_1', name: tool, input }],
        usage: { input_tokens: 10, output_tokens: 5 },
      },
    },
    {
      ...base, type: 'user', uuid: 'u-3', parentUuid: 'u-2', timestamp: at(2),
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: result }] },
    },
    {
      ...base, type: 'assistant', uuid: 'u-4', parentUuid: 'u-3', timestamp: at(3), requestId: 'r-2',
      message: {
        id: 'm-2', type: 'message', role: 'assistant', model: 'claude-x', stop_reason: 'end_turn',
        content: [{ type: 'text', text }], usage: { input_tokens: 20, output_tokens: 8 },
      },
    },
  ];
}

/** Files (`{name, bytes}`) as a zip archive, stored without compression. */
export function zip(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const [path, body] = [Buffer.from(name), Buffer.from(bytes)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2); // names are UTF-8
    common.writeUInt32LE(crc32(body), 10);
    common.writeUInt32LE(body.length, 14);
    common.writeUInt32LE(body.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, path, body]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, rest, path]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}
