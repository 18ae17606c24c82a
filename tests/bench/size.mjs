// What the browser has to load before a trace can be opened.
import { sizesOf } from '../../.ci/size.mjs';

/** Bytes of the built page in `folder`: plain, and packed with gzip and brotli at their best. */
export function sizeOf(folder) {
  const { raw, gzip, brotli } = sizesOf(folder).all;
  return { name: 'page', kind: 'size', plain: raw, gzip, brotli };
}
