export interface RequestTarget {
  readonly path: string;
  readonly query: string;
}

/**
 * Splits a request target in origin form (RFC 9112, section 3.2.1) at its first question mark.
 * The absolute form, which section 3.2.2 asks every server to take, loses its scheme and authority:
 * the Host header has been checked on its own.
 */
export function parseRequestTarget(target: string): RequestTarget {
  const origin = target.startsWith('/') ? target : withoutAuthority(target);
  const mark = origin.indexOf('?');
  return mark === -1
    ? { path: origin, query: '' }
    : { path: origin.slice(0, mark), query: origin.slice(mark + 1) };
}

function withoutAuthority(target: string): string {
  const authority = /^https?:\/\/[^/?#]*/i.exec(target);
  if (authority === null) return target;
  const rest = target.slice(authority[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

const pathCharacters = /^\/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-F]{2})*$/;
const dotOrEmptySegment = /\/\.{0,2}\//;

/**
 * The decoded segments of a path, or undefined where it is not canonical. A canonical path has one spelling only, so that
 * no check before the router can be walked around: no empty, `.` or `..` segment (a trailing slash leaves one empty
 * segment, which simply matches nothing), no escape of a character that needs none, none of `/`, `\` or a control
 * character, and only escapes that are UTF-8.
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
