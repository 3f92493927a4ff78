import type { RouteGroup } from '../http/routing/router.ts';
import type { ServeConfig } from '../settings/config.ts';
import type { Log } from '../settings/log.ts';
import { createContentStore } from '../stores/content/content-store.ts';
import type { Content, ContentCopy } from '../stores/ports.ts';
import { createAdmission } from './admission.ts';
import type { DeskApiOptions } from './desk-api.ts';
import type { DeskApi } from './desk-operations.ts';
import { createDeskPage } from './desk-page.ts';
import { createDeskGroups } from './desk-routes.ts';
import { createTransportCheck } from './secure-transport.ts';

export interface DeskServiceOptions extends Pick<DeskApiOptions, 'readPulse' | 'clock'> {
  readonly config: Pick<ServeConfig, 'brand' | 'desk' | 'trustProxy' | 'publicUrl'>;
  readonly content: Content;
  /** Undefined if the content is on this server's own disk. */
  readonly contentCopy?: ContentCopy | undefined;
  /** Makes this server's own answers show a change at once. */
  readonly look: () => Promise<void>;
  readonly log: Log;
}

/** The editors' API, for announcements and the allow-list, and its page, for editors with a token. */
export function createDeskService(options: DeskServiceOptions): { readonly groups: readonly RouteGroup[] } {
  const { config, content, readPulse, look, clock, log } = options;
  const admit = createAdmission({
    content,
    copy: options.contentCopy,
    isSafe: createTransportCheck(config.trustProxy),
    publicOrigin: config.publicUrl,
    clock,
    steady: () => performance.now(),
    log,
  });
  // Few servers have remote editors.
  const load = async () => {
    const { createDeskApi } = await import('./desk-api.ts');
    return createDeskApi({ store: createContentStore(content), readPulse, clock });
  };
  let loading: Promise<DeskApi> | undefined;
  const api = () => {
    loading ??= load();
    return loading;
  };
  const page = config.desk === 'on' ? [createDeskPage(config.brand)] : [];
  return { groups: [...createDeskGroups({ api, admit, onChange: look, log }), ...page] };
}
