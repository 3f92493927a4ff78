import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formattedParts,
  parseMarkdown,
  parseWords,
  plainText,
  type TextPart,
} from '../../../src/announcements/values/markdown.ts';
import { parseTranslations } from '../../../src/announcements/values/translations.ts';

const strong = (text: string): TextPart => ({ text, mark: 'strong' });
const em = (text: string): TextPart => ({ text, mark: 'em' });
const code = (text: string): TextPart => ({ text, mark: 'code' });
const a = (text: string, link: string): TextPart => ({ text, link });
const plain = (text: string): TextPart => ({ text });
const site = 'https://example.org/';

describe('the parts of a formatted text', () => {
  test.each<[string, TextPart[]]>([
    ['Hello', [plain('Hello')]],
    ['', []],
    ['**Now** in *two* `places`', [strong('Now'), plain(' in '), em('two'), plain(' '), code('places')]],
    [`See [the docs](${site}).`, [plain('See '), a('the docs', site), plain('.')]],
    ['これは**重要**です', [plain('これは'), strong('重要'), plain('です')]],
    [`[x](${site}a_(b)), y`, [a('x', `${site}a_(b)`), plain(', y')]],
  ])('%j', (markdown, parts) => {
    expect(formattedParts(markdown)).toEqual(parts);
  });

  test.each<[string, TextPart[]]>([
    ['**a *b* c**', [strong('a *b* c')]],
    ['*a `b` c*', [em('a `b` c')]],
    ['`**a**`', [code('**a**')]],
    [`**[a](${site})**`, [strong(`[a](${site})`)]],
    [`[**a**](${site})`, [a('**a**', site)]],
    ['***a***', [plain('*'), strong('a'), plain('*')]],
  ])('have nothing nested: %j', (markdown, parts) => {
    expect(formattedParts(markdown)).toEqual(parts);
  });

  test.each([
    ...['2 * 3 * 4', '** a **', '**a', 'a**', '****', '* a*', '` a`', '``', '[a] (https://example.org)'],
    ...[
      '[](https://example.org)',
      '[a](see below)',
      '[a]()',
      '[a](javascript:alert(1))',
      '[a](/docs)',
      '_a_ __b__ ~~c~~ <b>d</b> # e &amp;',
      '![a',
      '\\',
    ],
  ])('are ordinary characters where marks are other or unbalanced: %j', (text) => {
    expect(formattedParts(text)).toEqual([plain(text)]);
  });
});

describe('a formatted message', () => {
  test('is counted without its marks and addresses', () => {
    const words = 'x'.repeat(280);
    expect(parseWords({ markdown: ` **${words}** ` })).toMatchObject({
      value: { message: words, markdown: `**${words}**` },
    });
    expect(parseMarkdown(`*${words}y*`)).toEqual({
      problem: 'the message has 281 characters; at most 280 are allowed',
    });
    expect(parseMarkdown(`[a](${site}${'x'.repeat(4_100)})`)).toMatchObject({
      problem: expect.stringMatching(/at most 4096/),
    });
  });

  test.each([
    ['[a](javascript:alert(1))', /^the link of "a" starts with "javascript:"; only http: and https:/],
    ['[a](/docs)', /^the link of "a" is not a complete URL/],
    ['[a](https://me:secret@example.org)', /user name or password/],
    ['**\u200b**', /is empty/],
    ['*a\u0007*', /control character/],
    ['a\nb', /line break/],
    [7, /not a text/],
  ])('is refused with a reason: %j', (markdown, reason) => {
    expect(parseMarkdown(markdown)).toMatchObject({ problem: expect.stringMatching(reason) });
  });

  test('may come with its plain text, and with no other', () => {
    expect(parseWords({ message: 'a', markdown: '*a*' })).toMatchObject({ value: { message: 'a' } });
    expect(parseWords({ message: 'b', markdown: '*a*' })).toMatchObject({ at: 'message' });
    expect(parseWords({})).toMatchObject({ at: 'message', problem: 'the message is missing' });
  });
});

const evil = 'https://evil.example/';
test.each([
  [
    `[https://bank.example](${evil})`,
    /^the message has a link that reads “https.*another host, evil\.example$/,
  ],
  [`[Visit Bücher.example:80/a now](${evil})`, /another host/],
  [`[localhost:80 or http://10.0.0.1](${evil})`, /another host/],
  ['**a', /^readers of the message will see marks/],
  ['[a](see below)', /as they are$/],
])('that may mislead is accepted with a warning: %j', (markdown, warning) => {
  expect(parseMarkdown(markdown)).toMatchObject({ warnings: [expect.stringMatching(warning)] });
  const warnings = [expect.stringContaining('message for de ')];
  expect(parseTranslations({ de: { markdown } })).toMatchObject({ warnings });
});

test('that does not mislead has no warning', () => {
  const markdown = `[conf.py, Node.js](${evil}) [HTTPS://WWW.evil.example:443/a](${evil}) [me@b.example, e.g. 2.5](${evil}) \`**\` 2 * 3`;
  expect(parseMarkdown(markdown)).toEqual({ value: markdown, warnings: [] });
});

/** Texts in which marks meet. */
const marked = fc
  .array(
    fc.oneof(
      fc.constantFrom('*', '**', '`', '[', ']', '(', ')', '](', '[a](https://example.org/)', '<img src=x>'),
      fc.constantFrom('javascript:', 'https://', ' ', '\\', '&', '"', '\u202e', '\u{1f600}', 'אב'),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    ),
    { maxLength: 24 },
  )
  .map((pieces) => pieces.join(''));

test('law: whatever the text, its parts are its characters in order, and every link obeys the rules', () => {
  fc.assert(
    fc.property(marked, (text) => {
      const parts = formattedParts(text);
      let at = 0;
      for (const part of parts) {
        const found = text.indexOf(part.text, at);
        expect(found).toBeGreaterThanOrEqual(at);
        at = found + part.text.length;
        expect(part.text).not.toBe('');
        if (part.link !== undefined) expect(new URL(part.link).protocol).toMatch(/^https?:$/);
      }
      if (!/[*`[]/.test(text)) expect(plainText(text)).toBe(text);
      // No two neighbours are ordinary text.
      const isOrdinary = parts.map(({ mark, link }) => mark === undefined && link === undefined);
      expect(isOrdinary.some((ordinary, index) => ordinary && isOrdinary[index + 1])).toBe(false);
    }),
    { numRuns: 300 },
  );
});

test('law: what is accepted is accepted again, and says the same', () => {
  fc.assert(
    fc.property(marked, (text) => {
      const first = parseWords({ markdown: text });
      if ('problem' in first) return;
      expect(parseWords(first.value)).toEqual(first);
      expect(first.value.message).toBe(first.value.message.trim());
    }),
    { numRuns: 300 },
  );
});

test('takes no time for marks that never end', () => {
  for (const piece of ['**a', '*a', '`a', '[a](', '[a](b', '[', '**', '((', '[a]((b)'])
    expect(formattedParts(piece.repeat(4_096 / piece.length)).length).toBeGreaterThan(0);
});
