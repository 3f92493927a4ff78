import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInChromium } from './chromium.ts';
import { type Embedding, longest, partsOf, startEmbedding, untilState, visit } from './embedding.ts';
import { announce, announcementPath, startRogueServer } from './rogue-server.ts';
import { shiftsOf } from './shifts.ts';
import type { Site } from './site.ts';

describeInChromium('a bar across the page', (browser) => {
  let embedding: Embedding;
  let server: Site;
  let announced: Record<string, unknown> | undefined;
  beforeAll(async () => {
    embedding = await startEmbedding();
    server = await startRogueServer((_request, { pathname }) => {
      if (pathname !== announcementPath) return undefined;
      return announced ? announce(announced) : { ...announce(), body: '{"announcements":[]}' };
    });
  });
  afterAll(async () => {
    await embedding.close();
    await server.close();
  });

  const tagOf = (attributes: string) =>
    `<script src="${server.origin}/js/typebadge-inject.min.js" ${attributes}></script>`;
  const put = (attributes = 'data-position="top"', head = '') =>
    embedding.put({ head: head + tagOf(attributes), tag: '' });
  const boxOf = async (page: Page) => (await partsOf(page).card.boundingBox()) ?? expect.fail('not shown');
  const headingOf = async (page: Page) => (await page.locator('h1').boundingBox())?.y ?? 0;

  test.each(['', 'defer'])(
    'at the top, with a tag that is "%s", nothing moves in the first view or the next, also with late news',
    async (loading) => {
      announced = { message: 'Office hours today at noon' };
      const url = put(`data-position="top" ${loading}`);
      const { page, complaints } = await visit(browser(), 'about:blank', {}, (newPage) =>
        newPage.route(`**${announcementPath}`, async (route) => {
          await new Promise((resolve) => setTimeout(resolve, 300));
          await route.continue();
        }),
      );
      await page.goto(url);
      await untilState(page, 'open');
      await page.waitForLoadState('networkidle');
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
    announced = { message: 'Short news' };
    const url = put();
    const { page } = await visit(browser(), url);
    await untilState(page, 'open');
    await page.waitForLoadState('networkidle');
    for (const message of [longest, 'Short again']) {
      await page.goto(url);
      await untilState(page, 'open');
      const before = await headingOf(page);
      announced = { message };
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
      await expect.poll(() => partsOf(page).text.textContent()).toBe(message);
      expect(await headingOf(page)).toBe(before);
      expect((await shiftsOf(page)).ofPage).toBe(0);
      announced = { message: 'Short news' };
      await page.goto(url);
      await page.waitForLoadState('networkidle');
    }
    announced = undefined; // withdrawn
    const before = await headingOf(page);
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    await untilState(page, 'hidden');
    expect(await partsOf(page).card.isVisible()).toBe(false);
    expect(await headingOf(page)).toBe(before);
    await page.goto(url);
    await page.waitForLoadState('networkidle');
    await page.goto(url);
    await page.waitForLoadState('networkidle');
    expect(await headingOf(page), 'in the next view its place is gone').toBeLessThan(before);
  });

  test('the reader dismisses it for good, and the page takes its place', async () => {
    announced = { message: 'Dismiss me' };
    const url = put();
    const { page } = await visit(browser(), url);
    await untilState(page, 'open');
    await page.waitForLoadState('networkidle');
    await page.goto(url);
    await untilState(page, 'open');
    const before = await headingOf(page);
    expect(await partsOf(page).toggle.isVisible()).toBe(false);
    await partsOf(page).dismiss.click();
    await untilState(page, 'hidden');
    expect(await headingOf(page)).toBeLessThan(before);
    await page.goto(url);
    await page.waitForLoadState('networkidle');
    expect(await partsOf(page).card.isVisible()).toBe(false);
  });

  test('a fixed header stays below it by the documented property, a sticky one by itself', async () => {
    announced = { message: 'Maintenance tonight' };
    const head = `<style>header { position: fixed; inset: var(--typebadge-height, 0px) 0 auto; height: 40px; background: #ddd }
      nav { position: sticky; top: 0 }</style>`;
    const url = embedding.put({
      head: head + tagOf('data-position="top"'),
      tag: '',
      body: '<nav>Menu</nav><header>Site</header><p>Text</p>',
    });
    const { page } = await visit(browser(), url);
    await untilState(page, 'open');
    await page.waitForLoadState('networkidle');
    await page.goto(url);
    await untilState(page, 'open');
    const bar = await boxOf(page);
    for (const name of ['header', 'nav']) {
      const box = await page.locator(name).boundingBox();
      expect(box?.y, name).toBeGreaterThanOrEqual(Math.floor(bar.y + bar.height));
    }
  });

  test('at the bottom it lies over the end of the page, as wide as the window', async () => {
    announced = { message: 'At the bottom' };
    const { page } = await visit(browser(), put('data-position="bottom"'), {
      viewport: { width: 320, height: 480 },
    });
    await untilState(page, 'open');
    const { x, y, width, height } = await boxOf(page);
    expect([x, width, Math.round(y + height)]).toEqual([0, 320, 480]);
    expect((await shiftsOf(page)).ofPage).toBe(0);
  });

  test('a short message and its link stay on one line, and neither is printed', async () => {
    announced = { message: 'One line of news', linkLabel: 'Read more' };
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
    announced = { message: 'Still fine' };
    const url = put();
    const { page, complaints } = await visit(browser(), url);
    for (const kept of ['7', '{"base":1}', `{"base":"${server.origin}/","css":5,"news":[{}]}`, 'rubbish']) {
      await page.evaluate((text) => localStorage.setItem('typebadge-bar', text), kept);
      await page.goto(url);
      await untilState(page, 'open');
      expect(await partsOf(page).text.textContent()).toBe('Still fine');
    }
    expect(complaints).toEqual([]);
  });
});

