import type { Asking } from '../../stores/player.ts';
import type { Stores } from '../../stores/ports.ts';
import { keepUnsaved } from '../../stores/round-keeping.ts';
import type { OwnSessions } from './own-sessions.ts';

/**
 * Saves a session's finished rounds. Resolves to false if there is no such session, and rejects with `RoundsNotKeptError` if
 * they could not be written; they then stay in the session.
 */
export type SaveSession = (asking: Asking, id: string) => Promise<boolean>;

export function createSessionSaving(
  stores: Pick<Stores, 'sessions' | 'rounds'>,
  own: OwnSessions,
): SaveSession {
  return async (asking, id) => {
    const session = await own.read(asking, id);
    if (session !== undefined) await keepUnsaved(stores, session);
    return session !== undefined;
  };
}
