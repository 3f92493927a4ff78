import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInChromium } from './chromium.ts';
import {
  type Embedding,
  longest,
  partsOf,
  positions,
  showAgain,
  startAnnouncing,
  startEmbedding,
  themes,
  untilState,
  visit,
} from './embedding.ts';
import { findViolations, loadAxe } from './page-check.ts';

describeInChromium('axe finds nothing wrong with the badge', (browser) => {
  let embedding: Embedding;
  let wordy: Embedding;
  let textOnly: Embedding;
  beforeAll(async () => {
    embedding = await startEmbedding();
    wordy = await startAnnouncing({ message: longest });
    textOnly = await startAnnouncing({ message: longest, link: '' });
  });
  afterAll(() => Promise.all([embedding.close(), wordy.close(), textOnly.close()]));

  test.each(themes)('in four corners, open, collapsed and focused, in the %s theme', async (theme) => {
    const { page } = await visit(browser(), embedding.put(), { colorScheme: theme });
    for (const position of positions) {
      for (const collapsed of [false, true]) {
        await showAgain(page, { position, theme, collapsed });
        expect(await findViolations(page)).toEqual([]);
      }
      await partsOf(page).toggle.focus();
      expect(await findViolations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await untilState(page, 'open');
      await partsOf(page).text.focus();
      expect(await findViolations(page)).toEqual([]);
    }
  });

  test.each(themes)(
    'axe can also tell the contrast, once the badge is moved to where it looks: %s',
    async (theme) => {
      const { page } = await visit(browser(), embedding.put());
      await showAgain(page, { theme });
      // Beside the body, where the badge lives, axe leaves the question open.
      await page.evaluate(() => document.body.append(document.querySelector('type-badge') ?? ''));
      const position = () => partsOf(page).card.evaluate((card) => getComputedStyle(card).position);
      await expect.poll(position).toBe('fixed');
      await loadAxe(page);
      const { violations, incomplete, passes } = await page.evaluate(() =>
        window.axe.run({ runOnly: ['color-contrast'] }),
      );
      expect([...violations, ...incomplete]).toEqual([]);
      expect(passes.flatMap(({ nodes }) => nodes.map(({ html }) => html)).join()).toContain('part="text"');
    },
  );

  test('with text that scrolls, with a link in it and without', async () => {
    for (const { put } of [wordy, textOnly]) {
      const { page } = await visit(browser(), put(), { viewport: { width: 320, height: 480 } });
      await untilState(page, 'open');
      expect(await findViolations(page)).toEqual([]);
    }
  });

  test('with the mark alone', async () => {
    const quiet = await startEmbedding({ files: { 'history.json': { announcements: [] } } });
    const { page } = await visit(browser(), quiet.put());
    await untilState(page, 'brand');
    expect(await findViolations(page)).toEqual([]);
    await quiet.close();
  });
});