describeInChromium('formatted messages', (browser) => {
  test('are drawn as elements made one by one, and only links to web pages are links', async () => {
    const parts = [
      'We ',
      { kind: 'strong', text: 'moved' },
      ' to ',
      { kind: 'a', text: 'the new house', href: 'https://example.org/house' },
      { kind: 'a', text: 'bad', href: 'javascript:alert(1)' },
      { kind: 'script', text: 'alert(2)' },
      { kind: 'code', text: '<b>' },
    ];
    const embedding = await startEmbedding();
    const server = await startRogueServer((_request, { pathname }) =>
      pathname === announcementPath ? announce({ link: '', message: 'We moved', parts }) : undefined,
    );
    const tag = `<script src="${server.origin}/js/typebadge-inject.min.js" defer></script>`;
    const { page, complaints } = await visit(browser(), embedding.put({ tag }));
    await untilState(page, 'open');
    const { lead } = partsOf(page);
    expect(await lead.textContent()).toBe('We moved to the new housebadalert(2)<b>');
    expect(await lead.locator('*').evaluateAll((all) => all.map(({ localName }) => localName))).toEqual([
      'strong',
      'a',
      'a',
      'code',
    ]);
    expect(
      await lead.locator('[href]').evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href)),
    ).toEqual(['https://example.org/house']);
    expect(complaints).toEqual([]);
    await server.close();
    await embedding.close();
  });
});

describeInChromium('an open page', (browser) => {
  test('asks again when it becomes visible after five minutes, and every ten minutes while it is visible', async () => {
    const embedding = await startEmbedding();
    let asked = 0;
    const server = await startRogueServer((_request, { pathname }) => {
      if (pathname === announcementPath) asked += 1;
      return undefined;
    });
    const tag = `<script src="${server.origin}/js/typebadge-inject.min.js" defer></script>`;
    const { page } = await visit(browser(), embedding.put({ tag }), {}, (newPage) => newPage.clock.install());
    await untilState(page, 'open');
    expect(asked).toBe(1);
    const show = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    await page.clock.fastForward('04:00');
    await show(false);
    expect(asked).toBe(1);
    await page.clock.fastForward('06:30');
    await expect.poll(() => asked).toBe(2);
    await show(true);
    await page.clock.fastForward('30:00');
    expect(asked, 'hidden tabs ask nothing').toBe(2);
    await show(false);
    await expect.poll(() => asked).toBe(3);
    await server.close();
    await embedding.close();
  });
});
