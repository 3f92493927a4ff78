import { afterAll, beforeAll, expect, test } from 'vitest';
import { lasting } from '../support/test-server.ts';
import { describeInChromium } from './chromium.ts';
import { contrastOf } from './contrast.ts';
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

/** What a reader of each language gets to read. */
const readers = [
  { lang: 'en', dir: 'ltr', message: 'Registration is open until Friday' },
  { lang: 'de', dir: 'ltr', message: 'Die Anmeldung ist bis Freitag möglich', linkLabel: 'Anmelden' },
  { lang: 'ar', dir: 'rtl', message: 'التسجيل مفتوح حتى يوم الجمعة', linkLabel: 'سجل الآن' },
];
const severities = [undefined, 'success', 'warning', 'critical'];

interface BadgeReport {
  /** What axe finds wrong, or cannot tell. */
  readonly found: readonly string[];
  /** Whether axe judged any contrast. */
  readonly isJudged: boolean;
  readonly background: string;
  /** Of all text on it. */
  readonly colors: readonly string[];
}

const everyBadge = severities.flatMap((severity) =>
  themes.flatMap((theme) =>
    positions.flatMap((position) => readers.map((reader) => ({ ...reader, severity, theme, position }))),
  ),
);

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
    'axe can also check the contrast, once the badge is moved to where it looks: %s',
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

  test('in every severity, theme, corner and language, contrast computed: 96 badges', async () => {
    const { page, complaints } = await visit(
      browser(),
      embedding.put({ body: '<main><h1>Notes</h1></main>' }),
    );
    await untilState(page, 'open');
    await loadAxe(page);
    // One task inside the page, answered there: nothing but the badge and axe takes time.
    const reports = await page.evaluate(
      async ([badges, announcement]) => {
        // Inside the body, because beside it, where the badge lives, axe leaves contrast open.
        document.documentElement.append = (...nodes) => document.body.append(...nodes);
        const results: BadgeReport[] = [];
        const { fetch } = window;
        for (const { lang, dir, message, linkLabel, severity, theme, position } of badges) {
          const [id] = crypto.randomUUID().split('-');
          const announcements = [{ ...announcement, id, message, severity, ...(linkLabel && { linkLabel }) }];
          window.fetch = async (address, options) =>
            String(address).endsWith('.css')
              ? fetch(address, options)
              : new Response(JSON.stringify({ announcements }));
          Object.assign(document.documentElement, { lang, dir });
          window.TypeBadge?.init({ theme: theme as 'dark', position: position as 'top-left' });
          while (document.querySelector<HTMLElement>('type-badge')?.dataset.state !== 'open')
            await new Promise((resolve) => setTimeout(resolve, 2));
          const { violations, incomplete, passes } = await window.axe.run();
          const root = document.querySelector('type-badge')?.shadowRoot;
          const lookOf = (part: string) => getComputedStyle(root?.querySelector(`[part=${part}]`) as Element);
          results.push({
            found: [...violations, ...incomplete].map((rule) => `${rule.id}: ${rule.nodes[0]?.html}`),
            isJudged: passes.some((rule) => rule.id === 'color-contrast'),
            background: lookOf('card').backgroundColor,
            colors: ['text', 'lead', 'severity'].map((part) => lookOf(part).color),
          });
        }
        return results;
      },
      [everyBadge, lasting] as const,
    );
    expect(reports).toHaveLength(96);
    reports.forEach(({ found, isJudged, background, colors }, at) => {
      const badge = JSON.stringify(everyBadge[at]);
      expect(found, badge).toEqual([]);
      expect(isJudged, badge).toBe(true);
      // Once more, because axe says nothing about letters of some scripts.
      for (const color of colors) expect(contrastOf(color, background), badge).toBeGreaterThanOrEqual(4.5);
    });
    expect(complaints).toEqual([]);
  });

  test('with text that scrolls, with a link in it and without', async () => {
    for (const { put } of [wordy, textOnly]) {
      const { page } = await visit(browser(), put(), { viewport: { width: 320, height: 480 } });
      await untilState(page, 'open');
      expect(await findViolations(page)).toEqual([]);
    }
  });

  test('with only the logo', async () => {
    const quiet = await startEmbedding({ files: { 'history.json': { announcements: [] } } });
    const { page } = await visit(browser(), quiet.put({ attributes: 'data-show-empty' }));
    await untilState(page, 'brand');
    expect(await findViolations(page)).toEqual([]);
    await quiet.close();
  });
});
