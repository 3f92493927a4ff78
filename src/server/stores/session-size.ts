import type { Practice } from '../../typing/modes/practice.ts';
import type { TextSize } from '../../typing/modes/words.ts';
import type { Round } from '../../typing/round.ts';
import type { Word } from '../../typing/rules/word.ts';
import type { Session } from './session.ts';
import type { UnsavedRound } from './unsaved-rounds.ts';

/*
 * Memory of sessions: upper bounds for 64-bit V8, in bytes, which a test compares with the heap. Strings are counted as if each
 * of their UTF-16 units took two bytes, because a single wide character widens the whole string.
 */

/** A session without its rounds: object, id, player and client, and its places in the store, in lists and in the log. */
const sessionBase = 2_500;
/** A round without its words, inputs and answers, and the loose ends of its tapes. */
const roundBase = 9_000;
/** Per UTF-16 unit of the inputs: two bytes, plus at most one for the answers (four per input of at least six units). */
const bytesPerUnit = 3;
const unsavedBase = 350;
/** The player's own layout: at most 60 keys, in its rows and in the table of fingers. */
const keyboardBytes = 8_000;
const stringBase = 32;
/** A character of the current word, in `input` or `reached`. */
const bytesPerTyped = 2 + stringBase;
/** Longest line of a plain input: a letter, its time, its number. */
const plainInput = 14;

/** The measures of a round that determine its size. */
export interface RoundMeasures {
  /** Bytes of the round without its inputs; see `measureText`. */
  readonly base: number;
  /** Least bytes while it is running. */
  readonly reserve: number;
  /** Length of the text of the inputs, in UTF-16 units. */
  readonly inputs: number;
  readonly isRunning: boolean;
}

/** Bytes of a session; a running round counts at least its reserve. */
export function sessionBytes({ practice, round, unsaved }: Session): number {
  const rest = practiceBytes(practice) + (unsaved.length === 0 ? 0 : unsavedListBytes(unsaved));
  if (round === null) return measuredBytes(null, rest);
  const { base, reserve } = measureText(round.words);
  const isRunning = round.timing === undefined;
  const now = base + progressBytes(round);
  return measuredBytes({ base: now, reserve, inputs: round.inputs.length, isRunning }, rest);
}

/** Least bytes of a session once its next round has begun. */
export function startBytes(
  { practice, unsaved }: Pick<Session, 'practice' | 'unsaved'>,
  { words, letters }: TextSize,
): number {
  const base = roundBase + words * (8 + stringBase) + 2 * letters;
  const reserve = toReserve(base, words + letters, 0);
  const rest = practiceBytes(practice) + unsavedListBytes(unsaved);
  return measuredBytes({ base, reserve, inputs: 0, isRunning: true }, rest);
}

/** The same from measures. `rest`: bytes of everything else. */
export function measuredBytes(round: RoundMeasures | null, rest: number): number {
  if (round === null) return sessionBase + rest;
  const taken = round.base + bytesPerUnit * round.inputs;
  return sessionBase + rest + (round.isRunning ? Math.max(taken, round.reserve) : taken);
}

/** Bytes of the text, which is kept with the session because all of its rounds use it, and of the layout. */
export function practiceBytes({ mode, keyboard }: Practice): number {
  return textBytes(mode) + (keyboard === undefined ? 0 : keyboardBytes);
}

function textBytes(mode: Practice['mode']): number {
  if (mode.type === 'drill') return 2 * (mode.text?.length ?? 0);
  return mode.type === 'text' ? 2 * (mode.text.length + (mode.title?.length ?? 0)) : 0;
}

export function unsavedRoundBytes({ line }: UnsavedRound): number {
  return unsavedBase + 2 * line.length;
}

/**
 * Bytes of a round for its text, and the reserve that it gets when it starts: room for twice as many plain inputs as its text has
 * characters, and for the line of the finished round. So sessions of others cannot stop a typist in the middle of a round.
 */
export const measureText = memoized((words: readonly Word[]): Pick<RoundMeasures, 'base' | 'reserve'> => {
  const base = roundBase + words.reduce((sum, word) => sum + wordBytes(word), 0);
  const characters = words.reduce((sum, word) => sum + word.length + 1, 0);
  const longest = words.reduce((length, word) => Math.max(length, word.length), 0);
  return { base, reserve: toReserve(base, characters, longest) };
});

/** @param characters those of all words, plus one for the space after each; @param longest characters of the longest word */
function toReserve(base: number, characters: number, longest: number): number {
  const inputs = 2 * characters;
  // The words; a key, up to four digits and a comma for each input; and the fields around them.
  const line = characters + 6 * inputs + 500;
  const typed = bytesPerUnit * inputs * plainInput + 2 * bytesPerTyped * longest;
  return base + typed + unsavedBase + 2 * line;
}

const unsavedListBytes = memoized((unsaved: readonly UnsavedRound[]) =>
  unsaved.reduce((sum, round) => sum + 8 + unsavedRoundBytes(round), 0),
);

function wordBytes(word: Word): number {
  if (typeof word === 'string') return 8 + stringBase + 2 * word.length;
  return word.reduce((sum, character) => sum + 8 + stringBase + 2 * character.length, 8 + stringBase);
}

/** Bytes of the characters of the current word; each may be a string of its own until V8 flattens them. */
function progressBytes({ progress: { input, reached } }: Round): number {
  return bytesPerTyped * (input.length + reached.length);
}

/** Caches measures of immutable lists, which are needed for every key. */
export function memoized<T extends object, R>(measure: (list: T) => R): (list: T) => R {
  const sizes = new WeakMap<T, R>();
  return (list) => {
    const known = sizes.get(list);
    if (known !== undefined) return known;
    const size = measure(list);
    sizes.set(list, size);
    return size;
  };
}
