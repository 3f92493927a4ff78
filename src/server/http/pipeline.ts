import type { IncomingMessage } from 'node:http';
import { limits } from '../settings/limits.ts';
import type { ClientOf } from './client.ts';
import { createErrorForms, HttpError, type Refusal } from './errors.ts';
import { readJson } from './json-body.ts';
import type { RateLimiter } from './rate-limiter.ts';
import * as refusals from './refusals.ts';
import type { FinishedReply, Reply } from './reply.ts';
import {
  type Context,
  type Observation,
  parseCanonicalPath,
  parseRequestTarget,
  type RequestHead,
  type RequestHeaders,
  type RequestTarget,
  readRequestHead,
  requestIdOf,
  takeTokens,
} from './request.ts';
import type { Endpoint, Route, RouteGroup, RouteMatch, Router } from './router.ts';

export interface PipelineOptions {
  readonly router: Router;
  readonly isServedHost: HostCheck;
  readonly clientOf: ClientOf;
  /** Path of the public URL, such as `/badge`: requests may have it in front, or a proxy may have taken it off. Default: none. */
  readonly basePath?: string;
  /** Whether browsers that ask for HTML get the errors of this path as a page. */
  readonly isPagePath: (path: string) => boolean;
  /** Called with every error that is not an HttpError: a bug or failure of ours, which the answer does not describe. */
  readonly onFault: (fault: unknown, context: Context) => void;
}

/** Answers one request, and fills in the observation if there is one. Never rejects. */
export type Pipeline = (request: IncomingMessage, observation?: Observation) => Promise<FinishedReply>;

/**
 * The only way from a request to its reply: framing and host, then the route, CORS (before errors, so that pages can read their 404 and
 * 429), the limiter, the method, and the handler.
 */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { router, isServedHost, clientOf, isPagePath, onFault } = options;
  const { basePath = '' } = options;
  const withoutBase = createPathCut(basePath);
  const errorForms = createErrorForms(`${basePath}/`);

  return (request, observation) => {
    const head = readRequestHead(request.rawHeaders);
    const target = parseRequestTarget(request.url as string);
    const client = clientOf(request.socket, head.forwardedFor);
    const context = new HttpContext(
      request,
      head,
      withoutBase(target.path),
      target.query,
      client,
      observation,
    );
    const problem = findFramingProblem(request, head) ?? findHostProblem(head, target, isServedHost);
    const reply = problem === undefined ? route(context) : refuse(problem, context);
    // A client that asks for another protocol may continue in it (RFC 9110, section 7.8), so what follows is ignored.
    const finished = Promise.resolve(reply);
    return head.upgrade === undefined ? finished : finished.then((last) => ({ ...last, isLast: true }));
  };

  function route(context: Context): FinishedReply | Promise<FinishedReply> {
    const { path } = context;
    if (path === '*' && context.method === 'OPTIONS')
      return finishReply(refusals.serverOptions, undefined, undefined, none);
    const staticMatch = router.matchStatic(path);
    const segments = staticMatch === undefined ? parseCanonicalPath(path) : undefined;
    const match = staticMatch ?? (segments && router.matchSegments(segments));
    if (match !== undefined) return serve(match, context);
    const group = router.groupOf(path);
    const refusal = segments === undefined ? refusals.pathNotCanonical : refusals.notFound;
    return refuse(refusal, context, group, group?.cors?.allowedOrigin(context.head));
  }

  async function serve({ endpoint, params }: RouteMatch, context: Context): Promise<FinishedReply> {
    const { group, routes } = endpoint;
    const { cors } = group;
    if (context.observation !== undefined) context.observation.route = endpoint.route;
    const allowed = cors?.allowedOrigin(context.head);
    if (cors !== undefined && context.method === 'OPTIONS') {
      if (allowed === undefined) return refuse(refusals.originNotAllowed, context, group);
      return finishReply(cors.preflight, group, allowed, none);
    }
    context.limiter = group.limiter;
    const route = routes.get(context.method);
    try {
      // Only a shared limiter has to be waited for.
      const taken = takeTokens(context, route?.cost ?? 1);
      if (!(typeof taken === 'boolean' ? taken : await taken))
        return refuse(refusals.rateLimited, context, group, allowed);
      const refusal = findMethodProblem(endpoint, context, allowed);
      if (refusal !== undefined) return refuse(refusal, context, group, allowed);
      const reply = await (route as Route).handler(context, params);
      return finishReply(reply, group, allowed, context.limitHeaders);
    } catch (error) {
      return finishReply(recover(error, context), group, allowed, context.limitHeaders);
    }
  }

  /** The answer to what a handler threw. */
  function recover(error: unknown, context: Context): Reply {
    const isPage = isPagePath(context.path);
    const { accept } = context.head;
    if (error instanceof HttpError) return identified(errorForms.ofError(error, isPage, accept), context);
    onFault(error, context);
    return identified(errorForms.ofRefusal(refusals.internalError, isPage, accept), context);
  }

  function refuse(refusal: Refusal, context: Context, group?: RouteGroup, allowed?: string): FinishedReply {
    const { accept } = context.head;
    const form = errorForms.ofRefusal(refusal, accept !== undefined && isPagePath(context.path), accept);
    // The id is useful only if requests are logged: otherwise a refusal leaves nothing to look up.
    const reply = context.id === undefined ? form : identified(form, context);
    const finished = finishReply(reply, group, allowed, context.limitHeaders);
    return refusal.isLast ? { ...finished, isLast: true } : finished;
  }
}

const none: readonly string[] = [];

/** A class, because its accessors cost nothing until they are used. */
class HttpContext implements Context {
  readonly method: string;
  id: string | undefined;
  limiter: RateLimiter | undefined = undefined;
  asked = 0;
  limitHeaders = none;

  constructor(
    private readonly request: IncomingMessage,
    readonly head: RequestHead,
    readonly path: string,
    readonly query: string,
    readonly client: string,
    readonly observation: Observation | undefined,
  ) {
    this.method = request.method as string;
    this.id = observation?.id;
  }

  get headers(): RequestHeaders {
    return this.request.headers as RequestHeaders;
  }

  get peer(): string {
    return this.request.socket.remoteAddress ?? '';
  }

  json(maxBytes: number = limits.bodyBytes): Promise<Record<string, unknown>> {
    return readJson(this.request, maxBytes);
  }
}

function identified({ isPrepared: _, ...reply }: Reply, context: Context): Reply {
  return { ...reply, headers: [...reply.headers, 'Request-Id', requestIdOf(context)] };
}

/** Takes the path of the public URL off the front of a request's path. */
function createPathCut(basePath: string): (path: string) => string {
  if (basePath === '') return (path) => path;
  return (path) => {
    if (path === basePath) return '/';
    return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
  };
}

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
