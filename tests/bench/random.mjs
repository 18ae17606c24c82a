// Seeded random numbers and text: the same seed gives the same bytes on every machine.

/** A random number generator (mulberry32). */
export class Random {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  /** A 32-bit integer. */
  bits() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** An integer from 0 to `end - 1`. */
  below(end) {
    return this.bits() % end;
  }

  /** An item of a list. */
  pick(list) {
    return list[this.below(list.length)];
  }

  /** This many hexadecimal digits, at most 8. */
  hex(digits) {
    return this.bits().toString(16).padStart(8, '0').slice(0, digits);
  }

  /** A random UUID of version 4, with dashes. */
  uuid() {
    const [a, b, c, d] = [this.hex(8), this.hex(8), this.hex(8), this.hex(8)];
    return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`;
  }
}

const SYLLABLES = ('ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo ya ze ' +
  'bran clo drin fle gra pla sten tri vor').split(' ');

function words(random, count) {
  return Array.from({ length: count }, () => Array.from(
    { length: 1 + random.below(4) }, () => random.pick(SYLLABLES)).join(''));
}

/**
 * Text without characters that JSON escapes: `text(characters)` returns about that many, different each time.
 */
export function plainText(random) {
  const vocabulary = words(random, 4000);
  const pool = Array.from({ length: 200_000 }, () => random.pick(vocabulary)).join(' ');
  return (characters) => {
    const from = random.below(pool.length - characters);
    return pool.slice(from, from + characters);
  };
}

/**
 * Text as models write it, already escaped for JSON: prose, lists and code with line ends, quotes,
 * indentation, other scripts, raw and as `\u` escapes. It is never cut inside an escape.
 */
export function escapedText(random) {
  const vocabulary = words(random, 4000);
  const others = ['Zürich', 'naïve', 'façade', '東京', 'данные', '🚆', '→', '“so”', '…'];
  const escapes = ['caf\\u00e9', '\\u2014', '\\u4f60\\u597d', '\\ud83d\\ude80', '\\u00fc'];
  const some = (count) => Array.from({ length: count }, () => {
    const dice = random.below(60);
    if (dice === 0) return random.pick(others);
    if (dice === 1) return random.pick(escapes);
    if (dice < 5) return `\\"${random.pick(vocabulary)}\\"`;
    return random.pick(vocabulary);
  }).join(' ');
  const line = () => {
    const dice = random.below(8);
    if (dice === 0) return `## ${some(4)}\\n\\n`;
    if (dice === 1) return `- **${some(2)}**: ${some(8)}\\n`;
    if (dice === 2) return `    if (${some(1)} !== \\"${some(1)}\\") {\\n\\t\\treturn ${some(1)};\\n    }\\n`;
    if (dice === 3) return `C:\\\\${some(1)}\\\\${some(1)}.txt\\n`;
    return `${some(11)}.\\n`;
  };
  const lines = Array.from({ length: 20_000 }, line);
  return (characters) => {
    let at = random.below(lines.length);
    let text = '';
    while (text.length < characters) {
      text += lines[at];
      at = (at + 1) % lines.length;
    }
    return text;
  };
}
