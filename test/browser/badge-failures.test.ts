import { expect, test } from 'vitest';
import { describeInChromium } from './chromium.ts';
import { partsOf, untilSettled, untilState, visit } from './embedding.ts';
import { announce, announcementPath, setUpStage, toJson } from './rogue-server.ts';
import type { SiteReply } from './site.ts';

describeInChromium('a badge server in trouble', (browser) => {
  const stage = setUpStage();
  const ours = (complaints: readonly string[]) =>
    complaints.filter((text) => !/^(Failed to load resource|Access to fetch)/.test(text));
  /** Answers the request for announcements, and nothing else. */
  const answer = (reply: SiteReply | 'never') =>
    stage.answer((_request, { pathname }) => (pathname === announcementPath ? reply : undefined));

  const badAnswers: readonly (readonly [string, SiteReply])[] = [
    ['404', toJson({ error: 'No announcement is current.', code: 'NO_ACTIVE_ANNOUNCEMENT' }, 404)],
    ['429', toJson({ error: 'Too many requests.', code: 'RATE_LIMITED' }, 429)],
    ['500', toJson({ error: 'Something broke.', code: 'INTERNAL_ERROR' }, 500)],
    ['a proxy’s page', { ...announce(), body: '<!doctype html><h1>Bad gateway</h1>' }],
    ['half an answer', { ...announce(), body: '{"id":"2026-001","message":"The aut' }],
    ['an empty body', { ...announce(), body: '' }],
    ['null', toJson(null)],
    ['a list', toJson([announce()])],
    ['a message that is not a string', announce({ message: { toString: 'x' } })],
    ['an empty message', announce({ message: ' \n ' })],
    ['an id that is not a string', announce({ id: 7 })],
    ['no CORS headers', { headers: { 'Content-Type': 'application/json' }, body: announce().body ?? '' }],
    ['an error that wears an announcement', { ...announce(), status: 500 }],
  ];

  test('whatever it answers: only the logo if requested, one message in the console, one request', async () => {
    const { page, murmurs, complaints } = await visit(browser(), stage.put('data-show-empty'));
    await untilState(page, 'open');
    const { card, logo, toggle } = partsOf(page);
    for (const [what, reply] of badAnswers) {
      answer(reply);
      murmurs.length = 0;
      const before = stage.rogue.requests.length;
      await page.reload();
      await untilState(page, 'brand');
      expect(await card.isVisible(), what).toBe(true);
      expect(await logo.getAttribute('aria-label')).toBe('typebadge');
      expect(await toggle.isVisible()).toBe(false);
      await untilSettled(page);
      expect(murmurs, what).toHaveLength(1);
      const asked = stage.rogue.requests.slice(before).filter((path) => path === announcementPath);
      expect(asked, what).toHaveLength(1);
    }
    // The browser itself reports failed requests; nothing of ours may be among the complaints.
    expect(ours(complaints)).toEqual([]);
  });

  test('that does not even send the script does not keep the page from getting ready', async () => {
    stage.answer((_request, { pathname }) => (pathname.endsWith('.js') ? 'never' : undefined));
    const page = await browser().newPage();
    await page.goto(stage.put(), { waitUntil: 'domcontentloaded' });
    await page.close();
  });

  test('on a site that is not on the list, the owner is warned once, with what to do', async () => {
    answer({ headers: {}, body: announce().body ?? '' });
    const { page, murmurs } = await visit(browser(), stage.put('data-show-empty'));
    await untilState(page, 'brand');
    const warnings: string[] = [];
    page.on('console', (entry) => {
      if (entry.type() === 'warning' && entry.text().startsWith('typebadge:')) warnings.push(entry.text());
    });
    await page.reload();
    await untilState(page, 'brand');
    expect(warnings).toEqual([
      expect.stringContaining(`typebadge origins add ${stage.embedding.site.origin}`),
    ]);
    expect(murmurs).toHaveLength(2); // one a page view
  });

  test('nothing is shown on failure, and nothing else is loaded', async () => {
    answer(toJson({}, 404));
    const before = stage.rogue.requests.length;
    const { page } = await visit(browser(), stage.put());
    await page.waitForLoadState('networkidle');
    expect(await partsOf(page).card.isVisible()).toBe(false);
    const asked = stage.rogue.requests.slice(before);
    expect(asked.filter((path) => /^\/(css|images)\//.test(path))).toEqual([]);
  });

  test('an announcement that never arrives: after a while only the logo', async () => {
    answer('never');
    const { page, murmurs } = await visit(browser(), stage.put('data-show-empty'));
    await untilState(page, 'brand');
    expect(murmurs).toHaveLength(1);
  });

  test.each([
    ['the script', (path: string) => path.startsWith('/js/'), announcementPath],
    [
      'script and announcement',
      (path: string) => !/^\/(css|images)\//.test(path),
      '/css/typebadge-inject.min.css',
    ],
  ])(
    'a server that only answers %s: no badge, no delay of the load event, no error',
    async (_what, isAnswered, last) => {
      stage.answer((_request, { pathname }) => (isAnswered(pathname) ? undefined : 'never'));
      const before = stage.rogue.requests.length;
      // The visit itself waits for the load event.
      const { page, complaints } = await visit(browser(), stage.put('data-show-empty'));
      expect(await page.evaluate(() => document.readyState)).toBe('complete');
      await expect.poll(() => stage.rogue.requests.slice(before)).toContain(last);
      const loadEventEnd = await page.evaluate(() => {
        const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
        return navigation?.loadEventEnd ?? 0;
      });
      expect(loadEventEnd).toBeGreaterThan(0);
      expect(await partsOf(page).card.isVisible()).toBe(false);
      expect(complaints).toEqual([]);
    },
  );

  test('no stylesheet: no badge, rather than an unstyled one', async () => {
    stage.answer((_request, { pathname }) => (pathname.startsWith('/css/') ? { status: 404 } : undefined));
    const { page, murmurs, complaints } = await visit(browser(), stage.put('data-show-empty'));
    await expect.poll(() => murmurs).toEqual(['typebadge: no stylesheet']);
    expect(await partsOf(page).card.isVisible()).toBe(false);
    expect(ours(complaints)).toEqual([]);
  });

  test('a logo that cannot be loaded is not seen, and the badge still opens', async () => {
    const head = `<style>:root { --typebadge-logo: url(${stage.rogue.origin}/none.svg) }</style>`;
    const { page } = await visit(browser(), stage.put('data-collapsed', { head }));
    await untilState(page, 'collapsed');
    const logo = partsOf(page).logo;
    expect(await logo.evaluate((key) => getComputedStyle(key).backgroundColor)).toBe('rgba(0, 0, 0, 0)');
    await page.getByRole('button', { name: 'Announcement (new)' }).click();
    await untilState(page, 'open');
  });

  test('counting blocked, as by an ad blocker: no visible effect', async () => {
    const { page, complaints } = await visit(browser(), stage.put());
    await page.route('**/pulse*', (route) => route.abort('blockedbyclient'));
    await page.reload();
    await untilState(page, 'open');
    expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
  });
});
