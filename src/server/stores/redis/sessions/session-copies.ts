import { inSlices } from '../../../../kit/slices.ts';
import { replaySteps } from '../../../../typing/round.ts';
import { StoreUnavailableError } from '../../ports.ts';
import { sessionSteps } from '../../session-events/session-text.ts';
import { createSessionCache } from './session-cache.ts';
import type { SessionCopy } from './session-copy.ts';
import type { RecordNews, SessionRecord, SessionRecords } from './session-records.ts';

/** This server's copies of sessions, which catch up with the writes of other servers. */
export interface SessionCopies {
  /**
   * A session as the store has it now, which renews it. The store sends only what this server's copy lacks: parsing a long
   * session again for each request would keep everybody else waiting.
   */
  fetch(id: string): Promise<SessionCopy | undefined>;
  /** A session from memory, else from the store. */
  find(id: string): Promise<SessionCopy | undefined>;
  put(copy: SessionCopy): void;
  drop(id: string): void;
  /** Updates a copy from the store's answer to a refused write; undefined if the session is gone. */
  catchUp(copy: SessionCopy, news: RecordNews): Promise<SessionCopy | undefined>;
  clear(): void;
}

/** @param memory most bytes of all copies together */
export function createSessionCopies(records: SessionRecords, memory: number): SessionCopies {
  const cache = createSessionCache(memory);
  let clearings = 0;
  /** Puts a copy in the cache, unless that was cleared while it was being made. */
  const keep = async (id: string, making: Promise<SessionCopy | undefined>) => {
    const before = clearings;
    const copy = await making;
    if (copy !== undefined && clearings === before) cache.set(id, copy);
    return copy;
  };
  const keepRecord = (id: string, record: SessionRecord) => keep(id, readSound(records, id, record));
  const readWhole = async (id: string) => {
    const record = await records.read(id);
    return record && keepRecord(id, record);
  };
  const catchUp = async (copy: SessionCopy, news: RecordNews) => {
    const { id } = copy.session;
    cache.delete(id);
    if (news.kind === 'gone') return undefined;
    if (news.kind === 'changed') return keepRecord(id, news.record);
    return (await keep(id, withTail(copy, news.tail))) ?? readWhole(id);
  };
  const fetch = async (id: string) => {
    const copy = cache.get(id);
    if (copy === undefined) return readWhole(id);
    const outcome = await records.readNews(id, copy);
    return outcome.kind === 'same' ? copy : catchUp(copy, outcome);
  };
  return {
    fetch,
    find: async (id) => cache.get(id) ?? readWhole(id),
    put: (copy) => cache.set(copy.session.id, copy),
    drop: cache.delete,
    clear() {
      clearings += 1;
      cache.clear();
    },
    catchUp,
  };
}

/**
 * Undefined if the session cannot be parsed. It is then set aside, so that its player can continue without it; but only after
 * it was read once more, because the reply may have been damaged.
 */
async function readSound(
  records: Pick<SessionRecords, 'peek' | 'setAside'>,
  id: string,
  record: SessionRecord,
): Promise<SessionCopy | undefined> {
  try {
    return await toCopy(id, record);
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw error;
    const again = await records.peek(id);
    if (again === undefined) return undefined;
    try {
      return await toCopy(id, again);
    } catch (problem) {
      const isSetAside = await records.setAside(id, again.generation, (problem as Error).message);
      if (!isSetAside) throw problem;
      return undefined;
    }
  }
}

/** Replays the session in slices. Rejects if the record is damaged, or that of another session. */
export async function toCopy(id: string, record: SessionRecord): Promise<SessionCopy> {
  const session = await inSlices(sessionSteps(record, record.lastUsed));
  if (session.id !== id) throw new Error('it is a session with another id');
  return {
    session,
    generation: record.generation,
    headerBytes: Buffer.byteLength(record.header),
    inputBytes: Buffer.byteLength(record.inputs),
  };
}

/** Undefined if these inputs cannot follow those of the copy: it must be read again. */
async function withTail(copy: SessionCopy, tail: string): Promise<SessionCopy | undefined> {
  const { session } = copy;
  if (session.round === null) return undefined;
  const replayed = await inSlices(replaySteps(session.round, tail));
  if (replayed?.isWhole !== true) return undefined;
  const inputBytes = copy.inputBytes + Buffer.byteLength(tail);
  return { ...copy, session: { ...session, round: replayed.round }, inputBytes };
}
