import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atomFeedText, jsonFeedText } from '../../../src/server/badge/pages/feeds.ts';
import { html, safe } from '../../../src/server/badge/pages/html.ts';

const entry = {
  id: '2026-001',
  message: 'Tea & <cake>',
  link: 'https://example.org/?a=1&b=2',
  published: '2026-01-05T09:00:00Z',
  expires: '2026-02-05T09:00:00Z',
  active: true,
};
const options = {
  brand: 'typebadge',
  baseUrl: 'https://badge.example',
  history: { announcements: [entry, { ...entry, id: '2025-007', link: '' }], lastUpdated: entry.published },
};

test('the JSON Feed is a JSON Feed 1.1, with the link of each announcement or its place in the history', () => {
  const feed = JSON.parse(jsonFeedText(options));
  expect(feed).toMatchObject({
    version: 'https://jsonfeed.org/version/1.1',
    home_page_url: 'https://badge.example/history',
    feed_url: 'https://badge.example/feed.json',
  });
  expect(feed.items).toEqual([
    {
      id: 'https://badge.example/history#2026-001',
      url: 'https://example.org/?a=1&b=2',
      content_text: 'Tea & <cake>',
      date_published: '2026-01-05T09:00:00Z',
    },
    {
      id: 'https://badge.example/history#2025-007',
      url: 'https://badge.example/history#2025-007',
      content_text: 'Tea & <cake>',
      date_published: '2026-01-05T09:00:00Z',
    },
  ]);
});

test('a link that is not an http address is left out of both feeds', () => {
  const announcements = [{ ...entry, link: 'javascript:alert(1)' }];
  const history = { ...options.history, announcements };
  expect(atomFeedText({ ...options, history })).not.toContain('javascript');
  expect(JSON.parse(jsonFeedText({ ...options, history })).items[0].url).toBe(
    'https://badge.example/history#2026-001',
  );
});

test('the feeds have the newest fifty', () => {
  const announcements = Array.from({ length: 60 }, (_, index) => ({ ...entry, id: `n-${index}` }));
  const history = { ...options.history, announcements };
  expect(JSON.parse(jsonFeedText({ ...options, history })).items).toHaveLength(50);
  expect(atomFeedText({ ...options, history }).match(/<entry>/g)).toHaveLength(50);
  expect(atomFeedText({ ...options, history })).toContain('#n-0<');
});

test('a feed in a language has its translations, the other announcements as written, and a separate address', () => {
  const translations = { de: { message: 'Tee & <Kuchen>', link: 'https://example.org/de' } };
  const history = {
    announcements: [
      { ...entry, translations },
      { ...entry, id: '2025-007' },
    ],
    lastUpdated: entry.published,
  };
  const feed = JSON.parse(jsonFeedText({ ...options, history, language: 'de' }));
  expect(feed.feed_url).toBe('https://badge.example/feed.json?lang=de');
  expect(feed.items).toMatchObject([
    { content_text: 'Tee & <Kuchen>', url: 'https://example.org/de' },
    { content_text: 'Tea & <cake>', url: entry.link },
  ]);
  const atom = atomFeedText({ ...options, history, language: 'de' });
  expect(atom).toContain('<id>https://badge.example/feed.atom?lang=de</id>');
  expect(atom).toContain('<title>Tee &#38; &#60;Kuchen&#62;</title>');
});

test('text is escaped, markup and lists of markup are not', () => {
  const item = (text: string) => html`<li title="${text}">${text}</li>`;
  expect(html`<ul>${['a', '<b> & "c"'].map(item)}</ul>${safe('<hr>')}${1}`.toString()).toBe(
    '<ul><li title="a">a</li><li title="&#60;b&#62; &#38; &#34;c&#34;">&#60;b&#62; &#38; &#34;c&#34;</li></ul><hr>1',
  );
});

test('no text can break out of its element or quotes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const inside = html`${text}`.toString();
      expect(inside).not.toMatch(/[<>"']/);
      const read = inside.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
      expect(read).toBe(text);
    }),
  );
});
