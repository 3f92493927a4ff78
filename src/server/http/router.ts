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
  /** The endpoint of a path as it was sent, or why there is none. Fixed segments come before parameters. */
  match(path: string): RouteMatch | typeof notFound;
  /** The group with the longest prefix of this path. */
  groupOf(path: string): RouteGroup | undefined;
}

const noParams: Params = Object.freeze({});

/** What may follow the segments so far: fixed segments by name, or any segment. */
interface Branch {
  readonly fixed: Map<string, Branch>;
  any: Branch | undefined;
  /** The path that ends here. */
  end: { readonly endpoint: Endpoint; readonly parameters: readonly Parameter[] } | undefined;
}

interface Parameter {
  readonly name: string;
  /** Which segment of the path it is. */
  readonly at: number;
}

const newBranch = (): Branch => ({ fixed: new Map(), any: undefined, end: undefined });

/** Builds the lookup tables. Throws if a method and path is routed twice, or a path is in two groups. */
export function createRouter(groups: readonly RouteGroup[]): Router {
  const fixed = new Map<string, RouteMatch>();
  const patterns = newBranch();
  for (const endpoint of endpointsOf(groups)) {
    const { route } = endpoint;
    if (route.includes('/:')) addPattern(patterns, endpoint);
    else fixed.set(route, { endpoint, params: noParams });
  }
  const prefixed = groups
    .flatMap((group) => (group.prefix === undefined ? [] : [{ prefix: group.prefix, group }]))
    .sort((a, b) => b.prefix.length - a.prefix.length);

  return {
    match(path) {
      const match = fixed.get(path);
      if (match !== undefined) return match;
      const segments = parseCanonicalPath(path);
      if (segments === undefined) return pathNotCanonical;
      const found = findPattern(patterns, segments, 0);
      if (found === undefined) return notFound;
      const params: Record<string, string> = {};
      for (const { name, at } of found.parameters) params[name] = segments[at] as string;
      return { endpoint: found.endpoint, params };
    },
    groupOf: (path) => prefixed.find(({ prefix }) => path.startsWith(prefix))?.group,
  };
}

function addPattern(patterns: Branch, endpoint: Endpoint): void {
  const parameters: Parameter[] = [];
  let branch = patterns;
  for (const [at, segment] of endpoint.route.slice(1).split('/').entries()) {
    const isParameter = segment.startsWith(':');
    const next = (isParameter ? branch.any : branch.fixed.get(segment)) ?? newBranch();
    if (isParameter) {
      branch.any = next;
      parameters.push({ name: segment.slice(1), at });
    } else branch.fixed.set(segment, next);
    branch = next;
  }
  branch.end = { endpoint, parameters };
}

function findPattern(branch: Branch, segments: readonly string[], at: number): Branch['end'] {
  const segment = segments[at];
  if (segment === undefined) return branch.end;
  const fixed = branch.fixed.get(segment);
  const found = fixed && findPattern(fixed, segments, at + 1);
  if (found !== undefined || branch.any === undefined || segment === '') return found;
  return findPattern(branch.any, segments, at + 1);
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
