// The full run of lands.test.mjs: node tests/e2e/lands.full.mjs [matches per file] [seed]
import path from 'node:path';
import { freshPage, SHARED, tree, until } from './reader.mjs';
import { launch, pickFiles, startServer } from './harness.mjs';
import { FILES } from './landing-files.mjs';
import { landed, random, searched, strings, word } from './landing.mjs';
import { readFileSync } from 'node:fs';

const [perFile, seed] = [Number(process.argv[2] ?? 20), Number(process.argv[3] ?? 1)];
const only = process.argv[4];
const browser = await launch();
const server = await startServer();
let [n, good] = [0, 0];
const faults = new Map();
for (const name of FILES.filter((one) => only === undefined || one.includes(only))) {
  const file = path.join(SHARED, 'traces', name);
  const { page, close, errors } = await freshPage(browser, server, '', { context: { viewport: { width: 1440, height: 900 } } });
  await pickFiles(page, '#pick-files', [{ name: path.basename(file), bytes: readFileSync(file) }]);
  await tree(page).waitFor({ state: 'attached' });
  await until(async () => await page.locator('.progress').count() === 0, 'it is read');
  const all = strings(file);
  const next = random(seed);
  let [here, fine, nowhere] = [0, 0, 0];
  while (here < perFile) {
    const text = word(all, next);
    const total = await searched(page, text);
    if (total === 0) continue;
    const steps = Math.min(total, 1 + Math.floor(next() * 4), perFile - here);
    for (let step = 0; step < steps; step += 1) {
      await page.locator('#search-input').press('Enter');
      const wrong = await landed(page, text);
      n += 1;
      here += 1;
      if (wrong === '') {
        good += 1;
        fine += 1;
      } else {
        faults.set(wrong, (faults.get(wrong) ?? 0) + 1);
        console.log(`  ${name}: ${JSON.stringify(text)} ${step + 1}/${total} ${await page.locator('#search-count').textContent()} ${wrong}`);
      }
    }
  }
  console.log(`${fine} of ${here} ${name} ${errors.join(' ').slice(0, 300)}`);
  await close();
}
console.log(`${good} of ${n} hits land`);
for (const [wrong, times] of faults) console.log(`${times} × ${wrong}`);
await browser.close();
await server.close();
process.exit(good === n ? 0 : 1);
