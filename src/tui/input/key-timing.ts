import { isHeldByReport, isRepeat, noRepeat, type RepeatMemory, rememberKey } from './auto-repeat.ts';
import { isTypingKey, type Key, type TimedKey } from './key.ts';
import { noRollover, type RolloverMemory, rememberRelease, toRolled } from './rollover.ts';

/** One reading of the terminal. */
export interface Reading {
  readonly bytes: Uint8Array;
  /** When it was read, ms on the monotonic clock. */
  readonly time: number;
  /** By how many ms the reader may have been late (0: it was punctual). */
  readonly stall: number;
}

/** How far the intervals of a round can be trusted. */
export interface TimingQuality {
  /** The longest the reader was held up by the machine, ms. */
  readonly largestStall: number;
  /** Keys that came in one reading, so that nobody knows the time between them, though the reader was not late. */
  readonly together: number;
  /** Keys whose interval is therefore reported as not measured. */
  readonly unmeasured: number;
  /** Keys sent by the keyboard because one was held down. */
  readonly repeats: number;
  /** Pastes, which were left out. */
  readonly pastes: number;
  /** Keys of which the terminal tells whether the one before was still down, and those where it was. */
  readonly watched: number;
  readonly rolled: number;
}

export const perfectTiming: TimingQuality = {
  largestStall: 0,
  together: 0,
  unmeasured: 0,
  repeats: 0,
  pastes: 0,
  watched: 0,
  rolled: 0,
};

export interface TimingMemory {
  readonly repeat: RepeatMemory;
  readonly lastWasLate: boolean;
  readonly rollover: RolloverMemory;
}

export const freshTiming: TimingMemory = { repeat: noRepeat, lastWasLate: false, rollover: noRollover };

/** A reader later than this makes the intervals beside it worthless: the recorded times are to be right within 2 ms. */
const tolerableStall = 2;

/**
 * Stamps the keys of one reading. Keys that came together share one moment, and a late reading makes the
 * interval before and the one after it uncertain: those are marked as not measured instead of being guessed.
 * Releases only tell which keys overlap; they come out as no key.
 */
export function timeKeys(
  memory: TimingMemory,
  keys: readonly Key[],
  reading: Reading,
): { memory: TimingMemory; keys: TimedKey[] } {
  const isLate = reading.stall > tolerableStall;
  const areTogether = keys.filter(isTypingKey).length > 1;
  // What a busy machine left waiting says nothing of how it came.
  const cameTogether = areTogether && !isLate;
  let { repeat, lastWasLate, rollover } = memory;
  const timed = keys.flatMap((key): TimedKey[] => {
    const rolled = toRolled(rollover, key);
    rollover = rememberRelease(rollover, key);
    if (key.name === 'release') return [];
    if (!isTypingKey(key)) {
      return [{ ...key, time: reading.time, measured: false, repeat: false, together: false }];
    }
    repeat = rememberKey(repeat, key, reading.time);
    const isHeld = isRepeat(repeat) || isHeldByReport(key);
    const measured = !isLate && !areTogether && !lastWasLate && !isHeld;
    lastWasLate = isLate;
    return [{ ...key, time: reading.time, measured, repeat: isHeld, together: cameTogether, rolled }];
  });
  return { memory: { repeat, lastWasLate, rollover }, keys: timed };
}
