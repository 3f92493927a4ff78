import { requestIdOf } from '../http/requests/context.ts';
import type { RouteGroup } from '../http/routing/router.ts';
import type { ServeConfig } from '../settings/config.ts';
import type { Log } from '../settings/log.ts';
import type { Content } from '../stores/content/content.ts';
import type { HistoryReader } from '../stores/content/history-file.ts';
import type { PulseCount } from '../stores/pulse.ts';
import { createAdmission } from './admission/admission.ts';
import { createTransportCheck } from './admission/secure-transport.ts';
import { createDeskGroups } from './desk-routes.ts';
import type { DeskHandlers } from './handlers/desk-handlers.ts';
import type { EditorRequest } from './handlers/own-request.ts';

export interface DeskServiceOptions {
  readonly config: Pick<ServeConfig, 'trustProxy' | 'publicUrl'>;
  readonly content: Content;
  readonly readHistory: HistoryReader;
  /** Counts since that day (`YYYY-MM-DD`, UTC), inclusive. */
  readonly readPulse: (sinceDay: string) => Promise<readonly PulseCount[]>;
  /** Makes this server's own answers show a change at once. */
  readonly look: () => Promise<void>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly log: Log;
}

/** The editors' API: announcements and the allow-list, for editors with a token. */
export function createDeskService(options: DeskServiceOptions): { readonly groups: readonly RouteGroup[] } {
  const { config, content, readHistory, readPulse, look, clock, log } = options;
  const onChange = async ({ context, editor }: EditorRequest, what: string) => {
    log.info(`changed by a remote editor: ${what}`, { editor: editor.name, request: requestIdOf(context) });
    await look();
  };
  // Few servers have remote editors, so the code that handles their requests is loaded on demand.
  const load = async () => {
    const { createDeskHandlers } = await import('./handlers/desk-handlers.ts');
    return createDeskHandlers({ content, readHistory, readPulse, clock, onChange });
  };
  let loading: Promise<DeskHandlers> | undefined;
  const handlers = () => {
    loading ??= load();
    return loading;
  };
  const admit = createAdmission({
    content,
    isSafe: createTransportCheck(config.trustProxy),
    publicOrigin: config.publicUrl && new URL(config.publicUrl).origin,
    clock,
    steady: () => performance.now(),
    log,
  });
  return { groups: createDeskGroups({ handlers, admit, log }) };
}
