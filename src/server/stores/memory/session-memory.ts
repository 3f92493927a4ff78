import type { Session } from '../session.ts';

/** How many clients it takes to use up the memory of the sessions. */
export const clientsInMemory = 16;

export interface SessionMemoryOptions {
  /** Bytes that all sessions together may take. */
  readonly all: number;
  /** Bytes that the sessions of one client may take; those of all clients in one block count as those of one. */
  readonly perClient: number;
}

/** What sessions take of the memory that they may have. */
export interface SessionMemory {
  /** Who has too little room for so many bytes more of this session: its client, or the whole store. */
  whoIsFull(session: Session, bytes: number): 'client' | 'store' | undefined;
  /** Counts bytes as taken; less than none: as given back. */
  take(session: Session, bytes: number): void;
  /** Bytes that all sessions take. */
  taken(): number;
}

export function createSessionMemory({ all, perClient }: SessionMemoryOptions): SessionMemory {
  const byOwner = new Map<string, number>();
  let total = 0;
  const ownerOf = ({ client, block }: Session) => block ?? client;
  return {
    whoIsFull(session, bytes) {
      const owner = ownerOf(session);
      if (owner !== '' && (byOwner.get(owner) ?? 0) + bytes > perClient) return 'client';
      return total + bytes > all ? 'store' : undefined;
    },
    take(session, bytes) {
      const owner = ownerOf(session);
      total += bytes;
      if (owner === '') return;
      const owned = (byOwner.get(owner) ?? 0) + bytes;
      if (owned === 0) byOwner.delete(owner);
      else byOwner.set(owner, owned);
    },
    taken: () => total,
  };
}
