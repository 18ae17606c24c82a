// The pictures in the README: the script that takes them still finds its subjects, and the files stay small.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { MAX_BYTES, PICTURES, VIEWPORT, picture } from '../../.ci/picture.mjs';
import { decode, encode } from '../../.ci/png.mjs';
import { launch, startServer } from './harness.mjs';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

let browser;
let server;
before(async () => {
  browser = await launch();
  server = await startServer();
});
after(async () => {
  await browser.close();
  await server.close();
});

/** Width and height of a PNG. */
const sizeOf = (png) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) });

/** A screenshot of blocks of colour, taken by the browser. */
async function blocks(colours) {
  const page = await browser.newPage({ viewport: { width: 100, height: 4 } });
  const divs = colours.map((colour) => `<div style="background:${colour};height:1px"></div>`);
  await page.setContent(`<body style="margin:0">${divs.join('')}`);
  const png = await page.screenshot();
  await page.close();
  return png;
}

test('an image of few colours comes back as it was', async () => {
  const taken = decode(await blocks(['#ff0000', '#00ff00', '#0000fe', '#0000ff']));
  assert.deepEqual([...new Set(taken.pixels)], [0xff0000, 0x00ff00, 0x0000fe, 0x0000ff]);
  assert.ok(taken.pixels.slice(0, 100).every((pixel) => pixel === 0xff0000));
  const small = encode(taken);
  const page = await browser.newPage({ viewport: { width: 100, height: 4 } });
  await page.setContent(`<body style="margin:0"><img style="display:block" src="data:image/png;base64,${small.toString('base64')}">`);
  await page.locator('img').evaluate((image) => image.decode());
  assert.deepEqual(decode(await page.screenshot()), taken, 'the browser reads what was written');
  await page.close();
});

test('the pictures can be taken again, and are small', async () => {
  const [light, dark] = await Promise.all(PICTURES.map(([theme]) => picture(browser, server, theme)));
  for (const png of [light, dark]) {
    assert.deepEqual(sizeOf(png), VIEWPORT);
    assert.ok(png.length < MAX_BYTES, `${png.length} bytes`);
  }
  assert.ok(!light.equals(dark), 'the themes differ');
});

test('the pictures that are kept have the right size', () => {
  const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
  for (const [, file] of PICTURES) {
    const png = readFileSync(path.join(ROOT, file));
    assert.deepEqual(sizeOf(png), VIEWPORT, file);
    assert.ok(png.length < MAX_BYTES, `${file}: ${png.length} bytes`);
    assert.ok(readme.includes(`"${file}"`), `the README shows ${file}`);
  }
});
