import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { agoText, dayText, LANGUAGES, languageFor, nameText, setWords, spanText, t } from '../../static/js/i18n.js';
import { spentText } from '../../static/js/format.js';
import { reasonText } from '../../static/js/render/say.js';

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
/** Where the parts of the words are: the common ones, and those of some places. */
const PARTS = ['', ...readdirSync(new URL('../../static/lang/', import.meta.url), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => `${name}/`)];
const partOf = (part, language) => JSON.parse(read(`static/lang/${part}${language}.json`));
const wordsOf = (language) => Object.assign({}, ...PARTS.map((part) => partOf(part, language)));
const english = wordsOf('en');
const others = Object.keys(LANGUAGES).filter((language) => language !== 'en');
/** What counts something: its forms have the same name but for the category at its end. */
const counted = Object.keys(english).filter((key) => key.endsWith('.one')).map((key) => key.slice(0, -4));
const stemOf = (key) => counted.find((stem) => key.startsWith(`${stem}.`)) ?? key;
const placeholders = (text) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]))].sort();
const categories = (language) => new Intl.PluralRules(language).resolvedOptions().pluralCategories;

test('each language that can be chosen has its file, and each file can be chosen', () => {
  for (const part of PARTS) {
    const files = readdirSync(new URL(`../../static/lang/${part}`, import.meta.url)).filter((name) => name.endsWith('.json'));
    assert.deepEqual(files.sort(), Object.keys(LANGUAGES).map((l) => `${l}.json`).sort(), part);
  }
});

test('each word is in one part, the same one in every language', () => {
  assert.ok(PARTS.includes('places/'));
  const stems = (part, language) => [...new Set(Object.keys(partOf(part, language)).map(stemOf))].sort();
  for (const language of Object.keys(LANGUAGES)) {
    const all = PARTS.flatMap((part) => Object.keys(partOf(part, language)));
    assert.deepEqual(all.filter((key, i) => all.indexOf(key) !== i), [], language);
    for (const part of PARTS) assert.deepEqual(stems(part, language), stems(part, 'en'), `${part}${language}`);
  }
});

for (const language of Object.keys(LANGUAGES)) {
  test(`${language} has a sentence for every key, and one for each of its plural categories`, () => {
    const expected = Object.keys(english).map(stemOf).flatMap((key) => (counted.includes(key) ? categories(language).map((c) => `${key}.${c}`) : [key]));
    assert.deepEqual(Object.keys(wordsOf(language)).sort(), [...new Set(expected)].sort());
  });
}

for (const language of others) {
  const words = wordsOf(language);
  const pairs = Object.entries(words).map(([key, text]) => ({ key, text, original: english[key] ?? english[`${stemOf(key)}.other`] }));

  test(`${language} fills in what English fills in`, () => {
    for (const { key, text, original } of pairs) assert.deepEqual(placeholders(text), placeholders(original), key);
  });

  test(`${language} leaves nothing empty or in English`, () => {
    /** Names, and words that both languages share. */
    const same = ['variant.fourfold', 'bot.mark', 'problem', 'title.game', 'home.watch', 'game.kind', 'profile.rating', 'status.selected', 'say.played', 'square.piece', 'learn.count.legal'];
    const left = pairs.filter(({ key, text, original }) => text === original && /[a-z]{3}/i.test(text) && !same.includes(key) && !/^(computer\.level|speed)\./.test(key));
    assert.deepEqual(left.map(({ key }) => key), []);
    for (const { key, text } of pairs) assert.ok(text && text === text.trim(), key);
  });
}

test('each refusal of the server has a sentence', () => {
  const list = /pub enum Code \{([^}]*)\}/.exec(read('crates/server/src/error.rs'))[1];
  const codes = list.match(/\w+/g).map((name) => name.replace(/\B[A-Z]/g, (letter) => `_${letter}`).toLowerCase());
  assert.ok(codes.length > 40, `${codes.length}`);
  assert.deepEqual(codes.filter((code) => !(`problem.${code}` in english)), []);
});

/** The reasons of the rules, each with the names of its arguments. */
const reasons = (() => {
  const table = read('crates/rules/src/turn_error.rs').split('\nturn_errors! {')[1].split('\n}\n')[0].replace(/\/\/\/.*/g, '');
  return [...table.matchAll(/\w+(?: \{([^}]*)\})? "([a-z_\d]+)" \(/g)].map(([, fields, code]) => ({ code, args: [...(fields ?? '').matchAll(/(\w+):/g)].map((m) => m[1]) }));
})();

