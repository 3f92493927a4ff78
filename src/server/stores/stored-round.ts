import * as v from 'valibot';
import type { Labels } from '../../typing/labels.ts';
import type { NewBests } from '../../typing/round.ts';
import type { FinishedRound } from '../../typing/statistics/finished-round.ts';
import { labelFields, type Setup } from './session.ts';
import * as stored from './stored-fields.ts';

/** A finished round as it is stored. */
export interface StoredRound extends FinishedRound, Labels {
  readonly punctuation: boolean;
  /** When the server received the round's timing, ISO 8601 UTC. */
  readonly completedAt: string;
  /** Undefined for a round that was not typed in a session. */
  readonly newBests: NewBests | undefined;
}

/** @param completedAt milliseconds since 1970 */
export function newStoredRound(
  finished: FinishedRound,
  setup: Setup,
  completedAt: number,
  newBests?: NewBests,
): StoredRound {
  return {
    ...finished,
    ...stored.pickFields<Labels>(labelFields, setup),
    punctuation: setup.practice.punctuation,
    completedAt: new Date(completedAt).toISOString(),
    newBests,
  };
}

/**
 * Encloses a key of several UTF-16 units. No key contains it, because the only white space that is a key is
 * the space.
 */
const fence = '\n';

/** One key after the other; a backspace is U+0008. */
function keysText(keys: readonly string[]): string {
  return keys.map((key) => (key.length === 1 ? key : fence + key + fence)).join('');
}

function keysIn(text: string): readonly string[] {
  return text.split(fence).flatMap((part, at) => (at % 2 === 0 ? part.split('') : [part]));
}

/** Of a round's line, and of what is derived from these lines and stored. */
export const formatVersion = 1;

/** Every field of a stored round. */
const fields: stored.FieldTable<StoredRound> = {
  id: v.pipe(v.string(), v.uuid()),
  words: stored.words,
  keys: v.pipe(v.string(), v.transform(keysIn)),
  seekTimes: v.custom<number[]>(
    (raw) => Array.isArray(raw) && raw.every((ms) => Number.isSafeInteger(ms) && ms >= 0),
  ),
  timing: stored.timing,
  rules: v.optional(stored.rulesShape),
  mode: v.optional(stored.nameShape),
  language: v.optional(stored.nameShape),
  layout: v.optional(stored.nameShape),
  punctuation: v.boolean(),
  completedAt: v.pipe(v.string(), v.isoTimestamp()),
  newBests: v.optional(stored.newBests),
  ...labelFields,
};

/** The round as one line of JSON. */
export function roundLine(round: StoredRound): string {
  const { words, keys, ...others } = stored.pickFields(fields, round);
  return JSON.stringify({
    v: formatVersion,
    ...others,
    words: stored.spacedWords(words),
    keys: keysText(keys),
  });
}

/**
 * Undefined if the line is damaged, or a later version has written it. Checks its shape, but not the rules of
 * the game, which may have been different when it was typed.
 */
export function parseRoundLine(line: string): StoredRound | undefined {
  try {
    const raw = JSON.parse(line);
    if (raw.v > formatVersion) return undefined;
    const round = stored.readFields(fields, raw);
    return round.keys.length === round.seekTimes.length ? round : undefined;
  } catch {
    return undefined;
  }
}
