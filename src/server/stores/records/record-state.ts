import { randomBytes } from 'node:crypto';
import type { RecordChange, Refused } from './records.ts';

/** The state of a record, without the texts of its lines. Conditions and effects are defined here. */
export interface RecordState {
  /** `''`: there is no such record. */
  version: string;
  /** Milliseconds since 1970 after which the record has disappeared. */
  until: number;
  fields: Map<string, string>;
  /** Numbers of the oldest line that is kept and of the newest; `first` is `last + 1` if there is none. */
  first: number;
  last: number;
}

export function newRecordState(): RecordState {
  return {
    version: '',
    until: Number.POSITIVE_INFINITY,
    fields: new Map(),
    first: 1,
    last: 0,
  };
}

/** Whether the record does not exist, or has expired. */
export function isGone(state: RecordState, now: number): boolean {
  return state.version === '' || state.until <= now;
}

/** A change at its place among the other changes of the record. */
export interface PlacedChange {
  /** The version of the record after this change. */
  readonly version: string;
  /** Milliseconds since 1970 at which it was requested: decides whether the record had expired. */
  readonly at: number;
  readonly change: RecordChange;
}

export type Outcome = 'applied' | Refused['refused'];

/** Whether a change would be applied to this state. */
export function outcomeOf(state: RecordState, at: number, change: RecordChange): Outcome {
  const { version, fields } = state.until <= at ? newRecordState() : state;
  const { if: wanted = version, max } = change;
  if (wanted !== version) return 'changed';
  for (const name in max)
    if (numberIn(fields.get(name)) + (change.add?.[name] ?? 0) > (max[name] as number)) return 'full';
  return 'applied';
}

/** Applies a change if its conditions hold. */
export function applyChange(state: RecordState, { version, at, change }: PlacedChange): Outcome {
  const outcome = outcomeOf(state, at, change);
  if (outcome !== 'applied') return outcome;
  if (state.until <= at) Object.assign(state, newRecordState());
  state.version = version;
  const { fields } = state;
  for (const name in change.put) fields.set(name, change.put[name] as string);
  for (const name in change.append) fields.set(name, (fields.get(name) ?? '') + change.append[name]);
  for (const name in change.add)
    fields.set(name, String(numberIn(fields.get(name)) + (change.add[name] as number)));
  if (change.remove !== undefined) for (const name of change.remove) fields.delete(name);
  state.last += change.push?.length ?? 0;
  if (change.trim !== undefined) state.first = Math.max(state.first, Math.min(change.trim, state.last + 1));
  if (change.ttl !== undefined) state.until = at + change.ttl;
  return outcome;
}

function numberIn(text: string | undefined): number {
  return Number(text) || 0;
}

/**
 * Makes version names that no other process makes, not even after a restart or a restored backup: a random
 * part for each process, and a counter.
 */
export function createVersions(): () => string {
  const origin = randomBytes((originLength * 3) / 4).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return origin + count;
  };
}

const originLength = 8;

/** Versions that were replaced. A process appends its own in order, so only its newest is kept. */
export function createReplacedVersions() {
  // That there is no record, `''`, cannot be a version that was lost.
  const newest = new Map([['', 0]]);
  const partsOf = (version: string) =>
    [version.slice(0, originLength), Number(version.slice(originLength))] as const;
  return {
    has(version: string): boolean {
      const [origin, count] = partsOf(version);
      return count <= (newest.get(origin) ?? -1);
    },
    add(version: string): void {
      const [origin, count] = partsOf(version);
      newest.set(origin, Math.max(count, newest.get(origin) ?? 0));
    },
  };
}

/** Whether this may be the id of a record: it becomes a path, or a part of a key. */
export function isRecordId(id: string): boolean {
  return /^[a-z0-9_-][a-z0-9._-]*(?:\/[a-z0-9_-][a-z0-9._-]*)*$/.test(id) && id.length <= 200;
}

export function requireRecordId(id: string): void {
  if (!isRecordId(id)) throw new Error(`not an id of a record: ${id}`);
}
