// The time of an opening by function, in the worker and on the page: PROFILE=1.
import { openOurs, load } from './page.mjs';

const INTERVAL_US = 200;
const SHOWN = 40;

/** Self times of one profile: `[name, ms]`, longest first. */
function selfTimes({ nodes, samples, timeDeltas }) {
  const names = new Map(nodes.map(({ id, callFrame }) => [
    id, callFrame.functionName || `(anonymous ${callFrame.url.split('/').at(-1)}:${callFrame.lineNumber}:${callFrame.columnNumber})`]));
  const times = new Map();
  samples.forEach((id, at) => {
    const name = names.get(id);
    times.set(name, (times.get(name) ?? 0) + timeDeltas[at] / 1e3);
  });
  return [...times].sort((a, b) => b[1] - a[1]);
}

/** Attaches to the workers of a page; each is profiled from its start. */
async function attach(session) {
  const workers = [];
  let next = 1;
  const waiting = new Map();
  const send = (sessionId, method, params = {}) => new Promise((done) => {
    next += 1;
    waiting.set(next, done);
    session.send('Target.sendMessageToTarget', {
      sessionId, message: JSON.stringify({ id: next, method, params }),
    });
  });
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result } = JSON.parse(message);
    waiting.get(id)?.(result);
  });
  session.on('Target.attachedToTarget', async ({ sessionId }) => {
    workers.push({ stop: async () => (await send(sessionId, 'Profiler.stop')).profile });
    await send(sessionId, 'Profiler.enable');
    await send(sessionId, 'Profiler.setSamplingInterval', { interval: INTERVAL_US });
    await send(sessionId, 'Profiler.start');
    await send(sessionId, 'Runtime.runIfWaitingForDebugger');
  });
  await session.send('Target.setAutoAttach', {
    autoAttach: true, waitForDebuggerOnStart: true, flatten: false,
  });
  return workers;
}

/** Opens the file in a page that has opened it before, and prints the time by function. */
export async function profile(set, { browser, server }) {
  const ours = await openOurs(browser, server);
  try {
    await load(ours.page, set.file);
    await ours.page.getByRole('button', { name: 'Actions' }).click();
    await ours.page.getByRole('button', { name: 'Close the trace' }).click();
    await ours.page.waitForTimeout(500);
    const session = await ours.context.newCDPSession(ours.page);
    const workers = await attach(session);
    await session.send('Profiler.enable');
    await session.send('Profiler.setSamplingInterval', { interval: INTERVAL_US });
    await session.send('Profiler.start');
    const { complete } = await load(ours.page, set.file);
    const profiles = [['page', (await session.send('Profiler.stop')).profile]];
    for (const worker of workers) profiles.push(['worker', await worker.stop()]);
    return profiles.map(([where, one]) => {
      const times = selfTimes(one);
      const lines = times.slice(0, SHOWN).map(([name, ms]) => `${ms.toFixed(1).padStart(9)}  ${name}`);
      return `${set.name}, ${where}: ms by function, complete after ${Math.round(complete)} ms\n${lines.join('\n')}`;
    }).join('\n\n');
  } finally {
    await ours.close();
  }
}
