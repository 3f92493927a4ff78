import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lasting } from '../support/test-server.ts';
import { describeInChromium } from './chromium.ts';
import { type Embedding, longest, partsOf, startEmbedding, untilState, visit } from './embedding.ts';
import { announcementPath, startRogueServer, toJson, toTag } from './rogue-server.ts';
import type { Site } from './site.ts';

const phone: BrowserContextOptions = {
  viewport: { width: 320, height: 480 },
  hasTouch: true,
  isMobile: true,
};

const german = `${'Donaudampfschifffahrtsgesellschaftskapitän '.repeat(6)}geht von Bord`;
const arabic = 'سيتم إيقاف الخدمة مؤقتًا للصيانة مساء يوم الجمعة. '.repeat(5).trim();

const announcements: readonly Record<string, unknown>[] = [
  {},
  { link: '' },
  { message: longest },
  { message: longest, link: '' },
  { message: longest, severity: 'critical', linkLabel: 'What to do before the weekend comes' },
  { message: german, severity: 'warning', linkLabel: 'Zuständigkeitsübertragungsverordnung' },
  { message: arabic, severity: 'success', linkLabel: 'اقرأ المزيد' },
];

describeInChromium('the badge for fingers, and messages that are long', (browser) => {
  let embedding: Embedding;
  let rogue: Site;
  let announced: Record<string, unknown> = {};
  beforeAll(async () => {
    embedding = await startEmbedding();
    rogue = await startRogueServer((_request, { pathname }) =>
      pathname === announcementPath ? toJson({ announcements: [{ ...lasting, ...announced }] }) : undefined,
    );
  });
  afterAll(async () => {
    await embedding.close();
    await rogue.close();
  });

  async function showThere(change: Record<string, unknown>, options: BrowserContextOptions) {
    announced = change;
    const { page } = await visit(browser(), embedding.put({ tag: toTag(rogue) }), options);
    await untilState(page, 'open');
    return { page, ...partsOf(page) };
  }

  test('on a phone text has 16 px, every target 44 px, and the open badge at most a quarter of 320 × 480', async () => {
    for (const change of announcements) {
      const { page, card, text, toggle, dismiss, more } = await showThere(change, phone);
      expect(await text.evaluate((element) => getComputedStyle(element).fontSize)).toBe('16px');
      const box = await card.boundingBox();
      expect(((box?.width ?? 1e3) * (box?.height ?? 1e3)) / (320 * 480)).toBeLessThanOrEqual(0.25);
      for (const button of [toggle, dismiss, ...((await more.isVisible()) ? [more] : [])]) {
        const target = await button.boundingBox();
        expect(Math.min(target?.width ?? 0, target?.height ?? 0)).toBeGreaterThanOrEqual(44);
      }
      // A link is touched wherever its message is.
      if (!('link' in change)) {
        const [width = 0, height = 0] = await text.evaluate((element) => {
          const area = getComputedStyle(element, '::before');
          return [area.width, area.height].map(Number.parseFloat);
        });
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(30);
        expect(box?.height ?? 0).toBeGreaterThanOrEqual(44);
      }
      await toggle.click();
      await untilState(page, 'collapsed');
      const mark = await toggle.boundingBox();
      expect(Math.min(mark?.width ?? 0, mark?.height ?? 0)).toBeGreaterThanOrEqual(44);
    }
  });

  test.each([
    ['a window', { viewport: { width: 800, height: 600 } }, 4],
    ['a phone', { ...phone, viewport: { width: 390, height: 844 } }, 4],
    ['a small phone', phone, 3],
  ] as const)(
    'in %s, a message shows whole lines, and the rest on request',
    async (_where, options, most) => {
      for (const change of announcements) {
        const { words, more } = await showThere(change, options);
        const measure = () =>
          words.evaluate((element) => {
            const style = getComputedStyle(element);
            const padding = Number.parseFloat(style.paddingTop) * 2;
            const lines = (element.clientHeight - padding) / Number.parseFloat(style.lineHeight);
            return { lines, isWhole: element.scrollHeight - element.clientHeight < 9 };
          });
        const isMoreOffered = () => more.isVisible();
        const { lines, isWhole } = await measure();
        expect(lines).toBeLessThan(most + 0.2);
        expect(Math.abs(lines - Math.round(lines))).toBeLessThan(0.2);
        // The badge hears of its new size with the next frame.
        await expect.poll(isMoreOffered).toBe(!isWhole);
        if (isWhole) continue;
        expect(lines).toBeGreaterThan(most - 0.2);
        await more.click();
        expect((await measure()).isWhole).toBe(true);
        await expect.poll(isMoreOffered).toBe(false);
      }
    },
  );

  test('a window that becomes narrow offers to read on', async () => {
    const { page, more } = await showThere(
      { message: longest.slice(0, 120) },
      { viewport: { width: 800, height: 600 } },
    );
    expect(await more.isVisible()).toBe(false);
    await page.setViewportSize({ width: 220, height: 600 });
    await expect.poll(() => more.isVisible()).toBe(true);
    await page.setViewportSize({ width: 800, height: 600 });
    await expect.poll(() => more.isVisible()).toBe(false);
  });

  test('a link after the fourth line is shown when it gets the keyboard focus', async () => {
    const { page, text, host } = await showThere({ message: longest, linkLabel: 'Read' }, {});
    await page.locator('#last').focus();
    await page.keyboard.press('Tab');
    const message = host.locator('[part=message]'); // what would cut it off
    const [link, fold] = await Promise.all([text.boundingBox(), message.boundingBox()]);
    expect((link?.y ?? 0) + (link?.height ?? 0)).toBeLessThanOrEqual((fold?.y ?? 0) + (fold?.height ?? 0));
  });

  test('the logo has its width and height whatever it is, and a custom property replaces it', async () => {
    const own = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    announced = {};
    const head = `<style>:root { --typebadge-logo: url(${own}) }</style>`;
    const { page } = await visit(browser(), embedding.put({ head, tag: toTag(rogue) }));
    await untilState(page, 'open');
    const { logo } = partsOf(page);
    const box = await logo.boundingBox();
    expect([box?.width, box?.height].map((size) => Math.round(size ?? 0))).toEqual([25, 25]);
    expect(await logo.evaluate((element) => getComputedStyle(element).content)).toContain(own);
  });
});
