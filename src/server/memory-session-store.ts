import type { Session } from './session.ts';
import type { SessionStore } from './session-store.ts';

export interface MemorySessionStoreOptions {
  /** Milliseconds after which an unused session is gone. */
  readonly ttl: number;
  /** Sessions at once. */
  readonly limit: number;
  /** Milliseconds since 1970. Default: the clock. */
  readonly now?: () => number;
  /** Told of every session that is new, used, changed or gone. */
  readonly onChange?: (id: string) => void;
}

export interface MemorySessionStore extends SessionStore {
  /** The session as it stands, without renewing it; also one whose time is over and that was not evicted yet. */
  peek(id: string): Session | undefined;
  /** Takes in a session from an earlier life, whatever the limit. */
  restore(session: Session): void;
  /** The ids of all sessions, expired ones included. */
  ids(): IterableIterator<string>;
  expired(): Session[];
  /** Removes a session, expired or not. */
  evict(id: string): void;
}

/** Sessions in the memory of this process. */
export function createMemorySessionStore(options: MemorySessionStoreOptions): MemorySessionStore {
  const { ttl, limit, now = Date.now, onChange = () => undefined } = options;
  const sessions = new Map<string, Session>();

  const isExpired = ({ lastUsed }: Session) => now() - lastUsed >= ttl;
  const find = (id: string) => {
    const session = sessions.get(id);
    return session === undefined || isExpired(session) ? undefined : session;
  };
  const living = () => [...sessions.values()].filter((session) => !isExpired(session));
  const put = (session: Session) => {
    sessions.set(session.id, session);
    onChange(session.id);
  };
  const remove = (id: string) => {
    sessions.delete(id);
    onChange(id);
  };
  return {
    async create(session) {
      if (sessions.size >= limit && living().length >= limit) return false;
      put(session);
      return true;
    },
    async read(id) {
      const session = find(id);
      if (session === undefined) return undefined;
      const renewed = { ...session, lastUsed: now() };
      put(renewed);
      return renewed;
    },
    async update(id, change) {
      const session = find(id);
      if (session === undefined) return undefined;
      const changed = change(session);
      put({ ...changed.session, lastUsed: now() });
      return changed.result;
    },
    async delete(id) {
      const isThere = find(id) !== undefined;
      if (isThere) remove(id);
      return isThere;
    },
    list: async () => living().sort((a, b) => a.createdAt - b.createdAt),
    count: async () => living().length,
    peek: (id) => sessions.get(id),
    restore: put,
    ids: () => sessions.keys(),
    expired: () => [...sessions.values()].filter(isExpired),
    evict: remove,
  };
}
