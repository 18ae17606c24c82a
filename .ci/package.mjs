// Makes the npm package from the built page and the built command: `node .ci/package.mjs [dist] [target/cli] [target/npm]`.
// The version is that of Cargo.toml.
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { wholeNotice } from './notice.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
/** Files of `dist` that stand beside the page's own, rather than belong to it. */
const OWN = ['traceloupe.html', 'trace-loupe.js'];
/** The version of all packages. */
export const version = () => readFileSync(join(ROOT, 'Cargo.toml'), 'utf8').match(/^version = "([^"]+)"$/m)[1];

/** Writes the package into `folder`, from the built page in `dist` and the built command in `cli`. */
export function makePackage(dist, cli, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'page'), { recursive: true });
  for (const name of readdirSync(dist)) {
    cpSync(join(dist, name), join(folder, OWN.includes(name) ? name : `page/${name}`), { recursive: true });
  }
  for (const from of [cli, join(ROOT, '.ci/npm')]) cpSync(from, folder, { recursive: true });
  chmodSync(join(folder, 'traceloupe.mjs'), 0o755);
  cpSync(join(ROOT, 'public/single-file.js'), join(folder, 'single-file.cjs'));
  cpSync(join(ROOT, 'public/trace-loupe.d.ts'), join(folder, 'trace-loupe.d.ts'));
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'NOTICE'), wholeNotice());
  const described = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...described, version: version() }, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , dist = 'dist', cli = 'target/cli', folder = 'target/npm'] = process.argv;
  makePackage(dist, cli, folder);
  console.log(`the package is in ${folder}`);
}
