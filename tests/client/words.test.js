import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../static/', import.meta.url);
const english = Object.assign({}, ...readdirSync(new URL('lang/', root), { recursive: true }).filter((name) => name.endsWith('en.json'))
  .map((name) => JSON.parse(readFileSync(new URL(`lang/${name}`, root), 'utf8'))));
const sources = readdirSync(new URL('js/', root), { recursive: true }).filter((name) => name.endsWith('.js'))
  .map((name) => readFileSync(new URL(`js/${name}`, root), 'utf8')).join('\n');
/** Keys that are put together, as patterns: `color.${side}` is color.(anything without a dot). */
const literals = [...sources.matchAll(/'([a-z][\w-]*(?:\.[\w-]+)*)'/gi)].map((m) => m[1]);
const patterns = [...sources.matchAll(/`([a-z_]+\.[^`\s]*\$\{[^`]*|\$\{(?:where|key)\}\.[a-z][^`]*|\$\{where\}_[^`]*)`/gi)].map((m) => m[1])
  .map((text) => new RegExp(`^${text.replace(/[.]/g, '\\.').replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '[\\w-]+(?:\\.[\\w-]+)*')}$`));
const stem = (key) => key.replace(/\.(one|other|few|many)$/, '');

test('every key of the language file is used', () => {
  const used = (key) => literals.includes(key) || literals.includes(stem(key)) || patterns.some((p) => p.test(key) || p.test(stem(key)));
  assert.deepEqual(Object.keys(english).filter((key) => !used(key)), []);
});

test('every key that the client names is in the language file', () => {
  const named = [...sources.matchAll(/\b(?:t|speak\([^,]+,|notify\([^,]+,|wrong|say)\(?\s*'([\w-]+(?:\.[\w-]+)+)'/g)].map((m) => m[1]);
  assert.ok(named.length > 100, `${named.length}`);
  const has = (key) => key in english || `${key}.other` in english;
  assert.deepEqual(named.filter((key) => !has(key)), []);
});

test('each game has one name, the server’s in previews and pictures too', () => {
  const pages = readFileSync(new URL('../../crates/server/src/http/pages.rs', import.meta.url), 'utf8');
  const told = [...pages.matchAll(/Variant::(\w+) => "([^"]+)"/g)].map(([, name, text]) => [name.replace(/(?!^)[A-Z]/g, (c) => `-${c}`).toLowerCase(), text]);
  assert.deepEqual(Object.fromEntries(told), Object.fromEntries(Object.entries(english).filter(([key]) => /^variant\.[\w-]+$/.test(key)).map(([key, text]) => [key.slice(8), text])));
  // Other names that they have had.
  const former = Object.entries(english).filter(([, text]) => /\bclassic\b|first setting|small set|full set|three worlds/i.test(text));
  assert.deepEqual(former, []);
});
