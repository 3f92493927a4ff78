import { randomBytes } from 'node:crypto';
import type { RateLimiter } from './rate-limiter.ts';
import { rateLimited } from './refusals.ts';

/** Facts about a request that the pipeline collects. Made only if there is an observer. */
export interface Observation {
  /** Identifies the request in the log and in answers; undefined if it is not recorded. */
  readonly id: string | undefined;
  /** Pattern of the matched route, such as `/api/sessions/:id/state`; undefined if there is none. */
  route: string | undefined;
  /** Name of the rate limit that refused the request; undefined if none did. */
  refusedBy: string | undefined;
}

/** Headers by their lower-case names; values of a repeated one are joined by commas. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

/** Everything that a handler may use of a request, which came over HTTP or through a local transport. */
export interface Context {
  /** The method as sent, in upper case; HEAD requests reach the GET handler with `HEAD` here. */
  readonly method: string;
  /** The path of the target, canonical, so that paths can be compared byte for byte. */
  readonly path: string;
  /** The query as sent, without the question mark; empty if there is none. */
  readonly query: string;
  /** The headers that most answers depend on, cheaper than `headers`. */
  readonly head: RequestHead;
  readonly headers: RequestHeaders;
  /** The client that limits apply to: an IPv4 address, or the /64 of an IPv6 one. */
  readonly client: string;
  /** Address of the other end of the connection; empty if it has just been closed. */
  readonly peer: string;
  /** Whether the connection is closed, so that nobody would get an answer. */
  readonly isGone: boolean;
  /**
   * Reads the body, a JSON object of at most `maxBytes` (default: 16 KiB); an empty body is an empty object.
   * Rejects with 413 `REQUEST_TOO_LARGE`, 415 `UNSUPPORTED_MEDIA_TYPE`, or 400 `INVALID_REQUEST`.
   */
  json(maxBytes?: number): Promise<Record<string, unknown>>;
  /** Receives the body before `json` parses it, which takes many times the memory. */
  receive(maxBytes: number): Promise<Buffer>;
  /** Use `requestIdOf`, which makes it on demand: most requests never need one. */
  id: string | undefined;
  /** Undefined if there is no observer. */
  readonly observation: Observation | undefined;
  /** The limiter that this request counts towards. Use it through `charge`. */
  limiter: RateLimiter | undefined;
  /** Including those that were refused. */
  requestedTokens: number;
  /** The limiter's latest headers for the answer; undefined without a limit. */
  limitHeaders: readonly string[] | undefined;
}

/** Identifies this request in the log and in the `Request-Id` header of error answers. */
export function requestIdOf(context: Context): string {
  context.id ??= newRequestId();
  return context.id;
}

/** 96 random bits: unlike a counter, they tell a client nothing about other requests. */
export function newRequestId(): string {
  return randomBytes(12).toString('hex');
}

/** Takes all these tokens from the client's limit, or none and resolves to `false`. True without a limit. */
export async function takeTokens(context: Context, tokens: number): Promise<boolean> {
  const { limiter, client, observation } = context;
  if (limiter === undefined || tokens <= 0) return true;
  const { allowed, headers } = await limiter.take(client, tokens, context.requestedTokens);
  context.requestedTokens += tokens;
  context.limitHeaders = headers;
  if (!allowed && observation !== undefined) observation.refusedBy = limiter.name;
  return allowed;
}

/**
 * For a request whose body decides what it costs beyond the price of its route. Rejects with a 429, without
 * taking any, if too few tokens are left.
 */
export async function charge(context: Context, tokens: number): Promise<void> {
  if (!(await takeTokens(context, tokens))) throw rateLimited;
}

/** The headers that decide how a request is answered. */
const headNames = {
  host: 'host',
  origin: 'origin',
  accept: 'accept',
  'accept-encoding': 'acceptEncoding',
  authorization: 'authorization',
  'content-encoding': 'contentEncoding',
  'content-length': 'contentLength',
  'content-type': 'contentType',
  'x-forwarded-for': 'forwardedFor',
  'if-match': 'ifMatch',
  'if-none-match': 'ifNoneMatch',
  'sec-fetch-site': 'secFetchSite',
  'transfer-encoding': 'transferEncoding',
  upgrade: 'upgrade',
} as const;
type HeadField = (typeof headNames)[keyof typeof headNames];
const headFields: ReadonlyMap<string, HeadField> = new Map(Object.entries(headNames));

/** Their values. Those of a repeated one are joined by commas; of `Host` it is the last one. */
export type RequestHead = Record<HeadField, string | undefined> & {
  hosts: number;
};

const emptyHead = {
  hosts: 0,
  ...Object.fromEntries([...headFields.values()].map((field) => [field, undefined])),
} as RequestHead;

/** By length: whether a known name has it. Most of a browser's headers are skipped by their length alone. */
const isKnownLength = Array.from({ length: 18 }, (_, length) =>
  [...headFields.keys()].some((name) => name.length === length),
);

/**
 * Reads them in one pass over the raw list. The object of all headers that node:http makes on first use costs
 * several times as much, and most requests need nothing else from it.
 */
export function readRequestHead(rawHeaders: readonly string[]): RequestHead {
  const head = { ...emptyHead };
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (isKnownLength[name.length] !== true) continue;
    const field = headFields.get(name.toLowerCase());
    const value = rawHeaders[at + 1] as string;
    if (field === 'host') {
      head.hosts += 1;
      head.host = value;
    } else if (field !== undefined) {
      const before = head[field];
      head[field] = before === undefined ? value : `${before}, ${value}`;
    }
  }
  return head;
}

export interface RequestTarget {
  readonly path: string;
  readonly query: string;
  /** Host and port, if the target is in absolute form. */
  readonly authority?: string | undefined;
}

/**
 * Splits a request target in origin form (RFC 9112, section 3.2.1) at its first question mark. For the
 * absolute form, which every server must accept (section 3.2.2), the result also has its authority.
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
 * The decoded segments of a path, or undefined if it is not canonical. A canonical path has only one
 * spelling, so that no check before the router can be bypassed: no empty, `.` or `..` segment (a trailing
 * slash leaves one empty segment, which simply matches nothing), no escape of a character that needs none, no
 * escaped `/`, `\` or control character, and only escapes that are valid UTF-8.
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: it searches for control characters
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
