import { localContext } from '../http/local-transport.ts';
import { type FinishedReply, finishReply } from '../http/reply.ts';
import { createRouter, type Route, type Router } from '../http/router.ts';
import { type BadgeServiceOptions, createBadgeService } from './badge-service.ts';

/** A public file in every coding that the server offers. */
export interface PublicFile {
  readonly path: string;
  /** Flat list of names and values, without headers that depend on the client. */
  readonly headers: readonly string[];
  readonly identity: Buffer;
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

type PublicTreeOptions = Omit<BadgeServiceOptions, 'loopback' | 'pulse'>;

/** Every public file, byte for byte as `serve` would answer it, from the same routes without a socket. */
export async function readPublicTree(options: PublicTreeOptions): Promise<PublicFile[]> {
  const service = await createBadgeService({
    ...options,
    loopback: false,
    pulse: { count: () => undefined },
  });
  try {
    const router = createRouter(service.groups);
    const paths = [...service.publicPaths, '/health'];
    const files = await Promise.all(paths.map((path) => readPublicFile(router, path)));
    return files.filter((file) => file !== undefined);
  } finally {
    service.close();
  }
}

/** Undefined if there is no such file now, such as an announcement while none is active. */
async function readPublicFile(router: Router, path: string): Promise<PublicFile | undefined> {
  const match = router.match(path);
  if ('code' in match) throw new Error(`there is no route to ${path}`);
  const { group, routes } = match.endpoint;
  const { handler } = routes.get('GET') as Route;
  const [identity, br, gzip] = await Promise.all(
    ['identity', 'br', 'gzip'].map(async (coding) => {
      const context = localContext({ method: 'GET', path, headers: { 'accept-encoding': coding } });
      return finishReply(await handler(context, match.params), group);
    }),
  );
  if (identity?.status !== 200) return undefined;
  // A body that is too small is not compressed.
  const codedBody = (reply: FinishedReply | undefined) =>
    reply?.headers.includes('Content-Encoding') === true ? bytesOf(reply) : undefined;
  return {
    path,
    headers: identity.headers.flatMap((name, at, all) =>
      at % 2 === 0 && !hostHeaders.test(name) ? [name, all[at + 1] ?? ''] : [],
    ),
    identity: bytesOf(identity),
    br: codedBody(br),
    gzip: codedBody(gzip),
  };
}

/** Headers that depend on the coding or on the client; a static host adds them itself. */
const hostHeaders = /^(?:content-encoding|content-length|etag|ratelimit.*)$/i;

function bytesOf({ body = '', encoding }: FinishedReply): Buffer {
  return typeof body === 'string' ? Buffer.from(body, encoding) : body;
}
