import type { CorsPolicy } from './cors.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Reply } from './reply.ts';
import type { Context } from './request.ts';

export type Params = Readonly<Record<string, string>>;
export type Handler = (context: Context, params: Params) => Reply | Promise<Reply>;
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Route {
  readonly method: Method;
  /** Static segments and `:name` parameters, such as `/api/sessions/:id/round`. */
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
  /** The endpoint of a path without parameters: one lookup, for which the path need not be checked first. */
  matchStatic(path: string): RouteMatch | undefined;
  /** The endpoint of a path given as decoded segments. Static segments take precedence over parameters. */
  matchSegments(segments: readonly string[]): RouteMatch | undefined;
  /** The group with the longest prefix of this path. */
  groupOf(path: string): RouteGroup | undefined;
}

interface Node {
  readonly children: Map<string, Node>;
  parameter?: { readonly name: string; readonly node: Node };
  endpoint?: MutableEndpoint;
}

interface MutableEndpoint {
  readonly group: RouteGroup;
  readonly route: string;
  readonly routes: Map<string, Route>;
  allow: string;
}

const noParams: Params = Object.freeze({});

/** Builds the lookup tables. Throws if two routes have the same method and path, or one path is in two groups. */
export function createRouter(groups: readonly RouteGroup[]): Router {
  const root = newNode();
  const byPath = new Map<string, RouteMatch>();

  for (const group of groups) {
    for (const route of group.routes) {
      const endpoint = addRoute(root, group, route);
      if (!route.path.includes('/:')) byPath.set(route.path, { endpoint, params: noParams });
    }
  }
  const prefixed = groups
    .flatMap((group) => (group.prefix === undefined ? [] : [{ prefix: group.prefix, group }]))
    .sort((a, b) => b.prefix.length - a.prefix.length);

  return {
    matchStatic: (path) => byPath.get(path),
    matchSegments: (segments) => walk(root, segments, 0, noParams),
    groupOf: (path) => prefixed.find(({ prefix }) => path.startsWith(prefix))?.group,
  };
}

function newNode(): Node {
  return { children: new Map() };
}

function addRoute(root: Node, group: RouteGroup, route: Route): Endpoint {
  let node = root;
  for (const segment of route.path.slice(1).split('/')) node = childFor(node, segment, route.path);
  node.endpoint ??= { group, route: route.path, routes: new Map(), allow: '' };
  const { endpoint } = node;
  if (endpoint.group !== group) throw new Error(`${route.path} is in two route groups`);
  if (endpoint.routes.has(route.method)) throw new Error(`${route.method} ${route.path} is routed twice`);
  endpoint.routes.set(route.method, route);
  if (route.method === 'GET') endpoint.routes.set('HEAD', route);
  endpoint.allow = [...endpoint.routes.keys(), ...(group.cors ? ['OPTIONS'] : [])].join(', ');
  return endpoint;
}

function childFor(node: Node, segment: string, path: string): Node {
  if (segment.startsWith(':')) {
    const name = segment.slice(1);
    node.parameter ??= { name, node: newNode() };
    if (node.parameter.name !== name)
      throw new Error(`${path} names a parameter that another route names differently`);
    return node.parameter.node;
  }
  const child = node.children.get(segment) ?? newNode();
  node.children.set(segment, child);
  return child;
}

function walk(node: Node, segments: readonly string[], at: number, params: Params): RouteMatch | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.endpoint && { endpoint: node.endpoint, params };
  const child = node.children.get(segment);
  const found = child && walk(child, segments, at + 1, params);
  if (found !== undefined || node.parameter === undefined || segment === '') return found;
  return walk(node.parameter.node, segments, at + 1, { ...params, [node.parameter.name]: segment });
}
