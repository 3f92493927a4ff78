import { expect, test } from 'vitest';
import { emptyHistory, type StoredAnnouncement } from '../../src/announcements/announcement.ts';
import { parseReader, readerEntries } from '../../src/announcements/reader-view.ts';
import { zoneSpelling } from '../../src/announcements/times/zone.ts';

const now = Date.parse('2026-06-01T00:00:00Z');
const entry = (id: string, more: Partial<StoredAnnouncement> = {}): StoredAnnouncement => ({
  id,
  message: `Words of ${id}`,
  link: '',
  published: '2026-05-01T00:00:00Z',
  expires: '2026-07-01T00:00:00Z',
  alongside: true,
  ...more,
});
const history = (...announcements: StoredAnnouncement[]) => ({ ...emptyHistory, announcements });
/** What each place is called in words. */
const reasons = {
  shown: /^shown (?:as it was written|in its translation for \S)/,
  next: /^shown once \S+ is closed, (?:as it was written|in its translation for \S)/,
  behind: /^not shown: .*\bdismiss \S+,/,
  site: /^left out: only on https?:/,
  path: /^left out: only on \//,
  limit: /^left out: .*\d/,
} as const;
const places = (file: ReturnType<typeof history>, reader = {}) =>
  readerEntries(file, reader, now).map(({ entry: { id, place, after, reason } }) => {
    expect(reason).toMatch(reasons[place]);
    return [id, place, after];
  });

test('the most important announcement for the page is shown, and the others say why they are not', () => {
  const file = history(
    entry('docs', { severity: 'warning', audience: { paths: ['/docs/*'] } }),
    entry('shop', { audience: { sites: ['https://shop.example'] } }),
    entry('all'),
    entry('over', { expires: '2026-05-02T00:00:00Z' }),
  );
  expect(places(file, { site: 'https://www.example', path: '/docs/a' })).toEqual([
    ['docs', 'shown', null],
    ['all', 'next', 'docs'],
    ['shop', 'site', null],
  ]);
  expect(places(file)).toEqual([
    ['docs', 'path', null],
    ['all', 'shown', null],
    ['shop', 'site', null],
  ]);
});

test('nothing is ever shown after an announcement that readers cannot dismiss', () => {
  const file = history(entry('c'), entry('b', { severity: 'critical', dismissible: false }), entry('a'));
  expect(places(file)).toEqual([
    ['b', 'shown', null],
    ['a', 'behind', 'b'],
    ['c', 'behind', 'b'],
  ]);
});

test('words are in the nearest language, else untranslated', () => {
  const file = history(entry('a', { translations: { de: { message: 'Worte' } } }));
  const [german] = readerEntries(file, { language: 'de-AT' }, now);
  const [french] = readerEntries(file, { language: 'fr' }, now);
  expect([german?.words.message, german?.entry.translated]).toEqual(['Worte', true]);
  expect([french?.words.message, french?.entry.translated]).toEqual(['Words of a', false]);
});

test('the severity has its word in the language of the translation, and in English where the words are untranslated', () => {
  const translations = { de: { message: 'Worte' }, sw: { message: 'Maneno' } };
  const file = history(entry('a', { severity: 'warning', translations }));
  const labelFor = (language: string) => readerEntries(file, { language }, now)[0]?.words.severityLabel;
  expect(['de-AT', 'sw', 'fr'].map(labelFor)).toEqual(['Warnung', undefined, 'Warning']);
  expect(readerEntries(file, { language: 'de' }, now)[0]?.words).toMatchObject({
    message: 'Worte',
    link: '',
  });
});

test('a reader is where the address says, as browsers write it; a bare site is none of its pages', () => {
  const readers = [
    [{}, {}],
    [{ site: 'https://Shop.Example:443' }, { site: 'https://shop.example' }],
    [{ site: 'HTTP://shop.example/' }, { site: 'http://shop.example' }],
    [{ site: 'https://shop.example/a b?c#d' }, { site: 'https://shop.example', path: '/a%20b' }],
    [
      { site: 'https://shop.example/a', path: '/ä' },
      { site: 'https://shop.example', path: '/%C3%A4' },
    ],
    [{ path: '/' }, { path: '/' }],
    [{ lang: 'DE-at' }, { language: 'de-AT' }],
  ] as const;
  for (const [given, reader] of readers) expect(parseReader(given)).toEqual({ value: reader });
  for (const [field, text] of [
    ...['', 'shop.example', 'ftp://shop.example', 'https://*.shop.example', 'https://', ' https://a'].map(
      (site) => ['site', site] as const,
    ),
    ...['', 'docs', ' /docs', '/docs?', '/docs#a', '/docs/*'].map((path) => ['path', path] as const),
    ...['', 'german', 'de_AT'].map((lang) => ['lang', lang] as const),
  ])
    expect(parseReader({ [field]: text })).toEqual({
      problems: [
        {
          field,
          problem: expect.stringContaining(JSON.stringify(text)),
          fix: expect.stringMatching(/^write one like ./),
        },
      ],
    });
});

test('beyond the 20 most important, readers get nothing', () => {
  const many = Array.from({ length: 22 }, (_, number) => entry(`n-${number}`));
  expect(places(history(...many)).filter(([, place]) => place === 'limit')).toHaveLength(2);
});

test.each([
  ['europe/berlin', 'Europe/Berlin'],
  ['utc', 'UTC'],
  ['us/pacific', 'US/Pacific'],
  ['etc/gmt+5', 'Etc/GMT+5'],
  ['europe/kyiv', 'Europe/Kyiv'],
])('the zone %s is written %s', (given, expected) => expect(zoneSpelling(given)).toBe(expected));
