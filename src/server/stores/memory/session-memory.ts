import type { Session } from '../session.ts';

/** Number of clients that can use up the memory of all sessions. */
export const clientsInMemory = 16;

export interface SessionMemoryOptions {
  /** Most memory of all sessions together, in bytes. */
  readonly all: number;
  /** Most memory of the sessions of one client, in bytes; all clients in one block count as one. */
  readonly perClient: number;
}

/** Counts the memory that sessions use. */
export interface SessionMemory {
  /** Whose limit so many more bytes of this session would exceed: that of its client, or of the store. */
  whoIsFull(session: Session, bytes: number): 'client' | 'store' | undefined;
  /** Adds bytes to the count; negative numbers subtract. */
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
