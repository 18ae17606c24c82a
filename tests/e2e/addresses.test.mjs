// How public/addresses.js reads the addresses in the link before the wasm is loaded.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

const { KEYS, isPrivateHost, parsePairs, readAddresses, readLink, theme, traceInLink } =
  createRequire(import.meta.url)('../../public/addresses.js');

const BASE = 'https://host.example/viewer/';
const read = (hash, { search = '', framed = false } = {}) =>
  readAddresses(readLink(search, hash).pairs, BASE, framed);
const urls = (hash, options) => read(hash, options).map((found) => found.url);
const refusal = (value, options) => read(`#trace=${encodeURIComponent(value)}`, options)[0].refused;

test('an encoded address is decoded, and a plus stays a plus', () => {
  assert.deepEqual(urls('#trace=https%3A%2F%2Fb.example%2Fa+b.jsonl'), ['https://b.example/a+b.jsonl']);
});

test('relative addresses are taken from the page, with a name for each', () => {
  const [found] = read('#trace=samples/one%20run.jsonl');
  assert.equal(found.url, 'https://host.example/viewer/samples/one%20run.jsonl');
  assert.equal(found.name, 'one run.jsonl');
  assert.equal(found.host, 'host.example');
  assert.equal(found.role, 'trace');
  assert.equal(found.refused, null);
});

test('the words of other viewers are understood, in the order of the link', () => {
  for (const key of ['url', 'profileURL', 'traceURL', 'loadTimelineFromURL', 'path', 'fileUrl', 'log_file']) {
    assert.deepEqual(urls(`#${key}=https://b.example/x.json`), ['https://b.example/x.json'], key);
  }
  assert.deepEqual(urls('#trace=a.json&url=b.json&trace=a.json'), [BASE + 'a.json', BASE + 'b.json']);
  assert.deepEqual(urls('#!/?url=https://b.example/x'), ['https://b.example/x']);
});

test('an address that was encoded twice is decoded twice', () => {
  assert.deepEqual(
    urls('#loadTimelineFromURL=https%253A%252F%252Fb.example%252Fx'), ['https://b.example/x']);
});

test('an address written without encoding keeps its own query, up to a key of ours', () => {
  const signed = 'https://b.example/x.jsonl?X-Amz-Date=1&X-Amz-Signature=a%2Fb%3D';
  assert.deepEqual(urls(`#trace=${signed}&sel=p:3`), [signed]);
  assert.deepEqual(urls('', { search: `?trace=${signed}&sel=p:3` }), [signed]);
  const pairs = parsePairs(`trace=${signed}&sel=p:3`);
  assert.deepEqual(pairs.map(({ key }) => key), ['trace', 'sel']);
});

test('every key that the page writes ends an address without encoding, and both programs have the same keys', () => {
  const address = 'http://b.example/a.jsonl?sig=1';
  for (const key of KEYS) {
    const [first, second] = parsePairs(`trace=${address}&${key}=1`);
    assert.deepEqual([first.value, second.raw], [address, '1'], key);
  }
  const route = readFileSync(new URL('../../src/protocol/route.rs', import.meta.url), 'utf8');
  const listed = ['TRACE_KEYS', 'KEYS'].flatMap((name) => {
    const [, list] = new RegExp(`pub const ${name}: \\[&str; \\d+\\] = \\[([^\\]]*)\\]`).exec(route);
    return [...list.matchAll(/"(\w+)"/g)].map(([, key]) => key);
  });
  assert.deepEqual([...KEYS].sort(), listed.sort());
});

test('unknown keys do not stick to an address without a question mark', () => {
  assert.deepEqual(urls('#trace=https://b.example/x.jsonl&what=1'), ['https://b.example/x.jsonl']);
});

