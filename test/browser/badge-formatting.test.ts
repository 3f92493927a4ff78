import { afterAll, beforeAll, expect, test } from 'vitest';
import { lasting } from '../support/test-server.ts';
import { describeInChromium } from './chromium.ts';
import { type Embedding, partsOf, startEmbedding, untilState, visit } from './embedding.ts';

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

  test('has an element for each piece, and its own link beside the message', async () => {
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

  test('is the link as a whole where it holds no links', async () => {
    const words = { markdown: 'Get **v2** now', translations: { de: { message: 'Jetzt *v2*' } } };
    await embedding.server.writeContent('history.json', history(words));
    await expect
      .poll(async () => (await fetch(`${embedding.server.url}/content/active.json`)).text())
      .toContain('v2');
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
