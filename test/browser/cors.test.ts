import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllowedOrigins } from '../../src/server/settings/config-parsers.ts';
import { lasting, startTestServer, type TestServer } from '../support/test-server.ts';
import { describeInChromium } from './chromium.ts';
import { type Site, startSite } from './site.ts';

// One cache for all sites, as caches were before browsers partitioned them and as shared proxies still are.
const oneCache = ['--disable-features=SplitCacheByNetworkIsolationKey'];

describeInChromium(
  'cross-origin reads in a real browser',
  (browser) => {
    let site: Site;
    let server: TestServer;
    let context: BrowserContext;

    beforeAll(async () => {
      site = await startSite(() => ({ body: '<!doctype html><title>site</title>' }));
      const origins = ['a', 'b'].map((name) => `http://${name}.localhost:${site.port}`);
      server = await startTestServer({ allowOrigin: parseAllowedOrigins(origins.join(' ')) });
      context = await browser().newContext();
    });
    afterAll(async () => {
      await context.close();
      await server.close();
      await site.close();
    });

    /** Fetches the announcement from a page of that site, and tells whether the browser's cache answered. */
    async function readFrom(name: string, method = 'GET'): Promise<{ message: string; isCached: boolean }> {
      const page = await context.newPage();
      await page.goto(`http://${name}.localhost:${site.port}/`);
      const network = await context.newCDPSession(page);
      await network.send('Network.enable');
      let isCached = false;
      network.on('Network.responseReceived', ({ response }) => {
        isCached ||= response.fromDiskCache === true;
      });
      network.on('Network.requestServedFromCache', () => {
        isCached = true;
      });
      const message = await page.evaluate(
        ([url, verb]) =>
          fetch(url as string, { method: verb as string }).then(
            async (answer) => (await answer.json()).message as string,
            (error: Error) => `blocked: ${error.name}`,
          ),
        [`http://localhost:${server.port}/content/announcement.json`, method],
      );
      await page.close();
      return { message, isCached };
    }

    test('two listed sibling sites can read one after the other through one cache, and another site cannot', async () => {
      expect(await readFrom('a')).toEqual({ message: lasting.message, isCached: false });
      expect(await readFrom('b')).toEqual({ message: lasting.message, isCached: false });
      expect(await readFrom('b')).toEqual({ message: lasting.message, isCached: true });
      expect((await readFrom('stranger')).message).toBe('blocked: TypeError');
      expect((await readFrom('a')).message).toBe(lasting.message);
      expect((await readFrom('stranger')).message).toBe('blocked: TypeError');
    });
  },
  oneCache,
);
