// Small traces that each contain one huge value, which must open without freezing the page.
import { square } from '../../.ci/png.mjs';
import { Random } from './random.mjs';
import { SHAPES } from './shapes.mjs';

/** The huge values by name; each generates its JSON chunk by chunk. */
const VALUES = {
  /** A string of 100 MB. */
  * string(shape) {
    yield '"';
    for (let length = 0; length < 100e6; length += 1e6) yield shape.text(1_000_000);
    yield '"';
  },
  /** An image of 50 MB in base64, as tools return them. */
  * image() {
    yield '{"content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "';
    yield picture(3536).toString('base64');
    yield '"}}]}';
  },
  /** An object with 20,000 keys. */
  * object(shape) {
    for (let key = 0; key < 20_000; key += 1) {
      yield `${key === 0 ? '{' : ', '}"key_${key}": "${shape.text(40)}"`;
    }
    yield '}';
  },
  /** An array of a million numbers and short strings. */
  * array(shape) {
    for (let item = 0; item < 1_000_000; item += 1) {
      yield `${item === 0 ? '[' : ', '}${item % 2 === 0 ? item : `"${shape.text(12)}"`}`;
    }
    yield ']';
  },
  /** Arrays nested 100,000 deep. */
  * depth() {
    yield '['.repeat(100_000);
    yield ']'.repeat(100_000);
  },
};

/** The names of the huge values. */
export const GIANTS = Object.keys(VALUES);

/** The chunks of a trace in which one tool call returns the named value; reports the number of events. */
export function* traceWith(name, seed, tellEvents) {
  const shape = SHAPES.agentdbg(seed);
  yield `${shape.first()}\n`;
  for (let n = 0; n < 10; n += 1) yield `${shape.next()}\n`;
  const [before, after] = shape.event('TOOL_CALL', 'giant', '"tool_name": "giant", "args": {"n": 1}, ' +
    '"result": @, "status": "ok", "error": null').split('@');
  yield before;
  yield* VALUES[name](shape);
  yield `${after}\n`;
  for (let n = 0; n < 10; n += 1) yield `${shape.next()}\n`;
  yield `${shape.end()}\n`;
  tellEvents(shape.events());
}

/** A square PNG of noise, which does not compress. */
function picture(side) {
  const random = new Random(7);
  const raw = Buffer.alloc(side * (side * 3 + 1));
  for (let at = 0; at + 4 <= raw.length; at += 4) raw.writeUInt32LE(random.bits(), at);
  for (let line = 0; line < side; line += 1) raw[line * (side * 3 + 1)] = 0; // no filter
  return square(side, raw, { level: 0 });
}
