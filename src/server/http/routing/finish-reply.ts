import type { FinishedReply, Reply } from '../replies/reply.ts';
import type { RouteGroup } from './router.ts';

/**
 * Adds the headers of its group, the limiter and CORS to a reply, and its length. For a prepared reply the last result is
 * cached: most visitors get the same announcement with the same headers.
 */
export function finishReply(
  reply: Reply,
  group: RouteGroup | undefined,
  allowed: string | undefined,
  limitHeaders: readonly string[],
): FinishedReply {
  if (reply.isPrepared !== true) return finish(reply, group, allowed, limitHeaders);
  const last = finished.get(reply);
  const isSame = last?.group === group && last?.allowed === allowed && last?.limitHeaders === limitHeaders;
  if (last !== undefined && isSame) return last.reply;
  const next = { reply: finish(reply, group, allowed, limitHeaders), group, allowed, limitHeaders };
  finished.set(reply, next);
  return next.reply;
}

interface Finished {
  readonly reply: FinishedReply;
  readonly group: RouteGroup | undefined;
  readonly allowed: string | undefined;
  readonly limitHeaders: readonly string[];
}

const finished = new WeakMap<Reply, Finished>();

function finish(
  { status, headers: own, vary, body = '', encoding }: Reply,
  group: RouteGroup | undefined,
  allowed: string | undefined,
  limitHeaders: readonly string[],
): FinishedReply {
  const headers = [...own, ...commonHeaders(group), ...limitHeaders];
  if (allowed !== undefined) headers.push('Access-Control-Allow-Origin', allowed);
  // Sent even without an Origin: a shared cache must never give one site's answer to another.
  const varying = group?.cors === undefined ? vary : withOrigin(vary);
  if (varying !== undefined) headers.push('Vary', varying);
  if (status === 204 || status === 304) return { status, headers, body: undefined };
  const length = typeof body === 'string' ? Buffer.byteLength(body, encoding) : body.length;
  headers.push('Content-Length', String(length));
  return { status, headers, body, encoding };
}

const sniffing = ['X-Content-Type-Options', 'nosniff'] as const;
const known = new WeakMap<RouteGroup, readonly string[]>();

/** The headers that all answers of a group share, prepared once. */
function commonHeaders(group: RouteGroup | undefined): readonly string[] {
  if (group === undefined) return sniffing;
  const headers = known.get(group) ?? [...sniffing, ...(group.headers ?? [])];
  known.set(group, headers);
  return headers;
}

function withOrigin(vary: string | undefined): string {
  return vary === undefined ? 'Origin' : `Origin, ${vary}`;
}
