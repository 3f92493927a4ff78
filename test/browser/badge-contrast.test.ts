import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInChromium } from './chromium.ts';
import { blend, contrastOf } from './contrast.ts';
import { type Embedding, partsOf, showAgain, startEmbedding, themes, visit } from './embedding.ts';

describeInChromium('the contrast of the badge', (browser) => {
  let embedding: Embedding;
  beforeAll(async () => {
    embedding = await startEmbedding();
  });
  afterAll(() => Promise.all([embedding.close()]));

  const look = (page: Page, selector: string, property: string, pseudo?: string) =>
    page
      .locator(`type-badge ${selector}`)
      .evaluate((element, [name, of]) => getComputedStyle(element, of).getPropertyValue(name ?? ''), [
        property,
        pseudo,
      ] as const);
  const background = (page: Page) => look(page, 'aside', 'background-color');

  test.each(themes)('of text is at least 4.5, of controls and focus ring at least 3: %s', async (theme) => {
    const { page } = await visit(browser(), embedding.put());
    const { text, toggle, dismiss, card } = partsOf(page);
    await showAgain(page, { theme });

    expect(contrastOf(await look(page, 'a', 'color'), await background(page))).toBeGreaterThanOrEqual(4.5);
    expect(await look(page, 'a', 'text-decoration-line')).toBe('none');
    await text.hover();
    expect(await look(page, 'a', 'text-decoration-line')).toBe('underline');
    expect(contrastOf(await look(page, 'a', 'color'), await background(page))).toBeGreaterThanOrEqual(4.5);
    await page.locator('#last').focus();
    await page.keyboard.press('Tab');
    const ring = await look(page, 'a', 'outline-color');
    expect(await look(page, 'a', 'outline-style')).toBe('solid');
    expect(contrastOf(ring, await background(page))).toBeGreaterThanOrEqual(3);

    for (const [part, button] of [
      ['toggle', toggle],
      ['dismiss', dismiss],
    ] as const) {
      await page.keyboard.press('Tab');
      await page.mouse.move(1, 1);
      const stroke = () => look(page, `[part=${part}]`, 'color', '::before');
      const outline = () => look(page, `[part=${part}]`, 'outline-color');
      const surface = async () =>
        blend(await look(page, `[part=${part}]`, 'background-color'), await background(page));
      expect(contrastOf(await stroke(), await background(page))).toBeGreaterThanOrEqual(3);
      expect(contrastOf(await outline(), await background(page))).toBeGreaterThanOrEqual(3);
      await button.hover();
      expect(contrastOf(await stroke(), await surface())).toBeGreaterThanOrEqual(3);
      expect(contrastOf(await outline(), await surface())).toBeGreaterThanOrEqual(3);
    }

    await showAgain(page, { theme, collapsed: true });
    const mark = await look(page, 'aside', 'border-top-color', '::after');
    expect(contrastOf(mark, await background(page))).toBeGreaterThanOrEqual(3);
    await page.locator('#last').focus();
    await page.keyboard.press('Tab');
    for (const move of [() => page.mouse.move(1, 1), () => card.hover()]) {
      await move();
      const outline = await look(page, '[part=toggle]', 'outline-color');
      expect(contrastOf(outline, await background(page))).toBeGreaterThanOrEqual(3);
      // The logo is what can be seen of the control: its key cap, and the letter on it.
      expect(contrastOf('rgb(95, 112, 242)', await background(page))).toBeGreaterThanOrEqual(3);
      expect(contrastOf('rgb(255, 255, 255)', 'rgb(95, 112, 242)')).toBeGreaterThanOrEqual(3);
    }
  });

  test('in forced colours, everything uses a system colour', async () => {
    const { page } = await visit(browser(), embedding.put(), {
      forcedColors: 'active',
      colorScheme: 'dark',
    });
    await showAgain(page, {});
    const canvas = await background(page);
    for (const [selector, property, pseudo] of [
      ['aside', 'border-top-color', undefined],
      ['a', 'color', undefined],
      ['[part=toggle]', 'color', '::before'],
      ['[part=dismiss]', 'color', '::before'],
    ] as const) {
      expect(contrastOf(await look(page, selector, property, pseudo), canvas)).toBeGreaterThanOrEqual(4.5);
    }
    await page.locator('#last').focus();
    await page.keyboard.press('Tab');
    expect(contrastOf(await look(page, 'a', 'outline-color'), canvas)).toBeGreaterThanOrEqual(3);
    await showAgain(page, { collapsed: true });
    expect(
      contrastOf(await look(page, 'aside', 'border-top-color', '::after'), canvas),
    ).toBeGreaterThanOrEqual(3);
  });
});
