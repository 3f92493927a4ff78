import type { Refusal } from '../replies/refusal.ts';
import * as refusals from '../replies/refusals.ts';
import type { Context } from '../requests/context.ts';
import { type HostCheck, hasProperHost } from '../requests/hosts.ts';
import type { RequestHead } from '../requests/request-head.ts';
import type { RequestTarget } from '../requests/request-target.ts';
import type { Endpoint } from './router.ts';

/** Why a request is refused before it is looked at: two programs could read it in two ways. */
export function findFramingProblem(httpVersion: string, head: RequestHead): Refusal | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return refusals.versionNotSupported;
  if (head.transferEncoding !== undefined) {
    // In HTTP/1.0 it was unknown, so a proxy may have seen another end of this request (RFC 9112, section 6.1).
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

/** Why this method is refused here, or to the page that asks. `allowed`: the origin that may read the answer. */
export function findMethodProblem(
  { handlers, allow, group }: Endpoint,
  { method, head }: Context,
  allowed: string | undefined,
): Refusal | undefined {
  if (!handlers.has(method)) return refusals.methodNotAllowed(allow);
  const isRead = method === 'GET' || method === 'HEAD';
  return !isRead && group.cors?.isForeign(head, allowed) === true ? refusals.originNotAllowed : undefined;
}
