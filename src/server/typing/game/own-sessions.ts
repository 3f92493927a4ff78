import { type Asking, mayUse } from '../../stores/player.ts';
import type { Session } from '../../stores/session.ts';
import type { Sessions, SessionUpdate } from '../../stores/sessions.ts';

/** Sessions as the sender of a request sees them: those of others do not exist. Every lookup by id goes through here. */
export interface OwnSessions {
  read(asking: Asking, id: string): Promise<Session | undefined>;
  /** See `Sessions.update`. */
  update<T>(
    asking: Asking,
    id: string,
    change: (session: Session) => SessionUpdate<T>,
  ): Promise<T | undefined>;
}

export function createOwnSessions(sessions: Sessions): OwnSessions {
  return {
    async read(asking, id) {
      const session = await sessions.read(id);
      return session !== undefined && mayUse(asking, session.player) ? session : undefined;
    },
    update: <T>(asking: Asking, id: string, change: (session: Session) => SessionUpdate<T>) =>
      sessions.update<T | undefined>(id, (session) =>
        mayUse(asking, session.player) ? change(session) : { session, result: undefined },
      ),
  };
}
