// Makes the npm package from the built page: `node .ci/package.mjs [dist] [target/npm]`. The version is that of Cargo.toml.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workspaceNotice } from './notice.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
/** Files of `dist` that stand beside the page's own, rather than belong to it. */
const OWN = ['traceloupe.html', 'trace-loupe.js'];

/** Writes the package into `folder`, from the built page in `dist`. */
export function makePackage(dist, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'page'), { recursive: true });
  for (const name of readdirSync(dist)) {
    cpSync(join(dist, name), join(folder, OWN.includes(name) ? name : `page/${name}`), { recursive: true });
  }
  for (const name of ['README.md', 'package.json']) cpSync(join(ROOT, '.ci/npm', name), join(folder, name));
  cpSync(join(ROOT, 'public/trace-loupe.d.ts'), join(folder, 'trace-loupe.d.ts'));
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'NOTICE'), workspaceNotice(['traceloupe-page', 'traceloupe-worker', 'traceloupe-redactor']));
  const [, version] = readFileSync(join(ROOT, 'Cargo.toml'), 'utf8').match(/^version = "([^"]+)"$/m);
  const described = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...described, version }, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , dist = 'dist', folder = 'target/npm'] = process.argv;
  makePackage(dist, folder);
  console.log(`the package is in ${folder}`);
}
