import { StringDecoder } from 'node:string_decoder';
import {
  endPaste,
  type Key,
  newParserState,
  type ParserStep,
  parseCharacter,
  settled,
} from './key-parser.ts';

/** A key with what is known of its moment. */
export interface StampedKey extends Key {
  /** Ms on the monotonic clock, taken when the bytes arrived, and the same moment in Unix ms. */
  readonly time: number;
  readonly unix: number;
  /** Whether the interval that ends with this key can be trusted. */
  readonly measured: boolean;
  /** The keyboard repeated it because it was held down. */
  readonly repeat: boolean;
}

export interface KeyReader {
  /** The keys that `bytes`, which arrived at `time` (monotonic ms), complete. Chunks may be cut anywhere. */
  push(bytes: Buffer, time: number): StampedKey[];
  /** Call when nothing has followed for a moment: an Esc that waited for more was the Esc key. */
  flush(time: number): StampedKey[];
  /** Bytes wait for their continuation. */
  readonly isWaiting: boolean;
}

/** A paste whose end never came must not swallow the keys typed afterwards, ms. */
const maxPasteGap = 1000;

export function createKeyReader(epoch: number = Date.now() - performance.now()): KeyReader {
  const decoder = new StringDecoder('utf8');
  let state = newParserState;
  let repeat = noRepeat;
  let lastPush = 0;

  return {
    push(bytes, time) {
      const isPasteLost = state.isPasting && time - lastPush > maxPasteGap;
      lastPush = time;
      const keys: Key[] = [];
      if (isPasteLost) apply(endPaste(state), keys);
      for (const character of decoder.write(bytes)) apply(parseCharacter(state, character), keys);
      return stamp(keys, time);
    },
    flush(time) {
      const keys: Key[] = [];
      apply(settled(state), keys);
      return stamp(keys, time);
    },
    get isWaiting() {
      return state.mode !== 'ground';
    },
  };

  function apply(step: ParserStep, keys: Key[]): void {
    state = step.state;
    keys.push(...(step.keys ?? []));
  }

  /** Keys that arrived together share one moment, so nobody knows the time between them. */
  function stamp(keys: readonly Key[], time: number): StampedKey[] {
    const together = keys.filter(isTypingKey).length > 1;
    return keys.map((key) => {
      const isTyping = isTypingKey(key);
      if (isTyping) repeat = repeatAfter(repeat, key, time);
      const isHeld = isTyping && (isRepeat(repeat) || (key.isHeld === true && !isDeletion(key.name)));
      const measured = isTyping && !together && !isHeld;
      return { ...key, time, unix: epoch + time, measured, repeat: isHeld };
    });
  }
}

/** Keys that type or correct; the others steer the client. */
function isTypingKey({ name }: Key): boolean {
  return ['character', 'space', 'enter'].includes(name) || isDeletion(name);
}

/** What tells a held key from a tapped one. */
interface RepeatMemory {
  readonly key: string;
  readonly time: number;
  /** How many times in a row the same key came faster than a finger can tap it. */
  readonly fast: number;
}

const noRepeat: RepeatMemory = { key: '', time: Number.NEGATIVE_INFINITY, fast: 0 };

/** Keyboards repeat every 25 to 70 ms; a finger needs more than 80 ms to tap the same key again and again. */
const fastestTap = 80;

/** One quick doubling can be a worn switch or a lucky finger; from the second on it is a held key. */
const sureAfter = 2;

function repeatAfter(memory: RepeatMemory, key: Key, time: number): RepeatMemory {
  const name = key.name === 'character' ? key.text : key.name;
  const isFast = name === memory.key && time - memory.time <= fastestTap;
  return { key: name, time, fast: isFast ? memory.fast + 1 : 0 };
}

/** A held Backspace is a usual way to delete, and not flagged. */
function isRepeat({ fast, key }: RepeatMemory): boolean {
  return fast >= sureAfter && !isDeletion(key);
}

function isDeletion(name: string): boolean {
  return name === 'backspace' || name === 'delete-word';
}
