import { createRateLimiter } from '../http/limits/rate-limiter.ts';
import { type Context, requestIdOf } from '../http/requests/context.ts';
import type { Handler, Method, Route, RouteGroup } from '../http/routing/router.ts';
import type { Log } from '../settings/log.ts';
import { ContentError } from '../stores/content/content-error.ts';
import { StoreUnavailableError } from '../stores/records/records.ts';
import type { Admission } from './admission/admission.ts';
import type { DeskHandlers } from './handlers/desk-handlers.ts';
import { contentBroken, storeAway } from './refusals/desk-refusals.ts';

/** The second is the first with its version. */
const prefixes = ['/api', '/api/v1'] as const;
/** Announcements may have these as ids too. */
const ownNames = ['undo', 'changes', 'stats'] as const;

/** A command sends a few requests, or one per page of a list of thousands. */
const limit = { rate: 20, burst: 100 };

export interface DeskGroupsOptions {
  /** Called only after an editor has been admitted. */
  readonly handlers: () => Promise<DeskHandlers>;
  readonly admit: Admission;
  readonly log: Log;
}

/** The routes of the editors' API. No group has CORS: pages of other sites cannot read any answer. */
export function createDeskGroups({ handlers, admit, log }: DeskGroupsOptions): RouteGroup[] {
  const toHandler =
    (name: keyof DeskHandlers, fixedId?: string): Handler =>
    async (context, { id = fixedId ?? '' }) => {
      try {
        const editor = await admit(context);
        return await (await handlers())[name]({ context, editor, id });
      } catch (error) {
        throw toRefusal(error, context, log);
      }
    };
  const table: readonly (readonly [Method, string, keyof DeskHandlers, string?])[] = [
    ['GET', '/announcements', 'announcements'],
    ['POST', '/announcements', 'publish'],
    ['GET', '/announcements/changes', 'changes'],
    ['GET', '/announcements/stats', 'stats'],
    ['POST', '/announcements/undo', 'undo'],
    ['PATCH', '/announcements/:id', 'edit'],
    ...ownNames.map((name) => ['PATCH', `/announcements/${name}`, 'edit', name] as const),
    ['POST', '/announcements/:id/expire', 'expire'],
    ['POST', '/announcements/:id/withdraw', 'withdraw'],
    ['GET', '/origins', 'listOrigins'],
    ['POST', '/origins', 'addOrigin'],
    ['DELETE', '/origins', 'removeOrigin'],
  ];
  const routes: Route[] = prefixes.flatMap((prefix) =>
    table.map(([method, path, name, fixedId]) => ({
      method,
      path: prefix + path,
      handler: toHandler(name, fixedId),
    })),
  );
  const common = { headers: ['API-Version', 'v1'], limiter: createRateLimiter({ name: 'desk', ...limit }) };
  // Unknown paths below these are as closed to other sites as known ones.
  const below = prefixes.flatMap((prefix) => [`${prefix}/announcements/`, `${prefix}/origins/`]);
  return [{ ...common, routes }, ...below.map((prefix) => ({ ...common, routes: [], prefix }))];
}

function toRefusal(error: unknown, context: Context, log: Log): unknown {
  if (error instanceof StoreUnavailableError) return storeAway();
  if (!(error instanceof ContentError)) return error;
  log.error(error.message, { request: requestIdOf(context) });
  return contentBroken();
}
