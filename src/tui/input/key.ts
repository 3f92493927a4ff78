/** What one key press means to the client. */
export type KeyName =
  | 'character'
  | 'space'
  | 'enter'
  | 'tab'
  | 'escape'
  | 'backspace'
  | 'delete-word'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'page-up'
  | 'page-down'
  | 'home'
  | 'end'
  | 'f1'
  | 'ctrl-c'
  | 'ctrl-l'
  | 'ctrl-o'
  | 'ctrl-p'
  | 'ctrl-y'
  | 'ctrl-z'
  | 'paste'
  | 'focus-in'
  | 'focus-out'
  /** A key has come up. */
  | 'release'
  /** The terminal answers that it can report releases. */
  | 'reports-releases';

export interface Key {
  readonly name: KeyName;
  /** The character typed; empty for every other key. */
  readonly text: string;
  /** The same number for the press and the release of a key; undefined where the terminal reports no releases. */
  readonly code?: number;
  /** Whether the terminal says that it is a repetition of a key that is held down. */
  readonly isHeld?: boolean;
}

/** A key with what is known of its moment. */
export interface TimedKey extends Key {
  /** Milliseconds on the monotonic clock, taken when the bytes were read. */
  readonly time: number;
  /** Whether the interval that ends with this key is trustworthy. */
  readonly measured: boolean;
  /** Whether the keyboard repeated it because it was held down. */
  readonly repeat: boolean;
  /** Whether it arrived in one reading with other typing keys, though the reader was not late. */
  readonly together: boolean;
  /** Whether the key before was still down; undefined where nobody can tell. */
  readonly rolled?: boolean | undefined;
}

/** A key with its moment on the calendar, too. */
export interface StampedKey extends TimedKey {
  /** Unix ms. */
  readonly unix: number;
}

/** Keys that type or correct; the others steer the client or are no keys at all. */
export function isTypingKey(key: Key): boolean {
  return (
    key.name === 'character' ||
    key.name === 'space' ||
    key.name === 'enter' ||
    key.name === 'backspace' ||
    key.name === 'delete-word'
  );
}
