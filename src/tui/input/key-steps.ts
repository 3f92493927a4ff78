import type { Key, KeyName } from './key.ts';
import { toKeyEvent, toKittyKeys } from './kitty-keys.ts';

/** How far a sequence has come. `string`: an answer of the terminal, which is not for us. */
type Mode = 'ground' | 'escape' | 'control' | 'single-shift' | 'linux-function' | 'string' | 'string-escape';

/** What is known between two characters that a terminal sends. Immutable. */
export interface KeyState {
  readonly mode: Mode;
  /** Parameters of a control sequence so far. */
  readonly sequence: string;
  /** Bytes of a mouse report that are still to come. */
  readonly mouseBytesLeft: number;
  /** Whether what comes is pasted: it types nothing. */
  readonly isPasting: boolean;
}

export const newKeyState: KeyState = { mode: 'ground', sequence: '', mouseBytesLeft: 0, isPasting: false };

/** The state after a character, and the keys that it completes: mostly none or one. */
export interface KeyStep {
  readonly state: KeyState;
  readonly keys?: readonly Key[];
}

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
  '\x15': 'delete-word', // Ctrl+U: a line is never longer than the word that is typed
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

/** What one character does. Pure. */
export function stepKey(state: KeyState, character: string): KeyStep {
  const step = take(state, character);
  return step.state.isPasting ? { state: step.state } : step;
}

/** Nothing has followed for a moment: an Esc that waited for the rest of a sequence was the Esc key. */
export function settleKey(state: KeyState): KeyStep {
  const settled = toMode(state, 'ground');
  return state.mode === 'escape' && !state.isPasting ? withKey(settled, 'escape') : { state: settled };
}

/** A paste is over, well or not. */
export function endPaste(state: KeyState): KeyStep {
  return withKey({ ...state, isPasting: false }, 'paste');
}

function toMode(state: KeyState, mode: Mode): KeyState {
  return state.mode === mode ? state : { ...state, mode };
}

function withKey(state: KeyState, name: KeyName | undefined, text = ''): KeyStep {
  return name === undefined ? { state } : { state, keys: [{ name, text }] };
}

function take(state: KeyState, character: string): KeyStep {
  if (character === '\x1b' && state.mode !== 'string') return beginEscape(state);
  switch (state.mode) {
    case 'ground':
      return takeGround(state, character);
    case 'escape':
      return takeEscape(state, character);
    case 'control':
      return takeControl(state, character);
    case 'string':
      return { state: toMode(state, toStringMode(character)) };
    case 'string-escape':
      return { state: toMode(state, character === '\\' ? 'ground' : 'string') };
    default:
      return takeFunction(state, character);
  }
}

/** A second Esc says that the first was the key itself. */
function beginEscape(state: KeyState): KeyStep {
  const begun: KeyState = { ...state, mode: 'escape', mouseBytesLeft: 0 };
  return withKey(begun, state.mode === 'escape' ? 'escape' : undefined);
}

function takeGround(state: KeyState, character: string): KeyStep {
  if (state.mouseBytesLeft > 0) return { state: { ...state, mouseBytesLeft: state.mouseBytesLeft - 1 } };
  const key = toTyped(character);
  return key === undefined ? { state } : { state, keys: [key] };
}

/** The key that a single character is. */
function toTyped(character: string): Key | undefined {
  const name = controlKeys[character];
  if (name !== undefined) return { name, text: '' };
  return isTypable(character) ? { name: 'character', text: character } : undefined;
}

/** Esc before a letter is that letter with Alt, which types nothing; the way out works after anything. */
function takeEscape(state: KeyState, character: string): KeyStep {
  if (character === '[') return { state: { ...state, mode: 'control', sequence: '' } };
  if (character === 'O') return { state: toMode(state, 'single-shift') };
  if (']P^_X'.includes(character)) return { state: toMode(state, 'string') };
  const ground = toMode(state, 'ground');
  if (character === '\x7f' || character === '\b') return withKey(ground, 'delete-word');
  return withKey(ground, character === '\x03' ? 'ctrl-c' : undefined);
}

/** ECMA-48 control sequence: parameters, then one final byte. Anything else breaks it off. */
function takeControl(state: KeyState, character: string): KeyStep {
  const { sequence } = state;
  // The Linux console sends F1 as ESC [ [ A.
  if (character === '[' && sequence === '') return { state: toMode(state, 'linux-function') };
  if (character >= ' ' && character <= '?') {
    const isLonger = sequence.length < longestSequence;
    return { state: isLonger ? { ...state, sequence: sequence + character } : state };
  }
  const ground = toMode(state, 'ground');
  return character >= '@' && character <= '~' ? endControl(ground, character) : takeGround(ground, character);
}

function endControl(state: KeyState, final: string): KeyStep {
  const { sequence } = state;
  if (sequence.length === longestSequence) return { state };
  if (final === '~') return endTilde(state);
  // A mouse report that another program left on.
  if (final === 'M' && sequence === '') return { state: { ...state, mouseBytesLeft: 3 } };
  if (final === 'u') return { state, keys: toKittyKeys(sequence, toTyped) };
  const isPlain = final !== 'I' && final !== 'O' ? /^[\d;:]*$/.test(sequence) : sequence === '';
  const isRelease = toKeyEvent(sequence.split(';')[1]) === 'release';
  return withKey(state, isPlain && !isRelease ? finalKeys[final] : undefined);
}

function endTilde(state: KeyState): KeyStep {
  const { sequence, isPasting } = state;
  if (sequence === '200') return { state: { ...state, isPasting: true } };
  if (sequence === '201' && isPasting) return endPaste(state);
  const [code = '', modifiers] = sequence.split(';');
  return withKey(state, toKeyEvent(modifiers) === 'release' ? undefined : tildeKeys[code]);
}

function takeFunction(state: KeyState, character: string): KeyStep {
  const ground = toMode(state, 'ground');
  if (state.mode === 'linux-function') return withKey(ground, character === 'A' ? 'f1' : undefined);
  const name = finalKeys[character];
  return withKey(ground, name === 'focus-in' || name === 'focus-out' ? undefined : name);
}

/** Answers of the terminal (colours, names) end with BEL or ESC \ and are not for us. */
function toStringMode(character: string): Mode {
  if (character === '\x07' || character === '\x18' || character === '\x1a') return 'ground';
  return character === '\x1b' ? 'string-escape' : 'string';
}

/**
 * Whether a code point is visible on its own: neither white space nor control, format or combining characters,
 * which no server takes as one typed character, nor the replacement character that stands for broken bytes.
 */
function isTypable(character: string): boolean {
  if (character >= '!' && character <= '~') return true; // most keys: the classes of Unicode take 6 ms to compile at the first
  return character !== '\ufffd' && /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character);
}
