// The files of the command: names as the page shows them, and bytes that are read in slices.
import { closeSync, createReadStream, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';

/** A file whose bytes are in memory. */
export function held(path, bytes) {
  return {
    path,
    lenBytes: bytes.length,
    read: (start, lenBytes) => bytes.subarray(start, start + lenBytes),
    bytes: () => bytes,
    stream: () => new Blob([bytes]).stream(),
  };
}

/** The file that was read last. Only one is kept open, because a folder can have more files than may be open. */
let opened = { file: null, descriptor: null };

function descriptorOf(file) {
  if (opened.file !== file) {
    if (opened.file !== null) closeSync(opened.descriptor);
    opened = { file: null, descriptor: null };
    opened = { file, descriptor: openSync(file, 'r') };
  }
  return opened.descriptor;
}

function onDisk(path, file) {
  const found = statSync(file);
  // A pipe can only be read once, from its beginning to its end.
  if (!found.isFile()) return held(path, readFileSync(file));
  // Fails now, rather than in the middle of the work, if the file may not be read.
  descriptorOf(file);
  return {
    path,
    file,
    lenBytes: found.size,
    read(start, lenBytes) {
      const buffer = new Uint8Array(Math.min(lenBytes, Math.max(found.size - start, 0)));
      return buffer.subarray(0, readSync(descriptorOf(file), buffer, 0, buffer.length, start));
    },
    bytes: () => readFileSync(file),
    stream: () => Readable.toWeb(createReadStream(file)),
  };
}

async function standardInput() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return held('trace', Buffer.concat(chunks));
}

/** The files below a folder, sorted. Links to folders are not followed, because they may lead in circles. */
function* below(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* below(path);
    else if (entry.isFile() || (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isFile())) yield path;
  }
}

/** The deepest folder that contains all paths. */
function commonFolder(paths) {
  const [first, ...others] = paths.map((path) => dirname(path).split(sep));
  const differs = (part, at) => others.some((other) => other[at] !== part);
  const at = first.findIndex(differs);
  return (at < 0 ? first : first.slice(0, at)).join(sep) || sep;
}

/**
 * The files that are named on the command line, `-` for the standard input. A folder stands for the files below it,
 * except those that `isLeftOut` by their name. Names begin with the folder that was given, and contain no folder above
 * it. `fail` ends the command.
 */
export async function filesOf(given, { isLeftOut, fail }) {
  const known = [];
  const files = [];
  for (const path of given) {
    try {
      if (path === '-') files.push(await standardInput());
      else if (statSync(path).isDirectory()) {
        const folder = resolve(path);
        const found = [...below(folder)].filter((file) => !isLeftOut(relative(dirname(folder), file)));
        if (found.length === 0) fail(`${path} has no files that can be traces`);
        known.push(...found.map((file) => ({ file, shown: folder })));
      } else known.push({ file: resolve(path), shown: resolve(path) });
    } catch (error) {
      if (error.code === undefined) throw error;
      fail(`${path} cannot be read (${error.code === 'ENOENT' ? 'there is no such file' : error.code})`);
    }
  }
  const root = known.length > 0 ? commonFolder(known.map(({ shown }) => shown)) : '';
  for (const { file } of known) {
    try {
      files.push(onDisk(relative(root, file).split(sep).join('/'), file));
    } catch (error) {
      fail(`${file} cannot be read (${error.code ?? error.message})`);
    }
  }
  return files;
}
