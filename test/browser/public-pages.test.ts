import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { atomFeedText } from '../../src/server/badge/pages/feeds.ts';
import { lasting } from '../support/test-server.ts';
import { describeInChromium } from './chromium.ts';
import { type Embedding, partsOf, startEmbedding, untilState, visit } from './embedding.ts';
import { findViolations } from './page-check.ts';

/** Colours depend on the theme, and what stands where on the width. */
const looks = [
  ['light', 1200],
  ['dark', 320],
] as const;

describeInChromium('the demo page', (browser) => {
  let embedding: Embedding;
  let demo: string;
  beforeAll(async () => {
    embedding = await startEmbedding();
    demo = `${embedding.server.url}/demo`;
  });
  afterAll(() => embedding.close());

  async function visitDemo(options = {}) {
    const visited = await visit(browser(), demo, options);
    const { page } = visited;
    const preview = page.frameLocator('iframe').locator('type-badge');
    await preview
      .and(page.frameLocator('iframe').locator('[data-state=open]'))
      .waitFor({ state: 'attached' });
    return { ...visited, preview, tag: page.locator('#tag') };
  }

  /** Chooses as a reader does: by the words on the screen. */
  const choose = (page: Page, text: string) => page.locator('label').filter({ hasText: text }).click();

  test('shows the chosen corner and theme in the real badge, and writes the tag for it', async () => {
    const { page, preview, tag, complaints, murmurs } = await visitDemo();
    expect(await tag.textContent()).toBe(
      `<script src="${embedding.server.url}/js/typebadge-inject.min.js" async></script>`,
    );
    for (const [corner, theme] of [
      ['Top left', 'Dark'],
      ['Top right', 'Light'],
      ['Bottom left', 'Auto'],
      ['Bottom right', 'Dark'],
    ] as const) {
      await choose(page, corner);
      await choose(page, theme);
      const [position, name] = [corner.toLowerCase().replace(' ', '-'), theme.toLowerCase()];
      const chosen = `[data-position=${position}][data-theme=${name}][data-state=open]`;
      await page.frameLocator('iframe').locator(`type-badge${chosen}`).waitFor({ state: 'attached' });
      expect(await preview.count()).toBe(1);
      const attributes = [
        position === 'bottom-right' ? '' : ` data-position="${position}"`,
        name === 'auto' ? '' : ` data-theme="${name}"`,
      ].join('');
      expect(await tag.textContent()).toContain(`-inject.min.js"${attributes} async>`);
    }
    expect([...complaints, ...murmurs]).toEqual([]);
  });

  test('the tag gives what the preview shows, on any page', async () => {
    const { page, tag } = await visitDemo();
    await choose(page, 'Top left');
    await choose(page, 'Dark');
    await choose(page, 'Start collapsed');
    await choose(page, 'Show the logo');
    await choose(page, 'Turn off counting');
    const text = (await tag.textContent()) ?? '';
    expect(text.match(/data-[\w-]+/g)?.sort()).toEqual(
      ['analytics', 'collapsed', 'position', 'show-empty', 'theme'].map((name) => `data-${name}`),
    );
    const pasted = await visit(browser(), embedding.put({ tag: text }));
    await untilState(pasted.page, 'collapsed');
    const { host } = partsOf(pasted.page);
    expect(await host.getAttribute('data-position')).toBe('top-left');
    expect(await host.getAttribute('data-theme')).toBe('dark');
    expect(pasted.complaints).toEqual([]);
    await page.getByLabel('Bottom', { exact: true }).check();
    expect(await tag.textContent(), 'bars do not collapse').not.toContain('data-collapsed');
    expect(await tag.textContent()).toContain(' async></script>');
    await page.getByLabel('Top', { exact: true }).check();
    expect(await tag.textContent(), 'the page waits for it').not.toContain('async');
  });

  test('the copy button copies the tag, or selects it if there is no clipboard', async () => {
    const allowed = await visitDemo({ permissions: ['clipboard-read', 'clipboard-write'] });
    await allowed.page.getByRole('button', { name: 'Copy' }).click();
    await allowed.page.getByText('Copied.').waitFor();
    const text = await allowed.tag.textContent();
    expect(await allowed.page.evaluate(() => navigator.clipboard.readText())).toBe(text);

    const { page } = await visitDemo();
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Selected').waitFor();
    expect(await page.evaluate(() => String(getSelection()))).toBe(text);
  });

  test('a badge dismissed in the preview is not counted, returns with the next choice, and the page gets the event', async () => {
    const { page } = await visit(browser(), 'about:blank');
    const pulses: string[] = [];
    page.on('request', (request) => request.url().includes('/pulse') && pulses.push(request.url()));
    await page.goto(demo);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('A visitor dismissed the announcement. Your page').waitFor();
    await choose(page, 'Top right');
    await frame.locator('type-badge[data-state=open]').waitFor({ state: 'attached' });
    await page.waitForLoadState('networkidle');
    expect(pulses).toEqual([]);
  });

  test('tries every severity, a long message and none, with nothing sent to the server', async () => {
    const { page, complaints } = await visitDemo();
    const badge = page.frameLocator('iframe').locator('type-badge');
    const announcement = page.getByRole('combobox');
    for (const [sample, words, label] of [
      ['success', 'All services work again.', 'Good news'],
      ['warning', 'Sign-in is slow', 'Warning'],
      ['critical', 'Payments are down', 'Critical'],
      ['long', 'On Saturday night', ''],
    ] as const) {
      await announcement.selectOption(sample);
      await badge.getByText(words).waitFor();
      if (label !== '') await badge.getByText(label, { exact: true }).first().waitFor();
      expect(await badge.getByRole('button', { name: 'Dismiss' }).count()).toBe(
        sample === 'critical' ? 0 : 1,
      );
      expect(await badge.getByRole('button', { name: 'Read on' }).isVisible()).toBe(sample === 'long');
    }
    await announcement.selectOption('none');
    await page.getByText('Nothing is announced, so your page shows nothing.').waitFor();
    await expect.poll(() => badge.locator('aside').isVisible()).toBe(false);
    await choose(page, 'Show the logo');
    await page.getByText('with its logo alone: nothing is announced').waitFor();
    expect(await badge.getByRole('img').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('keeps the preview visible on a phone down to the last choice, and never over what has the focus', async () => {
    const { page } = await visitDemo({ viewport: { width: 390, height: 844 } });
    const last = page.getByText('Turn off counting');
    await last.scrollIntoViewIfNeeded();
    const stage = await page.locator('.stage').boundingBox();
    expect(stage?.y).toBeGreaterThanOrEqual(0);
    const end = (stage?.y ?? 0) + (stage?.height ?? 0);
    expect(end).toBeLessThan(844 / 2);
    await page.locator('select').focus();
    await page.keyboard.press('Shift+Tab');
    expect((await page.locator('#copy:focus').boundingBox())?.y).toBeGreaterThan(end);
  });

  test('what is chosen can be seen in forced colours', async () => {
    const { page } = await visitDemo({ forcedColors: 'active' });
    const colour = (text: string) =>
      page.getByText(text, { exact: true }).evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(await colour('Bottom right')).toBe(await colour('Auto'));
    expect(await colour('Top left')).toBe(await colour('Dark'));
    expect(await colour('Auto')).not.toBe(await colour('Dark'));
  });

  test('without JavaScript it still has the tag', async () => {
    const { page } = await visit(browser(), demo, { javaScriptEnabled: false });
    expect(await page.locator('#tag').textContent()).toContain('-inject.min.js" async></script>');
    await page.getByText('The preview and the choices need JavaScript').waitFor();
    await page.getByRole('img', { name: 'The current announcement' }).waitFor();
    expect(await page.locator('form').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Copy' }).isVisible()).toBe(false);
  });

  test.each(looks)('axe finds nothing, in the %s theme, %i pixels wide', async (colorScheme, width) => {
    const { page } = await visitDemo({ colorScheme, viewport: { width, height: 700 } });
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
});

const past = {
  id: '2025-009',
  message: 'Old news: <b>bold</b> & "quoted"',
  link: 'https://example.org/?a=1&b=2',
  published: '2025-03-01T08:30:00Z',
  expires: '2025-04-01T08:30:00Z',
};
const arabic = {
  ...past,
  id: '2025-001',
  message: 'مرحبا بكم',
  link: '',
  published: '2025-01-01T00:00:00Z',
};

describeInChromium('the history page', (browser) => {
  let embedding: Embedding;
  beforeAll(async () => {
    embedding = await startEmbedding({
      files: { 'history.json': { announcements: [past, lasting, arabic] } },
    });
  });
  afterAll(() => embedding.close());

  test('lists the announcements newest first by year, with the active one marked, links apart from the text, readable times and ends, without JavaScript', async () => {
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
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['2026', '2025']);
    expect(await second?.locator('.message a').count()).toBe(0);
    expect((await second?.locator('.link').textContent())?.trim()).toBe('example.org');
    expect(await second?.locator('.when').textContent()).toContain('ended 1 Apr 2025');
    expect(complaints).toEqual([]);
  });

  test('readers see a translation in their language first, if there is one, and days in their order', async () => {
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
    const first = german.locator('> :first-child');
    await expect
      .poll(async () => (await first.locator('.message').innerHTML()).trim())
      .toBe('<strong>Neu</strong>');
    expect(await first.getAttribute('lang')).toBe('de');
    expect(await first.locator('.link a').getAttribute('href')).toBe('https://example.org/de');
    expect(await german.locator('.translation').first().textContent()).toContain('Old news');
    expect(await german.locator('.link').count(), 'the same link once').toBe(2);
    expect(await german.locator('.translation').last().innerText()).toMatch(/^Schweizer Hochdeutsch\s+Nöi$/);
    expect(await german.locator('time').first().textContent()).toBe('1. März 2025');
    const swiss = (await visitIn('de-CH')).locator('> :first-child');
    expect((await swiss.locator('.message').textContent())?.trim()).toBe('Nöi');
    expect(await swiss.locator('.link a').getAttribute('href')).toBe(past.link);
    const french = await visitIn('fr');
    expect(await french.locator('> :first-child .message').textContent()).toContain('Old news');
    expect(await french.locator('time').first().textContent()).toBe('1 mars 2025');
    await translated.close();
  });

  test('all announcements of a year are in one list', async () => {
    const announcements = Array.from({ length: 120 }, (_, at) => ({
      ...past,
      id: `n-${at}`,
      message: `Number ${at}`,
    }));
    const many = await startEmbedding({ files: { 'history.json': { announcements } } });
    const { page } = await visit(browser(), `${many.server.url}/history`, { javaScriptEnabled: false });
    expect(await page.locator('ol > li[id]').count()).toBe(120);
    expect(await page.locator('h2').count()).toBe(1);
    await many.close();
  });

  test.each(looks)('axe finds nothing, in the %s theme, %i pixels wide', async (colorScheme, width) => {
    const viewport = { width, height: 700 };
    const { page } = await visit(browser(), `${embedding.server.url}/history`, { colorScheme, viewport });
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
});

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
    await fc.assert(property, { numRuns: 80, endOnFailure: true });
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