test('the query moves into the fragment, which wins and reads the same the second time', () => {
  const moved = readLink('?trace=https://b.example/x?a=1&b=2%2F&sel=3&flag&own=%41', '#sel=4&foo=1');
  assert.equal(moved.fragment,
    '#trace=https%3A%2F%2Fb.example%2Fx%3Fa%3D1%26b%3D2%252F&flag&own=A&sel=4&foo=1');
  const again = readLink('', moved.fragment);
  const plain = ({ pairs }) => pairs.map(({ key, value }) => [key, value]);
  assert.deepEqual(plain(again), plain(moved));
  assert.equal(again.fragment, null);
  assert.deepEqual(urls('#trace=b.json', { search: '?url=a.json' }), [BASE + 'b.json']);
});

test('a fragment that stands alone is not rewritten', () => {
  assert.equal(readLink('', '#trace=a+b.json&x=%zz').fragment, null);
});

test('a bad percent sign leaves the value as it is', () => {
  assert.deepEqual(parsePairs('q=100%&title=%E4%B8%AD').map(({ value }) => value), ['100%', '中']);
});

test('what cannot or may not be fetched is refused by name', () => {
  assert.equal(refusal('javascript:alert(1)'), 'scheme');
  assert.equal(refusal(' JavaScript:alert(1)'), 'scheme');
  assert.equal(refusal('file:///etc/passwd'), 'scheme');
  assert.equal(refusal('ftp://b.example/x'), 'scheme');
  assert.equal(refusal('data:text/plain,x'), 'data-address');
  assert.equal(refusal('blob:https://host.example/1'), 'blob-address');
  assert.equal(refusal('https://me:secret@b.example/x'), 'user-info');
  assert.equal(refusal('https://['), 'bad-address');
  assert.equal(refusal('https://b.example/x'), null);
});

test('a page that frames us cannot reach into the private network through us', () => {
  const framed = { framed: true };
  assert.equal(refusal('http://192.168.1.1/x', framed), 'private-host');
  assert.equal(refusal('http://localhost:8080/x', framed), 'private-host');
  assert.equal(refusal('http://192.168.1.1/x'), null);
  assert.equal(refusal('x.json', framed), null);
  assert.equal(refusal('https://b.example/x', framed), null);
});

test('private hosts are known in all their spellings', () => {
  const host = (address) => new URL(address).hostname;
  for (const address of [
    'http://127.0.0.1', 'http://2130706433', 'http://0x7f.1', 'http://10.1.2.3', 'http://172.31.0.1',
    'http://169.254.169.254', 'http://[::1]', 'http://[fd00::1]', 'http://[fe80::1]',
    'http://[::ffff:10.0.0.1]', 'http://printer.local', 'http://LOCALHOST.', 'http://0.0.0.0',
    'http://nas', 'http://nas.', 'http://router.lan', 'http://a.home.arpa', 'http://a.b.internal', 'http://a.localhost.',
    'http://100.64.0.1', 'http://100.127.9.9', 'http://192.0.0.8', 'http://198.18.0.1', 'http://198.19.255.1',
    'http://0.1.2.3', 'http://017700000001', 'http://0xA000001', 'http://224.0.0.1', 'http://255.255.255.255',
    'http://[::]', 'http://[::10.0.0.1]', 'http://[64:ff9b::7f00:1]', 'http://[64:ff9b:1::1]', 'http://[fec0::1]',
    'http://[fc00::1]', 'http://[febf::1]', 'http://[2002:7f00:1::]', 'http://[2001::1]', 'http://[2001:0:1::]',
    'http://[ff02::1]', 'http://[::ffff:0:a00:1]', 'http://[::ffff:8.8.8.8]',
  ]) assert.equal(isPrivateHost(host(address)), true, address);
  for (const address of [
    'http://11.0.0.1', 'http://172.32.0.1', 'http://10.example', 'http://fd.example',
    'http://[2001:db8::1]', 'http://localhost.example', 'http://192.169.1.1',
    'http://100.63.0.1', 'http://100.128.0.1', 'http://192.0.1.1', 'http://198.20.0.1', 'http://lan.example', 'http://2.3.4.5',
    'http://[2606:4700::1111]', 'http://[2a00:1450::1]', 'http://[3000::1]', 'http://223.255.1.1', 'http://internal.example.',
  ]) assert.equal(isPrivateHost(host(address)), false, address);
});

