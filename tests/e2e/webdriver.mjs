// What WebDriver and WebDriver BiDi have in common: commands on the path, processes, actions of keys and mouse.
import { execFileSync } from 'node:child_process';

/** The path of an installed command, or `null`. */
export function pathOf(name) {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

/** Ends a process, and waits until it has ended. */
export async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.on('exit', done));
  child.kill();
  await gone;
}

/** Waits until a document has been loaded completely. In a document that is going away, `ask` fails, and is repeated. */
export async function loaded(ask, url, limitMs) {
  const end = Date.now() + limitMs;
  for (;;) {
    const is = await ask().catch(() => null);
    if (is?.state === 'complete' && is.address === new URL(url).href) return;
    if (Date.now() > end) throw new Error(`${url} is not loaded: ${JSON.stringify(is)}`);
    await new Promise((go) => setTimeout(go, 10));
  }
}

/** Keys that WebDriver does not name by their character. */
const CODES = { Enter: '\uE007', Escape: '\uE00C', Control: '\uE009' };

/** The actions that press these keys one after the other, each as Playwright writes it (`j`, `Enter`, `Control+s`). */
export const pressing = (keys) => [{
  type: 'key',
  id: 'keys',
  actions: keys.flatMap((key) => {
    const values = (key.length > 1 ? key.split('+') : [key]).map((one) => CODES[one] ?? one);
    return [
      ...values.map((value) => ({ type: 'keyDown', value })),
      ...values.toReversed().map((value) => ({ type: 'keyUp', value })),
    ];
  }),
}];

/** The actions that click at this place of the viewport. */
export const clicking = (x, y) => [{
  type: 'pointer',
  id: 'mouse',
  parameters: { pointerType: 'mouse' },
  actions: [
    { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ],
}];
