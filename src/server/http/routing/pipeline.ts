import type { ClientOf } from '../addresses/client-address.ts';
import { type Refusal, toErrorForm, toForm } from '../replies/refusal.ts';
import * as refusals from '../replies/refusals.ts';
import type { FinishedReply, Reply } from '../replies/reply.ts';
import type { BodyBudget } from '../requests/body-budget.ts';
import { type Context, requestIdOf, takeTokens } from '../requests/context.ts';
import { type HostCheck, hasProperHost } from '../requests/hosts.ts';
import { HttpError } from '../requests/http-error.ts';
import type { Observation } from '../requests/observation.ts';
import { type RequestHead, readRequestHead } from '../requests/request-head.ts';
import { parseCanonicalPath, parseRequestTarget, type RequestTarget } from '../requests/request-target.ts';
import { finishReply } from './finish-reply.ts';
import type { Endpoint, Handler, RouteGroup, RouteMatch, Router } from './router.ts';

export interface PipelineOptions {
  readonly router: Router;
  readonly isServedHost: HostCheck;
  readonly clientOf: ClientOf;
  readonly bodyBudget: BodyBudget;
  /** Whether a browser that asks for HTML gets errors on this path as a page. */
  readonly isPagePath: (path: string) => boolean;
  /** Called with every error that is not an HttpError: a fault of ours, which the answer does not describe. */
  readonly onFault: (fault: unknown, context: Context) => void;
}

/** Answers one request, and notes what becomes known of it where somebody observes. Never throws and never rejects. */
export type Pipeline = (
  request: Context['request'],
  observation?: Observation,
) => FinishedReply | Promise<FinishedReply>;

