import { afterAll, beforeAll, expect, test } from 'vitest';
import { lasting } from '../support/test-server.ts';
import { describeInChromium } from './chromium.ts';
import {
  type Embedding,
  partsOf,
  positions,
  showAgain,
  startEmbedding,
  untilState,
  visit,
} from './embedding.ts';

describeInChromium('the badge takes its options from the tag', (browser) => {
  let embedding: Embedding;
  beforeAll(async () => {
    embedding = await startEmbedding();
  });
  afterAll(() => embedding.close());

  test('its position is a corner, open and collapsed', async () => {
    const { page } = await visit(browser(), embedding.put(), { viewport: { width: 800, height: 600 } });
    for (const position of positions) {
      for (const collapsed of [false, true]) {
        await showAgain(page, { position, collapsed });
        const box = (await partsOf(page).card.boundingBox()) ?? expect.fail('the card is not shown');
        const gaps = [box.x, 800 - box.x - box.width, box.y, 600 - box.y - box.height];
        const [left = 0, right = 0, top = 0, bottom = 0] = gaps;
        expect(Math.min(...gaps)).toBeGreaterThan(5);
        expect(`${top < bottom ? 'top' : 'bottom'}-${left < right ? 'left' : 'right'}`).toBe(position);
      }
    }
  });

  test('its theme overrides that of the system, which auto follows; a badge in place follows its data-theme', async () => {
    const [light, dark] = ['rgb(255, 255, 255)', 'rgb(28, 33, 44)'];
    const { page } = await visit(browser(), embedding.put({ attributes: 'data-theme="dark"' }));
    const { host, card } = partsOf(page);
    await untilState(page, 'open');
    const background = () => card.evaluate((element) => getComputedStyle(element).backgroundColor);
    for (const [theme, ...wanted] of [
      ['dark', dark, dark, dark],
      ['light', light, light, light],
      ['auto', light, dark, light],
    ] as const) {
      await host.evaluate((element: HTMLElement, value) => {
        element.dataset.theme = value;
      }, theme);
      const seen: string[] = [];
      for (const colorScheme of ['light', 'dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        seen.push(await background());
      }
      expect(seen, theme).toEqual(wanted);
    }
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

  test('data-collapsed="false" and "off" do not start collapsed', async () => {
    for (const value of ['false', 'off']) {
      const { page } = await visit(browser(), embedding.put({ attributes: `data-collapsed="${value}"` }));
      await untilState(page, 'open');
    }
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
      const countFromElsewhere = async () => {
        const origins = await page.evaluate(() =>
          performance.getEntriesByType('resource').map(({ name }) => new URL(name).origin),
        );
        return origins.filter((origin) => origin === elsewhere.server.url).length;
      };
      // Stylesheet, announcement and logo, which may still be loading.
      await expect.poll(countFromElsewhere).toBeGreaterThanOrEqual(3);
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
    expect(await partsOf(page).logo.textContent()).toBe('F');
    expect(complaints).toEqual([]);
    await branded.close();
  });

  test('the tag may be anywhere, and load any way', async () => {
    const src = `src="${embedding.server.url}/js/typebadge-inject.min.js"`;
    for (const [loading, place] of [
      ['', 'head'],
      ['async', 'head'],
      ['defer', 'body'],
      ['', 'body'],
    ] as const) {
      const script = `<script ${src} ${loading}></script>`;
      const { page, complaints } = await visit(browser(), embedding.put({ [place]: script, tag: '' }));
      await untilState(page, 'open');
      expect(complaints).toEqual([]);
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

describeInChromium('a formatted announcement on a page', (browser) => {
  const history = (more: object) => ({ announcements: [{ ...lasting, message: undefined, ...more }] });
  const markdown =
    '**Now** in `v2`, see *both* [guides](https://example.org/a) and [notes](https://example.org/b)';
  const text = 'Now in v2, see both guides and notes';
  let embedding: Embedding;
  beforeAll(async () => {
    embedding = await startEmbedding({ files: { 'history.json': history({ markdown }) } });
  });
  afterAll(() => embedding.close());

  const elementsOf = (element: Element) =>
    [...element.children].map((child) => [child.localName, child.textContent, child.getAttribute('href')]);

  test('has an element for each piece, and the announcement’s link beside the message', async () => {
    const { page } = await visit(browser(), embedding.put());
    await untilState(page, 'open');
    const lead = page.locator('type-badge [part=lead]');
    expect(await lead.textContent()).toBe(text);
    expect(await lead.evaluate(elementsOf)).toEqual([
      ['strong', 'Now', null],
      ['code', 'v2', null],
      ['em', 'both', null],
      ['a', 'guides', 'https://example.org/a'],
      ['a', 'notes', 'https://example.org/b'],
    ]);
    expect(await partsOf(page).text.textContent()).toBe('example.org');
  });

  test('counts a click on any of its links, which fingers can tell apart', async () => {
    const { page } = await visit(browser(), embedding.put(), { hasTouch: true, isMobile: true });
    await untilState(page, 'open');
    await page.evaluate(() => addEventListener('click', (event) => event.preventDefault()));
    const clicked = page.evaluate(
      () => new Promise((resolve) => addEventListener('typebadge:clicked', () => resolve(true))),
    );
    const hit = await page.locator('type-badge [part=lead] a').evaluateAll((links) =>
      links.map((link) => {
        const { x, y, width, height } = link.getBoundingClientRect();
        const root = link.getRootNode() as ShadowRoot;
        return root.elementFromPoint(x + width / 2, y + height / 2) === link;
      }),
    );
    expect(hit).toEqual([true, true]);
    await page.locator('type-badge [part=lead] a').first().tap();
    expect(await clicked).toBe(true);
  });

  test('is the link as a whole if it contains no links', async () => {
    const words = { markdown: 'Get **v2** now', translations: { de: { message: 'Jetzt *v2*' } } };
    await embedding.server.writeContent('history.json', history(words));
    await expect
      .poll(async () => (await fetch(`${embedding.server.url}/content/active.json`)).text())
      .toContain('Jetzt');
    const { page } = await visit(browser(), embedding.put());
    await untilState(page, 'open');
    const { text: link } = partsOf(page);
    expect(await link.innerHTML()).toBe('Get <strong>v2</strong> now');
    expect(await link.getAttribute('href')).toBe(lasting.link);
    const german = await visit(browser(), embedding.put({ html: 'lang="de"' }));
    await untilState(german.page, 'open');
    expect(await partsOf(german.page).text.innerHTML()).toBe('Jetzt *v2*');
  });
});
