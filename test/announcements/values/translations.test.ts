import { describe, expect, test } from 'vitest';
import { checkPlainValues, plainOf } from '../../../src/announcements/plain-values.ts';
import {
  describeTranslations,
  linksWithin,
  nearestLanguage,
  parseTranslations,
} from '../../../src/announcements/values/translations.ts';

const words = { message: 'Wir sind umgezogen' };

test('languages get their usual spelling, and empty links and labels are left out', () => {
  expect(
    parseTranslations({ DE: { ...words, link: '', linkLabel: ' ' }, 'pt-br': words, 'ZH-HANT-tw': words }),
  ).toEqual({ value: { de: words, 'pt-BR': words, 'zh-Hant-TW': words }, warnings: [] });
  expect(parseTranslations({})).toEqual({ value: undefined });
  for (const language of ['sl-rozaj-biske', 'de-1996', 'de-CH-1996', 'zh-Hant', 'es-419', 'yue'])
    expect(parseTranslations({ [language.toUpperCase()]: words })).toMatchObject({
      value: { [language]: words },
    });
});

describe('invalid translations are refused with a sentence that says where', () => {
  test.each([
    [[], 'translations is not an object'],
    [{ german: words }, '"german" is not a language'],
    [{ de_DE: words }, '"de_DE" is not a language'],
    [{ 'de-1': words }, '"de-1" is not a language'],
    [{ 'de-valencianisch': words }, '"de-valencianisch" is not a language'],
    [JSON.parse('{"__proto__":{"message":"x"}}'), '"__proto__" is not a language'],
    [{ constructor: words }, '"constructor" is not a language'],
    [{ 'de<script>': words }, 'is not a language'],
    [{ [`de-${'a'.repeat(1e6)}`]: words }, 'is not a language'],
    [{ de: words, DE: words }, 'translations has de twice'],
    [{ de: 'Hallo' }, 'the translation for de is not an object'],
    [{ de: {} }, 'the message is missing; a translation needs one'],
    [{ de: { ...words, link: 'javascript:alert(1)' } }, 'only http: and https: are allowed'],
    [{ de: { ...words, linkLabel: 'a'.repeat(41) } }, 'the link label has 41 characters; at most 40'],
    [{ de: { ...words, html: '<b>' } }, 'has no part "html"'],
    [
      Object.fromEntries(
        Array.from({ length: 21 }, (_, at) => [`a${String.fromCharCode(97 + at)}`, words] as const),
      ),
      'at most 20',
    ],
    [
      Object.fromEntries(
        ['de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'cs', 'el'].map((tag) => [
          tag,
          { message: '語'.repeat(280), link: `https://example.org/${'a'.repeat(2000)}` },
        ]),
      ),
      'more than 16384 bytes',
    ],
  ])('%#: $1', (given, reason) => {
    expect(parseTranslations(given)).toMatchObject({ problem: expect.stringContaining(reason) });
  });
});

test('readers get the words of their language, else those of the language without its region', () => {
  const translations = { de: { message: 'de' }, 'de-AT': { message: 'de-AT' }, fr: { message: 'fr' } };
  const read = (language: string) =>
    translations[nearestLanguage(Object.keys(translations), language) as 'de']?.message;
  expect(
    ['de', 'DE-at', 'de-CH', 'de-AT-1996', 'fr-CA', 'en', '', 'constructor', '__proto__'].map(read),
  ).toEqual(['de', 'de-AT', 'de', 'de-AT', 'fr', undefined, undefined, undefined, undefined]);
});

describe('options change one part and leave the others', () => {
  const before = {
    translations: { de: { ...words, link: 'https://example.org/de' }, fr: { message: 'Bonjour' } },
  };
  const change = (options: object) => checkPlainValues(plainOf(options), before);

  test.each([
    [
      { translation: ['de=Neu'] },
      { de: { message: 'Neu', link: 'https://example.org/de' }, fr: { message: 'Bonjour' } },
    ],
    [{ translation: ['de='] }, { fr: { message: 'Bonjour' } }],
    [{ translation: ['de= '] }, { fr: { message: 'Bonjour' } }],
    [{ translation: ['DE=', 'fr='] }, undefined],
    [{ translation: false }, undefined],
    [{ translatedLink: ['de='] }, { de: words, fr: { message: 'Bonjour' } }],
    [
      { translatedLink: ['fr=https://example.org/?a=b'], translatedLinkLabel: ['fr=Lire'] },
      {
        de: before.translations.de,
        fr: { message: 'Bonjour', link: 'https://example.org/?a=b', linkLabel: 'Lire' },
      },
    ],
  ])('%j', (options, translations) => {
    expect(change(options)).toMatchObject({ values: { translations }, problems: [] });
    expect(change(options).values).toHaveProperty('translations');
  });

  test.each([
    [{ translation: ['Hallo'] }, '"Hallo" is not a language'],
    [{ translation: ['de'] }, 'the message is empty'],
    [{ translatedLink: ['es=https://example.org'] }, 'the message is missing'],
    [{ translation: ['__proto__=x'] }, '"__proto__" is not a language'],
  ])('%j is refused', (options, reason) => {
    expect(
      change(options)
        .problems.map(({ problem }) => problem)
        .join(),
    ).toContain(reason);
    expect(Object.getPrototypeOf({})).not.toHaveProperty('message');
  });

  test('sites and paths are replaced one list at a time', () => {
    const audience = { sites: ['https://example.org'], paths: ['/docs/*'] };
    const of = (options: object) => checkPlainValues(plainOf(options), { audience }).values.audience;
    expect(of({ path: ['/a', '/b'] })).toEqual({ sites: ['https://example.org'], paths: ['/a', '/b'] });
    expect(of({ site: false })).toEqual({ paths: ['/docs/*'] });
    expect(of({ site: false, path: false })).toBeUndefined();
    expect(checkPlainValues(plainOf({})).values).toEqual({});
  });
});

test('translations are described on one line by language, words and what they lead to', () => {
  const link = 'https://example.org/de';
  expect(describeTranslations({ de: { ...words, link, linkLabel: 'Mehr' }, fr: { message: 'Bon' } })).toBe(
    `de: “${words.message}” (Mehr: ${link}); fr: “Bon”`,
  );
  expect(describeTranslations({ de: { ...words, link } })).toContain(`” (${link})`);
});

test('each link within words is listed, those of translations with their language', () => {
  const formatted = (text: string) => ({ message: '', markdown: text });
  const two = '[a](https://a.example/) and *no* [b](https://b.example/)';
  const translations = { de: formatted('[c](https://c.example/)'), fr: words };
  expect(linksWithin({ ...formatted(two), translations })).toEqual([
    ...['a <https://a.example/>', 'b <https://b.example/>', 'de: c <https://c.example/>'],
  ]);
  expect(linksWithin(words)).toEqual([]);
});
