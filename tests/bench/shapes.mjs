// Generates the records of the measured files, one class per shape. `first()`, `next()` and `end()` return
// records as text without line ends; `events()` returns how many events the page must show for them.
import { Random, escapedText, plainText } from './random.mjs';

const TOOLS = ['search_docs', 'read_page', 'edit_file', 'run_tests', 'list_files', 'fetch_url'];

/** The search target, contained in one of several thousand records. */
export const NEEDLE = 'needle in the haystack';

/** A clock that advances by some milliseconds per record; ISO 8601. */
function clock(random) {
  let ms = Date.UTC(2026, 10, 20, 8);
  return () => {
    ms += 1 + random.below(90);
    return new Date(ms).toISOString();
  };
}

/** AgentDbg events as its Python package writes them; `text` generates the long strings. */
class AgentDbg {
  constructor(random, text) {
    Object.assign(this, { random, text, time: clock(random), run: random.uuid(), n: 0, needles: 0 });
    this.parent = 'null';
  }

  event(type, name, payload, parent = 'null') {
    this.n += 1;
    const id = this.random.uuid();
    this.last = id;
    return `{"spec_version": "0.1", "event_id": "${id}", "run_id": "${this.run}", ` +
      `"parent_id": ${parent}, "event_type": "${type}", "ts": "${this.time()}", ` +
      `"duration_ms": null, "name": "${name}", "payload": {${payload}}, "meta": {}}`;
  }

  first() {
    return this.event('RUN_START', 'generated run', '"run_name": "generated run", ' +
      '"python_version": "3.11.7", "platform": "linux", "cwd": "/data/dev", "argv": ["agents.py"]');
  }

  end() {
    return this.event('RUN_END', 'run_end', '"status": "ok", "summary": {"llm_calls": 0, ' +
      '"tool_calls": 0, "errors": 0, "duration_ms": 1}');
  }

  events() {
    return this.n;
  }
}

/** About 3 kB per event, mostly in long strings. */
export class LongStrings extends AgentDbg {
  next() {
    const { random, text } = this;
    if (random.below(3) === 0) {
      return this.event('LLM_CALL', 'gpt-4.1', '"model": "gpt-4.1", "prompt": [{"role": "system", ' +
        `"content": "${text(900)}"}, {"role": "user", "content": "${text(2000)}"}], ` +
        `"response": "${text(1600)}", "usage": {"prompt_tokens": ${500 + random.below(4000)}, ` +
        `"completion_tokens": ${random.below(900)}, "total_tokens": ${5000 + random.below(900)}}, ` +
        '"provider": "openai", "temperature": 0.2, "stop_reason": "stop", "status": "ok", "error": null');
    }
    const tool = random.pick(TOOLS);
    const hasNeedle = this.n % 3000 > 2990;
    this.needles += hasNeedle ? 1 : 0;
    const needle = hasNeedle ? NEEDLE : '';
    return this.event('TOOL_CALL', tool, `"tool_name": "${tool}", "args": {"query": "${text(60)}", ` +
      `"page": ${random.below(9)}, "filters": ["a", "b"]}, "result": {"hits": ["${text(700)}", ` +
      `"${text(600)}${needle}"], "total": ${random.below(1000)}}, "status": "ok", "error": null`);
  }
}

/**
 * Events of about 400 bytes, the smallest that AgentDbg writes: steps with tool calls, some of which fail or
 * repeat.
 */
export class SmallEvents extends AgentDbg {
  next() {
    const { random } = this;
    // Groups of three levels: a state, an LLM call under it, tool calls under that.
    const place = this.n % 12;
    if (place === 1) {
      const record = this.event('STATE_UPDATE', 'state', `"state": {"step": ${this.n}}, "diff": null`);
      this.top = `"${this.last}"`;
      return record;
    }
    if (place === 2 || place === 7) {
      const record = this.event('LLM_CALL', 'gpt-4.1-mini', '"model": "gpt-4.1-mini", "prompt": ' +
        `"${this.text(12)}", "response": "${this.text(8)}", "status": "ok", "error": null`, this.top);
      this.parent = `"${this.last}"`;
      return record;
    }
    const tool = `${random.pick(TOOLS)}_${random.below(8)}`;
    // Every hundredth group repeats the same call.
    const query = this.n % 1200 < 12 ? 'the same' : this.text(10);
    const status = random.below(50) === 0 ? '"error", "error": "timed out"' : '"ok", "error": null';
    return this.event('TOOL_CALL', tool, `"tool_name": "${tool}", "args": {"q": "${query}"}, ` +
      `"result": ${random.below(1000)}, "status": ${status}`, place > 2 ? this.parent : 'null');
  }
}

