export interface RequestTarget {
  readonly path: string;
  readonly query: string;
  /** Host and port, if the target is in absolute form. */
  readonly authority?: string | undefined;
}

/**
 * Splits a request target in origin form (RFC 9112, section 3.2.1) at its first question mark. For the absolute form, which
 * every server must accept (section 3.2.2), the result also has its authority.
 */
export function parseRequestTarget(target: string): RequestTarget {
  if (!target.startsWith('/')) return parseAbsoluteTarget(target);
  const mark = target.indexOf('?');
  return mark === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

function parseAbsoluteTarget(target: string): RequestTarget {
  const [scheme, authority] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? [];
  if (scheme === undefined) return { path: target, query: '' };
  const rest = target.slice(scheme.length);
  return { ...parseRequestTarget(rest.startsWith('/') ? rest : `/${rest}`), authority };
}

const pathCharacters = /^\/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-F]{2})*$/;
const dotOrEmptySegment = /\/\.{0,2}\//;

/**
 * The decoded segments of a path, or undefined if it is not canonical. A canonical path has only one spelling, so that
 * no check before the router can be bypassed: no empty, `.` or `..` segment (a trailing slash leaves one empty
 * segment, which simply matches nothing), no escape of a character that needs none, no escaped `/`, `\` or control
 * character, and only escapes that are valid UTF-8.
 */
export function parseCanonicalPath(path: string): readonly string[] | undefined {
  if (!pathCharacters.test(path)) return undefined;
  if (dotOrEmptySegment.test(path) || path.endsWith('/.') || path.endsWith('/..')) return undefined;
  const segments = path.slice(1).split('/');
  if (!path.includes('%')) return segments;
  const decoded: string[] = [];
  for (const segment of segments) {
    const text = decodeSegment(segment);
    if (text === undefined) return undefined;
    decoded.push(text);
  }
  return decoded;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const mustNotBeEscaped = /[A-Za-z0-9\-._~/\\\u0000-\u001f\u007f-\u009f]/;

function decodeSegment(segment: string): string | undefined {
  for (const [escaped] of segment.matchAll(/%[0-7][0-9A-F]/g)) {
    if (mustNotBeEscaped.test(String.fromCharCode(Number.parseInt(escaped.slice(1), 16)))) return undefined;
  }
  try {
    const text = decodeURIComponent(segment);
    return mustNotBeEscaped.test(text.replace(/[ -~]/g, '')) ? undefined : text;
  } catch {
    return undefined;
  }
}
