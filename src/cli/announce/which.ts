import type { ContentStore } from '../../server/badge/content-store.ts';
import { currentAnnouncement } from '../../server/badge/schedule.ts';
import { UsageError } from '../usage-error.ts';

/** The id that was given. What changes an announcement never guesses which, but says what the guess would have been. */
export async function requireId(
  store: ContentStore,
  id: string | undefined,
  command: string,
  now: number,
): Promise<string> {
  if (id !== undefined) return id;
  const current = currentAnnouncement(await store.readHistory(), now);
  const example =
    current === undefined
      ? 'see typebadge announce list'
      : `for the current one: typebadge announce ${command} ${current.id}`;
  throw new UsageError(`the id of the announcement is missing; ${example}`);
}
