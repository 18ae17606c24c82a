// Images, recordings and documents: each from the bytes of the trace.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '../../.ci/png.mjs';
import { body, dropText, row, stage, until } from './reader.mjs';

const it = stage();

/** A grey square. */
const png = (size) => encode({ width: size, height: size, pixels: new Uint32Array(size * size).fill(0x808080) });

/** A recording without sound: 8 bits, one channel, 8,000 samples a second. */
function wav(nSamples) {
  const head = Buffer.from('RIFF....WAVEfmt ....................data....', 'latin1');
  head.writeUInt32LE(36 + nSamples, 4);
  [16, 1 | (1 << 16), 8000, 8000, 1 | (8 << 16)].forEach((number, at) => head.writeUInt32LE(number, 16 + at * 4));
  head.writeUInt32LE(nSamples, 40);
  return Buffer.concat([head, Buffer.alloc(nSamples, 128)]);
}

const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n').toString('base64');
const image = (size) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${Buffer.from(png(size)).toString('base64')}` } });

const CHAT = JSON.stringify([
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What do these show?' },
      image(40), image(60), image(80),
      { type: 'input_audio', input_audio: { data: wav(800).toString('base64'), format: 'wav' } },
      { type: 'file', file: { filename: 'plan.pdf', file_data: `data:application/pdf;base64,${PDF}` } },
    ],
  },
  { role: 'assistant', content: 'Three squares, a tone and a plan.' },
]);

async function opened() {
  const { page, errors } = await it.open();
  await dropText(page, CHAT);
  await row(page, /What do these show/).click();
  const shown = body(page, 'row-0');
  await shown.locator('.media').first().waitFor();
  return { page, errors, shown };
}

test('images stand beside each other, a recording plays, a document is named and saved', async () => {
  const { page, errors, shown } = await opened();
  await until(() => shown.locator('img').evaluateAll((all) => all.length === 3 && all.every((one) => one.naturalWidth > 1)),
    'all images are there');
  const tops = await shown.locator('img').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  assert.equal(new Set(tops).size, 1, 'in one line');
  const sound = shown.locator('audio');
  assert.match(await sound.getAttribute('aria-label'), /audio\/wav/);
  await until(() => sound.evaluate((one) => one.duration > 0), 'the browser has read the recording');
  assert.match(await shown.textContent(), /application\/pdf, \d+ B/);
  const last = shown.locator('.media').last();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    last.getByRole('button', { name: /^Download all/ }).click(),
  ]);
  assert.match(download.suggestedFilename(), /\.pdf$/);
  assert.ok(!(await shown.textContent()).includes(PDF.slice(0, 20)), 'base64 is not shown');
  assert.deepEqual(errors, []);
});

test('the images of a row are a gallery: buttons and arrow keys lead through them', async () => {
  const { page, shown } = await opened();
  await shown.getByRole('button', { name: 'Full screen' }).nth(1).click();
  const full = page.locator('.full-image');
  await full.waitFor();
  const width = () => full.locator('img').evaluate((one) => one.naturalWidth);
  const is = (at, size) => until(async () => await full.locator('[role=status]').textContent() === `${at} of 3`
    && await width() === size, `image ${at}`);
  await is(2, 60);
  await full.getByRole('button', { name: /Next/ }).click();
  await is(3, 80);
  await page.keyboard.press('ArrowRight');
  await is(1, 40);
  await page.keyboard.press('ArrowLeft');
  await is(3, 80);
  await full.getByRole('button', { name: /Previous/ }).click();
  await is(2, 60);
});
