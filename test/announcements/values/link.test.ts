import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLink } from '../../../src/announcements/values/link.ts';

test.each([
  '',
  'https://example.org',
  'http://example.org/',
  'HTTPS://Example.ORG/Path?q=1&r=%22#part',
  'https://example.org:8443/x',
  'https://[2001:db8::1]/x',
  'https://münchen.example/straße?ä=ö',
  `https://example.org/${'x'.repeat(2048 - 20)}`,
])('%s is a valid link, and stays as it is', (text) => {
  expect(parseLink(text)).toEqual({ value: text });
});

test('a quotation mark is percent-encoded, so that a copied address works', () => {
  expect(parseLink('https://example.org/?q="two words"'.replace(' ', '+'))).toEqual({
    value: 'https://example.org/?q=%22two+words%22',
  });
  expect(parseLink(`https://example.org/${'"'.repeat(700)}`)).toEqual({
    problem: expect.stringContaining('at most 2048'),
  });
});

test('direction marks are percent-encoded, and no host has one', () => {
  expect(parseLink('https://e.example/\u202egpj.exe?\u2066a')).toEqual({
    value: 'https://e.example/%E2%80%AEgpj.exe?%E2%81%A6a',
  });
  expect(parseLink('https://e\u202e.example/')).toHaveProperty('problem');
});

test('noncharacters are percent-encoded: no feed may hold them', () => {
  expect(parseLink('https://e.example/\uffff?\u{1fffe}')).toEqual({
    value: 'https://e.example/%EF%BF%BF?%F0%9F%BF%BE',
  });
  expect(parseLink('https://e\uffff.example/')).toHaveProperty('problem');
});

test('white space around a link is removed', () => {
  expect(parseLink('  https://example.org/x \n')).toEqual({ value: 'https://example.org/x' });
});

test.each([
  ['javascript:alert(1)', 'starts with "javascript:"'],
  ['JavaScript://example.org/%0Aalert(1)', 'starts with "javascript:"'],
  ['data:text/html,x', 'starts with "data:"'],
  ['mailto:a@example.org', 'starts with "mailto:"'],
  ['ftp://example.org', 'starts with "ftp:"'],
  ['file:///etc/passwd', 'starts with "file:"'],
  ['java\nscript:alert(1)', 'contains "\\n"'],
  ['\u0001javascript:alert(1)', 'contains "\\u0001"'],
  ['example.org', 'not a complete URL'],
  ['localhost:8080/x', 'starts with "localhost:"|not a complete URL'],
  ['/news', 'not a complete URL'],
  ['//example.org/x', 'not a complete URL'],
  ['https:example.org', 'not a complete URL'],
  ['https:///example.org', 'not a complete URL'],
  ['https://', 'not a complete URL'],
  ['https:\\\\example.org', 'contains "\\\\"'],
  ['https://example.org/a b', 'contains " "'],
  ['https://x/" onmouseenter="alert(1)', 'contains " " at position 14; remove it or percent-encode it'],
  ['https://exa"mple.org/', 'at position 12; remove it'],
  ['https://x/<script>', 'contains "<"'],
  ['https://ada:secret@example.org', 'user name or password'],
  ['https://:secret@example.org', 'user name or password'],
  ['1https://example.org', 'not a complete URL'],
  ['https://example.org/a<b', '"<" at position 22'],
  ['https://ada@example.org', 'user name or password'],
  ['https://example.org:99999/', 'not a URL that browsers understand'],
  ['https://exa%mple.org/', 'not a URL that browsers understand'],
  [`https://example.org/${'x'.repeat(2029)}`, 'at most 2048'],
])('%j is refused: %s', (text, reason) => {
  expect(parseLink(text)).toEqual({
    problem: expect.stringMatching(new RegExp(reason.replace(/[\\.()]/g, '\\$&'))),
  });
});

test('law: for browsers, every accepted link is http or https, without credentials, and means the same', () => {
  const pieces = fc.constantFrom(
    ...['http', 'https', ':', '/', '//', '@', '.', 'example.org', 'javascript', '\\'],
    ...['\t', '%', '?', '#', ' ', ':80', 'x', '[', ']', '"'],
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      const result = parseLink(parts.join(''));
      if ('problem' in result || result.value === '') return;
      const url = new URL(result.value);
      expect(['http:', 'https:']).toContain(url.protocol);
      expect(url.username + url.password).toBe('');
      expect(parseLink(result.value)).toEqual(result);
      expect(result.value).toMatch(/^https?:\/\/[^\s"<>\\]+$/);
    }),
    { numRuns: 1000 },
  );
});