test('a link starts only so many fetches', () => {
  const many = Array.from({ length: 100 }, (_, n) => `trace=${n}.json`).join('&');
  assert.equal(urls('#' + many).length, 16);
});

test('the trace to compare with comes last, and there is one', () => {
  const found = read('#compare=a.json&trace=b.json&compare=c.json');
  assert.deepEqual(found.map(({ role, name }) => [role, name]), [['trace', 'b.json'], ['compare', 'c.json']]);
});

test('a trace in the link is told from an address', () => {
  const text = '[{"role":"user","content":"ä > ? 😀"}]';
  const base64 = Buffer.from(text).toString('base64');
  const url = Buffer.from(text).toString('base64url');
  assert.match(base64, /[+/]/);
  for (const written of [base64, url, base64.replace(/=+$/, ''), base64.replaceAll('+', ' ')]) {
    assert.equal(traceInLink(written), text, written);
    const [found] = read('', { search: `?trace=${written}` });
    assert.deepEqual([found.body, found.url, found.refused], [text, '', null]);
  }
  // The address moves into the fragment, and gives the same result from there.
  const moved = readLink(`?trace=${base64}`, '');
  assert.equal(read(moved.fragment)[0].body, text);
  for (const address of [
    'runs/abc', 'traces', 'a.json', 'https://b.example/W3sicm9sZSI6', 'Wyw', '', 'eyJhIjox',
    'AAAA', Buffer.from([0x5b, 0xff, 0x5d, 0x5d]).toString('base64'),
  ]) assert.equal(traceInLink(address), null, address);
});

test('a trace in data= is bytes of gzip, and one that was cut is refused', () => {
  const bytes = gzipSync('{"role":"user","content":"ä"}\n'.repeat(200));
  const digits = bytes.toString('base64url');
  const [found] = read(`#data=gz.${digits}&sel=p:3`);
  assert.deepEqual([Buffer.from(found.body), found.name, found.refused], [bytes, 'trace in the link', null]);
  for (const [data, refused] of [
    [`gz.${digits}!`, 'bad-data'], [digits, 'bad-data'], ['gz.', 'bad-data'], ['gz.AAAA', 'bad-data'], ['zz.' + digits, 'bad-data'],
    [`gz.${'A'.repeat(1_500_000)}`, 'data-too-long'],
  ]) assert.equal(read(`#data=${data}`)[0].refused, refused, data.slice(0, 40));
  // A trace with an address can be beside it.
  assert.deepEqual(read(`#trace=a.json&data=gz.${digits}`).map(({ url }) => url), [BASE + 'a.json', '']);
});

test('the page of a file on a known host leads to the file', () => {
  const [found] = read('#trace=https://github.com/o/r/blob/main/run.jsonl');
  assert.deepEqual([found.url, found.name, found.host, found.lookup], ['https://raw.githubusercontent.com/o/r/main/run.jsonl', 'run.jsonl', 'raw.githubusercontent.com', null]);
  assert.equal(refusal('https://drive.google.com/file/d/abc/view'), 'no-file-host');
  assert.equal(read('#trace=https://gist.github.com/0123456789abcdef0123')[0].lookup.lookup, 'https://api.github.com/gists/0123456789abcdef0123');
});

test('only known themes count', () => {
  assert.equal(theme(parsePairs('theme=dark')), 'dark');
  assert.equal(theme(parsePairs('uiTheme=light')), 'light');
  assert.equal(theme(parsePairs('theme=pink')), null);
  assert.equal(theme(parsePairs('')), null);
});
