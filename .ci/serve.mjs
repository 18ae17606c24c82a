// A static file server for the built page: `node .ci/serve.mjs [folder]`, used by `make serve` and by the
// end-to-end tests. It listens on 127.0.0.1 only and does not allow permanent caching.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Media types by the ending of the file. */
export const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.gz': 'application/gzip',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.jsonl': 'application/x-ndjson',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.zip': 'application/zip',
};

/** The file for a path, or null; never a file outside the folder, never a hidden one. */
async function findFile(folder, pathname) {
  let relative;
  try {
    relative = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  if (relative.includes('\0') || relative.split('/').some((part) => part.startsWith('.'))) {
    return null;
  }
  const file = path.join(folder, relative.endsWith('/') ? relative + 'index.html' : relative);
  const found = await stat(file).catch(() => null);
  return found?.isFile() ? { file, size: found.size } : null;
}

/**
 * Serves `folder` under the path `base` (which ends in a slash). `handle(request, response, url)` is called
 * first and returns true, or a promise of it, if it has answered. Resolves to `{origin, port, server,
 * close}`; rejects if the port is taken. Port 0 means any free port.
 */
export async function serve({ folder, base = '/', port = 0, handle = () => false }) {
  const server = http.createServer(async (request, response) => {
    const target = 'http://127.0.0.1' + request.url;
    if (!URL.canParse(target)) {
      response.writeHead(400).end();
      return;
    }
    const url = new URL(target);
    if (await handle(request, response, url)) return;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405).end();
      return;
    }
    const inside = url.pathname.startsWith(base) ? url.pathname.slice(base.length - 1) : null;
    const found = inside === null ? null : await findFile(folder, inside);
    if (found === null) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('404 not found\n');
      return;
    }
    response.writeHead(200, {
      'content-type': TYPES[path.extname(found.file)] ?? 'application/octet-stream',
      'content-length': found.size,
      // Revalidated on each request, so that a reload shows a new build.
      'cache-control': 'no-cache',
    });
    if (request.method === 'HEAD') response.end();
    else createReadStream(found.file).on('error', () => response.destroy()).pipe(response);
  });
  await new Promise((listening, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', listening);
  });
  const bound = server.address().port;
  return {
    port: bound,
    server,
    origin: `http://127.0.0.1:${bound}`,
    close: () => new Promise((closed) => {
      server.close(closed);
      server.closeAllConnections();
    }),
  };
}

/** One sentence that states the problem with a port and what to do. */
function explain(error, port) {
  const other = `choose another one: make serve PORT=${port === 8081 ? 8082 : 8081}`;
  if (error.code === 'EADDRINUSE') {
    return `port ${port} is in use by another program, perhaps by an earlier make serve: stop that program, or ${other}`;
  }
  if (error.code === 'EACCES') return `port ${port} needs special rights on this machine: ${other}`;
  return error.message;
}

/**
 * `node .ci/serve.mjs [folder]` serves until it is stopped, on the port given by PORT. With `--check-port` it only
 * checks the port, to avoid a build of several minutes for nothing.
 */
async function main() {
  const checksPort = process.argv[2] === '--check-port';
  const folder = path.resolve(checksPort ? '.' : process.argv[2] ?? 'dist');
  const text = process.env.PORT || '8080';
  const port = Number(text);
  try {
    if (!/^\d+$/.test(text) || port > 65535) {
      throw new Error(`PORT=${text} is not a port: use a number from 1 to 65535, for example make serve PORT=8081`);
    }
    if (!checksPort && (await findFile(folder, '/')) === null) {
      throw new Error(`there is no index.html in ${folder}: build the page first with make build`);
    }
    const { origin, close } = await serve({ folder, port });
    if (checksPort) await close();
    else console.log(`\nTraceloupe is at ${origin}/ (Ctrl+C stops the server)`);
  } catch (error) {
    console.error(`error: ${explain(error, port)}`);
    process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
