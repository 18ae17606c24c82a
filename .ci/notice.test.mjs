// What is in the file of licences.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linked, notice } from './notice.mjs';

const one = (name, fields = {}) => ({
  id: name, name, version: '1.0.0', license: 'MIT', source: 'registry', targets: [{ kind: ['lib'] }], ...fields,
});
const needs = (id, ...deps) => ({ id, deps: deps.map(([pkg, kind = null]) => ({ pkg, dep_kinds: [{ kind }] })) });

test('what is linked counts; build scripts, tests and macros do not', () => {
  const packages = [
    one('page', { source: null }), one('view', { source: null }), one('serde'), one('cc'), one('proptest'),
    one('derive', { targets: [{ kind: ['proc-macro'] }] }), one('syn'), one('unused'),
  ];
  const nodes = [
    needs('page', ['view'], ['cc', 'build'], ['proptest', 'dev'], ['derive']), needs('view', ['serde']), needs('serde'),
    needs('derive', ['syn']),
  ];
  const found = linked({ packages, resolve: { nodes } }, ['page']).map(({ name }) => name);
  assert.deepEqual(found, ['page', 'serde', 'view']);
  assert.throws(() => linked({ packages, resolve: { nodes } }, ['other']), /not all/);
});

test('each text is there once, with the packages that it belongs to', () => {
  const packages = [one('page', { source: null }), one('a'), one('b'), one('c', { license: 'Zlib' })];
  const text = notice(packages, ({ name }) => (name === 'c' ? ['the text of Zlib'] : ['the text of MIT']));
  assert.equal(text.split('the text of MIT').length, 2);
  assert.match(text, /a 1\.0\.0, b 1\.0\.0\n\nthe text of MIT/);
  assert.match(text, /^c 1\.0\.0: Zlib$/m);
  assert.doesNotMatch(text, /^page/m);
  assert.throws(() => notice([one('page', { source: null }), one('d', { license: null })], () => []), /no licence is known of d/);
});
