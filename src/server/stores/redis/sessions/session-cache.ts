import { sessionBytes } from '../../session-size.ts';
import type { SessionCopy } from './session-copy.ts';

/** Copies of sessions, which may be outdated or dropped at any time: they only save reads. */
export interface SessionCache {
  get(id: string): SessionCopy | undefined;
  set(id: string, copy: SessionCopy): void;
  delete(id: string): void;
  clear(): void;
}

/** @param memory most bytes of all copies together; the least recently used are dropped first */
export function createSessionCache(memory: number): SessionCache {
  const entries = new Map<string, SessionCopy & { readonly bytes: number }>();
  let total = 0;
  const remove = (id: string) => {
    total -= entries.get(id)?.bytes ?? 0;
    entries.delete(id);
  };
  return {
    get(id) {
      const entry = entries.get(id);
      if (entry === undefined) return undefined;
      // To the end, as the most recently used.
      entries.delete(id);
      entries.set(id, entry);
      return entry;
    },
    set(id, copy) {
      remove(id);
      const bytes = sessionBytes(copy.session);
      entries.set(id, { ...copy, bytes });
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
