// Shrinks a screenshot: decodes the PNG that Chromium writes (8 bits, RGB or RGBA, not interlaced) and
// encodes it with a palette of 256 colours. A page has few colours, so the difference is invisible, and the
// file is a third of the size.
import { deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PALETTE_SIZE = 256;
const EXACT_COLOURS = 64;

/** The chunks of a PNG, as `{type, data}`. */
function* chunksOf(png) {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error('not a PNG');
  for (let at = 8; at < png.length;) {
    const len = png.readUInt32BE(at);
    yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + len) };
    at += 12 + len;
  }
}

/** The value that a filter predicts from the bytes to the left, above, and above left. */
function predicted(filter, left, above, corner) {
  switch (filter) {
    case 0: return 0;
    case 1: return left;
    case 2: return above;
    case 3: return (left + above) >> 1;
    case 4: {
      const [a, b, c] = [left, above, corner].map((it) => Math.abs(left + above - corner - it));
      return a <= b && a <= c ? left : b <= c ? above : corner;
    }
    default: throw new Error(`unknown PNG filter ${filter}`);
  }
}

/** Decodes to `{width, height, pixels}`: one number per pixel, red in the highest of three bytes. */
export function decode(png) {
  const parts = [...chunksOf(png)];
  const head = parts.find(({ type }) => type === 'IHDR').data;
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const step = { 2: 3, 6: 4 }[head[9]];
  if (head[8] !== 8 || step === undefined || head[12] !== 0) throw new Error('a PNG of another kind');
  const raw = inflateSync(Buffer.concat(parts.filter(({ type }) => type === 'IDAT').map(({ data }) => data)));
  const rowLen = width * step;
  let before = new Uint8Array(rowLen);
  const pixels = new Uint32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const start = y * (rowLen + 1);
    const row = Uint8Array.from(raw.subarray(start + 1, start + 1 + rowLen));
    for (let x = 0; x < rowLen; x += 1) {
      row[x] += predicted(raw[start], row[x - step] ?? 0, before[x], before[x - step] ?? 0);
    }
    for (let x = 0; x < width; x += 1) {
      const at = x * step;
      pixels[y * width + x] = (row[at] << 16) | (row[at + 1] << 8) | row[at + 2];
    }
    before = row;
  }
  return { width, height, pixels };
}

const distance = (a, b) => (
  ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2);

/**
 * The colours of a palette: the most frequent ones unchanged (the surfaces of the page), then frequent ones that are
 * not too close to a colour already in it (the edges of letters).
 */
function paletteOf(pixels) {
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const byCount = [...counts].sort(([a, m], [b, n]) => n - m || a - b).map(([colour]) => colour);
  if (byCount.length <= PALETTE_SIZE) return byCount;
  // The smallest distance at which the colours fit into the palette.
  for (let apart = 1; ; apart += 1) {
    const chosen = byCount.slice(0, EXACT_COLOURS);
    for (const colour of byCount.slice(EXACT_COLOURS)) {
      if (chosen.every((other) => distance(colour, other) > apart ** 2)) chosen.push(colour);
      if (chosen.length > PALETTE_SIZE) break;
    }
    if (chosen.length <= PALETTE_SIZE) return chosen;
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let crc = n;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

/** The checksum of a chunk. (`zlib.crc32` is missing in the first releases of Node 20.) */
function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** The header of an image with 8 bits for each channel. `kind` is 2 for RGB and 3 for a palette. */
function header(width, height, kind) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, kind, 0, 0, 0], 8);
  return chunk('IHDR', head);
}

/** A square image in RGB. `rows` has for each line a byte that names its filter, and then the pixels. */
export function square(side, rows, options) {
  return Buffer.concat([
    SIGNATURE, header(side, side, 2), chunk('IDAT', deflateSync(rows, options)), chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Encodes with a palette; an image of at most 256 colours loses nothing. */
export function encode({ width, height, pixels }) {
  const palette = paletteOf(pixels);
  const nearest = new Map();
  const indexOf = (pixel) => {
    if (!nearest.has(pixel)) {
      const distances = palette.map((colour) => distance(pixel, colour));
      nearest.set(pixel, distances.indexOf(Math.min(...distances)));
    }
    return nearest.get(pixel);
  };
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = indexOf(pixels[y * width + x]);
  }
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    SIGNATURE, header(width, height, 3), chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0)),
  ]);
}
