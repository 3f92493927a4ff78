import { StringDecoder } from 'node:string_decoder';
import type { Key, KeyName } from './key.ts';

/** Turns what a terminal sends into single keys. Chunks may be cut anywhere, also inside a character or a sequence. */
export interface KeyParser {
  /** The keys that `bytes`, read at `time` (ms, monotonic), complete. */
  push(bytes: Uint8Array, time: number): Key[];
  /** Call when nothing has followed for a moment: an Esc that waited for the rest of a sequence was the Esc key. */
  flush(): Key[];
  /** Whether bytes wait for their continuation. */
  readonly isWaiting: boolean;
}

type State = 'ground' | 'escape' | 'control' | 'single-shift' | 'linux-function' | 'string' | 'string-escape';

/** A paste whose end never came (a broken connection) must not swallow the keys typed afterwards. */
const longestPasteGap = 1000;

/** Sequences of terminals are shorter; what is longer is noise and is skipped without being stored. */
const longestSequence = 32;

const controlKeys: Readonly<Record<string, KeyName>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  ' ': 'space',
  '\b': 'backspace',
  '\x7f': 'backspace',
  '\x03': 'ctrl-c',
  '\x0c': 'ctrl-l',
  '\x0f': 'ctrl-o',
  '\x10': 'ctrl-p',
  '\x17': 'delete-word',
  '\x19': 'ctrl-y',
  '\x1a': 'ctrl-z',
};

const finalKeys: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  P: 'f1',
  I: 'focus-in',
  O: 'focus-out',
};

const tildeKeys: Readonly<Record<string, KeyName>> = {
  '1': 'home',
  '4': 'end',
  '5': 'page-up',
  '6': 'page-down',
  '7': 'home',
  '8': 'end',
  '11': 'f1',
};

export function createKeyParser(): KeyParser {
  const decoder = new StringDecoder('utf8');
  let state: State = 'ground';
  let sequence = '';
  let mouseBytesLeft = 0;
  let pasteBegan = false;
  let pasteTime = 0;
  let keys: Key[] = [];

  return {
    push(bytes, time) {
      if (pasteBegan && time - pasteTime > longestPasteGap) endPaste();
      pasteTime = time;
      for (const character of decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))) {
        take(character);
      }
      return takeKeys();
    },
    flush() {
      if (state === 'escape') emit('escape');
      state = 'ground';
      return takeKeys();
    },
    get isWaiting() {
      return state !== 'ground';
    },
  };

  function takeKeys(): Key[] {
    const taken = keys;
    keys = [];
    return taken;
  }

  function emit(name: KeyName, text = ''): void {
    if (!pasteBegan) keys.push({ name, text });
  }

  function endPaste(): void {
    pasteBegan = false;
    emit('paste');
  }

  function take(character: string): void {
    if (character === '\x1b' && state !== 'string') beginEscape();
    else if (state === 'ground') takeGround(character);
    else if (state === 'escape') takeEscape(character);
    else if (state === 'control') takeControl(character);
    else if (state === 'string') takeString(character);
    else if (state === 'string-escape') state = character === '\\' ? 'ground' : 'string';
    else takeFunction(character);
  }

  /** A second Esc says that the first was the key itself. */
  function beginEscape(): void {
    if (state === 'escape') emit('escape');
    state = 'escape';
    mouseBytesLeft = 0;
  }

  function takeGround(character: string): void {
    if (mouseBytesLeft > 0) {
      mouseBytesLeft -= 1;
      return;
    }
    const name = controlKeys[character];
    if (name !== undefined) emit(name);
    else if (isTypable(character)) emit('character', character);
  }

  /** Esc before a letter is that letter with Alt, which types nothing; the way out works after anything. */
  function takeEscape(character: string): void {
    state = 'ground';
    if (character === '[') {
      state = 'control';
      sequence = '';
    } else if (character === 'O') state = 'single-shift';
    else if (']P^_X'.includes(character)) state = 'string';
    else if (character === '\x7f' || character === '\b') emit('delete-word');
    else if (character === '\x03') emit('ctrl-c');
  }

  /** ECMA-48 control sequence: parameters, then one final byte. Anything else breaks it off. */
  function takeControl(character: string): void {
    if (character === '[' && sequence === '') {
      state = 'linux-function'; // the Linux console sends F1 as ESC [ [ A
    } else if (character >= ' ' && character <= '?') {
      if (sequence.length < longestSequence) sequence += character;
    } else if (character >= '@' && character <= '~') {
      state = 'ground';
      endControl(character);
    } else {
      state = 'ground';
      takeGround(character);
    }
  }

  function endControl(final: string): void {
    if (sequence.length === longestSequence) return;
    if (final === '~') endTilde();
    else if (final === 'M' && sequence === '')
      mouseBytesLeft = 3; // a mouse report that another program left on
    else {
      const isPlain = final !== 'I' && final !== 'O' ? /^[\d;]*$/.test(sequence) : sequence === '';
      const name = finalKeys[final];
      if (name !== undefined && isPlain) emit(name);
    }
  }

  function endTilde(): void {
    if (sequence === '200') pasteBegan = true;
    else if (sequence === '201' && pasteBegan) endPaste();
    else {
      const name = tildeKeys[sequence.split(';', 1)[0] ?? ''];
      if (name !== undefined) emit(name);
    }
  }

  function takeFunction(character: string): void {
    const isLinux = state === 'linux-function';
    state = 'ground';
    const name = isLinux ? (character === 'A' ? 'f1' : undefined) : finalKeys[character];
    if (name !== undefined && name !== 'focus-in' && name !== 'focus-out') emit(name);
  }

  /** Answers of the terminal (colours, names) end with BEL or ESC \ and are not for us. */
  function takeString(character: string): void {
    if (character === '\x07' || character === '\x18' || character === '\x1a') state = 'ground';
    else if (character === '\x1b') state = 'string-escape';
  }
}

/**
 * Whether a code point is visible on its own: neither white space nor control, format or combining characters,
 * which no server takes as one typed character, nor the replacement character that stands for broken bytes.
 */
function isTypable(character: string): boolean {
  return character !== '\ufffd' && /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character);
}
