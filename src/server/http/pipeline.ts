import type { IncomingMessage } from 'node:http';
import { limits } from '../settings/limits.ts';
import type { ClientOf } from './client.ts';
import { createErrorForms, HttpError, type Refusal } from './errors.ts';
import { readJson } from './json-body.ts';
import type { RateLimiter } from './rate-limiter.ts';
import * as refusals from './refusals.ts';
import { type FinishedReply, finishReply, type Reply } from './reply.ts';
import {
  type Context,
  type Observation,
  parseRequestTarget,
  type RequestHead,
  type RequestHeaders,
  readRequestHead,
  requestIdOf,
  takeTokens,
} from './request.ts';
import type { RouteGroup, Router } from './router.ts';

export interface PipelineOptions {
  readonly router: Router;
  readonly isServedHost: HostCheck;
  readonly clientOf: ClientOf;
  /**
   * Path of the public URL, such as `/badge`, with which requests begin unless a proxy has removed it.
   * Default: none.
   */
  readonly basePath?: string;
  /** Whether browsers that ask for HTML get the errors of this path as a page. */
  readonly isPagePath: (path: string) => boolean;
  /** Called with every error that is not an HttpError: a bug or failure that the answer does not describe. */
  readonly onFault: (fault: unknown, context: Context) => void;
}

/** Answers one request, and fills in the observation if there is one. Never rejects. */
export type Pipeline = (request: IncomingMessage, observation?: Observation) => Promise<FinishedReply>;

/**
 * The only way from a request to its reply: framing and host, then the route, CORS (before errors, so that
 * pages can read their 404 and 429), the limiter, the method, and the handler.
 */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { router, isServedHost, clientOf, isPagePath, onFault, basePath = '' } = options;
  const errorForms = createErrorForms(`${basePath}/`);

  return async (request, observation) => {
    const head = readRequestHead(request.rawHeaders);
    const { path, query, authority } = parseRequestTarget(request.url as string);
    const client = clientOf(request.socket, head.forwardedFor);
    const context = new HttpContext(request, head, withoutBase(path, basePath), query, client, observation);
    const isServed = isServedHost(head.host) && (authority === undefined || isServedHost(authority));
    const problem = framingProblem(request, head) ?? (isServed ? undefined : refusals.hostNotAllowed);
    const reply = problem === undefined ? await route(context) : refuse(problem, context);
    // A client that requests another protocol may switch to it (RFC 9110, section 7.8): ignore what follows.
    return head.upgrade === undefined ? reply : { ...reply, isLast: true };
  };

  async function route(context: Context): Promise<FinishedReply> {
    const { path, method, head } = context;
    const match = router.match(path);
    if ('code' in match) {
      if (path === '*' && method === 'OPTIONS') return finishReply(refusals.serverOptions);
      const group = router.groupOf(path);
      return refuse(match, context, group, group?.cors?.allowedOrigin(head));
    }
    const { endpoint, params } = match;
    const { group, routes } = endpoint;
    const { cors, limiter } = group;
    if (context.observation !== undefined) context.observation.route = endpoint.route;
    const allowed = cors?.allowedOrigin(head);
    if (cors !== undefined && method === 'OPTIONS') {
      if (allowed === undefined) return refuse(refusals.originNotAllowed, context, group);
      return finishReply(cors.preflight, group, allowed);
    }
    const found = routes.get(method);
    try {
      if (limiter !== undefined) {
        context.limiter = limiter;
        if (!(await takeTokens(context, found?.cost ?? 1)))
          return refuse(refusals.rateLimited, context, group, allowed);
      }
      if (found === undefined)
        return refuse(refusals.methodNotAllowed(endpoint.allow), context, group, allowed);
      const isRead = method === 'GET' || method === 'HEAD';
      if (!isRead && cors?.isForeign(head, allowed) === true)
        return refuse(refusals.originNotAllowed, context, group, allowed);
      const reply = await found.handler(context, params);
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

/** A class, because its getters cost nothing until they are used. */
class HttpContext implements Context {
  limiter: RateLimiter | undefined = undefined;
  requestedTokens = 0;
  limitHeaders: readonly string[] | undefined = undefined;

  constructor(
    private readonly request: IncomingMessage,
    readonly head: RequestHead,
    readonly path: string,
    readonly query: string,
    readonly client: string,
    readonly observation: Observation | undefined,
    readonly method: string = request.method as string,
    public id: string | undefined = observation?.id,
  ) {}

  get headers(): RequestHeaders {
    // Only set-cookie, which is no request header, may be a list.
    return this.request.headers as RequestHeaders;
  }

  get peer(): string {
    return this.request.socket.remoteAddress ?? '';
  }

  json(maxBytes: number = limits.bodyBytes): Promise<Record<string, unknown>> {
    return readJson(this.request, this.head, maxBytes);
  }
}

function identified({ isPrepared: _, ...reply }: Reply, context: Context): Reply {
  return { ...reply, headers: [...reply.headers, 'Request-Id', requestIdOf(context)] };
}

/** Takes the path of the public URL, if it has one, off the front of a request's path. */
function withoutBase(path: string, basePath: string): string {
  if (!path.startsWith(basePath)) return path;
  if (path.length === basePath.length) return '/';
  return path[basePath.length] === '/' ? path.slice(basePath.length) : path;
}

/**
 * The refusal of a request that has too many headers, or for which a proxy and this server could disagree on
 * where it ends or which host it is for.
 */
function framingProblem(
  { httpVersion, rawHeaders }: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'>,
  { transferEncoding, hosts }: RequestHead,
): Refusal | undefined {
  if (rawHeaders.length > 2 * limits.headerLines) return refusals.tooManyHeaderLines;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return refusals.versionNotSupported;
  if (transferEncoding !== undefined) {
    // HTTP/1.0 does not have it, so a proxy may have seen another end of this request (RFC 9112, 6.1).
    if (httpVersion !== '1.1') return refusals.invalidFraming;
    if (transferEncoding.toLowerCase() !== 'chunked') return refusals.unknownTransferCoding;
  }
  // Exactly one; HTTP/1.0 may omit it. Of two, a proxy might use the other one (RFC 9112, section 3.2).
  const hasHost = hosts === 1 || (hosts === 0 && httpVersion === '1.0');
  return hasHost ? undefined : refusals.invalidHostHeader;
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
 * `Host: evil.example`. A server that is open to the network serves every name unless `allowed` has some.
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