/**
 * The one way from a request to its reply: framing and host check, then CORS, then error recovery (inside CORS, so that a page
 * can read its 404 and 429), then limiter, then method, then handler. A handler that answers at once costs no promise.
 */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { router, isServedHost, clientOf, bodyBudget, isPagePath, onFault } = options;

  return function answer(request, observation) {
    const head = readRequestHead(request.rawHeaders);
    const target = parseRequestTarget(request.url as string);
    const { path, query } = target;
    const method = request.method as string;
    const client = clientOf(request.socket, head.forwardedFor);
    const context: Context = {
      request,
      head,
      method,
      path,
      query,
      client,
      bodyBudget,
      id: observation?.id,
      observation,
      limiter: undefined,
      asked: 0,
      limitHeaders: none,
    };
    const problem = findFramingProblem(request.httpVersion, head) ?? findHostProblem(head, target);
    const reply = problem === undefined ? route(context) : refuse(problem, context);
    // A client that asks for another protocol may go on in it (RFC 9110, section 7.8): what follows is not looked at.
    if (head.upgrade === undefined) return reply;
    return reply instanceof Promise ? reply.then(asLast) : asLast(reply);
  };

  function findHostProblem({ host }: RequestHead, { authority }: RequestTarget): Refusal | undefined {
    const isServed = isServedHost(host) && (authority === undefined || isServedHost(authority));
    return isServed ? undefined : refusals.hostNotAllowed;
  }

  function route(context: Context): FinishedReply | Promise<FinishedReply> {
    const { path, method } = context;
    if (path === '*' && method === 'OPTIONS')
      return finishReply(refusals.serverOptions, undefined, undefined, none);
    const staticMatch = router.matchStatic(path);
    const segments = staticMatch === undefined ? parseCanonicalPath(path) : undefined;
    const match = staticMatch ?? (segments && router.matchSegments(segments));
    if (match !== undefined) return serve(match, context);
    const group = router.groupOf(path);
    const refusal = segments === undefined ? refusals.pathNotCanonical : refusals.notFound;
    return refuse(refusal, context, group, group?.cors?.allowedOrigin(context.head));
  }

  function serve({ endpoint, params }: RouteMatch, context: Context): FinishedReply | Promise<FinishedReply> {
    const { group } = endpoint;
    const { cors } = group;
    if (context.observation !== undefined) context.observation.route = endpoint.route;
    const allowed = cors?.allowedOrigin(context.head);
    if (cors !== undefined && context.method === 'OPTIONS') {
      if (allowed === undefined) return refuse(refusals.originNotAllowed, context, group);
      return finishReply(cors.preflight, group, allowed, none);
    }
    context.limiter = group.limiter;
    const isPaid = takeTokens(context, 1);
    if (!(isPaid instanceof Promise)) return admit(endpoint, params, context, allowed, isPaid);
    return isPaid
      .then((late) => admit(endpoint, params, context, allowed, late))
      .catch((error) => finishReply(recover(error, context), group, allowed, context.limitHeaders));
  }

  function admit(
    endpoint: Endpoint,
    params: RouteMatch['params'],
    context: Context,
    allowed: string | undefined,
    isPaid: boolean,
  ): FinishedReply | Promise<FinishedReply> {
    const refusal = isPaid ? findMethodProblem(endpoint, context, allowed) : refusals.rateLimited;
    if (refusal !== undefined) return refuse(refusal, context, endpoint.group, allowed);
    return run(endpoint, params, context, allowed);
  }

  function run(
    { group, handlers }: Endpoint,
    params: RouteMatch['params'],
    context: Context,
    allowed: string | undefined,
  ): FinishedReply | Promise<FinishedReply> {
    let reply: Reply | Promise<Reply>;
    try {
      reply = (handlers.get(context.method) as Handler)(context, params);
    } catch (error) {
      reply = recover(error, context);
    }
    if (!(reply instanceof Promise)) return finishReply(reply, group, allowed, context.limitHeaders);
    return reply
      .catch((error) => recover(error, context))
      .then((late) => finishReply(late, group, allowed, context.limitHeaders));
  }

  function recover(error: unknown, context: Context): Reply {
    const isPage = isPagePath(context.path);
    const { accept } = context.head;
    if (error instanceof HttpError) return identified(toErrorForm(error, isPage, accept), context);
    onFault(error, context);
    return identified(toForm(refusals.internalError, isPage, accept), context);
  }

  function refuse(refusal: Refusal, context: Context, group?: RouteGroup, allowed?: string): FinishedReply {
    const isPage = context.head.accept !== undefined && isPagePath(context.path);
    const form = toForm(refusal, isPage, context.head.accept);
    // Where requests are logged, this one has a line; else there is nothing that an id could lead to.
    const reply = context.id === undefined ? form : identified(form, context);
    const finished = finishReply(reply, group, allowed, context.limitHeaders);
    return refusal.isLast ? asLast(finished) : finished;
  }
}

const none: readonly string[] = [];

function findFramingProblem(httpVersion: string, head: RequestHead): Refusal | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return refusals.versionNotSupported;
  if (head.transferEncoding !== undefined) {
    // In HTTP/1.0 it was unknown, so a proxy may have seen another end of this request (RFC 9112, section 6.1).
    if (httpVersion !== '1.1') return refusals.framingNotProper;
    if (head.transferEncoding.toLowerCase() !== 'chunked') return refusals.codingNotKnown;
  }
  return hasProperHost(head.hosts, httpVersion) ? undefined : refusals.hostNotProper;
}

function findMethodProblem(
  { handlers, allow, group }: Endpoint,
  { method, head }: Context,
  allowed: string | undefined,
): Refusal | undefined {
  if (!handlers.has(method)) return refusals.methodNotAllowed(allow);
  const isRead = method === 'GET' || method === 'HEAD';
  return !isRead && group.cors?.isForeign(head, allowed) === true ? refusals.originNotAllowed : undefined;
}

function identified({ status, headers, body, vary }: Reply, context: Context): Reply {
  return {
    status,
    headers: [...headers, 'Request-Id', requestIdOf(context)],
    ...(body === undefined ? {} : { body }),
    ...(vary === undefined ? {} : { vary }),
  };
}

function asLast(reply: FinishedReply): FinishedReply {
  return { ...reply, isLast: true };
}
