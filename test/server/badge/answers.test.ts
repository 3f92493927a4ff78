import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { partsOf } from '../../../src/announcements/values/markdown.ts';
import { readPackageVersion } from '../../../src/kit/package-files.ts';
import { createFragment, formatted } from '../../../src/server/badge/pages/words.ts';
import { callDesk, newEditors } from '../../support/editors.ts';
import { send } from '../../support/http-client.ts';
import { lasting, startTestServer, type TestServer } from '../../support/test-server.ts';

test.each([
  ['127.0.0.1', '/demo', true],
  ['0.0.0.0', '/history', false],
])(
  'on %s, the bare address leads to %s, and the demo says whether its tag works elsewhere',
  async (host, place, isLocal) => {
    const options = {
      host,
      allowHost: ['badge.example.org'],
      ...(isLocal ? {} : { publicUrl: 'https://badge.example.org' }),
    };
    const server = await startTestServer(options);
    try {
      const { status, headers } = await send(server.port, { path: '/' });
      expect([status, headers.location]).toEqual([302, place]);
      const { body } = await send(server.port, { path: '/demo' });
      expect(body.toString().includes('works on this computer only')).toBe(isLocal);
    } finally {
      await server.close();
    }
  },
);

test('a server is ready while its content is valid, says why it is not, and is healthy all along', async () => {
  const server = await startTestServer();
  const ask = async () => {
    const { status, headers, body } = await send(server.port, { path: '/health/ready' });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    return { status, body: JSON.parse(body.toString()) };
  };
  const until = async (wanted: number) => {
    while ((await ask()).status !== wanted);
    return (await ask()).body;
  };
  expect(await ask()).toEqual({ status: 200, body: { status: 'ready', version: readPackageVersion() } });

  await server.writeContent('history.json', '{"announcements":[\n{"id":"a"}]}');
  await server.writeContent('origins.json', '{"origins":["nonsense"]}');
  await until(503);
  while ((await ask()).body.reasons.length < 2);
  expect((await ask()).body).toEqual({
    status: 'unready',
    reasons: [
      expect.stringMatching(/^origins\.json:1: origins\[0\]: .*not an origin/),
      expect.stringMatching(/^history\.json:2: announcements\[0\]/),
    ],
  });
  const health = await send(server.port, { path: '/health' });
  expect([health.status, health.headers['content-type'], health.body.toString()]).toEqual([
    200,
    'text/plain',
    'OK',
  ]);

  await server.writeContent('origins.json', { origins: [] });
  await server.writeContent('history.json', { announcements: [lasting] });
  expect(await until(200)).toMatchObject({ status: 'ready' });
  expect((await send(server.port, { path: '/health/ready/' })).status).toBe(404);
  expect((await send(server.port, { method: 'POST', path: '/health/ready' })).status).toBe(405);
  await server.close();
});

const messages = [
  '<img src=x onerror=alert(1)> &amp; ]]> \u200b\u2066 </script>',
  '</title><script>alert(1)</script>',
  '--><svg onload=alert(1)>',
  '</p></li></main></body></html><h1>fake</h1>',
  ']]></title></entry></feed>',
  '{{alert(1)}} `alert(1)` $& $1',
];
/** XML 1.0 allows no others, and a page needs none; `\t\n\r` apart. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]/;

test.each(messages)('the message %j is only text on every page and in every feed', async (message) => {
  const link = 'https://example.org/?a=1&b=%22%3E%3Cscript%3E';
  const server = await startTestServer({
    files: {
      'history.json': {
        announcements: [{ ...lasting, message, link, '<script>\u001b[31m': '<script>\u0007' }],
        changes: [],
      },
    },
  });
  onTestFinished(() => server.close());
  const { port } = server;
  const bodyOf = async (path: string) => {
    const { status, body } = await send(port, { path });
    expect([path, status]).toEqual([path, 200]);
    return body.toString();
  };
  for (const path of ['/demo', '/history', '/feed.atom']) {
    const text = await bodyOf(path);
    expect(text).not.toMatch(/<(?:img src=x|script>alert|svg onload|h1>fake)/);
    expect(text).not.toMatch(control);
  }
  // Everything of the message is escaped, so it ends no element of the feed.
  expect((await bodyOf('/feed.atom')).match(/<\/(?:entry|feed)>/g)).toEqual(['</entry>', '</feed>']);
  expect((await bodyOf('/history')).match(/<\/html>/g)).toHaveLength(1);
  expect(JSON.stringify(JSON.parse(await bodyOf('/feed.json')))).toContain(
    JSON.stringify(message).slice(1, -1),
  );
  expect(JSON.parse(await bodyOf('/content/announcement.json')).message).toBe(message);
  expect(await bodyOf('/content/history.json')).not.toContain('<script>\\u0007');
});

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

  test('reaches the badge in pieces, in each language, and its link has a label', async () => {
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
      const text = formatted(partsOf({ message: '', markdown: written.join('') })).toString();
      const rest = text.replace(
        /<(strong|em|code)>[^<>"']*<\/\1>|<a href="https?:\/\/[^<>"']*" rel="noopener">[^<>"']*<\/a>/g,
        '',
      );
      expect(rest).not.toMatch(/[<>"']/);
    }),
    { numRuns: 1_000 },
  );
});
