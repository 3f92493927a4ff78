import { deskRoutes } from '../../contract/desk-routes.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import { type Context, requestIdOf } from '../http/request.ts';
import type { Handler, Route, RouteGroup } from '../http/router.ts';
import type { ServeConfig } from '../settings/config.ts';
import { limits } from '../settings/limits.ts';
import type { Log } from '../settings/log.ts';
import { type Content, ContentError, ContentTooLargeError } from '../stores/content/content.ts';
import { createContentStore } from '../stores/content/content-store.ts';
import { StoreUnavailableError } from '../stores/records/records.ts';
import { createAuthentication } from './authentication.ts';
import type { DeskApi, DeskParts } from './desk-operations.ts';
import { createDeskPage } from './desk-page.ts';
import { contentBroken, FieldError, refused, storeAway } from './desk-refusals.ts';

/** The second is the first with the version of the API. */
const prefixes = ['/api', '/api/v1'] as const;
/** Names below `/announcements` that may also be ids of announcements. */
const reservedIds = ['undo', 'changes', 'stats', 'preview'] as const;

/** A command sends a few requests, or one per page of a list of thousands. */
const limit = { rate: 20, burst: 100 };

export interface DeskServiceOptions extends Pick<DeskParts, 'readPulse' | 'clock'> {
  readonly config: Pick<ServeConfig, 'brand' | 'desk' | 'trustProxy' | 'publicUrl'>;
  readonly content: Content;
  /** Makes this server's answers show a change at once. */
  readonly refresh: () => Promise<void>;
  readonly log: Log;
}

/**
 * The editors' API, for announcements and the allow-list, and its page, for editors with a token. No group
 * has CORS: pages of other sites cannot read any answer.
 */
export function createDeskService(options: DeskServiceOptions): { readonly groups: readonly RouteGroup[] } {
  const { config, content, readPulse, refresh, clock, log } = options;
  const authenticate = createAuthentication(config, content, clock, log);
  let api: Promise<DeskApi> | undefined;
  // Few servers have remote editors.
  const load = async () => {
    const { createDeskApi } = await import('./desk-api.ts');
    return createDeskApi({ store: createContentStore(content), readPulse, clock });
  };
  const handlerOf =
    (operation: keyof DeskApi, fixedId = ''): Handler =>
    async (context, { id = fixedId }): Promise<Reply> => {
      try {
        const { name, tokenHash: key } = await authenticate(context);
        const { method, path, query, head } = context;
        api ??= load();
        const answer = await (await api)[operation]({
          ...{ method, path, id, query },
          body: method === 'GET' || method === 'HEAD' ? {} : await context.json(limits.deskBytes),
          ifMatch: head.ifMatch,
          idempotencyKey: context.headers['idempotency-key']?.toString(),
          editor: { name, key },
        });
        if (answer.changed !== undefined) {
          const details = { editor: name, request: requestIdOf(context) };
          log.info(`changed by a remote editor: ${answer.changed}`, details);
          await refresh();
        }
        const tag = answer.revision === undefined ? [] : ['ETag', `"${answer.revision}"`];
        return jsonReply(answer.status, answer.body, tag);
      } catch (error) {
        if (error instanceof FieldError) {
          const { status, code, message, problems } = error;
          return jsonReply(status, { error: message, code, problems });
        }
        throw refusalOf(error, context, log);
      }
    };
  const routes: Route[] = prefixes.flatMap((prefix) =>
    deskRoutes.flatMap(([method, path, operation]) => {
      const fixed = method === 'PATCH' ? reservedIds : [];
      return [
        { method, path: prefix + path, handler: handlerOf(operation) },
        ...fixed.map((id) => ({
          method,
          path: prefix + path.replace(':id', id),
          handler: handlerOf(operation, id),
        })),
      ];
    }),
  );
  const common = { headers: ['API-Version', 'v1'], limiter: createRateLimiter({ name: 'desk', ...limit }) };
  // Unknown paths below these are as closed to other sites as known ones.
  const below = prefixes.flatMap((prefix) => [`${prefix}/announcements/`, `${prefix}/origins/`]);
  const page = config.desk === 'on' ? [createDeskPage(config.brand)] : [];
  return {
    groups: [{ ...common, routes }, ...below.map((prefix) => ({ ...common, routes: [], prefix })), ...page],
  };
}

function refusalOf(error: unknown, context: Context, log: Log): unknown {
  if (error instanceof StoreUnavailableError) return storeAway;
  if (error instanceof ContentTooLargeError) return refused(error.message);
  if (!(error instanceof ContentError)) return error;
  log.error(error.message, { request: requestIdOf(context) });
  return contentBroken;
}
