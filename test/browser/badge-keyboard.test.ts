import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInChromium } from './chromium.ts';
import {
  type Embedding,
  longest,
  partsOf,
  startAnnouncing,
  startEmbedding,
  untilState,
  visit,
} from './embedding.ts';

describeInChromium('the badge by keyboard', (browser) => {
  let embedding: Embedding;
  let textOnly: Embedding;
  beforeAll(async () => {
    embedding = await startEmbedding();
    textOnly = await startAnnouncing({ message: longest, link: '' });
  });
  afterAll(() => Promise.all([embedding.close(), textOnly.close()]));

  /** What has the focus: an id of the page, or a part of the badge. */
  const focused = (page: Page) =>
    page.evaluate(() => {
      const { activeElement } = document;
      return activeElement?.shadowRoot?.activeElement?.getAttribute('part') ?? activeElement?.id ?? '';
    });

  test('Tab reaches link, collapse and dismiss in order after the page, and the focus is never lost', async () => {
    const { page } = await visit(browser(), embedding.put());
    await untilState(page, 'open');
    await page.locator('#last').focus();
    const order: string[] = [];
    for (let times = 0; times < 3; times += 1) {
      await page.keyboard.press('Tab');
      order.push(await focused(page));
    }
    expect(order).toEqual(['text', 'toggle', 'dismiss']);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await untilState(page, 'collapsed');
    expect(await focused(page)).toBe('toggle');
    await page.keyboard.press('Space');
    await untilState(page, 'open');
    expect(await focused(page)).toBe('toggle');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await untilState(page, 'hidden');
    expect(await focused(page)).toBe('last');
    await page.keyboard.press('Shift+Tab');
    expect(await focused(page)).toBe('field');
  });

  test('the focus returns to where it came from, even with the mouse, and without scrolling', async () => {
    const { page } = await visit(browser(), embedding.put());
    await untilState(page, 'open');
    await page.locator('#first').focus();
    await page.mouse.wheel(0, 400);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(400);
    await partsOf(page).dismiss.click();
    await untilState(page, 'hidden');
    expect(await focused(page)).toBe('first');
    expect(await page.evaluate(() => scrollY)).toBe(400);
  });

  test('a badge that is removed while it has the focus gives it back', async () => {
    const { page } = await visit(browser(), embedding.put());
    await untilState(page, 'open');
    await page.locator('#last').focus();
    await page.keyboard.press('Tab');
    await page.evaluate(() => window.TypeBadge?.destroy());
    expect(await focused(page)).toBe('last');
  });

  test('it never takes the focus on its own', async () => {
    const { page } = await visit(
      browser(),
      embedding.put({ body: '<label>Name <input id="field" autofocus></label>' }),
    );
    await untilState(page, 'open');
    await page.keyboard.type('Ada');
    expect(await focused(page)).toBe('field');
    expect(await page.locator('#field').inputValue()).toBe('Ada');
  });

  test('long text without a link can be unfolded and scrolled', async () => {
    const { page } = await visit(browser(), textOnly.put(), { viewport: { width: 320, height: 200 } });
    await untilState(page, 'open');
    await page.locator('#last').focus();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('more');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('message');
    expect(await partsOf(page).more.isVisible()).toBe(false);
    await page.keyboard.press('End');
    const message = page.locator('type-badge [part=message]');
    await expect.poll(() => message.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
  });
});
