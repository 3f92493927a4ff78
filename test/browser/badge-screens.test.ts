import type { BrowserContextOptions, Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInChromium } from './chromium.ts';
import { longest, partsOf, positions, showAgain, untilState, visit } from './embedding.ts';
import { setUpStage } from './rogue-server.ts';

const smallPhone: BrowserContextOptions = {
  viewport: { width: 320, height: 480 },
  hasTouch: true,
  isMobile: true,
};

const german = `${'Donaudampfschifffahrtsgesellschaftskapitän '.repeat(6)}geht von Bord`;
const arabic = 'سيتم إيقاف الخدمة مؤقتًا للصيانة مساء يوم الجمعة. '.repeat(5).trim();

const announcements: readonly object[] = [
  {},
  { link: '' },
  { message: longest },
  { message: longest, link: '' },
  { message: longest, severity: 'critical', linkLabel: 'What to do before the weekend comes' },
  { message: german, severity: 'warning', linkLabel: 'Zuständigkeitsübertragungsverordnung' },
  { message: arabic, severity: 'success', linkLabel: 'اقرأ المزيد' },
  {
    message: longest,
    link: '',
    parts: [{ text: longest.slice(0, 250) }, { text: 'See the status', link: 'https://status.example.com/' }],
  },
];

describeInChromium('the badge on small and unusual screens', (browser) => {
  const stage = setUpStage();

  async function showThere(change: object, options: BrowserContextOptions = {}) {
    stage.say(change);
    const { page } = await visit(browser(), stage.put(), options);
    await untilState(page, 'open');
    return { page, ...partsOf(page) };
  }

  test('on a small phone text has 16 px, every target 44 px, and the badge, wherever it is, at most a quarter of 320 × 480', async () => {
    const { page, card, text, toggle, dismiss, more } = await showThere({}, smallPhone);
    for (const [at, change] of announcements.entries()) {
      stage.say(change);
      await showAgain(page, { position: positions[at % positions.length] ?? 'bottom-right' });
      expect(await text.evaluate((element) => getComputedStyle(element).fontSize)).toBe('16px');
      const { x, y, width, height } = await boxOf(card);
      expect((width * height) / (320 * 480)).toBeLessThanOrEqual(0.25);
      expect(Math.min(x, y, 320 - x - width, 480 - y - height)).toBeGreaterThanOrEqual(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
      const message = page.locator('type-badge [part=message]');
      expect(await message.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      for (const button of [toggle, dismiss, ...((await more.isVisible()) ? [more] : [])])
        expect(await leastOf(button)).toBeGreaterThanOrEqual(44);
      const [upper, lower] = [await boxOf(toggle), await boxOf(dismiss)];
      expect(lower.y, 'one above the other').toBeGreaterThanOrEqual(upper.y + upper.height);
      // A link is touched wherever its message is.
      if (!('link' in change)) {
        const [across = 0, down = 0] = await text.evaluate((element) => {
          const area = getComputedStyle(element, '::before');
          return [area.width, area.height].map(Number.parseFloat);
        });
        expect(Math.min(across, down)).toBeGreaterThanOrEqual(30);
        expect(height).toBeGreaterThanOrEqual(44);
      }
      await toggle.click();
      await untilState(page, 'collapsed');
      expect(await leastOf(toggle)).toBeGreaterThanOrEqual(44);
      const logo = await boxOf(card);
      await page.touchscreen.tap(logo.x + logo.width / 2, logo.y + logo.height / 2);
      await untilState(page, 'open');
    }
  });

  test.each([
    ['a window', { viewport: { width: 800, height: 600 } }, 4],
    ['a phone', { ...smallPhone, viewport: { width: 390, height: 844 } }, 4],
    ['a small phone', smallPhone, 3],
  ] as const)(
    'in %s, a message shows whole lines, and the rest on request',
    async (_where, options, most) => {
      const { page, words, more } = await showThere({}, options);
      for (const change of announcements) {
        stage.say(change);
        await showAgain(page, {});
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
    const { page, more, words } = await showThere(
      { message: longest.slice(0, 120) },
      { viewport: { width: 800, height: 600 } },
    );
    expect(await more.isVisible()).toBe(false);
    await page.setViewportSize({ width: 220, height: 600 });
    await expect.poll(() => more.isVisible()).toBe(true);
    expect((await boxOf(more)).x, 'in line with the message').toBe((await boxOf(words)).x);
    await page.setViewportSize({ width: 800, height: 600 });
    await expect.poll(() => more.isVisible()).toBe(false);
  });

  test('links within a message that is cut are beside it, too, until the rest is shown', async () => {
    const { page, links, more } = await showThere({
      message: longest,
      link: '',
      parts: [
        { text: 'Dates', link: 'https://example.com/dates' },
        { text: ` ${longest} ` },
        { text: 'rooms', link: 'https://example.com/rooms' },
      ],
    });
    await expect.poll(() => links.allTextContents()).toEqual(['Dates', 'rooms']);
    const clicked = page.evaluate(
      () => new Promise((resolve) => addEventListener('typebadge:clicked', () => resolve('clicked'))),
    );
    await page.evaluate(() => addEventListener('click', (event) => event.preventDefault()));
    await links.last().click();
    expect(await clicked).toBe('clicked');
    await more.click();
    await expect.poll(() => links.last().isVisible()).toBe(false);
  });

  test('a link after the fourth line is shown when it gets the keyboard focus', async () => {
    const { page, text, host } = await showThere({ message: longest, linkLabel: 'Read' }, {});
    await page.locator('#last').focus();
    await page.keyboard.press('Tab');
    const message = host.locator('[part=message]'); // what would cut it off
    const [link, fold] = await Promise.all([text.boundingBox(), message.boundingBox()]);
    expect((link?.y ?? 0) + (link?.height ?? 0)).toBeLessThanOrEqual((fold?.y ?? 0) + (fold?.height ?? 0));
  });

  test('with text at 200 %, everything grows with it, stays on the screen, and can be used', async () => {
    const { page, card, text, toggle, dismiss } = await showThere(
      { message: longest },
      { viewport: { width: 320, height: 480 } },
    );
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
      const { page } = await visit(browser(), stage.put('', { head }));
      await untilState(page, 'open');
      sizes.push(await partsOf(page).card.boundingBox());
    }
    expect(sizes[1]).toEqual(sizes[0]);
    expect(sizes[2]).toEqual(sizes[0]);
  });

  test('it is animated only for readers who accept motion', async () => {
    for (const [reducedMotion, name] of [
      ['reduce', 'none'],
      ['no-preference', 'enter'],
    ] as const) {
      const { page } = await visit(browser(), stage.put(), { reducedMotion });
      await untilState(page, 'open');
      const animation = await partsOf(page).card.evaluate(
        (element) => getComputedStyle(element).animationName,
      );
      expect(animation).toBe(name);
    }
  });

  test('any logo keeps its width and height, and a custom property replaces it', async () => {
    const own = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    const head = `<style>:root { --typebadge-logo: url(${own}) }</style>`;
    const { page } = await visit(browser(), stage.put('', { head }));
    await untilState(page, 'open');
    const { logo } = partsOf(page);
    const box = await logo.boundingBox();
    expect([box?.width, box?.height].map((size) => Math.round(size ?? 0))).toEqual([25, 25]);
    expect(await logo.evaluate((element) => getComputedStyle(element).content)).toContain(own);
  });
});

async function boxOf(part: Locator) {
  return (await part.boundingBox()) ?? expect.fail('not on the screen');
}

/** The shorter side of a target. */
async function leastOf(part: Locator): Promise<number> {
  const { width, height } = await boxOf(part);
  return Math.min(width, height);
}
