import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInChromium } from './chromium.ts';
import { type Embedding, partsOf, startEmbedding, untilState, visit } from './embedding.ts';

describeInChromium('the badge takes its options from the tag', (browser) => {
  let embedding: Embedding;
  beforeAll(async () => {
    embedding = await startEmbedding();
  });
  afterAll(() => embedding.close());

  test('one tag is enough: the announcement is shown in a named landmark, with its link', async () => {
    const { page, complaints, murmurs } = await visit(browser(), embedding.put());
    await untilState(page, 'open');
    const landmark = page.getByRole('complementary', { name: 'Announcement' });
    const link = landmark.getByRole('link', { name: 'The autumn release is here' });
    expect(await link.getAttribute('href')).toBe('https://example.org/release');
    expect(await link.getAttribute('rel')).toBe('noopener');
    expect(await landmark.getByRole('button').count()).toBe(2);
    expect([...complaints, ...murmurs]).toEqual([]);
  });

  test.each([
    ['bottom-right', { right: true, bottom: true }],
    ['bottom-left', { right: false, bottom: true }],
    ['top-right', { right: true, bottom: false }],
    ['top-left', { right: false, bottom: false }],
  ])('data-position="%s" puts it in that corner, open and collapsed', async (position, corner) => {
    const url = embedding.put({ attributes: `data-position="${position}"` });
    const { page } = await visit(browser(), url, { viewport: { width: 800, height: 600 } });
    await untilState(page, 'open');
    expect(await cornerOf(page)).toEqual(corner);
    await partsOf(page).toggle.click();
    await untilState(page, 'collapsed');
    expect(await cornerOf(page)).toEqual(corner);

    async function cornerOf(page: import('playwright-core').Page) {
      const box = await partsOf(page).card.boundingBox();
      if (box === null) throw new Error('the card is not shown');
      const gaps = {
        left: box.x,
        right: 800 - box.x - box.width,
        top: box.y,
        bottom: 600 - box.y - box.height,
      };
      expect(Math.min(gaps.left, gaps.right)).toBeGreaterThan(5);
      expect(Math.min(gaps.top, gaps.bottom)).toBeGreaterThan(5);
      return { right: gaps.right < gaps.left, bottom: gaps.bottom < gaps.top };
    }
  });

  test('data-theme overrides the system, and auto follows the system as it changes', async () => {
    const light = 'rgb(255, 255, 255)';
    const dark = 'rgb(28, 33, 44)';
    const seen: Record<string, string[]> = {};
    for (const theme of ['auto', 'light', 'dark']) {
      const url = embedding.put({ attributes: `data-theme="${theme}"` });
      const { page } = await visit(browser(), url, { colorScheme: 'light' });
      await untilState(page, 'open');
      seen[theme] = [];
      for (const colorScheme of ['light', 'dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const { card } = partsOf(page);
        seen[theme].push(await card.evaluate((element) => getComputedStyle(element).backgroundColor));
      }
    }
    expect(seen).toEqual({
      auto: [light, dark, light],
      light: [light, light, light],
      dark: [dark, dark, dark],
    });
  });

  test('the theme of a badge in place follows its data-theme, for pages with a switch of their own', async () => {
    const { page } = await visit(browser(), embedding.put({ attributes: 'data-theme="light"' }));
    await untilState(page, 'open');
    const { host, card } = partsOf(page);
    await host.evaluate((element: HTMLElement) => {
      element.dataset.theme = 'dark';
    });
    const background = await card.evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(background).toBe('rgb(28, 33, 44)');
  });

  test('data-collapsed starts with the logo, marked as new, and opens on request', async () => {
    const { page } = await visit(browser(), embedding.put({ attributes: 'data-collapsed' }));
    await untilState(page, 'collapsed');
    const { text, dismiss } = partsOf(page);
    expect(await text.isVisible()).toBe(false);
    expect(await dismiss.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Announcement (new)', expanded: false }).click();
    await untilState(page, 'open');
    expect(await text.isVisible()).toBe(true);
    expect(
      await page.getByRole('button', { name: 'Announcement', exact: true, expanded: true }).count(),
    ).toBe(1);
  });

  test.each(['false', 'off'])('data-collapsed="%s" does not start collapsed', async (value) => {
    const { page } = await visit(browser(), embedding.put({ attributes: `data-collapsed="${value}"` }));
    await untilState(page, 'open');
  });

  test('data-label, data-label-new and data-label-dismiss speak the language of the page', async () => {
    const attributes =
      'data-collapsed data-label="Ankündigung" data-label-new="neu" data-label-dismiss="Schließen"';
    const { page } = await visit(browser(), embedding.put({ attributes, html: 'lang="de"' }));
    await untilState(page, 'collapsed');
    await page.getByRole('complementary', { name: 'Ankündigung' }).waitFor();
    await page.getByRole('button', { name: 'Ankündigung (neu)' }).click();
    await page.getByRole('button', { name: 'Schließen' }).waitFor();
  });

  test('data-base-url loads everything from there, with and without a trailing slash', async () => {
    const elsewhere = await startEmbedding();
    for (const slash of ['', '/']) {
      const attributes = `data-base-url="${elsewhere.server.url}${slash}"`;
      const { page, complaints } = await visit(browser(), embedding.put({ attributes }));
      await untilState(page, 'open');
      const origins = await page.evaluate(() =>
        performance.getEntriesByType('resource').map(({ name }) => new URL(name).origin),
      );
      const fromElsewhere = origins.filter((origin) => origin === elsewhere.server.url);
      expect(fromElsewhere.length).toBeGreaterThanOrEqual(3); // stylesheet, announcement, logo
      expect(complaints).toEqual([]);
    }
    await elsewhere.close();
  });

  test('an invalid base URL shows no badge, and breaks nothing', async () => {
    const attributes = 'data-base-url="http://["';
    const { page, complaints, murmurs } = await visit(browser(), embedding.put({ attributes }));
    await expect.poll(() => murmurs.length).toBe(1);
    expect(await page.locator('type-badge').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('another brand is the same script under another name', async () => {
    const branded = await startEmbedding({ brand: 'field-notes' });
    const { page, complaints } = await visit(browser(), branded.put());
    await untilState(page, 'open');
    expect(await partsOf(page).logo.textContent()).toBe('f');
    expect(complaints).toEqual([]);
    await branded.close();
  });

  test('the tag may be anywhere, and load any way', async () => {
    const src = `src="${embedding.server.url}/js/typebadge-inject.min.js"`;
    for (const loading of ['', 'async', 'defer']) {
      const script = `<script ${src} ${loading}></script>`;
      for (const place of [{ head: script }, { body: `${script}<main><h1>Notes</h1></main>` }]) {
        const { page, complaints } = await visit(browser(), embedding.put({ ...place, tag: '' }));
        await untilState(page, 'open');
        expect(complaints).toEqual([]);
      }
    }
  });

  test('a script inserted by another script, or loaded as a module, also finds its base', async () => {
    const src = `${embedding.server.url}/js/typebadge-inject.min.js`;
    const byScript = `<script>const s = document.createElement('script'); s.src = ${JSON.stringify(src)};
      s.dataset.position = 'top-left'; document.head.append(s);</script>`;
    for (const tag of [byScript, `<script type="module" data-position="top-left" src="${src}"></script>`]) {
      const { page, complaints } = await visit(browser(), embedding.put({ tag }));
      await untilState(page, 'open');
      expect(await partsOf(page).host.getAttribute('data-position')).toBe('top-left');
      expect(complaints).toEqual([]);
    }
  });

  test('custom properties and parts restyle it from outside', async () => {
    const head = `<style>
      :root { --typebadge-background: rgb(1, 2, 3); --typebadge-color: rgb(250, 251, 252);
        --typebadge-accent: rgb(9, 200, 9); --typebadge-radius: 3px; --typebadge-width: 200px;
        --typebadge-offset: 50px; --typebadge-font: monospace; --typebadge-z-index: 7; --typebadge-shadow: none; }
      type-badge::part(card) { letter-spacing: 3px; }
      type-badge::part(toggle) { opacity: 0.9; } type-badge::part(dismiss) { opacity: 0.8; }
      type-badge::part(logo) { opacity: 0.7; } type-badge::part(text) { opacity: 0.6; }
      type-badge::part(message) { opacity: 0.5; }</style>`;
    const { page } = await visit(browser(), embedding.put({ head }), {
      viewport: { width: 800, height: 600 },
    });
    await untilState(page, 'open');
    const { card } = partsOf(page);
    const style = await card.evaluate((element) => {
      const { backgroundColor, color, borderRadius, fontFamily, zIndex, boxShadow, letterSpacing } =
        getComputedStyle(element);
      return { backgroundColor, color, borderRadius, fontFamily, zIndex, boxShadow, letterSpacing };
    });
    expect(style).toEqual({
      backgroundColor: 'rgb(1, 2, 3)',
      color: 'rgb(250, 251, 252)',
      borderRadius: '3px',
      fontFamily: 'monospace',
      zIndex: '7',
      boxShadow: 'none',
      letterSpacing: '3px',
    });
    const box = await card.boundingBox();
    expect(box?.width).toBe(200);
    expect(800 - (box?.x ?? 0) - 200).toBe(50);
    const opacities = await page.evaluate(() =>
      ['toggle', 'dismiss', 'logo', 'text', 'message'].map((part) => {
        const element = document.querySelector('type-badge')?.shadowRoot?.querySelector(`[part=${part}]`);
        return element && getComputedStyle(element).opacity;
      }),
    );
    expect(opacities).toEqual(['0.9', '0.8', '0.7', '0.6', '0.5']);
  });
});
