import type { ClientOf } from './client-address.ts';
import type { Context } from './context.ts';
import { prefersHtml, toErrorReply, toHtmlErrorReply } from './error-reply.ts';
import { type HostCheck, hasProperHost } from './hosts.ts';
import { HttpError } from './http-error.ts';
import type { FinishedReply, Reply } from './reply.ts';
import { parseCanonicalPath, parseRequestTarget } from './request-target.ts';
import type { Endpoint, RouteGroup, RouteMatch, Router } from './router.ts';

export interface PipelineOptions {
  readonly router: Router;
  readonly isServedHost: HostCheck;
  readonly clientOf: ClientOf;
  /** Whether a browser that asks for HTML gets errors on this path as a page. */
  readonly isPagePath: (path: string) => boolean;
  /** Told of every error that is no HttpError: a fault of ours, which the answer does not describe. */
  readonly onFault: (fault: unknown, context: Context) => void;
}

/** Answers one request. Never throws and never rejects. */
export type Pipeline = (
  request: Context['request'],
  requestId: string,
) => FinishedReply | Promise<FinishedReply>;

/**
 * The one way from a request to its reply: host check, then CORS, then error recovery (inside CORS, so that a page can
 * read its 404 and 429), then limiter, then method, then handler. A handler that answers at once costs no promise.
 */
export function createPipeline({
  router,
  isServedHost,
  clientOf,
  isPagePath,
  onFault,
}: PipelineOptions): Pipeline {
  const commonHeaders = createCommonHeaders();

  return function answer(request, requestId) {
    const method = request.method as string;
    const { path, query, authority } = parseRequestTarget(request.url as string);
    const context: Context = { request, method, path, query, client: clientOf(request), requestId };
    const { host } = request.headers;
    if (!hasProperHost(request)) return refuse(hostNotProper(), context);
    if (!isServedHost(host) || (authority !== undefined && !isServedHost(authority))) {
      return refuse(hostNotAllowed(), context);
    }

    const staticMatch = router.matchStatic(path);
    const segments = staticMatch === undefined ? parseCanonicalPath(path) : undefined;
    const match = staticMatch ?? (segments && router.matchSegments(segments));
    const group = match?.endpoint.group ?? router.groupOf(path);
    const allowed = group?.cors?.allowedOrigin(request);
    let limitHeaders: readonly string[] = [];

    try {
      if (match === undefined) throw segments === undefined ? pathNotCanonical() : notFound();
      const { endpoint, params } = match;
      const preflight = method === 'OPTIONS' ? endpoint.group.cors?.preflight(allowed) : undefined;
      if (preflight !== undefined) return dress(preflight);
      if (endpoint.group.limiter !== undefined) {
        const verdict = endpoint.group.limiter.take(context.client);
        limitHeaders = verdict.headers;
        if (!verdict.allowed) throw rateLimited();
      }
      const reply = run(endpoint, params, context, allowed);
      return reply instanceof Promise ? reply.then(dress, fail) : dress(reply);
    } catch (error) {
      return fail(error);
    }

    function dress(reply: Reply): FinishedReply {
      return finish(reply, commonHeaders(group), group?.cors !== undefined, allowed, limitHeaders);
    }
    function fail(error: unknown): FinishedReply {
      return dress(recover(error, context));
    }
  };

  function refuse(error: HttpError, context: Context): FinishedReply {
    return finish(recover(error, context), commonHeaders(undefined), false, undefined, []);
  }

  function recover(error: unknown, context: Context): Reply {
    if (!(error instanceof HttpError)) onFault(error, context);
    const known = error instanceof HttpError ? error : internalError();
    const identified = new HttpError(known.status, known.code, known.message, [
      ...known.headers,
      ...['Request-Id', context.requestId],
    ]);
    const asPage = isPagePath(context.path) && prefersHtml(context.request.headers.accept);
    return asPage ? toHtmlErrorReply(identified) : toErrorReply(identified);
  }
}

function run(
  endpoint: Endpoint,
  params: RouteMatch['params'],
  context: Context,
  allowed: string | undefined,
): Reply | Promise<Reply> {
  const handler = endpoint.handlers.get(context.method);
  if (handler === undefined) throw methodNotAllowed(endpoint.allow);
  if (context.method !== 'GET' && context.method !== 'HEAD') {
    endpoint.group.cors?.refuseForeignWrite(context.request, allowed);
  }
  return handler(context, params);
}

const sniffing = ['X-Content-Type-Options', 'nosniff'] as const;

/** The headers that all answers of a group have, put together once. */
function createCommonHeaders(): (group: RouteGroup | undefined) => readonly string[] {
  const known = new Map<RouteGroup | undefined, readonly string[]>();
  return (group) => {
    const headers = known.get(group) ?? [...sniffing, ...(group?.headers ?? [])];
    known.set(group, headers);
    return headers;
  };
}

function finish(
  { status, headers: own, vary, body = '', encoding }: Reply,
  common: readonly string[],
  hasCors: boolean,
  allowed: string | undefined,
  limitHeaders: readonly string[],
): FinishedReply {
  const headers = own.slice();
  append(headers, common);
  append(headers, limitHeaders);
  if (allowed !== undefined) headers.push('Access-Control-Allow-Origin', allowed);
  // Sent whether or not there was an Origin: a shared cache must never hand one site's answer to another.
  const varying = hasCors ? withOrigin(vary) : vary;
  if (varying !== undefined) headers.push('Vary', varying);
  if (status === 204 || status === 304) return { status, headers, body: undefined };
  const length = typeof body === 'string' ? Buffer.byteLength(body, encoding) : body.length;
  headers.push('Content-Length', String(length));
  return { status, headers, body, encoding };
}

/** Not `concat`, which takes several times as long for lists as short as these. */
function append(headers: string[], more: readonly string[]): void {
  for (let at = 0; at < more.length; at += 1) headers.push(more[at] as string);
}

function withOrigin(vary: string | undefined): string {
  return vary === undefined ? 'Origin' : `Origin, ${vary}`;
}

const hostNotAllowed = () =>
  new HttpError(403, 'HOST_NOT_ALLOWED', 'This server does not answer to that host name (see --allow-host).');
const hostNotProper = () =>
  new HttpError(400, 'INVALID_REQUEST', 'A request names the host it is for in exactly one Host header.', [
    ...['Connection', 'close'],
  ]);
const pathNotCanonical = () =>
  new HttpError(400, 'INVALID_REQUEST', 'The path of this request is not canonical.');
const notFound = () => new HttpError(404, 'NOT_FOUND', 'There is nothing at this address.');
const rateLimited = () =>
  new HttpError(429, 'RATE_LIMITED', 'Too many requests: wait as long as Retry-After says, then try again.');
const methodNotAllowed = (allow: string) =>
  new HttpError(405, 'METHOD_NOT_ALLOWED', `This address answers to ${allow} only.`, ['Allow', allow]);
const internalError = () =>
  new HttpError(500, 'INTERNAL_ERROR', 'The server failed to answer this request; its log says why.');
