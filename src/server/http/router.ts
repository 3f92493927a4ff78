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

export interface RouteGroup {
  readonly routes: readonly Route[];
  /** A 404 below this prefix still gets the CORS and other headers of this group. */
  readonly prefix?: string;
  /** Which other origins may read the answers. Default: none, and preflights are refused. */
  readonly cors?: CorsPolicy;
  /** Default: no limit. */
  readonly limiter?: RateLimiter | undefined;
  /** Flat list of headers on every answer of the group, errors included. */
  readonly headers?: readonly string[];
}

export interface Endpoint {
  readonly group: RouteGroup;
  /** The pattern of its path, with the names of parameters. */
  readonly route: string;
  readonly routes: ReadonlyMap<string, Route>;
  readonly allow: string;
}

export interface RouteMatch {
  readonly endpoint: Endpoint;
  readonly params: Params;
}

export type Router = ReturnType<typeof createRouter>;

const noParams: Params = Object.freeze({});

/** A path with parameters, which begin with a colon. */
interface Pattern {
  readonly segments: readonly string[];
  readonly endpoint: Endpoint;
}

/** Builds the lookup tables. Throws if a method and path is routed twice, or a path is in two groups. */
export function createRouter(groups: readonly RouteGroup[]) {
  const fixed = new Map<string, RouteMatch>();
  const patterns: Pattern[] = [];
  for (const endpoint of endpointsOf(groups)) {
    const { route } = endpoint;
    if (route.includes('/:')) patterns.push({ segments: route.slice(1).split('/'), endpoint });
    else fixed.set(route, { endpoint, params: noParams });
  }
  // Patterns are tried in turn: where two differ first, a fixed segment comes before a parameter.
  const orderOf = ({ segments }: Pattern) => segments.map((each) => (each.startsWith(':') ? 1 : 0)).join('');
  patterns.sort((a, b) => orderOf(a).localeCompare(orderOf(b)));
  const prefixed = groups
    .flatMap((group) => (group.prefix === undefined ? [] : [{ prefix: group.prefix, group }]))
    .sort((a, b) => b.prefix.length - a.prefix.length);

  return {
    /** The endpoint of a path as it was sent, or why there is none. Fixed segments come before parameters. */
    match(path: string): RouteMatch | typeof notFound {
      const match = fixed.get(path);
      if (match !== undefined) return match;
      const segments = parseCanonicalPath(path);
      if (segments === undefined) return pathNotCanonical;
      for (const { segments: pattern, endpoint } of patterns) {
        if (!fits(pattern, segments)) continue;
        const params: Record<string, string> = {};
        for (const [at, part] of pattern.entries()) {
          if (part.startsWith(':')) params[part.slice(1)] = segments[at] as string;
        }
        return { endpoint, params };
      }
      return notFound;
    },
    /** The group with the longest prefix of this path. */
    groupOf: (path: string) => prefixed.find(({ prefix }) => path.startsWith(prefix))?.group,
  };
}

/** Whether a path has the segments of a pattern. A parameter is never empty. */
function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  const accepts = (part: string, segment: string | undefined) =>
    part === segment || (segment !== '' && part.startsWith(':'));
  return pattern.length === segments.length && pattern.every((part, at) => accepts(part, segments[at]));
}

function endpointsOf(groups: readonly RouteGroup[]): readonly Endpoint[] {
  const endpoints = new Map<string, Endpoint & { readonly routes: Map<string, Route>; allow: string }>();
  for (const group of groups) {
    for (const route of group.routes) {
      const { method, path } = route;
      // Parameter names do not count.
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
