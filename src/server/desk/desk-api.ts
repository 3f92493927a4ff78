import { createDeskChanges } from './desk-changes.ts';
import type { DeskParts } from './desk-history.ts';
import { createDeskLists } from './desk-lists.ts';
import type { DeskApi } from './desk-operations.ts';
import { createDeskOrigins } from './desk-origins.ts';
import { createDeskPreview } from './desk-preview.ts';

/**
 * The only way to change announcements and the allow-list. Loaded lazily: it needs much code that nothing
 * else in a server uses, such as that of time zones.
 */
export function createDeskApi(parts: DeskParts): DeskApi {
  return {
    ...createDeskLists(parts),
    ...createDeskChanges(parts),
    ...createDeskOrigins(parts),
    preview: createDeskPreview(parts),
  };
}
