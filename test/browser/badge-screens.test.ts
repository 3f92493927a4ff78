import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInChromium } from './chromium.ts';
import {
  type Embedding,
  longest,
  partsOf,
  positions,
  showAgain,
  startAnnouncing,
  startEmbedding,
  untilState,
  visit,
} from './embedding.ts';

describeInChromium('the badge on small and unusual screens', (browser) => {
  let embedding: Embedding;
  let wordy: Embedding;
  let textOnly: Embedding;
  beforeAll(async () => {
    embedding = await startEmbedding();
    wordy = await startAnnouncing({ message: longest });
    textOnly = await startAnnouncing({ message: longest, link: '' });
  });
  afterAll(() => Promise.all([embedding.close(), wordy.close(), textOnly.close()]));

  test('every target is at least 24 by 24 pixels', async () => {
    const { page } = await visit(browser(), embedding.put());
    await showAgain(page, {});
    const { text, toggle, dismiss } = partsOf(page);
    for (const target of [text, toggle, dismiss]) await expectRoom(target);
    await showAgain(page, { collapsed: true });
    await expectRoom(toggle);

    async function expectRoom(target: typeof text) {
      const box = await target.boundingBox();
      expect(box?.width).toBeGreaterThanOrEqual(24);
      expect(box?.height).toBeGreaterThanOrEqual(24);
    }
  });

  test('the longest message covers at most a quarter of 320 × 480, and all of it can be read', async () => {
    for (const { put } of [wordy, textOnly]) {
      const { page } = await visit(browser(), put(), { viewport: { width: 320, height: 480 } });
      await untilState(page, 'open');
      for (const position of positions) {
        await showAgain(page, { position });
        const { x, y, width, height } = await boxOf(partsOf(page).card);
        expect((width * height) / (320 * 480)).toBeLessThanOrEqual(0.25);
        expect(Math.min(x, y, 320 - x - width, 480 - y - height)).toBeGreaterThanOrEqual(0);
      }
      const message = page.locator('type-badge [part=message]');
      const { clientWidth, scrollWidth, overflow } = await message.evaluate((element) => ({
        clientWidth: element.clientWidth,
        scrollWidth: element.scrollWidth,
        overflow: getComputedStyle(element).overflowY,
      }));
      expect(scrollWidth).toBe(clientWidth);
      expect(overflow).toBe('auto');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    }
  });

  test('with text at 200 %, everything grows with it, stays on the screen, and can be used', async () => {
    const { page } = await visit(browser(), wordy.put(), { viewport: { width: 320, height: 480 } });
    await untilState(page, 'open');
    const { card, text, toggle, dismiss } = partsOf(page);
    const fontSize = () => text.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    const before = await fontSize();
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    expect(await fontSize()).toBe(2 * before);
    const { x, y, width, height } = await boxOf(card);
    expect(Math.min(x, y, 320 - x - width, 480 - y - height)).toBeGreaterThanOrEqual(0);
    for (const button of [toggle, dismiss]) {
      const box = await boxOf(button);
      expect(box.width).toBe(56);
      expect(box.x + box.width).toBeLessThanOrEqual(x + width);
    }
    const message = page.locator('type-badge [part=message]');
    expect(await message.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(await message.evaluate(({ clientHeight }) => clientHeight)).toBeGreaterThan(2 * before);
    await toggle.click();
    await untilState(page, 'collapsed');
  });

  test('a page with a small rem does not make the badge smaller', async () => {
    const sizes = [];
    for (const head of [
      '',
      '<style>html { font-size: 62.5% }</style>',
      '<style>html { font-size: 4px }</style>',
    ]) {
      const { page } = await visit(browser(), embedding.put({ head }));
      await untilState(page, 'open');
      sizes.push(await partsOf(page).card.boundingBox());
    }
    expect(sizes[1]).toEqual(sizes[0]);
    expect(sizes[2]).toEqual(sizes[0]);
  });

  test.each([
    ['html', 'lang="ar" dir="rtl"', ''],
    ['body', 'lang="ar"', '<script>document.body.dir = "rtl"</script>'],
  ])('a page whose %s reads from right to left gets a mirrored badge', async (_where, html, body) => {
    const { page } = await visit(browser(), embedding.put({ html, body: `<h1>عنوان</h1>${body}` }));
    await untilState(page, 'open');
    const { logo, toggle, dismiss } = partsOf(page);
    const places = await Promise.all([dismiss, toggle, logo].map((part) => part.boundingBox()));
    const [first, second, third] = places.map((box) => box?.x ?? Number.NaN);
    expect(first).toBeLessThan(second ?? 0);
    expect(second).toBeLessThan(third ?? 0);
  });

  test('a message that reads from right to left does so on any page', async () => {
    const arabic = await startAnnouncing({ message: 'صدر الإصدار 2.0 من typebadge!' });
    const { page } = await visit(browser(), arabic.put());
    await untilState(page, 'open');
    expect(await partsOf(page).text.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
    expect(await partsOf(page).card.evaluate((element) => getComputedStyle(element).direction)).toBe('ltr');
    await arabic.close();
  });

  test('it is not printed', async () => {
    const { page } = await visit(browser(), embedding.put());
    await untilState(page, 'open');
    await page.emulateMedia({ media: 'print' });
    expect(await partsOf(page).card.isVisible()).toBe(false);
  });

  test('it is animated only for readers who accept motion', async () => {
    for (const [reducedMotion, name] of [
      ['reduce', 'none'],
      ['no-preference', 'enter'],
    ] as const) {
      const { page } = await visit(browser(), embedding.put(), { reducedMotion });
      await untilState(page, 'open');
      const animation = await partsOf(page).card.evaluate(
        (element) => getComputedStyle(element).animationName,
      );
      expect(animation).toBe(name);
    }
  });
});

async function boxOf(part: Locator) {
  const box = await part.boundingBox();
  if (box === null) throw new Error('not on the screen');
  return box;
}
