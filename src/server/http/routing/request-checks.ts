import type { IncomingMessage } from 'node:http';
import type { Refusal } from '../replies/error-reply.ts';
import * as refusals from '../replies/refusals.ts';
import type { Context } from '../requests/context.ts';
import { type HostCheck, hasProperHost } from '../requests/hosts.ts';
import { mostHeaderLines, type RequestHead } from '../requests/request-head.ts';
import type { RequestTarget } from '../requests/request-target.ts';
import type { Endpoint } from './router.ts';

/** Why a request is refused because it has too many headers, or because two programs could disagree on where it ends or which host it is for. */
export function findFramingProblem(
  { httpVersion, rawHeaders }: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'>,
  head: RequestHead,
): Refusal | undefined {
  if (rawHeaders.length > 2 * mostHeaderLines) return refusals.tooManyHeaderLines;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return refusals.versionNotSupported;
  if (head.transferEncoding !== undefined) {
    // HTTP/1.0 did not have it, so a proxy may have seen a different end of this request (RFC 9112, section 6.1).
    if (httpVersion !== '1.1') return refusals.framingNotProper;
    if (head.transferEncoding.toLowerCase() !== 'chunked') return refusals.codingNotKnown;
  }
  return hasProperHost(head.hosts, httpVersion) ? undefined : refusals.hostNotProper;
}

/** Why a request to this host is refused. */
export function findHostProblem(
  { host }: RequestHead,
  { authority }: RequestTarget,
  isServedHost: HostCheck,
): Refusal | undefined {
  const isServed = isServedHost(host) && (authority === undefined || isServedHost(authority));
  return isServed ? undefined : refusals.hostNotAllowed;
}

/** Why this method is refused here, or for this page. `allowed`: the origin that may read the answer. */
export function findMethodProblem(
  { routes, allow, group }: Endpoint,
  { method, head }: Context,
  allowed: string | undefined,
): Refusal | undefined {
  if (!routes.has(method)) return refusals.methodNotAllowed(allow);
  const isRead = method === 'GET' || method === 'HEAD';
  return !isRead && group.cors?.isForeign(head, allowed) === true ? refusals.originNotAllowed : undefined;
}
