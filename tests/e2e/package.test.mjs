// The npm package: it can be packed and installed, and has what it says.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { makePackage } from '../../.ci/package.mjs';
import { serve } from '../../.ci/serve.mjs';
import { small } from './fixtures.mjs';
import { DIST } from './harness.mjs';
import { stage } from './reader.mjs';

const it = stage();
const folder = mkdtempSync(path.join(os.tmpdir(), 'traceloupe-package-'));
let served;
after(async () => {
  await served?.close();
  rmSync(folder, { recursive: true, force: true });
});
const npm = (...args) => execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

test('it is packed, installed into an empty project, and shows a trace from there', async () => {
  makePackage(DIST, path.join(folder, 'made'));
  const [{ filename }] = JSON.parse(npm('pack', './made', '--json'));
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  npm('install', `./${filename}`);
  const installed = path.join(folder, 'node_modules/traceloupe');
  const described = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
  assert.match(described.version, /^\d+\.\d+\.\d+$/);
  assert.equal(described.dependencies, undefined);
  for (const name of ['trace-loupe.d.ts', 'LICENSE', 'README.md', 'page/index.html', 'page/samples']) assert.ok(existsSync(path.join(installed, name)), name);
  const notice = readFileSync(path.join(installed, 'NOTICE'), 'utf8');
  for (const name of ['leptos', 'wasm-bindgen', 'serde', 'saphyr-parser', 'memchr']) assert.match(notice, new RegExp(`^${name} \\d`, 'm'));
  assert.doesNotMatch(notice, /proptest|insta /);

  served = await serve({
    folder,
    handle(request, response, url) {
      const files = { '/a.jsonl': small(), '/host.html': '<!doctype html><script type="module" src="node_modules/traceloupe/trace-loupe.js"></script><trace-loupe src="a.jsonl"></trace-loupe>' };
      if (!(url.pathname in files)) return false;
      response.writeHead(200, { 'content-type': url.pathname.endsWith('html') ? 'text/html' : 'application/json' });
      response.end(files[url.pathname]);
      return true;
    },
  });
  const { page } = await it.visit(`${served.origin}/host.html`, { view: 'inspector' });
  await page.frameLocator('trace-loupe iframe').getByRole('tree').or(page.frameLocator('trace-loupe iframe').locator('.list')).first().waitFor();
});
