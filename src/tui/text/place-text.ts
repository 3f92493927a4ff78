import type { LocalRound } from '../round/round.ts';
import { toTimeLimit } from '../round/time-limit.ts';

/** How far a round has come, in words or in seconds. */
interface Place {
  readonly place: string;
  /** Columns that the place takes at most in this round. */
  readonly width: number;
  readonly done: number;
  readonly total: number;
}

/** @param elapsed active ms of the round */
export function toPlace(round: LocalRound | undefined, elapsed: number): Place {
  if (round === undefined) return { place: '', width: 0, done: 0, total: 0 };
  const limit = toTimeLimit(round);
  if (limit !== undefined) {
    const total = limit / 1000;
    const done = Math.min(total, Math.floor(elapsed / 1000));
    return { place: `${total - done} s left`, width: `${total} s left`.length, done, total };
  }
  const total = round.words.length;
  const done = Math.min(round.wordIndex, total);
  const toText = (word: number) => `word ${word} of ${total}`;
  return { place: toText(Math.min(done + 1, total)), width: toText(total).length, done, total };
}

/** Where a round was left, such as `at word 4 of 30` or `with 52 s left`. */
export function toLeftPlace(round: LocalRound): string {
  const { place } = toPlace(round, round.active);
  return place.startsWith('word') ? `at ${place}` : `with ${place}`;
}

/** A round that was left in the middle, as the beginning of a sentence. */
export function toCutOffText(round: LocalRound): string {
  return `A round cut off ${toLeftPlace(round).replace(/ of \d+$/, '')}`;
}
