import type { IncomingMessage } from 'node:http';
import { limits } from '../../settings/limits.ts';
import type { ClientOf } from '../addresses/client-address.ts';
import * as refusals from '../replies/refusals.ts';
import type { FinishedReply, Reply } from '../replies/reply.ts';
import { type Context, type RequestHeaders, takeTokens } from '../requests/context.ts';
import type { HostCheck } from '../requests/hosts.ts';
import { readJson } from '../requests/json-body.ts';
import type { Observation } from '../requests/observation.ts';
import { readRequestHead } from '../requests/request-head.ts';
import { parseCanonicalPath, parseRequestTarget } from '../requests/request-target.ts';
import { asLast, createErrorAnswers, type ErrorAnswersOptions } from './error-answers.ts';
import { finishReply } from './finish-reply.ts';
import { findFramingProblem, findHostProblem, findMethodProblem } from './request-checks.ts';
import type { Endpoint, Route, RouteMatch, Router } from './router.ts';

export interface PipelineOptions extends ErrorAnswersOptions {
  readonly router: Router;
  readonly isServedHost: HostCheck;
  readonly clientOf: ClientOf;
}

/** Answers one request, and fills in the observation if there is one. Never throws and never rejects. */
export type Pipeline = (
  request: IncomingMessage,
  observation?: Observation,
) => FinishedReply | Promise<FinishedReply>;

/**
 * The only way from a request to its reply: framing and host check, then CORS, then error recovery (inside CORS, so that pages
 * can read their 404 and 429), then limiter, then method, then handler. Synchronous handlers cost no promise.
 */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { router, isServedHost, clientOf } = options;
  const { recover, refuse } = createErrorAnswers(options);

  return function answer(request, observation) {
    const head = readRequestHead(request.rawHeaders);
    const target = parseRequestTarget(request.url as string);
    const { path, query } = target;
    const method = request.method as string;
    const client = clientOf(request.socket, head.forwardedFor);
    const context: Context = {
      method,
      path,
      query,
      head,
      get headers() {
        return request.headers as RequestHeaders;
      },
      client,
      get peer() {
        return request.socket.remoteAddress ?? '';
      },
      json: (maxBytes = limits.bodyBytes) => readJson(request, maxBytes),
      id: observation?.id,
      observation,
      limiter: undefined,
      asked: 0,
      limitHeaders: none,
    };
    const problem = findFramingProblem(request, head) ?? findHostProblem(head, target, isServedHost);
    const reply = problem === undefined ? route(context) : refuse(problem, context);
    // A client that asks for another protocol may continue in it (RFC 9110, section 7.8), so what follows is ignored.
    if (head.upgrade === undefined) return reply;
    return reply instanceof Promise ? reply.then(asLast) : asLast(reply);
  };

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
    const isPaid = takeTokens(context, endpoint.routes.get(context.method)?.cost ?? 1);
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
    { group, routes }: Endpoint,
    params: RouteMatch['params'],
    context: Context,
    allowed: string | undefined,
  ): FinishedReply | Promise<FinishedReply> {
    let reply: Reply | Promise<Reply>;
    try {
      reply = (routes.get(context.method) as Route).handler(context, params);
    } catch (error) {
      reply = recover(error, context);
    }
    if (!(reply instanceof Promise)) return finishReply(reply, group, allowed, context.limitHeaders);
    return reply
      .catch((error) => recover(error, context))
      .then((late) => finishReply(late, group, allowed, context.limitHeaders));
  }
}

const none: readonly string[] = [];
