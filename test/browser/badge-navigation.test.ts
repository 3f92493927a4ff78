import { afterAll, beforeAll, expect, test } from 'vitest';
import { lasting } from '../support/test-server.ts';
import { describeInChromium } from './chromium.ts';
import { type Embedding, partsOf, startEmbedding, untilState, visit } from './embedding.ts';
import { announce, announcementPath, startRogueServer, toJson, toTag } from './rogue-server.ts';

describeInChromium('the badge lives with the page', (browser) => {
  let embedding: Embedding;
  beforeAll(async () => {
    embedding = await startEmbedding();
  });
  afterAll(() => embedding.close());

  const countBadges = (page: import('playwright-core').Page) => page.locator('type-badge').count();

  test('pasting the tag twice gives one badge', async () => {
    const { page, complaints } = await visit(browser(), embedding.put({ tag: embedding.tag().repeat(3) }));
    await untilState(page, 'open');
    expect(await countBadges(page)).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('a page swap like Turbo’s keeps the badge unchanged, and the tag in the new body adds none', async () => {
    const next = embedding.put({ body: '<h1>The next page</h1>' });
    const { page, complaints } = await visit(browser(), embedding.put());
    await untilState(page, 'open');
    await partsOf(page).toggle.click();
    await page.evaluate(async (url) => {
      document.querySelector('type-badge')?.setAttribute('data-test', 'the same');
      const text = await (await fetch(url)).text();
      const { body } = new DOMParser().parseFromString(text, 'text/html');
      const swapped = document.adoptNode(body);
      for (const inert of swapped.querySelectorAll('script')) {
        const live = document.createElement('script');
        for (const { name, value } of inert.attributes) live.setAttribute(name, value);
        inert.replaceWith(live);
      }
      const ran = new Promise((resolve) =>
        swapped.querySelector('script')?.addEventListener('load', resolve),
      );
      document.body.replaceWith(swapped);
      history.pushState({}, '', url);
      await ran;
    }, next);
    await page.getByRole('heading', { name: 'The next page' }).waitFor();
    expect(await page.locator('type-badge[data-test="the same"][data-state=collapsed]').count()).toBe(1);
    expect(await countBadges(page)).toBe(1);
    await partsOf(page).toggle.click();
    await untilState(page, 'open');
    expect(complaints).toEqual([]);
  });

  test.each([
    ['document.body = …', () => (document.body = document.createElement('body'))],
    ['an emptied body', () => document.body.replaceChildren()],
    ['innerHTML', () => (document.body.innerHTML = '<p>Something else</p>')],
  ])('it survives %s', async (_what, swap) => {
    const { page } = await visit(browser(), embedding.put());
    await untilState(page, 'open');
    await page.evaluate(swap);
    expect(await partsOf(page).card.isVisible()).toBe(true);
    expect(await countBadges(page)).toBe(1);
  });

  test('destroy removes it with all its listeners, init restores it with other options', async () => {
    const { page } = await visit(browser(), embedding.put());
    await untilState(page, 'open');
    await page.evaluate(() => window.TypeBadge?.destroy());
    expect(await countBadges(page)).toBe(0);
    await page.evaluate(() => {
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
      window.dispatchEvent(new StorageEvent('storage'));
      window.TypeBadge?.destroy();
    });
    expect(await countBadges(page)).toBe(0);
    await page.evaluate(() => window.TypeBadge?.init({ position: 'top-left', collapsed: true }));
    await untilState(page, 'collapsed');
    expect(await partsOf(page).host.getAttribute('data-position')).toBe('top-left');
  });

  test('repeated init, and destroy while it is loading, leave at most one', async () => {
    const { page, complaints } = await visit(browser(), embedding.put());
    await page.evaluate(() => {
      for (let times = 0; times < 20; times += 1) window.TypeBadge?.init();
    });
    await untilState(page, 'open');
    expect(await countBadges(page)).toBe(1);
    await page.evaluate(() => {
      window.TypeBadge?.init();
      window.TypeBadge?.destroy();
    });
    await page.waitForLoadState('networkidle');
    expect(await countBadges(page)).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('a page that decides against the badge before it has loaded never shows one', async () => {
    const body =
      '<h1>No news here</h1><script>addEventListener("DOMContentLoaded", () => TypeBadge.destroy())</script>';
    const { page } = await visit(browser(), embedding.put({ body }));
    await page.waitForLoadState('networkidle');
    expect(await countBadges(page)).toBe(0);
  });

  test.each([
    ['by the Navigation API', ''],
    ['in a browser without it', '<script>delete Navigation.prototype; delete window.navigation</script>'],
  ])(
    'an application that changes its path without loading gets the announcement for that path: %s',
    async (_how, head) => {
      const rogue = await startRogueServer((_request, { pathname }) =>
        pathname === announcementPath
          ? toJson({
              announcements: ['docs', 'shop'].map((id) => ({
                ...lasting,
                id,
                message: `for ${id}`,
                audience: { paths: [`/${id}/*`] },
              })),
            })
          : undefined,
      );
      const { page } = await visit(browser(), embedding.put({ head, tag: toTag(rogue) }));
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate(() => 'navigation' in window)).toBe(head === '');
      const go = (path: string) => page.evaluate((to) => history.pushState(null, '', to), path);
      await go('/docs/start');
      await page.getByText('for docs').waitFor();
      await go('/shop/basket?item=1#top');
      await page.getByText('for shop').waitFor();
      await page.goBack();
      await page.getByText('for docs').waitFor();
      await page.evaluate(() => history.replaceState(null, '', '/elsewhere'));
      await untilState(page, 'hidden');
      expect(rogue.requests.filter((path) => path === announcementPath)).toHaveLength(1);
      await rogue.close();
    },
  );

  test('its names: version, init, destroy, and five events on the host', async () => {
    const head = `<script>heard = []; for (const name of ['shown', 'opened', 'collapsed', 'dismissed', 'clicked'])
      addEventListener('typebadge:' + name, ({ type, target, detail }) =>
        heard.push(type + ' ' + target.localName + ' ' + detail.id));</script>`;
    const { page } = await visit(browser(), embedding.put({ head }));
    await untilState(page, 'open');
    const { toggle, text, dismiss } = partsOf(page);
    await toggle.click();
    await toggle.click();
    await page.route('https://example.org/**', (route) => route.fulfill({ status: 204 }));
    await text.click();
    await dismiss.click();
    expect(await page.evaluate(() => (window as unknown as { heard: string[] }).heard)).toEqual([
      'typebadge:shown type-badge 2026-001',
      'typebadge:collapsed type-badge 2026-001',
      'typebadge:opened type-badge 2026-001',
      'typebadge:clicked type-badge 2026-001',
      'typebadge:dismissed type-badge 2026-001',
    ]);
    const api = await page.evaluate(() => [Object.keys(window.TypeBadge ?? {}), window.TypeBadge?.version]);
    expect(api).toEqual([['version', 'init', 'destroy'], expect.stringMatching(/^\d+\.\d+\.\d+/)]);
  });

  test('a prerendered page waits until somebody sees it', async () => {
    const { page } = await visit(browser(), embedding.put(), {}, (page) =>
      page.addInitScript(() => {
        Object.defineProperty(document, 'prerendering', { configurable: true, value: true });
      }),
    );
    await page.waitForLoadState('networkidle');
    expect(await countBadges(page)).toBe(0);
    await page.evaluate(() => {
      Object.defineProperty(document, 'prerendering', { value: false });
      document.dispatchEvent(new Event('prerenderingchange'));
    });
    await untilState(page, 'open');
  });
});

describeInChromium(
  'the badge comes back with the page from the back/forward cache',
  (browser) => {
    test('the badge is as it was, and up to date', async () => {
      let message = 'Yesterday’s news';
      const embedding = await startEmbedding();
      const rogue = await startRogueServer((_request, { pathname }) =>
        pathname === announcementPath ? announce({ message }) : undefined,
      );
      const head = '<script>addEventListener("pageshow", (event) => { restored = event.persisted })</script>';
      const { page } = await visit(browser(), embedding.put({ head, tag: toTag(rogue) }));
      await untilState(page, 'open');
      await page.goto(embedding.put({ tag: '' }));
      message = 'Today’s news';
      await page.goBack({ waitUntil: 'commit' });
      expect(await page.evaluate(() => (window as unknown as { restored: boolean }).restored)).toBe(true);
      await page.getByRole('link', { name: 'Today’s news' }).waitFor();
      expect(await page.locator('type-badge').count()).toBe(1);
      await page.goto(embedding.put({ tag: toTag(rogue) }));
      await partsOf(page).dismiss.click();
      await page.goBack({ waitUntil: 'commit' });
      await untilState(page, 'hidden');
      await embedding.close();
      await rogue.close();
    });
  },
  [],
  ['--disable-back-forward-cache'],
);
