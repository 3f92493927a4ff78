import type { IncomingHttpHeaders } from 'node:http';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { readPulse } from '../../src/server/stores/pulse.ts';
import { createFileRecords, recordsFolder } from '../../src/server/stores/records/file-records.ts';
import { describeInChromium } from './chromium.ts';
import { partsOf, untilSettled, untilState, visit } from './embedding.ts';
import { announcementPath, setUpStage } from './rogue-server.ts';

/** How often a page has asked for announcements. */
const askedOf = ({ rogue }: ReturnType<typeof setUpStage>) =>
  rogue.requests.filter((path) => path === announcementPath).length;

describeInChromium('the badge lives with the page', (browser) => {
  const stage = setUpStage();
  const countBadges = (page: Page) => page.locator('type-badge').count();

  test('pasting the tag twice gives one badge', async () => {
    const { page, complaints } = await visit(
      browser(),
      stage.embedding.put({ tag: stage.embedding.tag().repeat(3) }),
    );
    await untilState(page, 'open');
    expect(await countBadges(page)).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('a page swap like Turbo’s keeps the badge unchanged, and the tag in the new body adds none', async () => {
    const next = stage.put('', { body: '<h1>The next page</h1>' });
    const { page, complaints } = await visit(browser(), stage.put());
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

  test('destroy removes it with all its listeners, init restores it with other options', async () => {
    const { page } = await visit(browser(), stage.put());
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
    const { page, complaints } = await visit(browser(), stage.put());
    await page.evaluate(() => {
      for (let times = 0; times < 20; times += 1) window.TypeBadge?.init();
    });
    await untilState(page, 'open');
    expect(await countBadges(page)).toBe(1);
    await page.evaluate(() => {
      window.TypeBadge?.init();
      window.TypeBadge?.destroy();
    });
    await untilSettled(page);
    expect(await countBadges(page)).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('a page that decides against the badge before it has loaded never shows one', async () => {
    const body =
      '<h1>No news here</h1><script>addEventListener("DOMContentLoaded", () => TypeBadge.destroy())</script>';
    const tag = stage.embedding.tag().replace(' async>', ' defer>');
    const { page } = await visit(browser(), stage.put('', { body, tag }));
    await untilSettled(page);
    expect(await countBadges(page)).toBe(0);
  });

  test.each([
    ['by the Navigation API', ''],
    ['in a browser without it', '<script>delete Navigation.prototype; delete window.navigation</script>'],
  ])(
    'an application that changes its path without loading gets the announcement for that path: %s',
    async (_how, head) => {
      stage.say(
        ...['docs', 'shop'].map((id) => ({ id, message: `for ${id}`, audience: { paths: [`/${id}/*`] } })),
      );
      const earlier = askedOf(stage);
      const { page } = await visit(browser(), stage.put('', { head }));
      await untilSettled(page);
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
      expect(askedOf(stage) - earlier).toBe(1);
    },
  );

  test('its names: version, init, destroy, and five events on the host', async () => {
    const head = `<script>heard = []; for (const name of ['shown', 'opened', 'collapsed', 'dismissed', 'clicked'])
      addEventListener('typebadge:' + name, ({ type, target, detail }) =>
        heard.push(type + ' ' + target.localName + ' ' + detail.id));</script>`;
    const { page } = await visit(browser(), stage.put('', { head }));
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

  test('an open page asks again when it becomes visible after five minutes, and every ten minutes while it is visible', async () => {
    const earlier = askedOf(stage);
    const asked = () => askedOf(stage) - earlier;
    const { page } = await visit(browser(), stage.put(), {}, (newPage) => newPage.clock.install());
    await untilState(page, 'open');
    expect(asked()).toBe(1);
    const show = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    await page.clock.fastForward('04:00');
    await show(false);
    expect(asked()).toBe(1);
    await page.clock.fastForward('06:30');
    await expect.poll(asked).toBe(2);
    await show(true);
    await page.clock.fastForward('30:00');
    expect(asked(), 'hidden tabs ask nothing').toBe(2);
    await show(false);
    await expect.poll(asked).toBe(3);
  });

  test('a prerendered page waits until somebody sees it', async () => {
    const { page } = await visit(browser(), stage.put(), {}, (page) =>
      page.addInitScript(() => {
        Object.defineProperty(document, 'prerendering', { configurable: true, value: true });
      }),
    );
    await untilSettled(page);
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
    const stage = setUpStage();

    test('the badge is as it was, and up to date', async () => {
      stage.say({ message: 'Yesterday’s news' });
      const head = '<script>addEventListener("pageshow", (event) => { restored = event.persisted })</script>';
      const { page } = await visit(browser(), stage.put('', { head }));
      await untilState(page, 'open');
      await page.goto(stage.put('', { tag: '' }));
      stage.say({ message: 'Today’s news' });
      await page.goBack({ waitUntil: 'commit' });
      expect(await page.evaluate(() => (window as unknown as { restored: boolean }).restored)).toBe(true);
      await page.getByRole('link', { name: 'Today’s news' }).waitFor();
      expect(await page.locator('type-badge').count()).toBe(1);
      await page.goto(stage.put());
      await partsOf(page).dismiss.click();
      await page.goBack({ waitUntil: 'commit' });
      await untilState(page, 'hidden');
    });
  },
  [],
  ['--disable-back-forward-cache'],
);

describeInChromium('the badge counts, and only counts', (browser) => {
  const stage = setUpStage();
  const pulseHeaders: IncomingHttpHeaders[] = [];
  beforeEach(() => {
    pulseHeaders.length = 0;
    stage.answer(({ headers }, { pathname }) => void (pathname === '/pulse' && pulseHeaders.push(headers)));
  });

  /** The pulses of a page, as they leave it. */
  async function visitAndListen(attributes = '', prepare: (page: Page) => Promise<unknown> = async () => {}) {
    const pulses: string[] = [];
    const { page } = await visit(browser(), stage.put(attributes), {}, (page) => {
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url());
        if (pathname === '/pulse') pulses.push(search);
      });
      return prepare(page);
    });
    return { page, pulses };
  }

  test('an impression, a click and a dismissal arrive at the server, by site, and nothing else does', async () => {
    const { page } = await visit(browser(), stage.embedding.put());
    await page.route('https://example.org/**', (route) => route.fulfill({ status: 204 }));
    await untilState(page, 'open');
    const { text, toggle, dismiss } = partsOf(page);
    await text.click();
    await toggle.click();
    await toggle.click();
    await dismiss.click();
    const day = new Date(Date.now() - 60_000).toISOString().slice(0, 10);
    const counted = async () => {
      const counts = await readPulse(
        createFileRecords({ dir: recordsFolder(stage.embedding.server.dataDir) }),
        day,
      );
      return counts.map(({ announcement, event, site, count }) => [announcement, event, site, count]).sort();
    };
    // All pages of this machine are one site.
    const site = 'localhost';
    await expect.poll(counted, { timeout: 120_000 }).toEqual([
      ['2026-001', 'click', site, 1],
      ['2026-001', 'dismiss', site, 1],
      ['2026-001', 'impression', site, 1],
    ]);
  });

  test('an impression counts once per page view and announcement, however often it is shown', async () => {
    const { page, pulses } = await visitAndListen();
    const seen = ['?event=impression&id=2026-001'];
    await untilState(page, 'open');
    for (let times = 0; times < 3; times += 1) {
      await page.evaluate(() => window.TypeBadge?.init());
      await untilState(page, 'open');
      await partsOf(page).toggle.click();
      await partsOf(page).toggle.click();
    }
    await untilSettled(page);
    expect(pulses).toEqual(seen);
    stage.say({ id: '2026-002' });
    await page.evaluate(() => window.TypeBadge?.init());
    await expect.poll(() => pulses).toEqual([...seen, '?event=impression&id=2026-002']);
    await page.reload();
    await expect
      .poll(() => pulses)
      .toEqual([...seen, ...['002', '002'].map((id) => `?event=impression&id=2026-${id}`)]);
  });

  test('a message that stayed collapsed does not count; once opened, it does', async () => {
    const { page, pulses } = await visitAndListen('data-collapsed');
    await untilState(page, 'collapsed');
    await untilSettled(page);
    expect(pulses).toEqual([]);
    await partsOf(page).toggle.click();
    await expect.poll(() => pulses).toEqual(['?event=impression&id=2026-001']);
  });

  test.each([
    ['data-analytics="off"', 'data-analytics="off"', async () => {}],
    [
      'Do Not Track',
      '',
      (page: Page) =>
        page.addInitScript(() =>
          Object.defineProperty(navigator, 'doNotTrack', { value: '1', configurable: true }),
        ),
    ],
    [
      'Global Privacy Control',
      '',
      (page: Page) =>
        page.addInitScript(() =>
          Object.defineProperty(navigator, 'globalPrivacyControl', { value: true, configurable: true }),
        ),
    ],
  ])('%s: nothing is sent at all', async (_what, attributes, prepare) => {
    const { page, pulses } = await visitAndListen(attributes, prepare);
    await untilState(page, 'open');
    await partsOf(page).dismiss.click();
    await untilSettled(page);
    expect(pulses).toEqual([]);
  });

  test('a pulse carries no cookie, not even the server’s own, and only the origin of the page', async () => {
    const { page } = await visitAndListen('', async (page) => {
      const { hostname: domain } = new URL(stage.rogue.origin);
      await page.context().addCookies([{ name: 'person', value: 'Ada', domain, path: '/' }]);
    });
    await untilState(page, 'open');
    await expect.poll(() => pulseHeaders).toHaveLength(1);
    expect(pulseHeaders[0]).not.toHaveProperty('cookie');
    expect(pulseHeaders[0]?.referer).toBe(`${stage.embedding.site.origin}/`);
  });
});
