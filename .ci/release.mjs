// Writes what a release publishes, from the built page and the built command: `node .ci/release.mjs [dist] [target/cli]
// [target/release-files]`. What changed goes to release-notes.md beside that folder.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePackage, version } from './package.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** What the changelog says of a version. */
export function notesOf(changelog, wanted) {
  const section = changelog.split(/^## /m).find((part) => part.startsWith(`${wanted} `));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section ${wanted}`);
  return `${section.slice(section.indexOf('\n')).trim()}\n`;
}

/** The same files give the same archive. */
function archive(parent, name, file) {
  execFileSync('tar', [
    '--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0', '--mode=u=rwX,go=rX',
    '--use-compress-program=gzip -9n', '-cf', file, '-C', parent, name,
  ]);
}

export function makeRelease(dist, cli, folder) {
  const made = `${folder}.part`;
  for (const old of [made, folder]) rmSync(old, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  makePackage(dist, cli, join(made, 'npm'));
  execFileSync('npm', ['pack', resolve(made, 'npm'), '--silent', '--offline'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const page = `traceloupe-page-${version()}`;
  cpSync(dist, join(made, page), { recursive: true });
  for (const name of ['LICENSE', 'NOTICE']) cpSync(join(made, 'npm', name), join(made, page, name));
  archive(made, page, join(folder, `${page}.tar.gz`));
  for (const name of ['traceloupe.html', 'NOTICE']) cpSync(join(made, 'npm', name), join(folder, name));
  const sum = (name) => createHash('sha256').update(readFileSync(join(folder, name))).digest('hex');
  const sums = readdirSync(folder).sort().map((name) => `${sum(name)}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  rmSync(made, { recursive: true });
  const notes = notesOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version());
  writeFileSync(join(dirname(folder), 'release-notes.md'), notes);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , dist = 'dist', cli = 'target/cli', folder = 'target/release-files'] = process.argv;
  makeRelease(dist, cli, folder);
  console.log(`version ${version()} is in ${folder}:`);
  console.log(readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trimEnd());
}
