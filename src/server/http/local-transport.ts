import type { ApiRequest, ApiResponse, Transport } from '../../contract/transport.ts';
import { errorReply, HttpError } from './errors.ts';
import { parseJson } from './json-body.ts';
import { methodNotAllowed } from './refusals.ts';
import { headerPairs, type Reply } from './reply.ts';
import { type Context, parseRequestTarget, type RequestHeaders, readRequestHead } from './request.ts';
import { createRouter, type RouteGroup } from './router.ts';

/**
 * Calls the routes of an API in this process, with the same answers as over HTTP: the same JSON, checked in
 * the same way, and the same errors. There is no socket, no cap on bytes, no limiter and no CORS. Rejects if `signal`
 * is aborted before the call, and with every other error that a handler throws.
 */
export function createLocalTransport(groups: readonly RouteGroup[]): Transport {
  const router = createRouter(groups);
  return async (request, signal) => {
    signal?.throwIfAborted();
    const context = localContext(request);
    const match = router.match(context.path);
    if (match instanceof HttpError) return response(errorReply(match), router.groupOf(context.path));
    const { group, routes, allow } = match.endpoint;
    const route = routes.get(context.method);
    if (route === undefined) return response(errorReply(methodNotAllowed(allow)), group);
    try {
      return response(await route.handler(context, match.params), group);
    } catch (error) {
      if (error instanceof HttpError) return response(errorReply(error), group);
      throw error;
    }
  };
}

export function localContext({ method, path: target, body, headers: extra = {} }: ApiRequest): Context {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const headers: RequestHeaders = {
    host: 'localhost',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...extra,
  };
  const head = readRequestHead(Object.entries(headers).flatMap(([name, value = '']) => [name, value]));
  return {
    ...parseRequestTarget(target),
    method,
    head,
    headers,
    client: '127.0.0.1',
    peer: '127.0.0.1',
    isGone: false,
    receive: async () => bytes,
    json: async () => parseJson(bytes, head),
    id: undefined,
    observation: undefined,
    limiter: undefined,
    requestedTokens: 0,
    limitHeaders: undefined,
  };
}

function response({ status, headers, body = '' }: Reply, group: RouteGroup | undefined): ApiResponse {
  const all = headerPairs([...headers, ...(group?.headers ?? [])]);
  const text = body.toString();
  return {
    status,
    body: text === '' ? undefined : JSON.parse(text),
    headers: Object.fromEntries(all.map(([name, value]) => [name.toLowerCase(), value])),
  };
}
