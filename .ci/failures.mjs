// A reporter for `node --test` that lists the failures: one line per test with its file and its name, or the file alone
// if the file as a whole failed. Tests within a test are not listed; the outermost one is.

/** The lines for a stream of events of `node:test`. */
export default async function* failures(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || data.nesting !== 0) continue;
    // With one process for each file, a file that fails as a whole is named by its path.
    const isFile = data.file === undefined || data.name === data.file;
    yield isFile ? `${data.file ?? data.name}\t\n` : `${data.file}\t${data.name}\n`;
  }
}
