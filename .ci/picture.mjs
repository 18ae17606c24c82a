// Takes the pictures of the README from the built page: `make picture`, or `node .ci/picture.mjs` for the page in
// `dist` (TRACELOUPE_DIST names another). They show a sample with a row of its possible loop open, so anyone can
// reproduce them.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { launch, openPage, startServer } from '../tests/e2e/harness.mjs';
import { decode, encode } from './png.mjs';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const SAMPLE = 'samples/trip-planner.jsonl';

export const VIEWPORT = { width: 1440, height: 900 };
/** Small, because the README is opened far more often than it is changed. */
export const MAX_BYTES = 150_000;
/** Theme, and the file that shows it. */
export const PICTURES = [['light', 'public/picture.png'], ['dark', 'public/picture-dark.png']];

/** The page in a theme, as the bytes of a PNG. */
export async function picture(browser, server, theme) {
  const address = server.address(`#trace=${SAMPLE}&theme=${theme}`);
  const context = { viewport: VIEWPORT, reducedMotion: 'reduce', locale: 'en-US', timezoneId: 'UTC' };
  const { page, errors, close } = await openPage(browser, address, { context });
  try {
    const timeline = page.getByRole('tree', { name: 'Timeline' });
    const row = timeline.getByRole('treeitem');
    await row.first().waitFor();
    await page.locator('.progress').waitFor({ state: 'detached' });
    // Goes to the first possible loop and opens the repeated call.
    await page.keyboard.press(']');
    const repeated = timeline.getByRole('treeitem', { name: 'search_trains' }).first();
    await repeated.click();
    await timeline.getByText('Arguments').first().waitFor();
    await page.mouse.move(0, 0);
    await page.evaluate(() => document.fonts.ready);
    const taken = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    if (errors.length > 0) throw new Error(errors.join('\n'));
    return encode(decode(taken));
  } finally {
    await close();
  }
}

async function main() {
  const [browser, server] = await Promise.all([launch(), startServer()]);
  try {
    for (const [theme, file] of PICTURES) {
      const bytes = await picture(browser, server, theme);
      if (bytes.length > MAX_BYTES) throw new Error(`${file}: ${bytes.length} bytes, more than ${MAX_BYTES}`);
      writeFileSync(path.join(ROOT, file), bytes);
      console.log(`${file}: ${Math.round(bytes.length / 1000)} kB`);
    }
  } finally {
    await Promise.all([browser.close(), server.close()]);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
