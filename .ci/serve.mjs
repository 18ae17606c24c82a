// A static file server for the built page: `node .ci/serve.mjs [folder]`, used by `make serve` and
// by the end-to-end tests. It listens on 127.0.0.1 alone and lets nothing be cached for good.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const TYPES = {
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

/** The file that an address names, or null: nothing outside the folder, nothing hidden. */
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
 * Serves `folder` under the path `base` (which ends in a slash). `handle(request, response, url)`
 * may answer first: it returns true, or a promise of it, when it has. Resolves to
 * `{origin, port, server, close}`; rejects when the port is taken. Port 0 takes a free one.
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
      // Ask again each time: a new build is seen at the next reload.
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

async function main() {
  const folder = path.resolve(process.argv[2] ?? 'dist');
  const port = Number(process.env.PORT || 8080);
  try {
    const { origin } = await serve({ folder, port });
    console.log(`Traceloupe is at ${origin}/ (stop with Ctrl+C)`);
  } catch (error) {
    const reason = error.code === 'EADDRINUSE'
      ? `port ${port} is taken; choose another: make serve PORT=8081`
      : error.message;
    console.error(`Cannot serve: ${reason}`);
    process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
