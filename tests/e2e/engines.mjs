// The browser engines in which the core path is tested, all driven in the same way. `node tests/e2e/engines.mjs` prints a
// line for each engine that is not installed.
//
// A launched engine has one tab:
//   open(url)               loads a document; resolves when it is complete
//   run(function, ...args)  runs a function in the page; arguments and result are JSON
//   press(...keys)          presses keys, one after the other
//   clickAt(x, y)           clicks with the mouse
//   setFiles(selector, paths)
//   downloads               the folder into which it saves
//   close()
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { firefoxPath, launchFirefox } from './firefox.mjs';
import { launch } from './harness.mjs';
import { launchWebKit, webkitPath } from './webkit.mjs';

/** Chromium, which the other end-to-end tests drive directly. */
async function launchChromium({ width = 1280, height = 800 } = {}) {
  const browser = await launch();
  const downloads = mkdtempSync(path.join(os.tmpdir(), 'traceloupe-chromium-'));
  const page = await browser.newPage({ viewport: { width, height } });
  page.on('download', (download) => download.saveAs(path.join(downloads, download.suggestedFilename())));
  return {
    downloads,
    open: (url) => page.goto(url, { waitUntil: 'load' }),
    run: (act, ...args) => page.evaluate(`(${act})(...${JSON.stringify(args)})`),
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key);
    },
    clickAt: (x, y) => page.mouse.click(x, y),
    setFiles: (selector, files) => page.locator(selector).setInputFiles(files),
    async close() {
      await browser.close();
      rmSync(downloads, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** All engines. `packages` are the Debian packages that it takes. */
export const ENGINES = [
  { name: 'Chromium', isInstalled: () => true, launch: launchChromium, packages: 'chromium' },
  { name: 'Firefox', isInstalled: () => firefoxPath() !== null, launch: launchFirefox, packages: 'firefox-esr' },
  { name: 'WebKit', isInstalled: () => webkitPath() !== null, launch: launchWebKit, packages: 'webkit2gtk-driver xvfb' },
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { name, isInstalled, packages } of ENGINES) {
    if (!isInstalled()) console.log(`${name} is not installed: the core path was not tested in it (apt-get install ${packages})`);
  }
}
