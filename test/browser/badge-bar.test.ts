import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInChromium } from './chromium.ts';
import { type HostPage, longest, partsOf, untilSettled, untilState, visit } from './embedding.ts';
import { announcementPath, setUpStage } from './rogue-server.ts';
import { shiftsOf } from './shifts.ts';

describeInChromium('a bar across the page', (browser) => {
  const stage = setUpStage();
  const say = (message: string) => stage.say({ message });
  /** With the tag in the head, where it runs before anything is painted. */
  const put = (attributes = 'data-position="top"', { head = '', body }: HostPage = {}) => {
    const tag = `<script src="${stage.rogue.origin}/js/typebadge-inject.min.js" ${attributes}></script>`;
    return stage.embedding.put({ head: head + tag, tag: '', ...(body && { body }) });
  };
  /** Waits until the next view could begin with the bar. */
  const untilKept = (page: Page, message: string) =>
    page.waitForFunction((words) => localStorage.getItem('typebadge-bar')?.includes(words), message);
  const boxOf = async (page: Page) => (await partsOf(page).card.boundingBox()) ?? expect.fail('not shown');
  const headingOf = async (page: Page) => (await page.locator('h1').boundingBox())?.y ?? 0;

  test.each(['', 'async', 'defer'])(
    'at the top, with a tag that is "%s", nothing moves in the first view or the next, also with late news',
    async (loading) => {
      say('Office hours today at noon');
      const url = put(`data-position="top" ${loading}`);
      const { page, complaints } = await visit(browser(), 'about:blank', {}, (newPage) =>
        newPage.route(`**${announcementPath}`, async (route) => {
          await new Promise((resolve) => setTimeout(resolve, 300));
          await route.continue();
        }),
      );
      await page.goto(url);
      await untilState(page, 'open');
      await untilKept(page, 'Office hours');
      expect(await partsOf(page).host.getAttribute('data-flow'), 'over the page').toBe(null);
      const before = await headingOf(page);
      expect(await shiftsOf(page)).toEqual({ all: 0, ofPage: 0 });

      await page.goto(url);
      await untilState(page, 'open');
      await page.waitForLoadState('networkidle');
      expect((await shiftsOf(page)).ofPage).toBe(0);
      const bar = await boxOf(page);
      if (loading === '') {
        expect(await partsOf(page).host.getAttribute('data-flow'), 'above the page').toBe('');
        expect((await headingOf(page)) - before).toBeCloseTo(bar.height, 0);
      }
      expect(bar.width).toBe(page.viewportSize()?.width);
      expect(complaints).toEqual([]);
    },
  );

  test('a change while the page is read replaces the text, and moves nothing', async () => {
    const url = put();
    const { page } = await visit(browser(), url);
    for (const [kept, message] of [
      ['Short news', longest],
      ['Short news', 'Short again'],
      [longest, 'Short again'],
    ] as const) {
      say(kept);
      await page.goto(url);
      await untilKept(page, kept);
      await page.goto(url);
      await untilState(page, 'open');
      const before = await headingOf(page);
      say(message);
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
      await expect.poll(() => partsOf(page).text.textContent()).toBe(message);
      expect(await headingOf(page)).toBe(before);
      expect((await shiftsOf(page)).ofPage).toBe(0);
    }
    stage.say(); // withdrawn
    const before = await headingOf(page);
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    await untilState(page, 'hidden');
    expect(await partsOf(page).card.isVisible()).toBe(false);
    expect(await headingOf(page)).toBe(before);
    await page.goto(url);
    await untilKept(page, '"news":[]');
    await page.goto(url);
    await untilSettled(page);
    expect(await headingOf(page), 'in the next view its place is gone').toBeLessThan(before);
  });

  test('after a reload and on the way back it is in view, and the page keeps its scroll anchoring', async () => {
    say('Still at the top');
    const { page } = await visit(browser(), put());
    await untilKept(page, 'Still at the top');
    const viewAgain = [
      () => page.reload(),
      async () => {
        await page.goto('about:blank');
        await page.goBack();
      },
    ];
    for (const view of viewAgain) {
      await view();
      await untilState(page, 'open');
      await page.waitForLoadState('networkidle');
      expect((await boxOf(page)).y).toBe(0);
    }
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflowAnchor)).toBe('auto');
  });

  test('the reader dismisses it for good, and the page takes its place', async () => {
    say('Dismiss me');
    const url = put();
    const { page } = await visit(browser(), url);
    await untilKept(page, 'Dismiss me');
    await page.goto(url);
    await untilState(page, 'open');
    const before = await headingOf(page);
    expect(await partsOf(page).toggle.isVisible()).toBe(false);
    await partsOf(page).dismiss.click();
    await untilState(page, 'hidden');
    expect(await headingOf(page)).toBeLessThan(before);
    await page.goto(url);
    await untilSettled(page);
    expect(await partsOf(page).card.isVisible()).toBe(false);
  });

  test('a fixed header stays below it by the documented property, a sticky one by itself', async () => {
    say('Maintenance tonight');
    const head = `<style>header { position: fixed; inset: var(--typebadge-height, 0px) 0 auto; height: 40px; background: #ddd }
      nav { position: sticky; top: 0 }</style>`;
    const body = '<nav>Menu</nav><header>Site</header><p>Text</p>';
    const url = put('data-position="top"', { head, body });
    const { page } = await visit(browser(), url);
    await untilKept(page, 'Maintenance tonight');
    await page.goto(url);
    await untilState(page, 'open');
    const bar = await boxOf(page);
    for (const name of ['header', 'nav']) {
      const box = await page.locator(name).boundingBox();
      expect(box?.y, name).toBeGreaterThanOrEqual(Math.floor(bar.y + bar.height));
    }
  });

  test('once scrolled, it covers no sticky header, also in the first view', async () => {
    say('Maintenance tonight');
    const head = '<style>nav { position: sticky; top: 0 } p { height: 3000px }</style>';
    const url = put('data-position="top"', { head, body: '<nav>Menu</nav><p>Text</p>' });
    const { page } = await visit(browser(), url);
    await untilState(page, 'open');
    expect(await partsOf(page).host.getAttribute('data-flow'), 'over the page').toBe(null);
    await page.evaluate(() => scrollTo(0, 500));
    const bar = await boxOf(page);
    expect(bar.y + bar.height).toBeLessThan(0);
    expect((await page.locator('nav').boundingBox())?.y).toBe(0);
  });

  test('at the bottom it lies over the end of the page, as wide as the window', async () => {
    say('At the bottom');
    const { page } = await visit(browser(), put('data-position="bottom"'), {
      viewport: { width: 320, height: 480 },
    });
    await untilState(page, 'open');
    const { x, y, width, height } = await boxOf(page);
    expect([x, width, Math.round(y + height)]).toEqual([0, 320, 480]);
    expect((await shiftsOf(page)).ofPage).toBe(0);
  });

  test('a short message and its link stay on one line, and neither is printed', async () => {
    stage.say({ message: 'One line of news', linkLabel: 'Read more' });
    const { page } = await visit(browser(), put(), { viewport: { width: 1200, height: 700 } });
    await untilState(page, 'open');
    const { words, text } = partsOf(page);
    const [message, link] = [await words.boundingBox(), await text.boundingBox()];
    expect(Math.abs((message?.y ?? 0) - (link?.y ?? 1e3))).toBeLessThan(10);
    expect(message?.height).toBeLessThan(30);
    await page.emulateMedia({ media: 'print' });
    expect(await partsOf(page).card.isVisible()).toBe(false);
  });

  test('what the page has written over the kept bar is ignored', async () => {
    say('Still fine');
    const url = put();
    const { page, complaints } = await visit(browser(), url);
    for (const kept of [
      '7',
      '{"base":1}',
      `{"base":"${stage.rogue.origin}/","css":5,"news":[{}]}`,
      'rubbish',
    ]) {
      await page.evaluate((text) => localStorage.setItem('typebadge-bar', text), kept);
      await page.goto(url);
      await untilState(page, 'open');
      expect(await partsOf(page).text.textContent()).toBe('Still fine');
    }
    expect(complaints).toEqual([]);
  });
});
