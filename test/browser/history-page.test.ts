import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHistoryPage } from '../../src/server/badge/pages/history-page.ts';
import { lasting } from '../support/test-server.ts';
import { describeInChromium } from './chromium.ts';
import { type Embedding, startEmbedding, visit } from './embedding.ts';
import { findViolations } from './page-check.ts';

const past = {
  id: '2025-009',
  message: 'Old news: <b>bold</b> & "quoted"',
  link: 'https://example.org/?a=1&b=2',
  published: '2025-03-01T08:30:00Z',
  expires: '2025-04-01T08:30:00Z',
};
const textOnly = {
  ...past,
  id: '2025-001',
  message: 'مرحبا بكم',
  link: '',
  published: '2025-01-01T00:00:00Z',
};

describeInChromium('the history page', (browser) => {
  let embedding: Embedding;
  let quiet: Embedding;
  beforeAll(async () => {
    embedding = await startEmbedding({
      files: { 'history.json': { announcements: [past, lasting, textOnly] } },
    });
    quiet = await startEmbedding({ files: { 'history.json': { announcements: [] } } });
  });
  afterAll(() => Promise.all([embedding.close(), quiet.close()]));

  test('lists the announcements newest first, with the active one marked, links and readable times, without JavaScript', async () => {
    const { page, complaints } = await visit(browser(), `${embedding.server.url}/history`, {
      javaScriptEnabled: false,
    });
    const items = page.locator('main li');
    const [first, second, third] = await items.all();
    expect(await items.count()).toBe(3);
    expect(await first?.textContent()).toContain('The autumn release is here');
    expect(await first?.textContent()).toContain('Active');
    expect(await first?.locator('a').getAttribute('href')).toBe('https://example.org/release');
    expect(await second?.textContent()).not.toContain('Active');
    expect(await second?.locator('.message').textContent()).toBe('Old news: <b>bold</b> & "quoted"');
    expect(await second?.locator('a').getAttribute('href')).toBe('https://example.org/?a=1&b=2');
    expect(await second?.locator('time').first().getAttribute('datetime')).toBe('2025-03-01T08:30:00Z');
    expect(await second?.locator('time').first().textContent()).toBe('1 Mar 2025');
    expect(await third?.locator('a').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('years are headings, links are separate from the text, and a past entry says when it ended', async () => {
    const { page } = await visit(browser(), `${embedding.server.url}/history`, { javaScriptEnabled: false });
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['2026', '2025']);
    const old = page.locator('li', { hasText: 'Old news' });
    expect(await old.locator('.message a').count()).toBe(0);
    expect((await old.locator('.link').textContent())?.trim()).toBe('example.org');
    expect(await old.locator('.when').textContent()).toContain('ended 1 Apr 2025');
  });

  test('with JavaScript, days are those of the reader’s clock', async () => {
    const { page, complaints } = await visit(browser(), `${embedding.server.url}/history`, {
      timezoneId: 'Pacific/Honolulu', // ten hours behind
    });
    const time = page.locator('li', { hasText: 'مرحبا' }).locator('time').first();
    await expect.poll(() => time.textContent()).toBe('Dec 31, 2024');
    expect(await time.getAttribute('title')).toContain('2:00');
    expect(complaints).toEqual([]);
  });

  test('readers see a translation first where there is one in their language, and days in their order', async () => {
    const words = {
      de: { markdown: '**Neu**', link: 'https://example.org/de' },
      'de-CH': { message: 'Nöi' },
    };
    const translated = await startEmbedding({
      files: { 'history.json': { announcements: [{ ...past, translations: words }] } },
    });
    const visitIn = async (locale: string) =>
      (await visit(browser(), `${translated.server.url}/history`, { locale })).page.locator('main li');
    const german = await visitIn('de-AT');
    await expect.poll(() => german.locator('> .message').innerHTML()).toBe('<strong>Neu</strong>');
    expect(await german.locator('> .message').getAttribute('lang')).toBe('de');
    expect(await german.locator('> .link a').getAttribute('href')).toBe('https://example.org/de');
    expect(await german.locator('.translation').first().textContent()).toContain('Old news');
    expect(await german.locator('time').first().textContent()).toBe('1. März 2025');
    expect(await (await visitIn('de-CH')).locator('> .message').textContent()).toBe('Nöi');
    const french = await visitIn('fr');
    expect(await french.locator('> .message').textContent()).toContain('Old news');
    expect(await french.locator('time').first().textContent()).toBe('1 mars 2025');
    await translated.close();
  });

  test('8,000 announcements are 160 pages of bounded size, each of them reachable', async () => {
    const announcements = Array.from({ length: 8_000 }, (_, at) => ({
      ...past,
      id: `n-${at}`,
      message: `Number ${at}`,
      ...(at === 7_999 ? { translations: { de: { message: 'Nummer' } } } : {}),
    }));
    const many = await startEmbedding({ files: { 'history.json': { announcements } } });
    const { page } = await visit(browser(), `${many.server.url}/history`, { javaScriptEnabled: false });
    expect(await page.locator('li[id]').count()).toBe(50);
    expect(await page.locator('.pager').textContent()).toContain('Page 1 of 160');
    expect(await page.locator('[hreflang=de]').getAttribute('href')).toBe('feed.atom?lang=de');
    await page.getByRole('link', { name: 'Older' }).click();
    await page.getByText('Page 2 of 160').waitFor();
    expect(await page.locator('li[id]').count()).toBe(50);
    await page.goto(`${many.server.url}/history?page=160`);
    expect(await page.getByRole('link', { name: 'Older' }).count()).toBe(0);
    expect(await page.locator('li[id="n-0"]').count()).toBe(1);
    for (const odd of ['0', '161', '-1', '1e3', '2.5', 'x', '999999999']) {
      await page.goto(`${many.server.url}/history?page=${odd}`);
      expect(await page.locator('.pager').textContent()).toContain('Page 1 of 160');
    }
    await many.close();
  });

  test('links to both feeds, in its text and for feed readers', async () => {
    const { page } = await visit(browser(), `${embedding.server.url}/history`);
    for (const [name, path, type] of [
      ['Atom', '/feed.atom', 'application/atom+xml'],
      ['JSON Feed', '/feed.json', 'application/feed+json'],
    ] as const) {
      for (const link of [
        page.getByRole('link', { name }),
        page.locator(`link[rel=alternate][type="${type}"]`),
      ]) {
        const href = await link.evaluate((element) => (element as HTMLAnchorElement).href);
        expect(href).toBe(embedding.server.url + path);
      }
      const reply = await page.request.get(embedding.server.url + path);
      expect(reply.headers()['content-type']).toContain(type);
    }
  });

  test('says so while nothing has been announced', async () => {
    const { page } = await visit(browser(), `${quiet.server.url}/history`);
    await page.getByText('Nothing has been announced yet.').waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  test.each(['light', 'dark'] as const)(
    'axe finds nothing, in the %s theme, wide and narrow',
    async (colorScheme) => {
      for (const width of [1200, 320]) {
        const { page } = await visit(browser(), `${embedding.server.url}/history`, {
          colorScheme,
          viewport: { width, height: 700 },
        });
        expect(await findViolations(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
    },
  );

  test('any message or link is text, and never an element or a script', async () => {
    const { page } = await visit(browser(), 'about:blank');
    const tricky = fc.oneof(
      fc.constantFrom(
        '<script>pwned=1</script>',
        '"><img src=x onerror=pwned=1>',
        'javascript:pwned=1',
        '</style><script>pwned=1</script>',
        "' onclick='pwned=1",
        '&lt;',
        'https://example.org/"onclick="pwned=1',
        'JAVASCRIPT:pwned=1',
      ),
      fc.string({ unit: 'grapheme', maxLength: 50 }),
    );
    const property = fc.asyncProperty(tricky, tricky, tricky, async (id, message, link) => {
      const entry = { ...lasting, id, message, link, active: true };
      const { html } = createHistoryPage({
        brand: 'typebadge',
        style: '',
        script: '',
        now: Date.parse(lasting.published),
        history: { announcements: [entry], lastUpdated: lasting.published },
      });
      await page.setContent(html);
      const seen = await page.evaluate(() => ({
        pwned: 'pwned' in window,
        message: document.querySelector('.message')?.textContent,
        names: [...document.querySelectorAll('li[id], li[id] *')].map(({ localName }) => localName),
        attributes: [...document.querySelectorAll('li[id], li[id] *')].flatMap((element) =>
          element.getAttributeNames(),
        ),
        protocols: [...document.querySelectorAll<HTMLAnchorElement>('li[id] a')].map(
          ({ protocol }) => protocol,
        ),
      }));
      expect(seen.pwned).toBe(false);
      expect(seen.message?.replace(/\r\n?/g, '\n')).toBe(
        message.replace(/\r\n?|\0/g, (found) => (found === '\0' ? '\ufffd' : '\n')),
      );
      expect(seen.names.filter((name) => !['li', 'p', 'a', 'span', 'time'].includes(name))).toEqual([]);
      expect(
        seen.attributes.filter((name) => !['id', 'class', 'dir', 'href', 'rel', 'datetime'].includes(name)),
      ).toEqual([]);
      expect(seen.protocols.filter((protocol) => !/^https?:$/.test(protocol))).toEqual([]);
    });
    await fc.assert(property, { numRuns: 150, endOnFailure: true });
  });
});
