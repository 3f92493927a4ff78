import { replayInputs } from '../../../../typing/round.ts';
import { parseInputText } from '../../../../typing/round-input.ts';
import { StoreUnavailableError } from '../../ports.ts';
import { parseSessionText } from '../../session-events/session-text.ts';
import { createSessionCache } from './session-cache.ts';
import type { SessionCopy } from './session-copy.ts';
import type { SessionRecord, SessionRecords, WriteOutcome } from './session-records.ts';

/** This server's copies of sessions, which catch up with the writes of other servers. */
export interface SessionCopies {
  /** Reads a session from the store, which renews it. */
  fetch(id: string): Promise<SessionCopy | undefined>;
  /** Reads a session from memory, else from the store. */
  find(id: string): Promise<SessionCopy | undefined>;
  put(copy: SessionCopy): void;
  drop(id: string): void;
  /** Updates a copy from the store's answer to a refused write; undefined if the session is gone. */
  catchUp(
    copy: SessionCopy,
    outcome: Exclude<WriteOutcome, { kind: 'written' }>,
  ): Promise<SessionCopy | undefined>;
  clear(): void;
}

/** @param memory most bytes of all copies together */
export function createSessionCopies(records: SessionRecords, memory: number): SessionCopies {
  const cache = createSessionCache(memory);
  const keep = async (id: string, record: SessionRecord) => {
    const copy = await readSound(records, id, record);
    if (copy !== undefined) cache.set(id, copy);
    return copy;
  };
  const fetch = async (id: string) => {
    const record = await records.read(id);
    return record && keep(id, record);
  };
  return {
    fetch,
    find: async (id) => cache.get(id) ?? fetch(id),
    put: (copy) => cache.set(copy.session.id, copy),
    drop: cache.delete,
    clear: cache.clear,
    async catchUp(copy, outcome) {
      const { id } = copy.session;
      cache.delete(id);
      if (outcome.kind === 'gone') return undefined;
      if (outcome.kind === 'changed') return keep(id, outcome.record);
      const next = withTail(copy, outcome.tail);
      if (next === undefined) return fetch(id);
      cache.set(id, next);
      return next;
    },
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
    return toCopy(id, record);
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw error;
    const again = await records.peek(id);
    if (again === undefined) return undefined;
    try {
      return toCopy(id, again);
    } catch (problem) {
      const isSetAside = await records.setAside(id, again.generation, (problem as Error).message);
      if (!isSetAside) throw problem;
      return undefined;
    }
  }
}

/** Throws if the record is damaged, or that of another session. */
export function toCopy(id: string, record: SessionRecord): SessionCopy {
  const session = parseSessionText(record, record.lastUsed);
  if (session.id !== id) throw new Error('it is a session with another id');
  return {
    session,
    generation: record.generation,
    headerBytes: Buffer.byteLength(record.header),
    inputBytes: Buffer.byteLength(record.inputs),
  };
}

/** Undefined if these inputs cannot follow those of the copy: it must be read again. */
function withTail(copy: SessionCopy, tail: string): SessionCopy | undefined {
  const { session } = copy;
  if (session.round === null) return undefined;
  const { round, isWhole } = replayInputs(session.round, parseInputText(tail) ?? []);
  if (!isWhole) return undefined;
  return { ...copy, session: { ...session, round }, inputBytes: copy.inputBytes + Buffer.byteLength(tail) };
}
