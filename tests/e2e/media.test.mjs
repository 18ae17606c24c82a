// Images, recordings and documents, each shown from the bytes of the trace.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '../../.ci/png.mjs';
import { body, dropText, row, settled, stage, until } from './reader.mjs';

const it = stage();

/** A grey square. */
const png = (size) => encode({ width: size, height: size, pixels: new Uint32Array(size * size).fill(0x808080) });

/** A silent recording: 8 bits, one channel, 8,000 samples a second. */
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

test('a message with an image has a thumbnail on its row', async () => {
  const { page, errors } = await it.open();
  await dropText(page, CHAT);
  const thumbnail = row(page, /What do these show/).locator('img.row__image');
  await until(() => thumbnail.evaluate((one) => one.naturalWidth === 40), 'the first image is there');
  const [row0, image0] = await Promise.all([row(page, /What do these show/).boundingBox(), thumbnail.boundingBox()]);
  assert.ok(image0.height <= row0.height && image0.height > 12, 'it fits into the row');
  assert.equal(await row(page, /Three squares/).locator('img').count(), 0);
  assert.deepEqual(errors, []);
});

/** A call of a computer-use tool, with a screenshot as its result. */
const pointing = (input, size) => [
  { role: 'user', content: 'Press the button' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'computer', input }] },
  {
    role: 'user',
    content: [{
      type: 'tool_result',
      tool_use_id: 'c1',
      content: [{
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: Buffer.from(png(size)).toString('base64') },
      }],
    }],
  },
];

/** A video of a third of a second, recorded by the browser itself. */
function recorded(page) {
  return page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    const drawing = canvas.getContext('2d');
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' });
    const pieces = [];
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    recorder.start();
    for (let at = 0; at < 20; at += 1) {
      drawing.fillRect(at * 10, 0, 10, 50);
      await new Promise(requestAnimationFrame);
    }
    const ended = new Promise((end) => { recorder.onstop = end; });
    recorder.stop();
    await ended;
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
    return btoa(String.fromCharCode(...bytes));
  });
}

test('a video of the trace plays', async () => {
  const { page, errors } = await it.open();
  const url = `data:video/webm;base64,${await recorded(page)}`;
  const said = { role: 'user', content: [{ type: 'text', text: 'Watch the gate' }, { type: 'video_url', video_url: { url } }] };
  await dropText(page, JSON.stringify([said, { role: 'assistant', content: 'It opens.' }]), 'chat.json');
  await row(page, /Watch the gate/).click();
  const film = body(page, 'row-0').locator('video');
  await film.waitFor();
  assert.match(await film.getAttribute('aria-label'), /video\/webm/);
  await until(() => film.evaluate((one) => one.videoWidth === 300), 'the browser has read the film');
  assert.deepEqual(errors, []);
});

test('a screenshot has marks where the call pointed, in any size', async () => {
  const { page, errors } = await it.open();
  const drag = { action: 'left_click_drag', start_coordinate: [50, 100], coordinate: [150, 20] };
  await dropText(page, JSON.stringify(pointing(drag, 200)), 'chat.json');
  await row(page, /computer/).last().click();
  const shown = page.locator('.body__in');
  const places = (where) => where.evaluate((box) => {
    const image = box.querySelector('img').getBoundingClientRect();
    return [...box.querySelectorAll('.image__click')].map((mark) => {
      const { left, top, width, height } = mark.getBoundingClientRect();
      return [(left + width / 2 - image.left) / image.width, (top + height / 2 - image.top) / image.height]
        .map((share) => Math.round(share * 20) / 20);
    });
  });
  const wanted = [[0.25, 0.5], [0.75, 0.1]];
  const small = shown.locator('.image').first();
  await until(async () => await small.locator('.image__click').count() === 2, 'both marks are there');
  assert.deepEqual(await places(small), wanted);
  assert.deepEqual(await small.locator('.image__click').allTextContents(), ['1', '2']);
  assert.equal(await small.locator('.image__click').first().getAttribute('title'), 'The call pointed here: 50, 100');
  await shown.getByRole('button', { name: 'Full screen' }).click();
  const full = page.locator('.full-image__in');
  await until(async () => await full.locator('.image__click').count() === 2, 'both marks are on the large image');
  assert.deepEqual(await places(full), wanted);
  assert.deepEqual(errors, []);
});

test('a point outside the screenshot has no mark', async () => {
  const { page } = await it.open();
  await dropText(page, JSON.stringify(pointing({ action: 'left_click', coordinate: [900, 20] }, 200)), 'chat.json');
  await row(page, /computer/).last().click();
  const image = page.locator('.body__in .image img').first();
  await until(() => image.evaluate((one) => one.naturalWidth === 200), 'the screenshot is there');
  await settled(page);
  assert.equal(await page.locator('.image__click').count(), 0);
});
