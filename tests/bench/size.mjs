// The sizes of the page's two programs.
import { budgets, sizesOf } from '../../.ci/size.mjs';

/**
 * Bytes per program of the built page in `folder`: raw, and compressed with gzip and brotli at the highest
 * level.
 */
export function sizeOf(folder) {
  const named = ([program, { all: { raw, gzip, brotli } }]) => [program, { plain: raw, gzip, brotli }];
  return { name: 'size', kind: 'size', programs: Object.fromEntries(Object.entries(sizesOf(folder)).map(named)) };
}

export { budgets };
