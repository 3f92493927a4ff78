import type { Frame, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { send } from '../support/http-client.ts';
import { lasting } from '../support/test-server.ts';
import { describeInChromium } from './chromium.ts';
import { type Embedding, startEmbedding, visit } from './embedding.ts';

describeInChromium('a reader sees a change at the next view', (browser) => {
  let embedding: Embedding;
  beforeAll(async () => {
    embedding = await startEmbedding();
  });
  afterAll(() => embedding.close());
  beforeEach(() => announce('Teh typo'));

  /** Resolves once the server says it. */
  async function announce(message?: string): Promise<void> {
    const announcements = message === undefined ? [] : [{ ...lasting, message }];
    await embedding.server.writeContent('history.json', { announcements });
    const said = async () =>
      String((await send(embedding.server.port, { path: '/content/announcement.json' })).body);
    while (!(await said()).includes(message ?? 'NO_ACTIVE_ANNOUNCEMENT'));
  }

  const shows = async (page: Page | Frame | FrameLocator, message?: string) => {
    const state = message === undefined ? 'brand' : 'open';
    await page.locator(`type-badge[data-state="${state}"]`).waitFor({ state: 'attached' });
    if (message !== undefined) expect(await page.locator('type-badge a').textContent()).toBe(message);
  };

  const put = () => embedding.put({ attributes: 'data-show-empty' });

  test.each(['reloads the page', 'follows a link to another'])('when the reader %s', async (how) => {
    const { page } = await visit(browser(), put());
    const viewAgain = () => (how.startsWith('reloads') ? page.reload() : page.goto(put()));
    await shows(page, 'Teh typo');

    await announce('The typo, corrected');
    await viewAgain();
    await shows(page, 'The typo, corrected');

    await announce(undefined); // withdrawn
    await viewAgain();
    await shows(page, undefined);

    await announce('The typo, corrected'); // undone
    await viewAgain();
    await shows(page, 'The typo, corrected');
  });

  test('on the demo page too', async () => {
    const { page } = await visit(browser(), `${embedding.server.url}/demo`);
    await shows(page.frameLocator('iframe'), 'Teh typo');
    await announce('The typo, corrected');
    await page.reload();
    await shows(page.frameLocator('iframe'), 'The typo, corrected');
  });

  test('as long as nothing changes, each view only costs headers', async () => {
    const { page } = await visit(browser(), embedding.put());
    await shows(page, 'Teh typo');
    const session = await page.context().newCDPSession(page);
    const statuses: number[] = [];
    await session.send('Network.enable');
    session.on('Network.responseReceivedExtraInfo', ({ statusCode, headers }) => {
      if (headers.etag !== undefined || headers.ETag !== undefined) statuses.push(statusCode);
    });
    await page.goto(embedding.put());
    await shows(page, 'Teh typo');
    await page.waitForLoadState('networkidle');
    expect(statuses).toEqual([304]);
  });
});
