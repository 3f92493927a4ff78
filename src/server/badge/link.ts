const longestLink = 2048;

// Quotes and angle brackets are legal in no URL; whoever builds HTML from a link by hand could be broken out of.
const forbidden = /[\s\p{Cc}\p{Surrogate}"<>\\^`{|}]/u;

/** Trims and checks a link: an absolute http(s) address, or empty. It is kept as written; a problem says what would be right. */
export function parseLink(text: string): { link: string } | { problem: string } {
  const link = text.trim();
  if (link === '') return { link };
  if (link.length > longestLink) {
    return { problem: `the link has ${link.length} characters; at most ${longestLink} are allowed` };
  }
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d)/i.exec(link)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
    return { problem: `the link starts with "${scheme}:"; only http: and https: are allowed` };
  }
  const found = forbidden.exec(link);
  if (found !== null) {
    const what = JSON.stringify(found[0]);
    return {
      problem: `the link holds ${what} at position ${found.index + 1}; write it percent-encoded, or leave it out`,
    };
  }
  if (!/^https?:\/\/[^/]/i.test(link)) {
    return { problem: 'the link is not a whole address; write it like https://example.org/news' };
  }
  if (!URL.canParse(link)) {
    return { problem: 'the link is no address that a browser understands; check its host and port' };
  }
  const { username, password } = new URL(link);
  if (username !== '' || password !== '') {
    return {
      problem: 'the link holds a user name or password before the @; leave it out, everybody would read it',
    };
  }
  return { link };
}
