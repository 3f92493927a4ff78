import type { Session } from '../../session.ts';
import { sessionBytes } from '../../session-size.ts';

/** A session as this server saw it last, and what the store called it then. */
export interface CachedSession {
  readonly session: Session;
  readonly generation: string;
  /** Bytes of its inputs in the store. */
  readonly inputBytes: number;
}

/** Copies of sessions that may be outdated or dropped at any time: they save reading, and nothing depends on them. */
export interface SessionCache {
  get(id: string): CachedSession | undefined;
  set(id: string, cached: CachedSession): void;
  delete(id: string): void;
  clear(): void;
}

/** @param memory bytes that all copies together may take; those unused for longest go first */
export function createSessionCache(memory: number): SessionCache {
  const entries = new Map<string, CachedSession & { readonly bytes: number }>();
  let total = 0;
  const remove = (id: string) => {
    total -= entries.get(id)?.bytes ?? 0;
    entries.delete(id);
  };
  return {
    get: (id) => entries.get(id),
    set(id, cached) {
      remove(id);
      const bytes = sessionBytes(cached.session);
      entries.set(id, { ...cached, bytes });
      total += bytes;
      for (const oldest of entries.keys()) {
        if (total <= memory) break;
        remove(oldest);
      }
    },
    delete: remove,
    clear() {
      entries.clear();
      total = 0;
    },
  };
}
