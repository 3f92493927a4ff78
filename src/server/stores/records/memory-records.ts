import {
  applyChange,
  createVersions,
  isGone,
  newRecordState,
  type RecordState,
  requireRecordId,
} from './record-state.ts';
import type { Records } from './records.ts';

interface MemoryRecord {
  readonly state: RecordState;
  /** All lines that were ever added; the first has the number 1. */
  readonly lines: string[];
}

/** Records that end with the process: for the sessions of a typist who plays without a server. */
export function createMemoryRecords(clock: () => number = Date.now): Records {
  const nextVersion = createVersions();
  const records = new Map<string, MemoryRecord>();

  const find = (id: string): MemoryRecord | undefined => {
    requireRecordId(id);
    const record = records.get(id);
    if (record === undefined || !isGone(record.state, clock())) return record;
    records.delete(id);
    return undefined;
  };

  return {
    async read(id, names = [], known) {
      const { version, fields, first, last } = find(id)?.state ?? newRecordState();
      const values = known === version ? [] : names.map((name) => fields.get(name));
      return { version, values, first, last };
    },
    fields: async (id) => new Map(find(id)?.state.fields),
    async lines(id, from, to) {
      const record = find(id);
      return record?.lines.slice(Math.max(from, record.state.first) - 1, to) ?? [];
    },
    async commit(id, change) {
      const record = find(id) ?? { state: newRecordState(), lines: [] };
      const version = nextVersion();
      const outcome = applyChange(record.state, { version, at: clock(), change });
      if (outcome !== 'applied') return { refused: outcome };
      record.lines.push(...(change.push ?? []));
      records.set(id, record);
      return { version };
    },
    async remove(id) {
      requireRecordId(id);
      records.delete(id);
    },
    async *ids(prefix) {
      for (const id of [...records.keys()]) if (id.startsWith(prefix) && find(id) !== undefined) yield id;
    },
    async close() {},
  };
}
