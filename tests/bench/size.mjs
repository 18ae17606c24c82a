// What the two programs of the page weigh.
import { budgets, sizesOf } from '../../.ci/size.mjs';

/** Bytes per program of the built page in `folder`: plain, and packed with gzip and brotli at their best. */
export function sizeOf(folder) {
  const named = ([program, { all: { raw, gzip, brotli } }]) => [program, { plain: raw, gzip, brotli }];
  return { name: 'size', kind: 'size', programs: Object.fromEntries(Object.entries(sizesOf(folder)).map(named)) };
}

export { budgets };
