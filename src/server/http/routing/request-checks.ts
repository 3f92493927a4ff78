import type { IncomingMessage } from 'node:http';
import { limits } from '../../settings/limits.ts';
import type { Refusal } from '../replies/errors.ts';
import * as refusals from '../replies/refusals.ts';
import type { Context } from '../requests/context.ts';
import type { RequestHead, RequestTarget } from '../requests/request-head.ts';
import type { Endpoint } from './router.ts';

/** Why a request is refused because it has too many headers, or because two programs could disagree on where it ends or which host it is for. */
export function findFramingProblem(
  { httpVersion, rawHeaders }: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'>,
  head: RequestHead,
): Refusal | undefined {
  if (rawHeaders.length > 2 * limits.headerLines) return refusals.tooManyHeaderLines;
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

/** Whether requests to this host (the `Host` header, or the authority of the target) may be served at all. */
export type HostCheck = (host: string | undefined) => boolean;

export interface HostCheckOptions {
  /** Whether the server listens on a loopback address only. */
  readonly loopback: boolean;
  /** Additional names, with a port (only that one) or without (any port). */
  readonly allowed: readonly string[];
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Prevents DNS rebinding: a page on evil.example that makes its own name resolve to 127.0.0.1 still sends
 * `Host: evil.example`. A server that is open to the network serves every name, unless names are given.
 */
export function createHostCheck({ loopback, allowed }: HostCheckOptions): HostCheck {
  if (!loopback && allowed.length === 0) return () => true;
  const names = new Set([...loopbackNames, ...allowed.map((name) => name.toLowerCase())]);
  let lastServed: string | undefined;
  return (host) => {
    if (host === undefined) return false;
    if (host === lastServed) return true;
    const lower = host.toLowerCase();
    const isServed = names.has(lower) || names.has(withoutPort(lower));
    if (isServed) lastServed = host;
    return isServed;
  };
}

function withoutPort(host: string): string {
  return host.replace(/:\d{1,5}$/, '');
}

/**
 * Whether a request has as many Host headers as RFC 9112, section 3.2 allows: exactly one; HTTP/1.0 may omit it. If there were two, a proxy
 * and this server might use different ones.
 */
export function hasProperHost(hosts: number, httpVersion: string): boolean {
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1');
}
