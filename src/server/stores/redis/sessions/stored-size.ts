import type { TextSize } from '../../../../typing/modes/words.ts';
import type { Word } from '../../../../typing/rules/word.ts';
import type { Session } from '../../session.ts';
import { memoized } from '../../session-size.ts';

/*
 * Memory of a session in the store: an upper bound in bytes, which a test compares with a real store.
 */

/** Its two keys and the fields besides its header, and its places in lists of which it is the only entry. */
const sessionBase = 2_800;
/** An allocation takes up to a quarter more than requested, and for a growing text twice its size is requested. */
const allocation = 1.25;
const growth = 2 * allocation;
/** Longest line of a plain input: a letter, its time, its number. */
const plainInput = 14;
/** Bytes are reserved in such steps, so that typing beyond the reserve costs a request only now and then. */
const step = 1_024;

/** The parts of a session in the store. */
export interface StoredParts {
  readonly session: Session;
  readonly headerBytes: number;
  readonly inputBytes: number;
}

/** A running round counts at least the bytes needed to finish it, with mistakes, so that nobody is stopped in the middle of it. */
export function storedBytes({ session: { round }, headerBytes, inputBytes }: StoredParts): number {
  const isRunning = round !== null && round.timing === undefined;
  const reserve = isRunning ? reserveOf(round.words) : 0;
  const bytes = sessionBase + allocation * headerBytes + Math.max(growth * inputBytes, reserve);
  return Math.ceil(bytes / step) * step;
}

/** Least bytes of a session once its next round, with a text of at least that size, has begun. */
export function startedBytes({ unsaved }: Session, { words, letters }: TextSize): number {
  const headerBytes = unsaved.reduce((sum, { line }) => sum + line.length, 0);
  return Math.ceil(sessionBase + allocation * headerBytes + reserveFor(words + letters));
}

/**
 * Twice as many plain inputs as the text has characters, and the line of the finished round: for each input a key with its
 * quotes, a time of up to four digits, and commas; the words; and the fields around them.
 */
const reserveOf = memoized((words: readonly Word[]): number =>
  reserveFor(words.reduce((sum, word) => sum + word.length + 1, 0)),
);

/** @param characters those of all words, plus one for the space after each */
function reserveFor(characters: number): number {
  const inputs = 2 * characters;
  return growth * plainInput * inputs + allocation * (4 * characters + 12 * inputs + 1_000);
}
