import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFragment, formatted } from '../../../src/server/badge/pages/words.ts';
import { callDesk, newEditors } from '../../support/editors.ts';
import { send } from '../../support/http-client.ts';
import { lasting, startTestServer, type TestServer } from '../../support/test-server.ts';

const { tokens, text } = newEditors('anna');
const files = { 'editors.json': text, 'origins.json': { origins: ['https://example.org'] } };
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ files });
});
afterAll(() => server.close());

const get = async (path: string) => (await send(server.port, { path })).body.toString();
const active = async () => JSON.parse(await get('/content/active.json')).announcements[0];

describe('a formatted announcement', () => {
  beforeAll(async () => {
    const body = {
      markdown: '**Read** the [docs](https://example.org/docs)',
      link: 'https://example.org/news',
      severity: 'success',
      translations: { de: { markdown: '`Lies` das' }, fr: { message: 'Lisez *ça*' } },
    };
    const { status, json } = await callDesk(server.port, tokens.anna, 'POST', '/announcements', { body });
    expect([status, json]).toMatchObject([201, { message: 'Read the docs', markdown: body.markdown }]);
  });

  test('keeps its plain text as the documented message, with its source beside it', async () => {
    expect(JSON.parse(await get('/content/announcement.json'))).toMatchObject({
      message: 'Read the docs',
      markdown: '**Read** the [docs](https://example.org/docs)',
      translations: {
        de: { message: 'Lies das', markdown: '`Lies` das' },
        fr: { message: 'Lisez *ça*' },
      },
    });
  });

  test('comes to the badge in pieces, in each language, and its link has words of its own', async () => {
    const { parts, linkLabel, severityLabel, translations } = await active();
    expect(parts).toEqual([
      { text: 'Read', mark: 'strong' },
      { text: ' the ' },
      { text: 'docs', link: 'https://example.org/docs' },
    ]);
    expect([linkLabel, severityLabel]).toEqual(['example.org', 'Good news']);
    expect(translations.de.parts).toEqual([{ text: 'Lies', mark: 'code' }, { text: ' das' }]);
    expect(translations.fr.parts).toEqual([{ text: 'Lisez *ça*' }]);
  });

  test('is formatted on the history page and in feeds, and plain in pictures', async () => {
    const words = '<strong>Read</strong> the <a href="https://example.org/docs" rel="noopener">docs</a>';
    const history = await get('/history');
    expect(history).toContain(words);
    expect(history).toContain('<code>Lies</code> das');
    expect(history).toContain('Lisez *ça*');
    expect(JSON.parse(await get('/feed.json')).items[0]).toMatchObject({
      content_text: 'Read the docs',
      content_html: words,
    });
    expect(JSON.parse(await get('/feed.json?lang=fr')).items[0].content_html).toBeUndefined();
    expect(await get('/feed.atom')).toMatch(
      /<content type="html">&#60;strong&#62;Read&#60;\/strong&#62; the /,
    );
    expect(await get('/images/typebadge-announcement.svg')).toContain('Read the docs');
  });

  test('is previewed with its source, and edited in either spelling', async () => {
    const path = '/announcements/preview?lang=de';
    const preview = await callDesk(server.port, tokens.anna, 'GET', path);
    expect(preview.json.announcement).toMatchObject({ message: 'Lies das', markdown: '`Lies` das' });
    const { id } = await active();
    const edit = async (body: object) =>
      (await callDesk(server.port, tokens.anna, 'PATCH', `/announcements/${id}`, { body })).json;
    expect(await edit({ link: '' })).toMatchObject({ message: 'Read the docs', markdown: /\*\*Read/ });
    expect(await edit({ message: 'Plain *now*' })).not.toHaveProperty('markdown');
    expect(await active()).not.toHaveProperty('parts.0.mark');
    expect(await edit({ markdown: '*again*' })).toMatchObject({ message: 'again', markdown: '*again*' });
    expect(await edit({ markdown: '[a](javascript:x)' })).toMatchObject({
      code: 'INVALID_REQUEST',
      problems: [{ field: 'markdown' }],
    });
  });
});

test('a file may have markdown without a message, but not with another one', async () => {
  const { message: _, ...entry } = lasting;
  await server.writeContent('history.json', { announcements: [{ ...entry, markdown: '**Hi** there' }] });
  await expect.poll(async () => (await active()).message).toBe('Hi there');
  await server.writeContent('history.json', {
    announcements: [{ ...entry, message: 'Bye', markdown: '**Hi** there' }],
  });
  await expect.poll(() => get('/health/ready')).toContain('not the text of markdown');
  expect((await active()).message).toBe('Hi there');
});

describe('the fragment', () => {
  test('has the status, caching and CORS of announcement.json, and is empty when there is nothing', async () => {
    const headersOf = async (path: string) => {
      const { status, headers } = await send(server.port, {
        path,
        headers: { Origin: 'https://example.org' },
      });
      const { vary, 'cache-control': caching, 'access-control-allow-origin': origin } = headers;
      return { status, vary, caching, origin, type: headers['content-type'] };
    };
    await server.writeContent('history.json', { announcements: [lasting] });
    await expect.poll(() => get('/content/banner.html')).toContain(lasting.message);
    expect(await headersOf('/content/banner.html')).toEqual({
      ...(await headersOf('/content/announcement.json')),
      type: 'text/html; charset=utf-8',
    });
    await server.writeContent('history.json', { announcements: [] });
    await expect.poll(() => get('/content/banner.html')).toBe('');
    expect((await headersOf('/content/banner.html')).status).toBe(200);
  });

  test.each([
    [{}, '<a href="https://example.org/release" rel="noopener">The autumn release is here</a>'],
    [{ link: '' }, '>The autumn release is here</div>'],
    [{ linkLabel: 'More' }, 'here <a href="https://example.org/release" rel="noopener">More</a></div>'],
    [{ severity: 'critical' }, '<strong>Critical:</strong> <a '],
    [
      { message: 'a b', markdown: '[a](https://a.example/) *b*' },
      '<a href="https://a.example/" rel="noopener">a</a> <em>b</em> <a href="https://example.org/release" rel="noopener">example.org</a>',
    ],
  ])('of %j is one element with %s', (more, words) => {
    const fragment = createFragment({ ...lasting, ...(more as object) });
    expect(fragment).toContain(words);
    expect(fragment).toMatch(/^<div class="typebadge-banner typebadge-[a-z]+"[^<>]*>.*<\/div>$/);
    expect(fragment).not.toMatch(/<script|<style| style=|<div.*<div/);
  });
});

test('law: whatever is written, pages have only the elements of formatting, around escaped text', () => {
  const pieces = fc.oneof(
    fc.constantFrom('<b>', '</p>', '<script>', '"', "'", '&', '**', '*', '`', '](', '[', ')'),
    fc.constantFrom(
      '[a](https://example.org/"onclick=x)',
      '[a](javascript:x)',
      '[<i>](https://e.example/?a&b)',
    ),
    fc.string({ unit: 'grapheme', maxLength: 5 }),
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 16 }), (written) => {
      const text = formatted({ message: '', markdown: written.join('') }).toString();
      const rest = text.replace(
        /<(strong|em|code)>[^<>"']*<\/\1>|<a href="https?:\/\/[^<>"']*" rel="noopener">[^<>"']*<\/a>/g,
        '',
      );
      expect(rest).not.toMatch(/[<>"']/);
    }),
    { numRuns: 1_000 },
  );
});
