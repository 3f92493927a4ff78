import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { lasting } from '../support/test-server.ts';
import { describeInChromium } from './chromium.ts';
import { blend, contrastOf } from './contrast.ts';
import { longest, partsOf, positions, showAgain, themes, untilState, visit } from './embedding.ts';
import { findViolations, loadAxe } from './page-check.ts';
import { setUpStage } from './rogue-server.ts';

/** What a reader of each language gets to read. */
const readers = [
  { lang: 'en', dir: 'ltr', message: 'Registration is open until Friday' },
  { lang: 'de', dir: 'ltr', message: 'Die Anmeldung ist bis Freitag möglich', linkLabel: 'Anmelden' },
  { lang: 'ar', dir: 'rtl', message: 'التسجيل مفتوح حتى يوم الجمعة', linkLabel: 'سجل الآن' },
];
const severities = [undefined, 'success', 'warning', 'critical'];

interface BadgeReport {
  /** What axe finds wrong, or cannot tell. */
  readonly found: readonly string[];
  /** Whether axe judged any contrast. */
  readonly isJudged: boolean;
  readonly background: string;
  /** Of all text on it. */
  readonly colors: readonly string[];
}

const everyBadge = severities.flatMap((severity) =>
  themes.flatMap((theme) => readers.map((reader) => ({ ...reader, severity, theme }))),
);

describeInChromium('axe finds nothing wrong with the badge', (browser) => {
  const stage = setUpStage();

  test.each(themes)('in its corners, open, collapsed and focused, in the %s theme', async (theme) => {
    const { page } = await visit(browser(), stage.put(), { colorScheme: theme });
    for (const position of positions.filter((name) => name.endsWith('left') === (theme === 'dark'))) {
      for (const collapsed of [false, true]) {
        await showAgain(page, { position, theme, collapsed });
        expect(await findViolations(page)).toEqual([]);
      }
      await partsOf(page).toggle.focus();
      expect(await findViolations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await untilState(page, 'open');
      await partsOf(page).text.focus();
      expect(await findViolations(page)).toEqual([]);
    }
  });

  test('in every severity, theme and language, contrast computed: 24 badges', async () => {
    const body = '<main><h1>Notes</h1></main>';
    const { page, complaints } = await visit(browser(), stage.put('', { body }));
    await untilState(page, 'open');
    await loadAxe(page);
    // One task inside the page, answered there: nothing but the badge and axe takes time.
    const reports = await page.evaluate(
      async ([badges, announcement]) => {
        // Inside the body, because beside it, where the badge lives, axe leaves contrast open.
        document.documentElement.append = (...nodes) => document.body.append(...nodes);
        const results: BadgeReport[] = [];
        const { fetch } = window;
        for (const { lang, dir, message, linkLabel, severity, theme } of badges) {
          const [id] = crypto.randomUUID().split('-');
          const announcements = [{ ...announcement, id, message, severity, ...(linkLabel && { linkLabel }) }];
          window.fetch = async (address, options) =>
            String(address).endsWith('.css')
              ? fetch(address, options)
              : new Response(JSON.stringify({ announcements }));
          Object.assign(document.documentElement, { lang, dir });
          window.TypeBadge?.init({ theme });
          while (document.querySelector<HTMLElement>('type-badge')?.dataset.state !== 'open')
            await new Promise((resolve) => setTimeout(resolve, 2));
          const { violations, incomplete, passes } = await window.axe.run();
          const root = document.querySelector('type-badge')?.shadowRoot;
          const lookOf = (part: string) => getComputedStyle(root?.querySelector(`[part=${part}]`) as Element);
          results.push({
            found: [...violations, ...incomplete].map((rule) => `${rule.id}: ${rule.nodes[0]?.html}`),
            isJudged: passes.some((rule) => rule.id === 'color-contrast'),
            background: lookOf('card').backgroundColor,
            colors: ['text', 'lead', 'severity'].map((part) => lookOf(part).color),
          });
        }
        return results;
      },
      [everyBadge, lasting] as const,
    );
    expect(reports).toHaveLength(24);
    reports.forEach(({ found, isJudged, background, colors }, at) => {
      const badge = JSON.stringify(everyBadge[at]);
      expect(found, badge).toEqual([]);
      expect(isJudged, badge).toBe(true);
      // Once more, because axe says nothing about letters of some scripts.
      for (const color of colors) expect(contrastOf(color, background), badge).toBeGreaterThanOrEqual(4.5);
    });
    expect(complaints).toEqual([]);
  });
});

describeInChromium('the contrast of the badge', (browser) => {
  const stage = setUpStage();

  const look = (page: Page, selector: string, property: string, pseudo?: string) =>
    page
      .locator(`type-badge ${selector}`)
      .evaluate((element, [name, of]) => getComputedStyle(element, of).getPropertyValue(name ?? ''), [
        property,
        pseudo,
      ] as const);
  const background = (page: Page) => look(page, 'aside', 'background-color');

  test.each(themes)('of text is at least 4.5, of controls and focus ring at least 3: %s', async (theme) => {
    const { page } = await visit(browser(), stage.put());
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
});

describeInChromium('the badge by keyboard', (browser) => {
  const stage = setUpStage();

  /** What has the focus: an id of the page, or a part of the badge. */
  const focused = (page: Page) =>
    page.evaluate(() => {
      const { activeElement } = document;
      return activeElement?.shadowRoot?.activeElement?.getAttribute('part') ?? activeElement?.id ?? '';
    });

  test('the focus returns to where it came from, even with the mouse, and without scrolling', async () => {
    const { page } = await visit(browser(), stage.put());
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
    const { page } = await visit(browser(), stage.put());
    await untilState(page, 'open');
    await page.locator('#last').focus();
    await page.keyboard.press('Tab');
    await page.evaluate(() => window.TypeBadge?.destroy());
    expect(await focused(page)).toBe('last');
  });

  test('it never takes the focus on its own', async () => {
    const body = '<label>Name <input id="field" autofocus></label>';
    const { page } = await visit(browser(), stage.put('', { body }));
    await untilState(page, 'open');
    await page.keyboard.type('Ada');
    expect(await focused(page)).toBe('field');
    expect(await page.locator('#field').inputValue()).toBe('Ada');
  });

  test('long text without a link can be unfolded and scrolled', async () => {
    stage.say({ message: longest, link: '' });
    const { page } = await visit(browser(), stage.put(), { viewport: { width: 320, height: 200 } });
    await untilState(page, 'open');
    await page.locator('#last').focus();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('more');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('message');
    await expect.poll(() => partsOf(page).more.isVisible()).toBe(false);
    await page.keyboard.press('End');
    const message = page.locator('type-badge [part=message]');
    await expect.poll(() => message.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
  });
});
