import type { RouteGroup } from '../http/router.ts';
import type { ServeConfig } from '../settings/config.ts';
import type { Log } from '../settings/log.ts';
import type { Content } from '../stores/content/content.ts';
import { createContentStore } from '../stores/content/content-store.ts';
import type { HistoryReader } from '../stores/content/history-file.ts';
import { createAuthentication } from './authentication.ts';
import type { DeskApiOptions } from './desk-api.ts';
import type { DeskApi } from './desk-operations.ts';
import { createDeskPage } from './desk-page.ts';
import { createDeskGroups } from './desk-routes.ts';

export interface DeskServiceOptions extends Pick<DeskApiOptions, 'readPulse' | 'clock'> {
  readonly config: Pick<ServeConfig, 'brand' | 'desk' | 'trustProxy' | 'publicUrl'>;
  readonly content: Content;
  readonly readHistory: HistoryReader;
  /** Makes this server's own answers show a change at once. */
  readonly refresh: () => Promise<void>;
  readonly log: Log;
}

/** The editors' API, for announcements and the allow-list, and its page, for editors with a token. */
export function createDeskService(options: DeskServiceOptions): { readonly groups: readonly RouteGroup[] } {
  const { config, content, readHistory, readPulse, refresh, clock, log } = options;
  const authenticate = createAuthentication(config, content, clock, log);
  // Few servers have remote editors.
  const load = async () => {
    const { createDeskApi } = await import('./desk-api.ts');
    return createDeskApi({ store: createContentStore(content, undefined, readHistory), readPulse, clock });
  };
  let loading: Promise<DeskApi> | undefined;
  const api = () => {
    loading ??= load();
    return loading;
  };
  const page = config.desk === 'on' ? [createDeskPage(config.brand)] : [];
  return { groups: [...createDeskGroups({ api, authenticate, onChange: refresh, log }), ...page] };
}
