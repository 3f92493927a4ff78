import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInChromium } from './chromium.ts';
import { type Embedding, startEmbedding, untilState, visit } from './embedding.ts';
import { announce, announcementPath, startRogueServer, toTag } from './rogue-server.ts';
import type { Site } from './site.ts';

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
const hostileAnnouncement = fc.record({
  id: fc.oneof({ weight: 9, arbitrary: fc.constant('2026-001') }, { weight: 1, arbitrary: hostileValue }),
  message: hostileValue,
  link: hostileValue,
});

describeInChromium('a hostile server', (browser) => {
  let embedding: Embedding;
  let rogue: Site;
  let announced: Record<string, unknown> = {};
  beforeAll(async () => {
    embedding = await startEmbedding();
    rogue = await startRogueServer((_request, { pathname }) =>
      pathname === announcementPath ? announce(announced) : undefined,
    );
  });
  afterAll(async () => {
    await embedding.close();
    await rogue.close();
  });

  test('500 of its messages and links run no script and create no element', async () => {
    const { page, complaints } = await visit(
      browser(),
      embedding.put({ tag: toTag(rogue, 'data-show-empty') }),
    );
    page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
    page.on('popup', (popup) => complaints.push(`popup: ${popup.url()}`));
    page.on('framenavigated', (frame) => complaints.push(`navigation: ${frame.url()}`));
    await untilState(page, 'open');
    const elementsBefore = await page.evaluate(() => document.querySelectorAll('*').length);

    const examples = attacks.map((text): [Record<string, unknown>] => [
      { id: 'x', message: text, link: text },
    ]);
    const property = fc.asyncProperty(hostileAnnouncement, async (announcement) => {
      announced = announcement;
      const seen = await page.evaluate(showAndLook);
      expect(complaints).toEqual([]);
      expect(seen.pwned).toBe(false);
      expect(seen.elementsOfPage).toBe(elementsBefore);
      expect(seen.elements).toEqual([
        ...['aside', 'span', 'div', 'p', 'b', 'span', 'a', 'button', 'button', 'button'],
      ]);
      expect(seen.handlers).toEqual([]);
      expect(['', 'http:', 'https:']).toContain(seen.protocol);
      if (seen.state === 'open') expect(seen.text).toBe(String(announcement.message).slice(0, 999));
      else expect(seen.text).toBe('');
    });
    await fc.assert(property, { numRuns: 500, examples: examples as [never][], endOnFailure: true });
  });

  test('of its pieces of a message, it draws only the elements of formatting, with their text and safe links', async () => {
    announced = { id: 'x', message: 'words', link: '' };
    const { page, complaints } = await visit(
      browser(),
      embedding.put({ tag: toTag(rogue, 'data-show-empty') }),
    );
    await untilState(page, 'open');
    const pieces = fc.array(
      fc.record({
        text: hostileText,
        mark: fc.constantFrom(
          'strong',
          'em',
          'code',
          'script',
          'iframe',
          'style',
          'base',
          'a',
          'x strong',
          null,
          {},
        ),
        link: fc.oneof(fc.constant(undefined), hostileValue),
      }),
      { maxLength: 6 },
    );
    const property = fc.asyncProperty(fc.oneof(pieces, hostileValue), async (parts) => {
      announced = { id: 'x', message: 'words', link: '', parts };
      const { pwned, elements, handlers, state, protocols, text } = await page.evaluate(showAndLook);
      expect(complaints).toEqual([]);
      expect(pwned).toBe(false);
      expect(handlers).toEqual([]);
      const drawn = elements.filter((name) => ['strong', 'em', 'code', 'a'].includes(name));
      expect(elements.length - drawn.length).toBe(9);
      expect(protocols.filter((protocol) => !/^(https?:|:|)$/.test(protocol))).toEqual([]);
      const isDrawn = state === 'open' && Array.isArray(parts);
      if (isDrawn) expect(text).toBe(parts.map((part) => String(part.text).slice(0, 999)).join(''));
    });
    await fc.assert(property, { numRuns: 200, endOnFailure: true });
  });

  /** Runs in the page: shows the announcement again, provokes every handler there could be, and reports. */
  async function showAndLook() {
    const shown = new Promise((resolve) => addEventListener('typebadge:shown', resolve, { once: true }));
    window.TypeBadge?.init();
    await shown;
    const host = document.querySelector('type-badge') as HTMLElement;
    const elements = [...(host.shadowRoot as ShadowRoot).querySelectorAll<HTMLElement>('*')];
    for (const element of elements) {
      for (const type of ['mouseenter', 'mouseover', 'focus', 'load', 'error', 'toggle', 'animationend']) {
        element.dispatchEvent(new Event(type));
      }
    }
    const link = elements.find((element): element is HTMLAnchorElement => element.localName === 'a');
    return {
      pwned: 'pwned' in window,
      state: host.dataset.state,
      elementsOfPage: document.querySelectorAll('*').length,
      elements: elements.map(({ localName }) => localName),
      handlers: elements
        .flatMap((element) => element.getAttributeNames())
        .filter((name) => name.startsWith('on')),
      protocol: link?.hasAttribute('href') ? link.protocol : '',
      protocols: elements.map((element) => (element instanceof HTMLAnchorElement ? element.protocol : '')),
      text: link?.textContent ?? '',
    };
  }
});
