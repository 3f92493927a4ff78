import type { StampedKey } from './key.ts';
import { createKeyParser } from './key-parser.ts';
import { type KeySource, startKeySource } from './key-source.ts';
import { freshTiming, type Reading, timeKeys } from './key-timing.ts';
import { readClock } from './stall-watch.ts';

export interface KeyIntakeListener {
  onKeys(keys: readonly StampedKey[]): void;
  onStall(stall: number): void;
  /** The terminal can report releases of keys. */
  onReleases(): void;
  onGone(): void;
}

/** A lone Esc looks like the beginning of a sequence until nothing follows for so many ms. */
const escapeWait = 30;

/** From the terminal to single keys with their times. */
export async function startKeyIntake(
  stdin: Parameters<typeof startKeySource>[0],
  listener: KeyIntakeListener,
): Promise<KeySource> {
  const parser = createKeyParser();
  const epoch = Date.now() - readClock();
  let timing = freshTiming;
  let escapeTimer: NodeJS.Timeout | undefined;

  return startKeySource(stdin, { onReading: take, onStall: listener.onStall, onGone: listener.onGone });

  function take(reading: Reading): void {
    clearTimeout(escapeTimer);
    pass(parser.push(reading.bytes, reading.time), reading);
    if (parser.isWaiting) {
      escapeTimer = setTimeout(() => pass(parser.flush(), { ...reading, time: readClock() }), escapeWait);
    }
  }

  function pass(all: ReturnType<typeof parser.flush>, reading: Reading): void {
    if (reading.stall > 0) listener.onStall(reading.stall);
    const keys = all.filter(({ name }) => name !== 'reports-releases');
    if (keys.length < all.length) listener.onReleases();
    if (keys.length === 0) return;
    const timed = timeKeys(timing, keys, reading);
    timing = timed.memory;
    listener.onKeys(timed.keys.map((key) => ({ ...key, unix: epoch + key.time })));
  }
}
