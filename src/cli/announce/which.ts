import type { ContentStore } from '../../server/badge/content-store.ts';
import { currentAnnouncement } from '../../server/badge/schedule.ts';
import { UsageError } from '../usage-error.ts';

/** What changes an announcement never guesses which one is meant, but says what the guess would have been. */
export async function refuseMissingId(store: ContentStore, command: string, now: number): Promise<never> {
  const current = currentAnnouncement(await store.readHistory(), now);
  const example =
    current === undefined
      ? 'see typebadge announce list'
      : `for the current one: typebadge announce ${command} ${current.id}`;
  throw new UsageError(`the id of the announcement is missing; ${example}`);
}
