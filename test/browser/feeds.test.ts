import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { atomFeedText } from '../../src/server/badge/pages/feeds.ts';
import { lasting } from '../support/test-server.ts';
import { describeInChromium } from './chromium.ts';
import { type Embedding, startEmbedding, visit } from './embedding.ts';

const textOnly = {
  ...lasting,
  id: '2025-001',
  message: 'Tea & <cake>',
  link: '',
  published: '2025-01-01T00:00:00Z',
};

describeInChromium('the Atom feed, read by a real XML parser', (browser) => {
  let embedding: Embedding;
  beforeAll(async () => {
    embedding = await startEmbedding({ files: { 'history.json': { announcements: [lasting, textOnly] } } });
  });
  afterAll(() => embedding.close());

  test('is well-formed and has what RFC 4287 requires, with absolute URLs', async () => {
    const { url } = embedding.server;
    const { page } = await visit(browser(), 'about:blank');
    const reply = await page.request.get(`${url}/feed.atom`);
    expect(reply.headers()['content-type']).toContain('application/atom+xml');
    const feed = await parseFeed(page, await reply.text());
    expect(feed).toEqual({
      root: 'http://www.w3.org/2005/Atom feed',
      head: {
        id: `${url}/feed.atom`,
        title: 'Announcements of typebadge',
        updated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        author: 'typebadge',
        icon: `${url}/images/typebadge-logo.svg`,
        'link self': `${url}/feed.atom`,
        'link alternate': `${url}/history`,
      },
      entries: [
        {
          id: `${url}/history#2026-001`,
          title: 'The autumn release is here',
          published: '2026-01-05T09:00:00Z',
          updated: '2026-01-05T09:00:00Z',
          content: 'The autumn release is here',
          'link alternate': 'https://example.org/release',
        },
        {
          id: `${url}/history#2025-001`,
          title: 'Tea & <cake>',
          published: '2025-01-01T00:00:00Z',
          updated: '2025-01-01T00:00:00Z',
          content: 'Tea & <cake>',
          'link alternate': `${url}/history#2025-001`,
        },
      ],
    });
  });

  test('stays well-formed for any message, and contains it unchanged', async () => {
    const { page } = await visit(browser(), 'about:blank');
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(']]>', '<![CDATA[', '&nbsp;', '<!--', '\u0000\uffff\ud800', '"\'<>&', '<?xml?>'),
    );
    const property = fc.asyncProperty(
      fc.array(fc.record({ message: text, link: text }), { maxLength: 5 }),
      async (list) => {
        const announcements = list.map((texts, index) => ({
          ...lasting,
          ...texts,
          id: `x-${index}`,
          active: false,
        }));
        const feed = atomFeedText({
          brand: 'typebadge',
          baseUrl: 'https://badge.example',
          history: { announcements, lastUpdated: lasting.published },
        });
        const { entries } = await parseFeed(page, Buffer.from(feed).toString());
        expect(entries.map(({ title }) => title)).toEqual(list.map(({ message }) => toXmlText(message)));
      },
    );
    await fc.assert(property, { numRuns: 200, endOnFailure: true });
  });
});

/** What can be said in XML: other characters become U+FFFD, and line ends become one kind. */
function toXmlText(text: string): string {
  const kept = [...text].map((character) => {
    const point = character.codePointAt(0) ?? 0;
    const isXml =
      [9, 10, 13].includes(point) ||
      (point >= 0x20 && !(point >= 0xd800 && point <= 0xdfff) && point !== 0xfffe && point !== 0xffff);
    return isXml ? character : '\ufffd';
  });
  return kept.join('').replace(/\r\n?/g, '\n');
}

/** Runs the browser's XML parser, which stops at the first mistake. */
function parseFeed(page: Page, text: string) {
  return page.evaluate((xml) => {
    const root = new DOMParser().parseFromString(xml, 'application/xml').documentElement;
    const mistake = root.querySelector('parsererror');
    if (mistake !== null) throw new Error(mistake.textContent ?? 'not well-formed');
    const read = (parent: Element) =>
      Object.fromEntries(
        [...parent.children]
          .filter(({ localName }) => localName !== 'entry')
          .map((element) =>
            element.localName === 'link'
              ? [`link ${element.getAttribute('rel')}`, element.getAttribute('href')]
              : [element.localName, element.textContent],
          ),
      );
    return {
      root: `${root.namespaceURI} ${root.localName}`,
      head: read(root),
      entries: [...root.querySelectorAll('entry')].map(read),
    };
  }, text);
}
