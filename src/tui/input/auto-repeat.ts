import type { Key } from './key.ts';

/** What is remembered of the keys before, to tell a held key from a tapped one. */
export interface RepeatMemory {
  readonly key: string;
  readonly time: number;
  /** How many times in a row the same key came faster than a finger can tap it. */
  readonly fast: number;
}

export const noRepeat: RepeatMemory = { key: '', time: Number.NEGATIVE_INFINITY, fast: 0 };

/** Keyboards repeat every 25 to 70 ms; a finger needs more than 80 ms to tap the same key again and again. */
const fastestTap = 80;

/** One quick doubling can be a worn switch or a lucky finger; from the second on it is a held key. */
const sureAfter = 2;

/** The memory after `key`, pressed at `time` (ms). `isRepeat` then says whether that key was a repetition. */
export function rememberKey(memory: RepeatMemory, key: Key, time: number): RepeatMemory {
  const name = key.name === 'character' ? key.text : key.name;
  const isFast = name === memory.key && time - memory.time <= fastestTap;
  return { key: name, time, fast: isFast ? memory.fast + 1 : 0 };
}

/** Whether the key last remembered came from a held key. A held Backspace is a usual way to delete, and not flagged. */
export function isRepeat(memory: RepeatMemory): boolean {
  return memory.fast >= sureAfter && memory.key !== 'backspace' && memory.key !== 'delete-word';
}

/** Whether the terminal itself says that the key is held down. */
export function isHeldByReport({ isHeld, name }: Key): boolean {
  return isHeld === true && name !== 'backspace' && name !== 'delete-word';
}