/** A Claude Code session: prompts, thinking, text, tool calls, results. */
export class ClaudeCode {
  constructor(random, text) {
    Object.assign(this, { random, text, time: clock(random), session: random.uuid() });
    this.previous = 'null';
    this.step = 0;
    this.shown = 0;
  }

  record(rest, type) {
    const uuid = this.random.uuid();
    const record = `{"parentUuid":${this.previous},"isSidechain":false,"userType":"external",` +
      `"cwd":"/data/dev/work","sessionId":"${this.session}","version":"2.1.33","gitBranch":"main",` +
      `${rest},"type":"${type}","uuid":"${uuid}","timestamp":"${this.time()}"}`;
    this.previous = `"${uuid}"`;
    return record;
  }

  assistant(block) {
    const { random } = this;
    return this.record('"message":{"model":"claude-opus-4-6","id":"' + this.message + '","type":"message",' +
      `"role":"assistant","content":[${block}],"stop_reason":null,"stop_sequence":null,"usage":` +
      `{"input_tokens":3,"cache_creation_input_tokens":${random.below(9000)},"cache_read_input_tokens":` +
      `${random.below(90000)},"output_tokens":${random.below(900)},"service_tier":"standard"}},` +
      `"requestId":"req_${this.message.slice(4)}"`, 'assistant');
  }

  first() {
    return this.next();
  }

  end() {
    this.shown += 1;
    return this.record('"subtype":"stop_hook_summary","isMeta":false', 'system');
  }

  next() {
    const { random, text } = this;
    // A prompt, then four turns of thinking, text, call and result.
    const place = this.step % 17;
    this.step += 1;
    if (place === 0) {
      this.shown += 1;
      return this.record(`"message":{"role":"user","content":"${text(300)}"}`, 'user');
    }
    switch ((place - 1) % 4) {
      case 0:
        // The blocks of one message make up one LLM call.
        this.shown += 1;
        this.message = `msg_01${random.hex(8)}${random.hex(8)}${random.hex(6)}`;
        return this.assistant(`{"type":"thinking","thinking":"${text(900)}","signature":"${random.hex(8)}"}`);
      case 1:
        return this.assistant(`{"type":"text","text":"${text(500)}"}`);
      case 2:
        this.shown += 1;
        this.call = `toolu_01${random.hex(8)}${random.hex(8)}${random.hex(6)}`;
        return this.assistant(`{"type":"tool_use","id":"${this.call}","name":"Bash","input":{"command":` +
          `"grep -rn ${text(30)} .","description":"${text(40)}"}}`);
      default: {
        const output = text(2500);
        return this.record(`"message":{"role":"user","content":[{"type":"tool_result","content":"${output}",` +
          `"is_error":false,"tool_use_id":"${this.call}"}]},"toolUseResult":{"stdout":"${output}",` +
          '"stderr":"","interrupted":false,"isImage":false}', 'user');
      }
    }
  }

  events() {
    return this.shown;
  }
}

/** Records of a logger in no known format. */
export class Records {
  constructor(random, text) {
    Object.assign(this, { random, text, time: clock(random), n: 0 });
  }

  first() {
    return this.next();
  }

  end() {
    return this.next();
  }

  next() {
    const { random, text } = this;
    this.n += 1;
    return `{"time":"${this.time()}","level":"${random.pick(['debug', 'info', 'info', 'warn'])}",` +
      `"logger":"agent.${random.pick(TOOLS)}","msg":"${text(120)}","request":"${random.uuid()}",` +
      `"data":{"attempt":${random.below(5)},"ms":${random.below(90000) / 100},"ok":true,"note":null,` +
      `"rows":[${random.below(99)},${random.below(99)},${random.below(99)}],"text":"${text(500)}"}}`;
  }

  events() {
    return this.n;
  }
}

/** The shapes by name; each takes a seed. */
export const SHAPES = {
  agentdbg: (seed) => withText(LongStrings, seed, plainText),
  escapes: (seed) => withText(LongStrings, seed, escapedText),
  claude: (seed) => withText(ClaudeCode, seed, escapedText),
  records: (seed) => withText(Records, seed, plainText),
  small: (seed) => withText(SmallEvents, seed, plainText),
};

function withText(Shape, seed, texts) {
  const random = new Random(seed);
  return new Shape(random, texts(random));
}
