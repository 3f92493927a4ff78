import { isTypingKey, type Key } from './key.ts';

/** What is known of the key before, to tell whether it was still down when the next one was pressed. Immutable. */
export interface RolloverMemory {
  /** Whether the terminal has ever reported a release: most never do. */
  readonly hasReleases: boolean;
  /** The key pressed last; undefined where its release may have been missed. */
  readonly last: number | undefined;
  readonly isDown: boolean;
}

export const noRollover: RolloverMemory = { hasReleases: false, last: undefined, isDown: false };

/** The memory after a key that was pressed or released. */
export function rememberRelease(memory: RolloverMemory, key: Key): RolloverMemory {
  if (key.name === 'release') {
    const isLast = key.code === memory.last;
    return { ...memory, hasReleases: true, isDown: memory.isDown && !isLast };
  }
  if (key.name === 'focus-out') return { ...memory, last: undefined, isDown: false };
  if (!isTypingKey(key) || key.isHeld) return memory;
  return { ...memory, last: key.code, isDown: key.code !== undefined };
}

/** Whether `key` is pressed before the one before it is released; undefined where nobody can tell. */
export function toRolled(memory: RolloverMemory, key: Key): boolean | undefined {
  const isCounted = key.name === 'character' || key.name === 'space';
  if (!isCounted || key.isHeld || key.code === undefined) return undefined;
  return memory.hasReleases && memory.last !== undefined ? memory.isDown : undefined;
}
