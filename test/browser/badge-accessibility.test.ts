import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BadgeOptions } from '../../content/badge/options.ts';
import { lasting } from '../support/test-server.ts';
import { describeInChromium } from './chromium.ts';
import { contrastOf } from './contrast.ts';
import { type Embedding, partsOf, startEmbedding, untilState, visit } from './embedding.ts';

const positions = ['bottom-right', 'bottom-left', 'top-right', 'top-left'] as const;
const themes = ['light', 'dark'] as const;
const longest = 'Registration for the summer school on mountain weather is open. '.repeat(5).slice(0, 280);

describeInChromium('everybody can use the badge', (browser) => {
  let embedding: Embedding;
  let wordy: Embedding;
  let textOnly: Embedding;
  beforeAll(async () => {
    const announce = (changes: object) =>
      startEmbedding({ files: { 'history.json': { announcements: [{ ...lasting, ...changes }] } } });
    embedding = await startEmbedding();
    wordy = await announce({ message: longest });
    textOnly = await announce({ message: longest, link: '' });
  });
  afterAll(() => Promise.all([embedding.close(), wordy.close(), textOnly.close()]));

  async function show(page: Page, options: BadgeOptions): Promise<void> {
    await page.evaluate((chosen) => {
      localStorage.clear();
      window.TypeBadge?.init(chosen);
    }, options);
    await untilState(page, options.collapsed ? 'collapsed' : 'open');
  }

  describe('axe finds nothing', () => {
    const check = async (page: Page) => {
      const { violations } = await page.evaluate(() => window.axe.run());
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`)).toEqual([]);
    };
    const withAxe = async (url: string, options = {}) => {
      const visited = await visit(browser(), url, options);
      await visited.page.evaluate(axe.source);
      return visited;
    };

    test.each(themes)('in four corners, open, collapsed and focused, in the %s theme', async (theme) => {
      const { page } = await withAxe(embedding.put(), { colorScheme: theme });
      for (const position of positions) {
        for (const collapsed of [false, true]) {
          await show(page, { position, theme, collapsed });
          await check(page);
        }
        await partsOf(page).toggle.focus();
        await check(page);
        await page.keyboard.press('Enter');
        await untilState(page, 'open');
        await partsOf(page).text.focus();
        await check(page);
      }
    });

    test.each(themes)(
      'axe can also tell the contrast, once the badge is moved to where it looks: %s',
      async (theme) => {
        const { page } = await withAxe(embedding.put());
        await show(page, { theme });
        // Beside the body, where the badge lives, axe leaves the question open.
        await page.evaluate(() => document.body.append(document.querySelector('type-badge') ?? ''));
        const position = () => partsOf(page).card.evaluate((card) => getComputedStyle(card).position);
        await expect.poll(position).toBe('fixed');
        const { violations, incomplete, passes } = await page.evaluate(() =>
          window.axe.run({ runOnly: ['color-contrast'] }),
        );
        expect([...violations, ...incomplete]).toEqual([]);
        expect(passes.flatMap(({ nodes }) => nodes.map(({ html }) => html)).join()).toContain('part="text"');
      },
    );

    test('with text that scrolls, with a link in it and without', async () => {
      for (const { put } of [wordy, textOnly]) {
        const { page } = await withAxe(put(), { viewport: { width: 320, height: 480 } });
        await untilState(page, 'open');
        await check(page);
      }
    });

    test('with the mark alone', async () => {
      const quiet = await startEmbedding({ files: { 'history.json': { announcements: [] } } });
      const { page } = await withAxe(quiet.put());
      await untilState(page, 'brand');
      await check(page);
      await quiet.close();
    });
  });

  describe('contrast', () => {
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
      await show(page, { theme });

      expect(contrastOf(await look(page, 'a', 'color'), await background(page))).toBeGreaterThanOrEqual(4.5);
      const underline = await look(page, 'a', 'text-decoration-color');
      expect(contrastOf(underline, await background(page))).toBeGreaterThanOrEqual(3);
      await text.hover();
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
        const stroke = () => look(page, `[part=${part}]`, 'border-top-color', '::before');
        const outline = () => look(page, `[part=${part}]`, 'outline-color');
        const surface = () => look(page, `[part=${part}]`, 'background-color');
        expect(contrastOf(await stroke(), await background(page))).toBeGreaterThanOrEqual(3);
        expect(contrastOf(await outline(), await background(page))).toBeGreaterThanOrEqual(3);
        await button.hover();
        expect(contrastOf(await stroke(), await surface())).toBeGreaterThanOrEqual(3);
        expect(contrastOf(await outline(), await surface())).toBeGreaterThanOrEqual(3);
      }

      await show(page, { theme, collapsed: true });
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

    test('in forced colours, everything that is drawn takes a system colour', async () => {
      const { page } = await visit(browser(), embedding.put(), {
        forcedColors: 'active',
        colorScheme: 'dark',
      });
      await show(page, {});
      const canvas = await background(page);
      for (const [selector, property, pseudo] of [
        ['aside', 'border-top-color', undefined],
        ['a', 'color', undefined],
        ['[part=toggle]', 'border-top-color', '::before'],
        ['[part=dismiss]', 'border-top-color', '::after'],
      ] as const) {
        expect(contrastOf(await look(page, selector, property, pseudo), canvas)).toBeGreaterThanOrEqual(4.5);
      }
      await page.locator('#last').focus();
      await page.keyboard.press('Tab');
      expect(contrastOf(await look(page, 'a', 'outline-color'), canvas)).toBeGreaterThanOrEqual(3);
      await show(page, { collapsed: true });
      expect(
        contrastOf(await look(page, 'aside', 'border-top-color', '::after'), canvas),
      ).toBeGreaterThanOrEqual(3);
    });
  });

  describe('by keyboard', () => {
    /** What has the focus: an id of the page, or a part of the badge. */
    const focused = (page: Page) =>
      page.evaluate(() => {
        const { activeElement } = document;
        return activeElement?.shadowRoot?.activeElement?.getAttribute('part') ?? activeElement?.id ?? '';
      });

    test('link, collapse and dismiss are reached in order after the page, and the focus is never lost', async () => {
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

    test('the focus goes back to where it came from, also by mouse, and without scrolling', async () => {
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

    test('a badge that is taken away under the focus gives it back', async () => {
      const { page } = await visit(browser(), embedding.put());
      await untilState(page, 'open');
      await page.locator('#last').focus();
      await page.keyboard.press('Tab');
      await page.evaluate(() => window.TypeBadge?.destroy());
      expect(await focused(page)).toBe('last');
    });

    test('it never takes the focus by itself', async () => {
      const { page } = await visit(
        browser(),
        embedding.put({ body: '<label>Name <input id="field" autofocus></label>' }),
      );
      await untilState(page, 'open');
      await page.keyboard.type('Ada');
      expect(await focused(page)).toBe('field');
      expect(await page.locator('#field').inputValue()).toBe('Ada');
    });

    test('long text without a link can be scrolled', async () => {
      const { page } = await visit(browser(), textOnly.put(), { viewport: { width: 320, height: 480 } });
      await untilState(page, 'open');
      await page.locator('#last').focus();
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('message');
      await page.keyboard.press('End');
      const message = page.locator('type-badge [part=message]');
      await expect.poll(() => message.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
    });
  });

  describe('on small and unusual screens', () => {
    test('every target is at least 24 by 24 pixels', async () => {
      const { page } = await visit(browser(), embedding.put());
      await show(page, {});
      const { text, toggle, dismiss } = partsOf(page);
      for (const target of [text, toggle, dismiss]) await expectRoom(target);
      await show(page, { collapsed: true });
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
          await show(page, { position });
          const { x, y, width, height } = (await partsOf(page).card.boundingBox()) ?? fail();
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

    test('text at 200 %: everything grows with it, stays on the screen, and can be used', async () => {
      const { page } = await visit(browser(), wordy.put(), { viewport: { width: 320, height: 480 } });
      await untilState(page, 'open');
      const { card, text, toggle, dismiss } = partsOf(page);
      const fontSize = () =>
        text.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
      const before = await fontSize();
      const session = await page.context().newCDPSession(page);
      await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
      expect(await fontSize()).toBe(2 * before);
      const { x, y, width, height } = (await card.boundingBox()) ?? fail();
      expect(Math.min(x, y, 320 - x - width, 480 - y - height)).toBeGreaterThanOrEqual(0);
      for (const button of [toggle, dismiss]) {
        const box = (await button.boundingBox()) ?? fail();
        expect(box.width).toBe(56);
        expect(box.x + box.width).toBeLessThanOrEqual(x + width);
      }
      const message = page.locator('type-badge [part=message]');
      expect(await message.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      expect(await message.evaluate(({ clientHeight }) => clientHeight)).toBeGreaterThan(2 * before);
      await toggle.click();
      await untilState(page, 'collapsed');
    });

    test('a page that makes its rem small makes the badge no smaller', async () => {
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
      const arabic = await startEmbedding({
        files: {
          'history.json': { announcements: [{ ...lasting, message: 'صدر الإصدار 2.0 من typebadge!' }] },
        },
      });
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

    test('it moves in only for readers who do not mind motion', async () => {
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
});

function fail(): never {
  throw new Error('not on the screen');
}
