import type { ContentStore } from '../stores/content/content-store.ts';
import { createDeskChanges } from './desk-changes.ts';
import { createDeskHistory } from './desk-history.ts';
import { createDeskLists, type ListOptions } from './desk-lists.ts';
import type { DeskApi } from './desk-operations.ts';
import { createDeskOrigins } from './desk-origins.ts';
import { createDeskPreview } from './desk-preview.ts';

export interface DeskApiOptions extends Pick<ListOptions, 'readPulse' | 'clock'> {
  readonly store: ContentStore;
}

/**
 * The only way to change announcements and the allow-list. Load lazily: it needs much code that nothing else in a server does, such as
 * that of time zones.
 */
export function createDeskApi({ store, readPulse, clock }: DeskApiOptions): DeskApi {
  const desk = createDeskHistory(store);
  return {
    ...createDeskLists({ desk, readPulse, clock }),
    ...createDeskChanges({ desk, clock }),
    ...createDeskOrigins({ store, clock }),
    preview: createDeskPreview({ desk, store, clock }),
  };
}
