import type { IncomingMessage } from 'node:http';
import { limits } from '../settings/limits.ts';
import type { ClientOf } from './client.ts';
import { allowedOrigin, isForeign } from './cors.ts';
import { errorPage, errorReply, HttpError, prefersHtml } from './errors.ts';
import { parseJson, readBody } from './json-body.ts';
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
import type { RouteMatch, Router } from './router.ts';

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
  readonly onFault: (fault: unknown, request: { readonly id: string; readonly method: string }) => void;
}

/** Answers one request, and fills in the observation if there is one. Never rejects. */
export type Pipeline = (request: IncomingMessage, observation?: Observation) => Promise<FinishedReply>;

/**
 * The only way from a request to its reply: framing and host, then the route, CORS (before errors, so that
 * pages can read their 404 and 429), the limiter, the method, and the handler.
 */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { router, isServedHost, clientOf, isPagePath, onFault, basePath = '' } = options;

  return async (request, observation) => {
    const head = readRequestHead(request.rawHeaders);
    const { path: sent, query, authority } = parseRequestTarget(request.url as string);
    const path = withoutBase(sent, basePath);
    const context = new HttpContext(
      request,
      head,
      path,
      query,
      clientOf(request.socket, head.forwardedFor),
      observation,
    );
    const isServed = isServedHost(head.host) && (authority === undefined || isServedHost(authority));
    const problem = framingProblem(request, head) ?? (isServed ? undefined : refusals.hostNotAllowed);
    const match = problem ?? router.match(path);
    const isRouted = 'endpoint' in match;
    const group = isRouted ? match.endpoint.group : problem === undefined ? router.groupOf(path) : undefined;
    const allowed =
      head.origin === undefined ? undefined : group?.cors && allowedOrigin(group.cors, head.origin);
    let answer: Reply | HttpError;
    try {
      answer = isRouted ? await answerAt(match, context, allowed) : match;
    } catch (error) {
      answer = error instanceof HttpError ? error : refusals.internalError;
      if (answer !== error) onFault(error, { id: requestIdOf(context), method: context.method });
    }
    const reply = answer instanceof HttpError ? replyToError(answer, context) : answer;
    const finished = finishReply(reply, group, allowed, context.limitHeaders);
    // A client that requests another protocol may switch to it (RFC 9110, section 7.8): ignore what follows.
    return head.upgrade === undefined ? finished : { ...finished, isLast: true };
  };

  /** An answer has an id only if something was logged with it: otherwise there is nothing to look up. */
  function replyToError(error: HttpError, { path, head, id }: Context): Reply {
    const isPage = isPagePath(path) && prefersHtml(head.accept);
    const reply = isPage ? errorPage(error, `${basePath}/`) : errorReply(error);
    return id === undefined ? reply : { ...reply, headers: [...reply.headers, 'Request-Id', id] };
  }
}

/** What the endpoint of a request answers, or why it refuses. Rejects with what its handler throws. */
async function answerAt(
  { endpoint, params }: RouteMatch,
  context: Context,
  allowed: string | undefined,
): Promise<Reply | HttpError> {
  const { route, routes, allow, group } = endpoint;
  const { cors, limiter } = group;
  const { method, head, observation } = context;
  if (observation !== undefined) observation.route = route;
  if (cors !== undefined && method === 'OPTIONS')
    return allowed === undefined ? refusals.originNotAllowed : cors.preflight;
  const found = routes.get(method);
  context.limiter = limiter;
  if (limiter !== undefined && !(await takeTokens(context, found?.cost ?? 1))) return refusals.rateLimited;
  if (found === undefined) return refusals.methodNotAllowed(allow);
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead && cors !== undefined && isForeign(head, allowed)) return refusals.originNotAllowed;
  return await found.handler(context, params);
}

class HttpContext implements Context {
  readonly method: string;
  id: string | undefined;
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
  ) {
    this.method = request.method as string;
    this.id = observation?.id;
  }

  get headers(): RequestHeaders {
    // Only set-cookie, which is no request header, may be a list.
    return this.request.headers as RequestHeaders;
  }

  get peer(): string {
    return this.request.socket.remoteAddress ?? '';
  }

  get isGone(): boolean {
    return this.request.socket.destroyed;
  }

  private received: Promise<Buffer> | undefined = undefined;

  receive(maxBytes: number): Promise<Buffer> {
    this.received ??= readBody(this.request, this.head, this.client, maxBytes);
    return this.received;
  }

  async json(maxBytes: number = limits.bodyBytes): Promise<Record<string, unknown>> {
    return parseJson(await this.receive(maxBytes), this.head);
  }
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
): HttpError | undefined {
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

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Prevents DNS rebinding: a page on evil.example that makes its own name resolve to 127.0.0.1 still sends
 * `Host: evil.example`. A server that is open to the network serves every name unless `allowed` has some.
 *
 * @param loopback whether the server listens on a loopback address only
 * @param allowed additional names, with a port (only that one) or without (any port)
 */
export function createHostCheck(loopback: boolean, allowed: readonly string[]): HostCheck {
  if (!loopback && allowed.length === 0) return () => true;
  const names = new Set([...loopbackNames, ...allowed.map((name) => name.toLowerCase())]);
  return (host) => {
    if (host === undefined) return false;
    const lower = host.toLowerCase();
    return names.has(lower) || names.has(lower.replace(/:\d{1,5}$/, ''));
  };
}