test('each reason of the rules has a sentence, which mentions only what the server names', () => {
  assert.ok(reasons.length > 40, `${reasons.length}`);
  assert.deepEqual(Object.keys(english).filter((key) => key.startsWith('reason.')).sort(), reasons.map(({ code }) => `reason.${code}`).sort());
  for (const { code, args } of reasons) {
    const known = args.includes('changes') ? [...args, 'axes', 'distances'] : args;
    for (const name of placeholders(english[`reason.${code}`])) assert.ok(known.includes(name), `${code}: ${name}`);
  }
});

test('a reason is told in the words of the language', () => {
  const pinned = { reason: 'pinned', args: { role: 'knight', square: 'b2[0,0]', attacker: 'rook', from: 'b4[0,0]' }, detail: '' };
  const rook = { reason: 'rook_shape', args: { changes: 'X+2 W-1' }, detail: '' };
  const knight = { reason: 'knight_shape', args: { changes: 'X+2 Y-2' }, detail: '' };
  const newer = { reason: 'not_known_here', args: {}, detail: 'A newer server says so.' };
  const told = {
    en: ['The knight on b2[0,0] is pinned: your king would be attacked by the rook on b4[0,0].', 'this would change X and W.', 'this would change X by 2 and Y by 2.'],
    es: ['Pieza clavada en b2[0,0] (el caballo): a tu rey lo atacaría la torre de b4[0,0].', 'esto cambiaría X y W.', 'esto cambiaría X en 2 y Y en 2.'],
    vi: ['Quân mã ở b2[0,0] bị ghim: vua của bạn sẽ bị xe ở b4[0,0] tấn công.', 'nước này sẽ đổi X và W.', 'nước này sẽ đổi X 2 ô và Y 2 ô.'],
    ru: ['Фигура связана (конь на b2[0,0]): королю грозил бы ладья с b4[0,0].', 'этот ход изменил бы X и W.', 'этот ход изменил бы X на 2 и Y на 2.'],
  };
  for (const [language, [whole, axes, distances]] of Object.entries(told)) {
    setWords(language, wordsOf(language));
    assert.equal(reasonText(pinned), whole);
    assert.ok(reasonText(rook).endsWith(axes), reasonText(rook));
    assert.ok(reasonText(knight).endsWith(distances), reasonText(knight));
    assert.equal(reasonText(newer), newer.detail);
  }
});

test('Russian counts in its own way', () => {
  setWords('ru', wordsOf('ru'));
  const cases = { 0: '0 партий', 1: '1 партия', 2: '2 партии', 5: '5 партий', 11: '11 партий', 21: '21 партия', 104: '104 партии', 1.5: '1,5 партии' };
  for (const [n, text] of Object.entries(cases)) assert.equal(t('profile.games', { n: Number(n) }), text);
});

test('numbers, dates and names follow the language', () => {
  const day = '2026-11-30T12:00:00Z';
  const ago = new Date('2026-11-30T12:05:00Z').getTime();
  const told = {
    en: ['0.4', 'Nov 30, 2026', '5 minutes ago', 'Cube (strength 4)'],
    es: ['0,4', '30 nov 2026', 'hace 5 minutos', 'Cubo (fuerza 4)'],
    vi: ['0,4', '30 thg 11, 2026', '5 phút trước', 'Khối (sức 4)'],
    ru: ['0,4', '30 нояб. 2026 г.', '5 минут назад', 'Куб (сила 4)'],
  };
  for (const [language, expected] of Object.entries(told)) {
    setWords(language, wordsOf(language));
    const computer = { name: 'Cube (level 4)', kind: 'computer', level: 4 };
    assert.deepEqual([spentText(400), dayText(day), agoText(day, ago), nameText(computer)], expected);
    const span = { en: '2d 9h', es: '2d 9h', vi: '2 ngày 9 giờ', ru: '2 д. 9 ч' }[language];
    assert.equal(spanText(57.6 * 3_600_000).replace(/\s/g, ' '), span);
    assert.equal(nameText({ ...computer, level: 99 }), 'Cube (level 4)');
    assert.equal(nameText({ name: 'ada', kind: 'account' }), 'ada');
    assert.equal(nameText({ name: 'marvin', kind: 'bot' }), language === 'ru' ? 'marvin БОТ' : 'marvin BOT');
  }
});

test('the language is the chosen one, else the first of the browser that there is', () => {
  const cases = [
    ['', ['ru-RU', 'en'], 'ru'], ['', ['fr-FR', 'es-419', 'en'], 'es'], ['', ['VI'], 'vi'], ['', ['fr', 'de'], 'en'], ['', [], 'en'],
    ['vi', ['ru'], 'vi'], ['xx', ['ru'], 'ru'], ['', ['constructor', 'es'], 'es'],
  ];
  for (const [chosen, preferred, expected] of cases) assert.equal(languageFor(chosen, preferred), expected, `${chosen} ${preferred}`);
});
