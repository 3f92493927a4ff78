import { describe, expect, test } from 'vitest';
import { createCors, createOriginList } from '../../../src/server/http/cors.ts';
import { notFound, pathNotCanonical } from '../../../src/server/http/refusals.ts';
import { jsonReply } from '../../../src/server/http/reply.ts';
import {
  createRouter,
  type Method,
  type Route,
  type RouteGroup,
  type RouteMatch,
  type Router,
} from '../../../src/server/http/router.ts';

const handler = () => jsonReply(200, {});
const route = (path: string, method: Method = 'GET'): Route => ({ method, path, handler });

/** The route of a path and its parameters, as `/a/:id id=7`. */
function found(router: Router, path: string): string | undefined {
  const match = router.match(path);
  if ('code' in match) return undefined;
  const params = Object.entries(match.params).map(([name, value]) => `${name}=${value}`);
  return [match.endpoint.route, ...params].join(' ');
}

describe('a path', () => {
  const router = createRouter([
    {
      routes: [
        ...['/', '/a', '/a/b', '/a/:id', '/a/:id/c', '/a/:id/:part/d', '/a/b/:part/e'],
        ...['/a/:id/y/f', '/a/b/:part/f', '/:a/:b/y/f'],
      ].map((path) => route(path)),
    },
  ]);

  test.each([
    ['/', '/'],
    ['/a', '/a'],
    ['/a/b', '/a/b'],
    ['/a/x', '/a/:id id=x'],
    ['/a/x/c', '/a/:id/c id=x'],
    ['/a/b/c', '/a/:id/c id=b'],
    ['/a/x/y/d', '/a/:id/:part/d id=x part=y'],
    ['/a/b/y/e', '/a/b/:part/e part=y'],
    ['/a/b/y/d', '/a/:id/:part/d id=b part=y'],
    ['/a/b/y/f', '/a/b/:part/f part=y'],
    ['/a/c/y/f', '/a/:id/y/f id=c'],
    ['/c/c/y/f', '/:a/:b/y/f a=c b=c'],
    ['/a/:id', '/a/:id id=:id'],
    ['/a/%C3%A4', '/a/:id id=ä'],
    ['/b', undefined],
    ['/a/', undefined],
    ['/a//c', undefined],
    ['/a/x/c/', undefined],
    ['/a/x/y', undefined],
    ['/a/x/c/z', undefined],
  ])('%s leads to %s', (path, expected) => {
    expect(found(router, path)).toBe(expected);
  });

  test('that is not canonical is refused as such, and any other without a route is not found', () => {
    expect(router.match('/a//c')).toBe(pathNotCanonical);
    expect(router.match('/a/%62')).toBe(pathNotCanonical);
    expect(router.match('/b')).toBe(notFound);
  });
});

test.each<[string, RouteGroup[], string]>([
  ['a method and path', [{ routes: [route('/a/:id'), route('/a/:id')] }], 'GET /a/:id is routed twice'],
  [
    'a path that only names its parameters otherwise',
    [{ routes: [route('/a/:id/b'), route('/a/:name/b', 'POST')] }],
    '/a/:name/b is also routed as /a/:id/b',
  ],
  [
    'a path in two groups',
    [{ routes: [route('/a')] }, { routes: [route('/a', 'POST')] }],
    '/a is in two route groups',
  ],
])('%s cannot be routed twice', (_, groups, problem) => {
  expect(() => createRouter(groups)).toThrow(problem);
});

test('a path allows the methods of its routes, HEAD with GET, and OPTIONS with a policy for other sites', () => {
  const cors = createCors(() => createOriginList([]), 'GET');
  const routes = [route('/a', 'POST'), route('/a'), route('/b', 'DELETE')];
  const allowed = (group: RouteGroup) => {
    const router = createRouter([group]);
    return ['/a', '/b'].map((path) => (router.match(path) as RouteMatch).endpoint.allow);
  };
  expect(allowed({ routes })).toEqual(['POST, GET, HEAD', 'DELETE']);
  expect(allowed({ routes, cors })).toEqual(['POST, GET, HEAD, OPTIONS', 'DELETE, OPTIONS']);
});

test('a path without a route belongs to the group with the longest prefix of it', () => {
  const [all, api, desk, none]: RouteGroup[] = [
    { routes: [], prefix: '/' },
    { routes: [], prefix: '/api/' },
    { routes: [], prefix: '/api/desk/' },
    { routes: [] },
  ];
  for (const groups of [
    [all, api, desk, none],
    [none, desk, api, all],
  ] as RouteGroup[][]) {
    const router = createRouter(groups);
    expect(router.groupOf('/api/desk/x')).toBe(desk);
    expect(router.groupOf('/api/x')).toBe(api);
    expect(router.groupOf('/x')).toBe(all);
  }
  expect(createRouter([api as RouteGroup]).groupOf('/x')).toBeUndefined();
});
