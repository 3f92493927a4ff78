import type { Checked, Parsed } from './field.ts';
import { parseLine } from './message.ts';

const maxLink = 2048;

// Not valid in any URL, and able to break out of an attribute in HTML that somebody builds by hand.
const forbidden = /[\s\p{Cc}\p{Surrogate}"<>\\^`{|}]/u;

/**
 * Trims and checks a link: an absolute http(s) URL, or empty. It is kept as written, except that quotation
 * marks, which people copy from address bars, marks that change text direction, and noncharacters, which no
 * feed may hold, are percent-encoded. A problem says what would be right.
 */
export function parseLink(text: string): Parsed<string> {
  const link = encodeMarks(text.trim());
  if (link === '') return { value: link };
  if (link.length > maxLink)
    return { problem: `the link has ${link.length} characters; at most ${maxLink} are allowed` };
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d)/i.exec(link)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https')
    return { problem: `the link starts with "${scheme}:"; only http: and https: are allowed` };
  const found = forbidden.exec(link);
  if (found !== null) {
    const problem = `the link contains ${JSON.stringify(found[0])} at position ${found.index + 1}`;
    return { problem: `${problem}; remove it or percent-encode it` };
  }
  if (!/^https?:\/\/[^/]/i.test(link))
    return { problem: 'the link is not a complete URL; write it like https://example.org/news' };
  if (!URL.canParse(link)) {
    return { problem: 'the link is not a URL that browsers understand; check its host and port' };
  }
  const { username, password } = new URL(link);
  if (username !== '' || password !== '') {
    return {
      problem:
        'the link contains a user name or password before the @; remove it, because everyone could read it',
    };
  }
  return { value: link };
}

/** Only after the host, which cannot contain them. Once encoded, `gpj.exe` cannot look like `exe.jpg`. */
function encodeMarks(link: string): string {
  const [, origin = '', rest = ''] = /^([^/]*\/\/[^/?#]*)(.*)$/s.exec(link) ?? [];
  return origin === ''
    ? link
    : origin + rest.replaceAll(/["\p{Bidi_Control}\p{Noncharacter_Code_Point}]/gu, encodeURIComponent);
}

const maxLabel = 40;

/** The text of the link, 1 to 40 characters on one line; empty: no label. */
export function parseLinkLabel(given: unknown): Checked<string> {
  if (typeof given !== 'string') return { problem: 'the link label is not a text' };
  if (given.trim() === '') return { value: undefined };
  return parseLine(given, { name: 'link label', max: maxLabel });
}
