import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInChromium } from './chromium.ts';
import { type Embedding, partsOf, startEmbedding, untilState, visit } from './embedding.ts';
import { announce, announcementPath, startRogueServer, toTag } from './rogue-server.ts';
import type { Site } from './site.ts';

const HOUR = 60 * 60 * 1000;
const noon = Date.UTC(2026, 5, 1, 12);
const at = (time: number) => new Date(time).toISOString();

describeInChromium('the badge checks the times of an announcement itself', (browser) => {
  let embedding: Embedding;
  let rogue: Site;
  let announced: Record<string, unknown>;
  beforeAll(async () => {
    embedding = await startEmbedding();
    rogue = await startRogueServer((_request, { pathname }) =>
      pathname === announcementPath ? announce(announced) : undefined,
    );
  });
  afterAll(async () => {
    await embedding.close();
    await rogue.close();
  });

  const visitAtNoon = (attributes = 'data-show-empty') =>
    visit(browser(), embedding.put({ tag: toTag(rogue, attributes) }), {}, (page) =>
      page.clock.install({ time: noon }),
    );

  test.each([
    ['expired an hour ago', noon - 2 * HOUR, noon - HOUR, 'brand'],
    ['expiring this very moment', noon - HOUR, noon, 'brand'],
    ['published in an hour', noon + HOUR, noon + 2 * HOUR, 'brand'],
    ['current since an hour', noon - HOUR, noon + HOUR, 'open'],
  ])('one %s', async (_what, published, expires, state) => {
    announced = { published: at(published), expires: at(expires) };
    const { page } = await visitAtNoon();
    await untilState(page, state);
    expect(await partsOf(page).text.isVisible()).toBe(state === 'open');
  });

  test('one that begins while the page is open appears, and disappears when it ends', async () => {
    announced = { published: at(noon + HOUR), expires: at(noon + 2 * HOUR) };
    const { page } = await visitAtNoon();
    await untilState(page, 'brand');
    await page.clock.fastForward(HOUR + 1000);
    await untilState(page, 'open');
    await page.clock.fastForward(HOUR);
    await untilState(page, 'brand');
  });

  test('nothing is left when it ends', async () => {
    announced = { published: at(noon - HOUR), expires: at(noon + HOUR) };
    const { page } = await visitAtNoon('');
    await untilState(page, 'open');
    await page.clock.fastForward(HOUR + 1000);
    await untilState(page, 'hidden');
    expect(await partsOf(page).card.isVisible()).toBe(false);
  });

  test('one that ends while it has the focus gives the focus back', async () => {
    announced = { published: at(noon - HOUR), expires: at(noon + HOUR) };
    const { page } = await visitAtNoon();
    await untilState(page, 'open');
    await page.locator('#last').focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('type-badge');
    await page.clock.fastForward(HOUR + 1000);
    await untilState(page, 'brand');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('last');
  });

  test('one that ends in a thousand years sets no timer that fires at once', async () => {
    announced = { published: at(noon - HOUR), expires: '2999-01-01T00:00:00Z' };
    const { page } = await visit(browser(), embedding.put({ tag: toTag(rogue) }), {}, (page) =>
      page.addInitScript(() => {
        const delays: unknown[] = [];
        Object.assign(window, { delays });
        const original = window.setTimeout;
        window.setTimeout = ((handler: TimerHandler, delay?: number) => {
          delays.push(delay);
          return original(handler, delay);
        }) as typeof setTimeout;
      }),
    );
    await untilState(page, 'open');
    // A browser takes at most 2^31 - 1 ms and makes 0 of anything longer.
    expect(await page.evaluate(() => (window as unknown as { delays: unknown[] }).delays)).toEqual([
      2 ** 31 - 1,
    ]);
  });

  test.each([
    ['no times', { published: undefined, expires: undefined }],
    ['times that are none', { published: 'yesterday', expires: 'tomorrow' }],
    ['numbers', { published: 0, expires: 9e15 }],
    ['an end before the beginning', { published: at(noon + HOUR), expires: at(noon - HOUR) }],
  ])('one with %s is not shown', async (_what, change) => {
    announced = change;
    const { page, complaints } = await visitAtNoon();
    await untilState(page, 'brand');
    expect(complaints).toEqual([]);
  });
});
