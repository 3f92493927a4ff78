import { createRateLimiter } from '../http/limits/rate-limiter.ts';
import { type Context, requestIdOf } from '../http/requests/context.ts';
import type { Handler, Method, Route, RouteGroup } from '../http/routing/router.ts';
import type { Log } from '../settings/log.ts';
import { ContentError } from '../stores/content/content-error.ts';
import { StoreUnavailableError } from '../stores/ports.ts';
import type { Admission } from './admission/admission.ts';
import type { EditorHandler } from './handlers/own-request.ts';
import { contentBroken, storeAway } from './refusals/desk-refusals.ts';

export interface DeskHandlers {
  readonly announcements: EditorHandler;
  readonly changes: EditorHandler;
  readonly stats: EditorHandler;
  readonly publish: EditorHandler;
  readonly edit: EditorHandler;
  readonly expire: EditorHandler;
  readonly withdraw: EditorHandler;
  readonly undo: EditorHandler;
  readonly listOrigins: EditorHandler;
  readonly addOrigin: EditorHandler;
  readonly removeOrigin: EditorHandler;
}

/** The second is the first under the name of its version. */
const prefixes = ['/api', '/api/v1'] as const;
/** Announcements may have these for an id, too. */
const ownNames = ['undo', 'changes', 'stats'] as const;

/** An editor's command asks a few times, and a list of thousands in pages. */
const limit = { rate: 20, burst: 100 };

export interface DeskGroupsOptions {
  readonly handlers: DeskHandlers;
  readonly admit: Admission;
  readonly log: Log;
}

/** The routes of the editors' API. No group has CORS: no page of another site may read a word of it. */
export function createDeskGroups({ handlers, admit, log }: DeskGroupsOptions): RouteGroup[] {
  const toHandler =
    (handle: EditorHandler, fixedId?: string): Handler =>
    async (context, { id = fixedId ?? '' }) => {
      try {
        return await handle({ context, editor: await admit(context), id });
      } catch (error) {
        throw toRefusal(error, context, log);
      }
    };
  const table: readonly (readonly [Method, string, EditorHandler, string?])[] = [
    ['GET', '/announcements', handlers.announcements],
    ['POST', '/announcements', handlers.publish],
    ['GET', '/announcements/changes', handlers.changes],
    ['GET', '/announcements/stats', handlers.stats],
    ['POST', '/announcements/undo', handlers.undo],
    ['PATCH', '/announcements/:id', handlers.edit],
    ...ownNames.map((name) => ['PATCH', `/announcements/${name}`, handlers.edit, name] as const),
    ['POST', '/announcements/:id/expire', handlers.expire],
    ['POST', '/announcements/:id/withdraw', handlers.withdraw],
    ['GET', '/origins', handlers.listOrigins],
    ['POST', '/origins', handlers.addOrigin],
    ['DELETE', '/origins', handlers.removeOrigin],
  ];
  const routes: Route[] = prefixes.flatMap((prefix) =>
    table.map(([method, path, handle, fixedId]) => ({
      method,
      path: prefix + path,
      handler: toHandler(handle, fixedId),
    })),
  );
  const common = { headers: ['API-Version', 'v1'], limiter: createRateLimiter({ name: 'desk', ...limit }) };
  // What is not there below these paths is as closed to pages as what is.
  const below = prefixes.flatMap((prefix) => [`${prefix}/announcements/`, `${prefix}/origins/`]);
  return [{ ...common, routes }, ...below.map((prefix) => ({ ...common, routes: [], prefix }))];
}

function toRefusal(error: unknown, context: Context, log: Log): unknown {
  if (error instanceof StoreUnavailableError) return storeAway();
  if (!(error instanceof ContentError)) return error;
  log.error(error.message, { request: requestIdOf(context) });
  return contentBroken();
}
