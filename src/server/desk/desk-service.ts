import { requestIdOf } from '../http/requests/context.ts';
import type { RouteGroup } from '../http/routing/router.ts';
import type { ServeConfig } from '../settings/config.ts';
import type { Log } from '../settings/log.ts';
import type { Content } from '../stores/ports.ts';
import type { PulseCount } from '../stores/pulse-tally.ts';
import { createAdmission } from './admission/admission.ts';
import { createTransportCheck } from './admission/secure-transport.ts';
import { createDeskGroups } from './desk-routes.ts';
import { createChangeHandlers } from './handlers/change-handlers.ts';
import { createListHandlers } from './handlers/list-handlers.ts';
import { createOriginHandlers } from './handlers/origin-handlers.ts';
import type { EditorRequest } from './handlers/own-request.ts';
import { createUndoHandler } from './handlers/undo-handler.ts';
import { createDeskHistory } from './revisions/desk-history.ts';

export interface DeskServiceOptions {
  readonly config: Pick<ServeConfig, 'trustProxy' | 'publicUrl'>;
  readonly content: Content;
  /** What was counted from that day (`YYYY-MM-DD`, UTC) on. */
  readonly readPulse: (sinceDay: string) => Promise<readonly PulseCount[]>;
  /** Lets this server's own answers show a change at once. */
  readonly look: () => Promise<void>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly log: Log;
}

/** The editors' API: announcements and the allow-list for those who have a token. */
export function createDeskService(options: DeskServiceOptions): { readonly groups: readonly RouteGroup[] } {
  const { config, content, readPulse, look, clock, log } = options;
  const desk = createDeskHistory(content);
  const onChange = async ({ context, editor }: EditorRequest, what: string) => {
    log.info(`changed by a remote editor: ${what}`, { editor: editor.name, request: requestIdOf(context) });
    await look();
  };
  const origins = createOriginHandlers({ content, clock, onChange });
  const handlers = {
    ...createListHandlers({ desk, readPulse, clock }),
    ...createChangeHandlers({ desk, clock, onChange }),
    undo: createUndoHandler({ desk, clock, onChange }),
    listOrigins: origins.list,
    addOrigin: origins.add,
    removeOrigin: origins.remove,
  };
  const admit = createAdmission({
    content,
    isSafe: createTransportCheck(config.trustProxy),
    publicOrigin: config.publicUrl,
    clock,
    steady: () => performance.now(),
    log,
  });
  return { groups: createDeskGroups({ handlers, admit, log }) };
}
