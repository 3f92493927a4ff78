import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lasting } from '../support/test-server.ts';
import { describeInChromium } from './chromium.ts';
import { type Embedding, partsOf, showAgain, startEmbedding, untilState, visit } from './embedding.ts';
import { setUpStage } from './rogue-server.ts';

describeInChromium('the badge on pages with strict rules', (browser) => {
  let embedding: Embedding;
  beforeAll(async () => {
    embedding = await startEmbedding();
  });
  afterAll(() => embedding.close());

  async function exercise(page: Page): Promise<void> {
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

  test('hostile CSS changes neither its place nor any computed style', async () => {
    const { page } = await visit(browser(), embedding.put({ body: '<main><h1>A page</h1></main>' }));
    await untilState(page, 'open');
    const plain = await looks(page);
    for (const [what, css] of Object.entries(hostileStyles)) {
      await page.evaluate((text) => {
        document.querySelector('style')?.remove();
        document.head.append(Object.assign(document.createElement('style'), { textContent: text }));
      }, `${css} html, body { display: block !important }`); // without the page there is nothing to see for anybody
      await page.mouse.move(1, 1);
      await showAgain(page, {});
      expect(await looks(page), what).toEqual(plain);
      await partsOf(page).toggle.click();
      await untilState(page, 'collapsed');
    }
  });

  /** Place and computed style of every element in the badge. */
  function looks(page: Page) {
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

/** Each of these has run script, or drawn an element, on somebody's page. */
const attacks = [
  '<script>pwned = 1</script>',
  '<img src=x onerror="pwned = 1">',
  '<svg onload="pwned = 1">',
  '<svg><script href="data:,pwned=1"/></svg>',
  '"><img src=x onerror=pwned=1>',
  "' onmouseenter='pwned=1' x='",
  'https://x/" onmouseenter="pwned=1',
  'https://x/" autofocus onfocus="pwned=1',
  '<iframe srcdoc="<script>parent.pwned=1</script>">',
  '<math><mtext><table><mglyph><style><img src=x onerror=pwned=1>',
  '<a href="javascript:pwned=1">x</a>',
  '<details open ontoggle=pwned=1>',
  '<style>@import "//evil.example/x.css"</style>',
  '<base href="//evil.example/">',
  '<meta http-equiv=refresh content="0;url=//evil.example/">',
  '<template><script>pwned=1</script></template>',
  '<!--><script>pwned=1</script>-->',
  ']]><script>pwned=1</script>',
  '&lt;img src=x onerror=pwned=1&gt;',
  '\u003cimg src=x onerror=pwned=1\u003e',
  '$' + '{pwned=1}',
  '{{constructor.constructor("pwned=1")()}}',
  'javascript:pwned=1',
  'JaVaScRiPt:pwned=1',
  ' javascript:pwned=1',
  '\u0001javascript:pwned=1',
  'java\tscript:pwned=1',
  'java\nscript:pwned=1',
  'javascript&colon;pwned=1',
  'javascript://example.org/%0Apwned=1',
  'data:text/html,<script>opener.pwned=1</script>',
  'vbscript:pwned=1',
  'blob:https://example.org/x',
  'file:///etc/passwd',
  'about:blank',
  'view-source:https://example.org',
  'filesystem:https://example.org/x',
  'intent://x#Intent;scheme=https;end',
  'https:',
  'http://',
  'https://[',
  '//evil.example/',
  '/path',
  '?query',
  '#hash',
  'https://user:secret@example.org/',
  'https://example.org/\u202egnp.exe',
  '\u202e\u2066\u200f backwards',
  'Z̷̧̢̛͙͓̫̳͌̓a̴̢̧̛̙l̷̢̧͓g̸̢̛o'.repeat(20),
  '\ud800 lone surrogate \udfff',
  '\0\u0007\u001b[31m',
  'x'.repeat(100_000),
  '__proto__',
  'toString',
];

const hostileText = fc.oneof(
  fc.constantFrom(...attacks),
  fc
    .array(fc.oneof(fc.constantFrom(...attacks), fc.string({ unit: 'binary', maxLength: 12 })))
    .map((parts) => parts.join('').slice(0, 4000)),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
);
const hostileValue = fc.oneof(
  { weight: 9, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.constantFrom(null, 0, true, [], {}, ['<script>'], { toString: 1 }) },
);
/** The elements of formatting, and others that a hostile server may wish for. */
const marks = ['strong', 'em', 'code', 'script', 'iframe', 'style', 'base', 'a', 'x strong', null, {}];
const pieces = fc.array(
  fc.record({
    text: hostileText,
    mark: fc.constantFrom(...marks),
    link: fc.oneof(fc.constant(undefined), hostileValue),
  }),
  { maxLength: 6 },
);
const hostileAnnouncement = fc.record({
  id: fc.oneof({ weight: 9, arbitrary: fc.constant('2026-001') }, { weight: 1, arbitrary: hostileValue }),
  message: hostileValue,
  link: hostileValue,
  // A label that cannot be text shows nothing at all.
  linkLabel: fc.option(
    hostileValue.filter((value) => Object(value).toString !== 1),
    { nil: undefined },
  ),
  severity: fc.option(hostileText, { nil: undefined }),
  parts: fc.option(fc.oneof({ weight: 9, arbitrary: pieces }, { weight: 1, arbitrary: hostileValue }), {
    nil: undefined,
  }),
});

describeInChromium('a hostile server', (browser) => {
  const stage = setUpStage();

  test('200 of its messages and links run no script and create no element', async () => {
    const { page, complaints } = await visit(browser(), stage.put('data-show-empty'));
    page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
    page.on('popup', (popup) => complaints.push(`popup: ${popup.url()}`));
    page.on('framenavigated', (frame) => complaints.push(`navigation: ${frame.url()}`));
    await untilState(page, 'open');
    const elementsBefore = await page.evaluate(() => document.querySelectorAll('*').length);

    const examples = attacks.map((text): [Record<string, unknown>] => [
      { id: 'x', message: text, link: text },
    ]);
    const property = fc.asyncProperty(hostileAnnouncement, async (announcement) => {
      const seen = await page.evaluate(showAndLook, textOf(announcement));
      expect(complaints).toEqual([]);
      expect(seen.pwned).toBe(false);
      expect(seen.elementsOfPage).toBe(elementsBefore);
      const drawn = seen.elements.filter((name) => ['strong', 'em', 'code', 'a'].includes(name));
      expect(seen.elements.filter((name) => !drawn.includes(name))).toEqual([
        ...['aside', 'span', 'div', 'p', 'b', 'span', 'span', 'button', 'button', 'button'],
      ]);
      expect(seen.handlers).toEqual([]);
      expect(seen.protocols.filter((protocol) => !/^(https?:|:|)$/.test(protocol))).toEqual([]);
      const { message, parts } = announcement;
      const words = () =>
        Array.isArray(parts)
          ? parts.map(({ text }) => text.slice(0, 999)).join('')
          : String(message).slice(0, 999);
      if (seen.state === 'open') expect(seen.words).toBe(words());
      else expect(seen.words).toBe('');
    });
    await fc.assert(property, { numRuns: 200, examples: examples as [never][], endOnFailure: true });
  });

  /** The announcement as the server would send it. */
  const textOf = (announcement: object) =>
    JSON.stringify({ announcements: [{ ...lasting, ...announcement }] });

  /** Runs in the page: shows the announcement in this answer, provokes every handler there could be, and reports. */
  async function showAndLook(answer: string) {
    const { fetch } = window;
    window.fetch = async () => {
      window.fetch = fetch; // what it asks for next is its stylesheet
      return new Response(answer);
    };
    const shown = new Promise((resolve) => addEventListener('typebadge:shown', resolve, { once: true }));
    window.TypeBadge?.init();
    await shown;
    const host = document.querySelector('type-badge') as HTMLElement;
    const root = host.shadowRoot as ShadowRoot;
    const elements = [...root.querySelectorAll<HTMLElement>('*')];
    for (const element of elements) {
      for (const type of ['mouseenter', 'mouseover', 'focus', 'load', 'error', 'toggle', 'animationend']) {
        element.dispatchEvent(new Event(type));
      }
    }
    return {
      pwned: 'pwned' in window,
      state: host.dataset.state,
      elementsOfPage: document.querySelectorAll('*').length,
      elements: elements.map(({ localName }) => localName),
      handlers: elements
        .flatMap((element) => element.getAttributeNames())
        .filter((name) => name.startsWith('on')),
      protocols: elements.map((element) => (element instanceof HTMLAnchorElement ? element.protocol : '')),
      // A link with words of its own is beside the message.
      words: ['lead', 'text']
        .map((part) => root.querySelector(`[part=words] > [part=${part}]`)?.textContent ?? '')
        .join(''),
    };
  }
});
