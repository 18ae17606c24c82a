// The check of licences and advisories.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { advisoriesOf, cratesOf, faultsOf, isAllowed, toolsOf } from './supply.mjs';

test('a licence expression is met by what is allowed', () => {
  const allowed = ['MIT', 'Apache-2.0', 'Unicode-3.0', 'Apache-2.0 WITH LLVM-exception'];
  for (const fine of ['MIT', 'MIT/GPL-3.0', 'GPL-3.0 OR MIT', '(MIT OR GPL-2.0) AND Unicode-3.0', 'Apache-2.0 WITH LLVM-exception', 'GPL-2.0 AND Zlib OR MIT']) assert.ok(isAllowed(fine, allowed), fine);
  for (const not of ['GPL-3.0', 'MIT AND GPL-3.0', '(MIT OR Apache-2.0) AND Zlib', 'MIT WITH LLVM-exception', 'GPL-3.0 OR Zlib']) assert.ok(!isAllowed(not, allowed), not);
  for (const broken of ['(MIT', 'MIT Apache-2.0', 'MIT)']) assert.throws(() => isAllowed(broken, allowed), /no licence expression/);
});

const rules = { licences: ['MIT'], licences_of_tools: ['MPL-2.0'] };
const registry = 'registry+https://github.com/rust-lang/crates.io-index';

test('crates and tools of other licences or from elsewhere are found; our own are not looked at', () => {
  const crates = cratesOf({ packages: [
    { name: 'own', version: '1.0.0', license: null, source: null },
    { name: 'fine', version: '1.0.0', license: 'MIT', source: registry },
    { name: 'copyleft', version: '2.0.0', license: 'MPL-2.0', source: registry },
    { name: 'bare', version: '3.0.0', license: null, source: registry },
    { name: 'fork', version: '4.0.0', license: 'MIT', source: 'git+https://example.org/fork' },
  ] });
  const tools = toolsOf({ packages: { '': {}, 'node_modules/@a/b': { version: '1.0.0', license: 'MPL-2.0' }, 'node_modules/c': { version: '1.0.0', license: 'GPL-3.0' } } });
  assert.deepEqual(tools.map(({ name }) => name), ['@a/b', 'c']);
  assert.deepEqual(faultsOf([...crates, ...tools], rules).map((it) => it.split(' ').slice(0, 4).join(' ')), [
    'copyleft 2.0.0 is under', 'bare 3.0.0 names no', 'fork 4.0.0 is from', 'c 1.0.0 is under',
  ]);
});

/** A service that knows these advisories, by the name of the package. */
const service = (known) => async (url, { body } = {}) => ({
  ok: true,
  async json() {
    if (body === undefined) return Object.values(known).flat().find(({ id }) => url.endsWith(`/vulns/${id}`));
    return { results: JSON.parse(body).queries.map(({ package: { name } }) => (known[name] ? { vulns: known[name].map(({ id }) => ({ id })) } : {})) };
  },
});
const used = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ ecosystem: 'crates.io', name, version: '1.0.0' }));
const informs = (name, informational) => [{ package: { name }, database_specific: { informational } }];

test('a vulnerability is an error until it is accepted, with a reason and an end', async () => {
  const get = service({
    a: [{ id: 'X-1', summary: 'overflow', affected: informs('a', null) }],
    b: [{ id: 'X-2', affected: informs('b', 'unmaintained') }],
    c: [{ id: 'X-3', withdrawn: '2026-01-01T00:00:00Z' }],
    d: [{ id: 'X-4', affected: informs('d', 'unsound') }],
  });
  const at = (accepted) => advisoriesOf(used, accepted, get, '2026-06-01');
  assert.deepEqual(await at([]), { vulnerable: ['a 1.0.0: X-1, overflow', 'd 1.0.0: X-4'], notes: ['b 1.0.0: X-2 (unmaintained)'] });
  const excuse = { id: 'X-1', reason: 'never called', until: '2026-06-01' };
  assert.deepEqual((await at([excuse])).vulnerable, ['d 1.0.0: X-4']);
  assert.equal((await at([{ ...excuse, until: '2026-05-31' }])).vulnerable.length, 2);
});

test('no answer is no "nothing found"', async () => {
  await assert.rejects(advisoriesOf(used, [], async () => ({ ok: false, status: 503 })), /503/);
  await assert.rejects(advisoriesOf(used, [], async () => ({ ok: true, json: async () => ({ results: [] }) })), /another length/);
});

test('what is accepted has an id, a reason and an end', () => {
  const { accepted_advisories: accepted } = JSON.parse(readFileSync(new URL('supply.json', import.meta.url), 'utf8'));
  for (const { id, reason, until } of accepted) assert.ok(id && reason && /^\d{4}-\d\d-\d\d$/.test(until), id);
});
