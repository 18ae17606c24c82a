import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderIn, namesFaults } from './served.mjs';

test('a file too many and a file too few are found', () => {
  const served = [/^index\.html$/, /^boot-[0-9a-f]{16}\.js$/];
  const boot = 'boot-0123456789abcdef.js';
  assert.deepEqual(namesFaults(['index.html', boot], served), []);
  assert.deepEqual(namesFaults(['index.html', boot, 'page.wasm.named'], served), ['page.wasm.named is not served']);
  assert.equal(namesFaults(['index.html'], served).length, 1);
  assert.equal(namesFaults(['index.html', boot, boot.replace('0', '1')], served).length, 1);
});

// Apart, because no file of the repository has such a path.
const at = '/';

test('a folder of the machine in a program is found', () => {
  const program = (text) => Buffer.concat([Buffer.from([0, 97, 115, 109, 200]), Buffer.from(text), Buffer.from([255])]);
  for (const bad of [`${at}home/me/x.rs`, `${at}root/.cargo/registry/src/a.rs`, '/Users/me/y.rs', 'C:\\Users\\me\\z.rs', 'tools/.rustup/lib.rs', 'a/registry/src/index-0123/b/lib.rs']) assert.ok(folderIn(program(bad)), bad);
  assert.equal(folderIn(program('/srv/sources/x.rs'), ['/srv/sources/']), '/srv/sources/');
  for (const fine of ['crates/memchr-2.8.3/src/lib.rs', 'src/core/number.rs', '/rustc/0123/library/core/src/fmt/mod.rs', '~/.local/share/', `/Users/-home-${at}home/x`]) assert.equal(folderIn(program(fine)), undefined, fine);
});
