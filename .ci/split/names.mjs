// Which functions are to move, by their names as rustc and wasm-bindgen write them
// (`<traceloupe::formats::agentv::AgentV as …>::reader`).
import { readFileSync } from 'node:fs';

/**
 * Smaller functions do not move by their name: a trampoline is not much smaller, and the compiler gives
 * small functions of equal code one name of several.
 */
const LEAST_BYTES = 120;

const LIST = new URL('later.txt', import.meta.url);

/** A name without the numbers of packages (`core[c5930c85a12de822]`), which change with every compiler. */
export const plain = (name) => name.replace(/(?<=\w)\[[0-9a-f]{8,16}\]/g, '');

/** A pattern as an expression: a path that is whole at both ends, in which `*` is any text. */
function expression(pattern) {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return `(?<![\\w:])${escaped}(?!\\w)`;
}

/**
 * The test that a list stands for: a name moves when one of the patterns is in it, and none of those
 * with `!`. A pattern of which no name has anything is a mistake: `unused()` has those.
 */
export function matcher(text) {
  const lines = text.split('\n').map((line) => line.replace(/(^|\s)#.*/, '').trim()).filter(Boolean);
  const patterns = lines.map((line) => {
    const keeps = line.startsWith('!');
    const found = new RegExp(expression(line.slice(keeps ? 1 : 0)));
    return { line, keeps, found, hits: 0 };
  });
  const hit = (name, keeps) => patterns.filter((it) => it.keeps === keeps && it.found.test(name));
  return {
    isLater(full, bytes) {
      if (bytes < LEAST_BYTES) return false;
      const name = plain(full);
      const moving = hit(name, false);
      if (moving.length === 0) return false;
      const keeping = hit(name, true);
      for (const it of [...moving, ...keeping]) it.hits += 1;
      return keeping.length === 0;
    },
    unused: () => patterns.filter((it) => it.hits === 0).map((it) => it.line),
  };
}

/** The list of this project. */
export const ownList = () => matcher(readFileSync(LIST, 'utf8'));
