import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInChromium } from './chromium.ts';
import { type Embedding, partsOf, startEmbedding, untilNothing, untilState, visit } from './embedding.ts';
import { announce, announcementPath, startRogueServer, toJson, toTag } from './rogue-server.ts';
import type { Answer, SiteReply } from './site.ts';

describeInChromium('a badge server in trouble', (browser) => {
  let embedding: Embedding;
  beforeAll(async () => {
    embedding = await startEmbedding();
  });
  afterAll(() => embedding.close());

  async function visitWith(answer: Answer, attributes = 'data-show-empty') {
    const rogue = await startRogueServer(answer);
    const visited = await visit(browser(), embedding.put({ tag: toTag(rogue, attributes) }));
    return { ...visited, rogue };
  }

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

  test.each(badAnswers)(
    '%s: only the logo if asked for, one message in the console, one request',
    async (_what, reply) => {
      const { page, murmurs, complaints, rogue } = await visitWith((_request, { pathname }) =>
        pathname === announcementPath ? reply : undefined,
      );
      await untilState(page, 'brand');
      const { card, logo, toggle } = partsOf(page);
      expect(await card.isVisible()).toBe(true);
      expect(await logo.getAttribute('aria-label')).toBe('typebadge');
      expect(await toggle.isVisible()).toBe(false);
      await page.waitForLoadState('networkidle');
      expect(murmurs).toHaveLength(1);
      // The browser itself reports failed requests; nothing of ours may be among the complaints.
      expect(complaints.filter((text) => !/^(Failed to load resource|Access to fetch)/.test(text))).toEqual(
        [],
      );
      expect(rogue.requests.filter((path) => path === announcementPath)).toHaveLength(1);
      await rogue.close();
    },
  );

  test('on a site that is not on the list, the owner is warned once, with what to do', async () => {
    const { page, murmurs, rogue } = await visitWith((_request, { pathname }) =>
      pathname === announcementPath ? { headers: {}, body: announce().body ?? '' } : undefined,
    );
    await untilState(page, 'brand');
    const warnings: string[] = [];
    page.on('console', (entry) => {
      if (entry.type() === 'warning' && entry.text().startsWith('typebadge:')) warnings.push(entry.text());
    });
    await page.reload();
    await untilState(page, 'brand');
    expect(warnings).toEqual([expect.stringContaining(`typebadge origins add ${embedding.site.origin}`)]);
    expect(murmurs).toHaveLength(2); // one a page view
    await rogue.close();
  });

  test('nothing is shown on failure, and nothing else is loaded', async () => {
    const { page, rogue } = await visitWith(
      (_request, { pathname }) => (pathname === announcementPath ? toJson({}, 404) : undefined),
      '',
    );
    await untilNothing(page);
    expect(rogue.requests.filter((path) => /^\/(css|images)\//.test(path))).toEqual([]);
    await rogue.close();
  });

  test('a real server without an announcement: only the logo', async () => {
    const quiet = await startEmbedding({ files: { 'history.json': { announcements: [] } } });
    const { page, murmurs } = await visit(browser(), quiet.put({ attributes: 'data-show-empty' }));
    await untilState(page, 'brand');
    expect(murmurs).toEqual([]); // nothing is wrong
    await quiet.close();
  });

  test('an announcement that never arrives: after a while only the logo', async () => {
    const { page, murmurs, rogue } = await visitWith((_request, { pathname }) =>
      pathname === announcementPath ? 'never' : undefined,
    );
    await untilState(page, 'brand');
    expect(murmurs).toHaveLength(1);
    await rogue.close();
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
      const { page, complaints, rogue } = await visitWith((_request, { pathname }) =>
        isAnswered(pathname) ? undefined : 'never',
      ); // the visit itself waits for the load event
      expect(await page.evaluate(() => document.readyState)).toBe('complete');
      await expect.poll(() => rogue.requests).toContain(last);
      const loadEventEnd = await page.evaluate(() => {
        const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
        return navigation?.loadEventEnd ?? 0;
      });
      expect(loadEventEnd).toBeGreaterThan(0);
      expect(await partsOf(page).card.isVisible()).toBe(false);
      expect(complaints).toEqual([]);
      await rogue.close();
    },
  );

  test('a silent server, with the tag that waits for the page: the load event is not delayed', async () => {
    const rogue = await startRogueServer(() => 'never');
    const tag = `<script>addEventListener('load', () => document.head.append(Object.assign(
      document.createElement('script'), { src: '${rogue.origin}/js/typebadge-inject.min.js' })))</script>`;
    const { page, complaints } = await visit(browser(), embedding.put({ tag }));
    expect(await page.evaluate(() => document.readyState)).toBe('complete');
    await expect.poll(() => rogue.requests).toHaveLength(1);
    expect(complaints).toEqual([]);
    await rogue.close();
  });

  test('no stylesheet: no badge, rather than an unstyled one', async () => {
    const { page, murmurs, complaints, rogue } = await visitWith((_request, { pathname }) =>
      pathname.startsWith('/css/') ? { status: 404 } : undefined,
    );
    await expect.poll(() => murmurs).toEqual(['typebadge: no stylesheet']);
    expect(await partsOf(page).card.isVisible()).toBe(false);
    expect(complaints.filter((text) => !/^(Failed to load resource|Access to fetch)/.test(text))).toEqual([]);
    await rogue.close();
  });

  test('a logo that cannot be loaded is not seen, and the badge still opens', async () => {
    const rogue = await startRogueServer(() => undefined);
    const head = `<style>:root { --typebadge-logo: url(${rogue.origin}/none.svg) }</style>`;
    const tag = toTag(rogue, 'data-collapsed');
    const { page } = await visit(browser(), embedding.put({ head, tag }));
    await untilState(page, 'collapsed');
    await page.getByRole('button', { name: 'Announcement (new)' }).click();
    await untilState(page, 'open');
    await rogue.close();
  });

  test('counting blocked, as by an ad blocker: no visible effect', async () => {
    const { page, complaints, rogue } = await visitWith((_request, { pathname }) =>
      pathname === announcementPath ? announce() : undefined,
    );
    await page.route('**/pulse*', (route) => route.abort('blockedbyclient'));
    await page.reload();
    await untilState(page, 'open');
    expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
    await rogue.close();
  });
});
