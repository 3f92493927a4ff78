import * as v from 'valibot';
import { spaceKey } from '../../typing/rules/key.ts';
import { isDefaultRules } from '../../typing/rules/rules.ts';
import { toReachedWords, toWordText } from '../../typing/rules/word.ts';
import { type FinishedRound, kindOfRound } from '../../typing/statistics/finished-round.ts';
import type { JournalRound } from './journal-round.ts';
import { localPlayer, playerPattern } from './player.ts';
import { roundKindEntries } from './practice-shape.ts';

/** The second also has the kind and rules of a round; rounds with the defaults are still written in the first. */
const plainVersion = 1;
const formatVersion = 2;

const kindShape = v.object(roundKindEntries);

/** Encloses a key of several UTF-16 units. No key contains it, because the only white space that is a key is the space. */
const fence = '\n';

/**
 * One round as one line of JSON: `v` is the version of the format, `words` are separated by blanks, `keys` has the typed
 * characters, a blank for each space and U+0008 for each backspace, `ms` has the seek time of each key. A line without
 * `player` belongs to the local player.
 */
export function toJournalLine(round: JournalRound): string {
  const { id, session, player, completedAt, punctuation, words, keys, seekTimes, timing } = round;
  const kind = toKind(round);
  return JSON.stringify({
    v: kind === undefined ? plainVersion : formatVersion,
    id,
    session,
    ...(player === localPlayer ? {} : { player }),
    completed_at: completedAt,
    punctuation,
    ...kind,
    ...timing,
    words: words.map(toWordText).join(' '),
    keys: keys.map((key) => (key.length === 1 ? key : fence + key + fence)).join(''),
    ms: seekTimes,
  });
}

/** Whether a line was written by a later version, and can only be read by it. */
export function isOfLaterVersion(line: string): boolean {
  const version = parseObject(line)?.v;
  return isCount(version) && version > formatVersion;
}

/**
 * Parses a line; undefined if it is damaged or of a later version. Checks its shape, but not the rules of the game, which may
 * have been different when it was typed.
 */
export function parseJournalLine(line: string): JournalRound | undefined {
  const raw = parseObject(line);
  if (raw?.v !== plainVersion && raw?.v !== formatVersion) return undefined;
  const { id, session, player = localPlayer, completed_at, punctuation, start, end, duration, ms } = raw;
  if (typeof id !== 'string' || id === '' || typeof session !== 'string') return undefined;
  if (typeof player !== 'string' || !playerPattern.test(player)) return undefined;
  if (typeof completed_at !== 'string' || typeof punctuation !== 'boolean') return undefined;
  if (!isCount(start) || !isCount(end) || !isCount(duration) || duration === 0) return undefined;
  if (typeof raw.words !== 'string' || typeof raw.keys !== 'string' || !isCountList(ms)) return undefined;
  const kind = v.safeParse(kindShape, raw.v === formatVersion ? raw : {});
  if (!kind.success || raw.words === '' || raw.words.split(' ').includes('')) return undefined;
  const keys = parseKeys(raw.keys);
  if (keys.length !== ms.length) return undefined;
  const words = toReachedWords(raw.words.split(' '), countSpaces(keys));
  const timing = { start, end, duration };
  const typed = { ...kind.output, words, keys, seekTimes: ms };
  return { id, session, player, punctuation, completedAt: completed_at, ...typed, timing };
}

/** Kind and rules of a round; undefined if they are the defaults, as in version 1. */
function toKind({ mode, language, layout, keyboard, rules }: FinishedRound): object | undefined {
  const { mode: plainMode, language: plainLanguage, layout: plainLayout } = kindOfRound({});
  const isPlain =
    (mode ?? plainMode) === plainMode &&
    (language ?? plainLanguage) === plainLanguage &&
    (layout ?? plainLayout) === plainLayout &&
    (rules === undefined || isDefaultRules(rules));
  return isPlain ? undefined : { mode, language, layout, keyboard, rules };
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

function countSpaces(keys: readonly string[]): number {
  return keys.reduce((sum, key) => (key === spaceKey ? sum + 1 : sum), 0);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isCountList(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(isCount);
}
