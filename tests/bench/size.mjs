// What the browser has to load before the page is there, and what it loads behind that.
import { sizesOf } from '../../.ci/size.mjs';

/** Bytes of the built page in `folder`: plain, and packed with gzip and brotli at their best. */
export function sizeOf(folder) {
  const { first, later } = sizesOf(folder);
  const named = ({ raw, gzip, brotli }) => ({ plain: raw, gzip, brotli });
  return { name: 'page', kind: 'size', ...named(first), later: named(later) };
}
