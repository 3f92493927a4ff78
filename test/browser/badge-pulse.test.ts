import type { IncomingHttpHeaders } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPulse } from '../../src/server/stores/pulse.ts';
import { createFileRecords, recordsFolder } from '../../src/server/stores/records/file-records.ts';
import { describeInChromium } from './chromium.ts';
import { type Embedding, partsOf, startEmbedding, untilState, visit } from './embedding.ts';
import { announce, announcementPath, startRogueServer, toTag } from './rogue-server.ts';
import type { Site } from './site.ts';

describeInChromium('the badge counts, and only counts', (browser) => {
  let embedding: Embedding;
  let rogue: Site;
  let announced: Record<string, unknown> = {};
  const pulseHeaders: IncomingHttpHeaders[] = [];
  beforeAll(async () => {
    embedding = await startEmbedding();
    rogue = await startRogueServer(({ headers }, { pathname }) => {
      if (pathname === '/pulse') pulseHeaders.push(headers);
      return pathname === announcementPath ? announce(announced) : undefined;
    });
  });
  afterAll(async () => {
    await embedding.close();
    await rogue.close();
  });

  /** The pulses of a page, as they leave it. */
  async function visitAndListen(attributes = '', prepare: (page: Page) => Promise<unknown> = async () => {}) {
    const pulses: string[] = [];
    announced = {};
    const { page } = await visit(browser(), embedding.put({ tag: toTag(rogue, attributes) }), {}, (page) => {
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url());
        if (pathname === '/pulse') pulses.push(search);
      });
      return prepare(page);
    });
    return { page, pulses };
  }

  test('an impression, a click and a dismissal arrive at the server, by site, and nothing else does', async () => {
    const { page } = await visit(browser(), embedding.put());
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
        createFileRecords({ dir: recordsFolder(embedding.server.dataDir) }),
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
    await page.waitForLoadState('networkidle');
    expect(pulses).toEqual(seen);
    announced = { id: '2026-002' };
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
    await page.waitForLoadState('networkidle');
    expect(pulses).toEqual([]);
    await partsOf(page).toggle.click();
    await expect.poll(() => pulses).toEqual(['?event=impression&id=2026-001']);
  });

  test('a click on text without a link is not counted', async () => {
    const { page, pulses } = await visitAndListen();
    announced = { id: '2026-003', link: '' };
    await page.reload();
    await untilState(page, 'open');
    await expect.poll(() => pulses).toContain('?event=impression&id=2026-003');
    await partsOf(page).text.click();
    await page.waitForLoadState('networkidle');
    expect(pulses.filter((pulse) => pulse.includes('click'))).toEqual([]);
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
    await page.waitForLoadState('networkidle');
    expect(pulses).toEqual([]);
  });

  test('a pulse carries no cookie, not even the server’s own, and only the origin of the page', async () => {
    pulseHeaders.length = 0;
    const { page } = await visitAndListen('', async (page) => {
      const { hostname: domain } = new URL(rogue.origin);
      await page.context().addCookies([{ name: 'person', value: 'Ada', domain, path: '/' }]);
    });
    await untilState(page, 'open');
    await expect.poll(() => pulseHeaders).toHaveLength(1);
    expect(pulseHeaders[0]).not.toHaveProperty('cookie');
    expect(pulseHeaders[0]?.referer).toBe(`${embedding.site.origin}/`);
  });
});
