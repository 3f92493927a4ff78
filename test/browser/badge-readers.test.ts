import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lasting } from '../support/test-server.ts';
import { describeInChromium } from './chromium.ts';
import { contrastOf } from './contrast.ts';
import {
  type Embedding,
  partsOf,
  startEmbedding,
  themes,
  untilNothing,
  untilState,
  visit,
} from './embedding.ts';
import { announcementPath, startRogueServer, toJson, toTag } from './rogue-server.ts';
import type { Site } from './site.ts';

describeInChromium('the right reader gets the right announcement', (browser) => {
  let embedding: Embedding;
  let rogue: Site;
  let announcements: Record<string, unknown>[] = [];
  beforeAll(async () => {
    embedding = await startEmbedding();
    rogue = await startRogueServer((_request, { pathname }) =>
      pathname === announcementPath ? toJson({ announcements }) : undefined,
    );
  });
  afterAll(async () => {
    await embedding.close();
    await rogue.close();
  });

  const one = (id: string, more: object = {}) => ({ ...lasting, id, message: `words of ${id}`, ...more });
  /** Of the severity: its word, what is behind it, its sign, and what is behind that. */
  const coloursOf = (page: Page) =>
    partsOf(page).severity.evaluate((element) => {
      const card = element.closest('aside') as HTMLElement;
      const icon = getComputedStyle(element, '::before');
      return [
        getComputedStyle(element).color,
        getComputedStyle(card).backgroundColor,
        icon.color,
        icon.backgroundColor,
      ] as const;
    });
  const put = (html = 'lang="en"', attributes = '') => embedding.put({ html, tag: toTag(rogue, attributes) });

  test('the first announcement for this site and path is shown, and the next one after each dismissal', async () => {
    const page1 = put();
    const { origin, pathname } = new URL(page1);
    announcements = [
      one('other-site', { audience: { sites: ['https://*.example.org'] } }),
      one('other-path', { audience: { sites: [origin], paths: ['/nowhere', '/*/no'] } }),
      one('here', {
        audience: { sites: ['https://a.example', origin], paths: [`${pathname.slice(0, 4)}*`] },
      }),
      one('everyone'),
    ];
    const { page } = await visit(browser(), page1);
    const { text, dismiss } = partsOf(page);
    await untilState(page, 'open');
    expect(await text.textContent()).toBe('words of here');
    await dismiss.click();
    await expect.poll(() => text.textContent()).toBe('words of everyone');
    await untilState(page, 'open');
    await page.reload();
    await untilState(page, 'open');
    expect(await text.textContent()).toBe('words of everyone');
    await dismiss.click();
    await untilState(page, 'hidden');
    await page.reload();
    await untilNothing(page);
  });

  test.each([
    ['lang="de"', '', 'Hallo', 'de'],
    ['lang="DE-ch"', '', 'Hallo', 'de'],
    ['lang="de-AT"', '', 'Servus', 'de-AT'],
    ['lang="fr"', '', 'words of a', ''],
    ['', '', 'words of a', ''],
    ['lang="fr"', 'data-lang="de"', 'Hallo', 'de'],
  ])('%s %s reads %s', async (html, attributes, words, lang) => {
    announcements = [
      one('a', { translations: { de: { message: 'Hallo' }, 'de-AT': { message: 'Servus' } } }),
    ];
    const { page } = await visit(browser(), put(html, attributes));
    await untilState(page, 'open');
    expect(await partsOf(page).text.textContent()).toBe(words);
    expect(await page.locator('type-badge [part=message]').getAttribute('lang')).toBe(lang);
  });

  test('an announcement that is not dismissible has no control for it, and is shown even if it was dismissed before', async () => {
    announcements = [one('a')];
    const { page } = await visit(browser(), put());
    const { dismiss, toggle } = partsOf(page);
    await dismiss.click();
    await untilState(page, 'hidden');
    announcements = [one('a', { dismissible: false })];
    await page.reload();
    await untilState(page, 'open');
    expect(await dismiss.isVisible()).toBe(false);
    await toggle.click();
    await untilState(page, 'collapsed');
  });

  test('a link with a label leaves the message as text', async () => {
    announcements = [one('a', { link: 'https://example.org/x', linkLabel: 'Read more' })];
    const { page } = await visit(browser(), put());
    await untilState(page, 'open');
    const { lead, text } = partsOf(page);
    expect(await lead.textContent()).toBe('words of a');
    expect(await text.textContent()).toBe('Read more');
    expect(await text.getAttribute('href')).toBe('https://example.org/x');
  });

  const ownColours = [
    ['#ffe0a0', '#300'],
    ['#102030', '#fff'],
    ['#0a6', '#000'],
  ] as const;
  const onOwnColours = themes.flatMap((theme) =>
    ownColours.flatMap(([background, color]) =>
      (['success', 'warning', 'critical'] as const).map(
        (level) => [level, theme, background, color] as const,
      ),
    ),
  );

  test.each(onOwnColours)(
    '%s in the %s theme is readable on a page’s own %s with %s',
    async (severity, theme, background, color) => {
      announcements = [one('a', { severity })];
      const head = `<style>:root { --typebadge-background: ${background}; --typebadge-color: ${color}; }</style>`;
      const tag = toTag(rogue, `data-theme="${theme}"`);
      const { page } = await visit(browser(), embedding.put({ html: 'lang="en"', head, tag }));
      await untilState(page, 'open');
      const [word, card, sign, behindSign] = await coloursOf(page);
      expect(contrastOf(word, card)).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(sign, behindSign)).toBeGreaterThanOrEqual(4.5);
    },
  );

  test.each(
    themes.flatMap((theme) =>
      (['success', 'warning', 'critical'] as const).map((severity) => [severity, theme] as const),
    ),
  )(
    '%s in the %s theme has its word and colour, with contrast, and is read out once',
    async (severity, theme) => {
      announcements = [one('a', { severity })];
      const { page } = await visit(browser(), put('lang="en"', `data-theme="${theme}"`));
      await untilState(page, 'open');
      const word = partsOf(page).severity;
      expect(await word.textContent()).toBe(severity);
      const colours = await coloursOf(page);
      expect(contrastOf(colours[0], colours[1])).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(colours[2], colours[3])).toBeGreaterThanOrEqual(4.5);
      // The roles of live regions: assertive and polite.
      const live = () => partsOf(page).words.getAttribute('role');
      expect(await live()).toBe(severity === 'critical' ? 'alert' : 'status');
      await partsOf(page).toggle.click();
      await page.reload();
      await untilState(page, 'collapsed');
      expect(await live()).toBe(null);
      if (process.env.TYPEBADGE_SHOTS)
        await page.screenshot({ path: `${process.env.TYPEBADGE_SHOTS}/${severity}-${theme}.png` });
    },
  );
});
