import type { CorsPolicy } from './cors.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { notFound, pathNotCanonical } from './refusals.ts';
import type { Reply } from './reply.ts';
import { type Context, parseCanonicalPath } from './request.ts';

export type Params = Readonly<Record<string, string>>;
export type Handler = (context: Context, params: Params) => Reply | Promise<Reply>;
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Route {
  readonly method: Method;
  /** Fixed segments and `:name` parameters, such as `/api/sessions/:id/round`. */
  readonly path: string;
  /** Tokens of the group's limiter that a request takes. Default: 1. */
  readonly cost?: number;
  readonly handler: Handler;
}

/** Routes with common settings. */
export interface RouteGroup {
  readonly routes: readonly Route[];
  /** A 404 below this prefix still gets the CORS and other headers of this group. */
  readonly prefix?: string;
  /** Which other origins may read the answers. Default: none, and preflights are refused. */
  readonly cors?: CorsPolicy;
  /** Default: no limit. */
  readonly limiter?: RateLimiter;
  /** Flat list of headers on every answer of the group, errors included. */
  readonly headers?: readonly string[];
}

/** One path with all its methods. */
export interface Endpoint {
  readonly group: RouteGroup;
  /** The pattern of its path, with the names of parameters. */
  readonly route: string;
  readonly routes: ReadonlyMap<string, Route>;
  /** The value of `Allow` on a 405. */
  readonly allow: string;
}

export interface RouteMatch {
  readonly endpoint: Endpoint;
  readonly params: Params;
}

export interface Router {
  /**
   * The endpoint of a path as it was sent, or why there is none. Fixed segments take precedence over
   * parameters.
   */
  match(path: string): RouteMatch | typeof notFound;
  /** The group with the longest prefix of this path. */
  groupOf(path: string): RouteGroup | undefined;
}

const noParams: Params = Object.freeze({});

/**
 * Builds the lookup tables. Throws if two routes have the same method and path, or one path is in two groups.
 */
export function createRouter(groups: readonly RouteGroup[]): Router {
  const endpoints = endpointsOf(groups);
  const [fixed, patterns] = [new Map<string, RouteMatch>(), [] as Pattern[]];
  for (const endpoint of endpoints) {
    const { route } = endpoint;
    if (route.includes('/:')) patterns.push({ endpoint, segments: route.slice(1).split('/') });
    else fixed.set(route, { endpoint, params: noParams });
  }
  patterns.sort((a, b) => precedence(a.segments, b.segments));
  const prefixed = groups
    .flatMap((group) => (group.prefix === undefined ? [] : [{ prefix: group.prefix, group }]))
    .sort((a, b) => b.prefix.length - a.prefix.length);

  return {
    match(path) {
      const match = fixed.get(path);
      if (match !== undefined) return match;
      const segments = parseCanonicalPath(path);
      if (segments === undefined) return pathNotCanonical;
      for (const { endpoint, segments: pattern } of patterns) {
        const params = paramsOf(pattern, segments);
        if (params !== undefined) return { endpoint, params };
      }
      return notFound;
    },
    groupOf: (path) => prefixed.find(({ prefix }) => path.startsWith(prefix))?.group,
  };
}

function endpointsOf(groups: readonly RouteGroup[]): readonly Endpoint[] {
  const endpoints = new Map<string, Endpoint & { readonly routes: Map<string, Route>; allow: string }>();
  for (const group of groups) {
    for (const route of group.routes) {
      const { method, path } = route;
      // Whatever its parameters are called.
      const shape = path.replace(/\/:[^/]*/g, '/:');
      const endpoint = endpoints.get(shape) ?? { group, route: path, routes: new Map(), allow: '' };
      endpoints.set(shape, endpoint);
      if (endpoint.group !== group) throw new Error(`${path} is in two route groups`);
      if (endpoint.route !== path) throw new Error(`${path} is also routed as ${endpoint.route}`);
      if (endpoint.routes.has(method)) throw new Error(`${method} ${path} is routed twice`);
      endpoint.routes.set(method, route);
      if (method === 'GET') endpoint.routes.set('HEAD', route);
      endpoint.allow = [...endpoint.routes.keys(), ...(group.cors ? ['OPTIONS'] : [])].join(', ');
    }
  }
  return [...endpoints.values()];
}

interface Pattern {
  readonly endpoint: Endpoint;
  readonly segments: readonly string[];
}

/**
 * Negative if the first pattern has a fixed segment where the second has a parameter, at the first such
 * place.
 */
function precedence(first: readonly string[], second: readonly string[]): number {
  const isFixed = (segment = '') => !segment.startsWith(':');
  const at = first.findIndex((segment, place) => isFixed(segment) !== isFixed(second[place]));
  if (at === -1) return 0;
  return isFixed(first[at]) ? -1 : 1;
}

/** The parameters of a path that has this pattern; undefined if it has not. */
function paramsOf(pattern: readonly string[], segments: readonly string[]): Params | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, expected] of pattern.entries()) {
    const segment = segments[at] as string;
    if (!expected.startsWith(':')) {
      if (segment !== expected) return undefined;
    } else if (segment === '') return undefined;
    else params[expected.slice(1)] = segment;
  }
  return params;
}
