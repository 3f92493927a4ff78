import { replayInputs } from '../../../../typing/round.ts';
import { parseInputText } from '../../../../typing/round-input.ts';
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
  const keep = (record: SessionRecord): SessionCopy => {
    const copy = toCopy(record);
    cache.set(copy.session.id, copy);
    return copy;
  };
  const fetch = async (id: string) => {
    const record = await records.read(id);
    return record && keep(record);
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
      if (outcome.kind === 'changed') return keep(outcome.record);
      const next = withTail(copy, outcome.tail);
      if (next === undefined) return fetch(id);
      cache.set(id, next);
      return next;
    },
  };
}

function toCopy(record: SessionRecord): SessionCopy {
  return {
    session: parseSessionText(record, record.lastUsed),
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
