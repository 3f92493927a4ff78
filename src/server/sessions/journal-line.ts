import { completes, type FinishedRound } from '../typing/finished-round.ts';
import { maxInputs } from '../typing/round.ts';

/** A finished round as the journal keeps it. */
export interface JournalRound extends FinishedRound {
  readonly session: string;
  readonly punctuation: boolean;
  /** When the server took the round's timing, ISO 8601 UTC. */
  readonly completedAt: string;
}

const formatVersion = 1;

/** Stands around a key of several UTF-16 units; no key is or contains it, because white space is no character. */
const fence = '\n';

/**
 * One round as one line of JSON: `v` is the version of the format, `words` are separated by blanks, `keys` hold the
 * characters typed as well as a blank for each space and U+0008 for each backspace, `ms` the seek time of each key.
 */
export function toJournalLine(round: JournalRound): string {
  const { id, session, completedAt, punctuation, words, keys, seekTimes, timing } = round;
  return JSON.stringify({
    v: formatVersion,
    id,
    session,
    completed_at: completedAt,
    punctuation,
    ...timing,
    words: words.join(' '),
    keys: keys.map((key) => (key.length === 1 ? key : fence + key + fence)).join(''),
    ms: seekTimes,
  });
}

/** Reads a line; undefined where it is damaged or of another version. Nothing of it is taken on trust. */
export function parseJournalLine(line: string): JournalRound | undefined {
  const raw = parseObject(line);
  if (raw?.v !== formatVersion) return undefined;
  const { id, session, completed_at, punctuation, start, end, duration, ms } = raw;
  if (typeof id !== 'string' || id === '' || typeof session !== 'string') return undefined;
  if (typeof completed_at !== 'string' || typeof punctuation !== 'boolean') return undefined;
  if (!isCount(start) || !isCount(end) || !isCount(duration) || duration === 0) return undefined;
  if (typeof raw.words !== 'string' || typeof raw.keys !== 'string' || !isCountList(ms)) return undefined;
  const words = raw.words.split(' ');
  const keys = parseKeys(raw.keys);
  if (words.includes('') || keys.length !== ms.length || keys.length > maxInputs) return undefined;
  if (!completes({ words, keys })) return undefined;
  const timing = { start, end, duration };
  return { id, session, punctuation, completedAt: completed_at, words, keys, seekTimes: ms, timing };
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function parseKeys(text: string): string[] {
  if (!text.includes(fence)) return text.split('');
  return text.split(fence).flatMap((part, at) => (at % 2 === 0 ? part.split('') : [part]));
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isCountList(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(isCount);
}
