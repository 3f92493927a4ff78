import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInChromium } from './chromium.ts';
import { type Embedding, partsOf, startEmbedding, untilState, visit } from './embedding.ts';

describeInChromium('the badge on pages with strict rules', (browser) => {
  let embedding: Embedding;
  let policy: string;
  beforeAll(async () => {
    embedding = await startEmbedding();
    const { url } = embedding.server;
    policy = `default-src 'none'; script-src ${url}; connect-src ${url}`;
  });
  afterAll(() => embedding.close());

  async function exercise(page: import('playwright-core').Page): Promise<void> {
    await untilState(page, 'open');
    const { card, toggle, dismiss } = partsOf(page);
    expect(await card.evaluate((element) => getComputedStyle(element).position)).toBe('fixed');
    await toggle.click();
    await untilState(page, 'collapsed');
    await toggle.click();
    await untilState(page, 'open');
    await dismiss.click();
    await untilState(page, 'hidden');
    await page.waitForLoadState('networkidle');
  }

  /** Every policy violation is reported to this list, beside the console. */
  const violations = (page: import('playwright-core').Page) =>
    page.addInitScript(() => {
      const list: string[] = [];
      Object.assign(window, { violations: list });
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
        list.push(`${effectiveDirective} ${blockedURI}`),
      );
    });
  const reported = (page: import('playwright-core').Page) =>
    page.evaluate(() => (window as unknown as { violations: string[] }).violations);

  test.each([
    ['nothing allowed but the badge server', () => policy],
    ['Trusted Types required', () => `${policy}; require-trusted-types-for 'script'; trusted-types 'none'`],
  ])('a Content-Security-Policy with %s', async (_what, value) => {
    const url = embedding.put({ headers: { 'Content-Security-Policy': value() } });
    const { page, complaints, murmurs } = await visit(browser(), url, {}, violations);
    await exercise(page);
    expect(await reported(page)).toEqual([]);
    expect([...complaints, ...murmurs]).toEqual([]);
  });

  test('a page that is cross-origin isolated', async () => {
    const headers = {
      'Cross-Origin-Embedder-Policy': 'require-corp',
      'Cross-Origin-Opener-Policy': 'same-origin',
    };
    const { page, complaints, murmurs } = await visit(browser(), embedding.put({ headers }));
    expect(await page.evaluate(() => window.crossOriginIsolated)).toBe(true);
    await exercise(page);
    expect([...complaints, ...murmurs]).toEqual([]);
  });

  test('an image named currentScript does not decide where the badge is loaded from', async () => {
    const body = `<img name="currentScript" src="https://evil.example/js/evil-inject.min.js"
      data-base-url="https://evil.example/"><a id="TypeBadge"></a><form name="TypeBadge"></form>`;
    const { page } = await visit(browser(), embedding.put({ body }), {}, (page) =>
      page.route('https://evil.example/**', (route) => route.abort()),
    );
    await untilState(page, 'open');
    const names = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    expect(names.filter((name) => name.includes('evil') && !name.endsWith('evil-inject.min.js'))).toEqual([]);
    expect(await page.evaluate(() => typeof window.TypeBadge?.init)).toBe('function');
  });

  const hostileStyles: Readonly<Record<string, string>> = {
    'everything reverted and hidden': '* { all: revert; display: none !important }',
    'everything hidden in six ways': `:not(html, body) { visibility: hidden !important; opacity: 0 !important;
      clip-path: inset(100%) !important; transform: scale(0) !important; content-visibility: hidden !important;
      filter: opacity(0) !important; font-size: 0 !important; color: transparent !important }`,
    'everything out of its place': `:not(html, body) { position: static !important; float: left !important; zoom: 0.1 !important;
      width: 5px !important; height: 5px !important; overflow: hidden !important; inset: -9999px !important;
      pointer-events: none !important; user-select: none !important; z-index: -1 !important }`,
    'a reset aimed at the host': `type-badge, :not(:defined), html > :last-child { all: unset !important;
      display: none !important; visibility: hidden !important; animation: fade 1s infinite !important }
      @keyframes fade { to { opacity: 0 } }`,
    'inherited text styles': `html { font: italic 62.5%/3 fantasy; letter-spacing: 2em; text-transform: uppercase;
      text-indent: -999em; word-spacing: 5em; cursor: none; text-align: right; white-space: pre; color: #eee;
      -webkit-text-fill-color: red; text-shadow: 0 0 9px red; line-height: 0; writing-mode: vertical-rl }`,
    'properties of its own, registered for the whole document': [
      'background',
      'color',
      'accent',
      'line',
      'offset',
    ]
      .map((name) => `@property --${name} { syntax: '<color>'; inherits: false; initial-value: red }`)
      .join(' '),
    'the properties that are named like ours':
      '* { --tb-background: red; --tb-color: red; --tb-accent: red; --tb-offset: -99px }',
  };

  test.each(Object.entries(hostileStyles))('hostile CSS: %s', async (_what, css) => {
    const plain = await visit(browser(), embedding.put({ body: someBody }));
    await untilState(plain.page, 'open');
    // Without the page itself there is nothing to see for anybody, so that much is left alone.
    const head = `<style>${css} html, body { display: block !important }</style>`;
    const hostile = await visit(browser(), embedding.put({ head, body: someBody }));
    await untilState(hostile.page, 'open');
    expect(await looks(hostile.page)).toEqual(await looks(plain.page));
    await partsOf(hostile.page).toggle.click();
    await untilState(hostile.page, 'collapsed');
  });

  const someBody = '<main><h1>A page</h1></main>';

  /** Place and computed style of every element in the badge. */
  function looks(page: import('playwright-core').Page) {
    return page.evaluate(() => {
      const root = document.querySelector('type-badge')?.shadowRoot;
      return [...(root?.querySelectorAll('aside, aside *') ?? [])].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const style = getComputedStyle(element);
        const names = [...style].filter((name) => !name.startsWith('--'));
        return {
          part: element.getAttribute('part'),
          place: [x, y, width, height],
          style: Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)])),
        };
      });
    });
  }
});
