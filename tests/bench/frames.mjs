// Measures scrolling and folding frame by frame.

/** Runs in the page: records the time between frames, and how long each frame keeps the page busy. */
function watchFrames() {
  const deltas = [];
  const busy = [];
  let last = null;
  let isOn = true;
  const channel = new MessageChannel();
  let began = 0;
  // A message posted in a frame is delivered after that frame's style, layout and paint.
  channel.port1.onmessage = () => busy.push(performance.now() - began);
  const frame = (time) => {
    if (!isOn) return;
    if (last !== null) deltas.push(time - last);
    last = time;
    began = performance.now();
    channel.port2.postMessage(0);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  window.benchFrames = () => {
    isOn = false;
    return { deltas, busy };
  };
}

const stop = (page) => page.evaluate(() => window.benchFrames());

/** Ways of scrolling, about three seconds each. */
export const SCROLLS = {
  /** Mouse wheel notches, as real input. */
  async wheel(page) {
    await page.mouse.move(700, 500);
    await page.evaluate(watchFrames);
    for (let notch = 0; notch < 150; notch += 1) await page.mouse.wheel(0, 120);
    return stop(page);
  },
  /** One window height per frame. */
  async pages(page) {
    await page.evaluate(watchFrames);
    await page.evaluate(() => everyFrame(180, (list) => {
      list.scrollTop += list.clientHeight;
    }));
    return stop(page);
  },
  /** The scroll bar, dragged over the whole list and back. */
  async drag(page) {
    await page.evaluate(watchFrames);
    await page.evaluate(() => everyFrame(180, (list, share) => {
      list.scrollTop = (1 - Math.abs(1 - 2 * share)) * list.scrollHeight;
    }));
    return stop(page);
  },
};

/** Scrolls a loaded page in one way. Returns all frames, and the number of rows drawn at the end. */
export async function scroll(page, way) {
  await page.evaluate(() => {
    document.querySelector('.list').scrollTop = 0;
    window.everyFrame = async (frames, act) => {
      const list = document.querySelector('.list');
      for (let n = 0; n < frames; n += 1) {
        act(list, n / frames);
        await new Promise(requestAnimationFrame);
      }
    };
  });
  await page.waitForTimeout(300);
  const frames = await SCROLLS[way](page);
  const moved = await page.evaluate(() => document.querySelector('[role=treeitem]') !== null);
  if (!moved) throw new Error(`no rows are drawn after scrolling (${way})`);
  return frames;
}

/** Clicks *Expand all* or *Collapse all*: `ms` until the new rows are painted, `height` of the list. */
export function fold(page, label) {
  return page.evaluate(async (name) => {
    const button = document.querySelector(`button[aria-label="${name}"]`);
    const channel = new MessageChannel();
    const started = performance.now();
    button.click();
    await new Promise(requestAnimationFrame);
    await new Promise((done) => {
      channel.port1.onmessage = done;
      channel.port2.postMessage(0);
    });
    return { ms: performance.now() - started, height: document.querySelector('.list').scrollHeight };
  }, label);
}

/** The number of DOM elements of the page. */
export const elements = (page) => page.evaluate(() => document.querySelectorAll('*').length);
