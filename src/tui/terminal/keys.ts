import { StringDecoder } from 'node:string_decoder';
import { keyEvent, plainText } from './kitty-keys.ts';

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
  /** The terminal answers that it can report keys by kitty's protocol. */
  | 'can-report';

export interface Key {
  readonly name: KeyName;
  /** The character typed; empty for every other key. */
  readonly text: string;
  /** The terminal reports that the keyboard repeats it because it is held down. */
  readonly isHeld?: true;
}

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
  return (
    name === 'character' ||
    name === 'space' ||
    name === 'enter' ||
    name === 'backspace' ||
    name === 'delete-word'
  );
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
const minTapInterval = 80;

/** One quick doubling can be a worn switch or a lucky finger; from the second on it is a held key. */
const minFastRepeats = 2;

function repeatAfter(memory: RepeatMemory, key: Key, time: number): RepeatMemory {
  const name = key.name === 'character' ? key.text : key.name;
  const isFast = name === memory.key && time - memory.time <= minTapInterval;
  return { key: name, time, fast: isFast ? memory.fast + 1 : 0 };
}

/** A held Backspace is a usual way to delete, and not flagged. */
function isRepeat({ fast, key }: RepeatMemory): boolean {
  return fast >= minFastRepeats && !isDeletion(key);
}

function isDeletion(name: string): boolean {
  return name === 'backspace' || name === 'delete-word';
}

/** How far a sequence has come. `string`: an answer of the terminal, which is not for us. */
type Mode = 'ground' | 'escape' | 'control' | 'single-shift' | 'linux-function' | 'string' | 'string-escape';

/** The state of the parser between two characters. Immutable. */
interface ParserState {
  readonly mode: Mode;
  /** Parameters of a control sequence so far. */
  readonly sequence: string;
  /** Bytes of a mouse report that are still to come. */
  readonly mouseBytesLeft: number;
  /** What comes is pasted: it types nothing. */
  readonly isPasting: boolean;
}

const newParserState: ParserState = { mode: 'ground', sequence: '', mouseBytesLeft: 0, isPasting: false };

interface ParserStep {
  readonly state: ParserState;
  readonly keys?: readonly Key[];
}

/** Longer than any sequence of a terminal. */
const maxSequence = 32;

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

function parseCharacter(state: ParserState, character: string): ParserStep {
  const step = parse(state, character);
  return step.state.isPasting ? { state: step.state } : step;
}

function settled(state: ParserState): ParserStep {
  const ground = inMode(state, 'ground');
  return state.mode === 'escape' && !state.isPasting ? withKey(ground, 'escape') : { state: ground };
}

/** Ends a paste, complete or not. */
function endPaste(state: ParserState): ParserStep {
  return withKey({ ...state, isPasting: false }, 'paste');
}

function inMode(state: ParserState, mode: Mode): ParserState {
  return state.mode === mode ? state : { ...state, mode };
}

function withKey(state: ParserState, name: KeyName | undefined): ParserStep {
  return name === undefined ? { state } : { state, keys: [{ name, text: '' }] };
}

function parse(state: ParserState, character: string): ParserStep {
  if (character === '\x1b' && state.mode !== 'string') return beginEscape(state);
  switch (state.mode) {
    case 'ground':
      return parseGround(state, character);
    case 'escape':
      return parseEscape(state, character);
    case 'control':
      return parseControl(state, character);
    case 'string':
      return { state: inMode(state, modeAfterString(character)) };
    case 'string-escape':
      return { state: inMode(state, character === '\\' ? 'ground' : 'string') };
    default:
      return parseFunction(state, character);
  }
}

/** A second Esc says that the first was the key itself. */
function beginEscape(state: ParserState): ParserStep {
  const begun: ParserState = { ...state, mode: 'escape', mouseBytesLeft: 0 };
  return withKey(begun, state.mode === 'escape' ? 'escape' : undefined);
}

function parseGround(state: ParserState, character: string): ParserStep {
  if (state.mouseBytesLeft > 0) return { state: { ...state, mouseBytesLeft: state.mouseBytesLeft - 1 } };
  const name = controlKeys[character];
  if (name !== undefined) return withKey(state, name);
  return isTypable(character) ? { state, keys: [{ name: 'character', text: character }] } : { state };
}

/** Esc before a letter is that letter with Alt, which types nothing; the way out works after anything. */
function parseEscape(state: ParserState, character: string): ParserStep {
  if (character === '[') return { state: { ...state, mode: 'control', sequence: '' } };
  if (character === 'O') return { state: inMode(state, 'single-shift') };
  if (']P^_X'.includes(character)) return { state: inMode(state, 'string') };
  const ground = inMode(state, 'ground');
  if (character === '\x7f' || character === '\b') return withKey(ground, 'delete-word');
  return withKey(ground, character === '\x03' ? 'ctrl-c' : undefined);
}

/** ECMA-48 control sequence: parameters, then one final byte. Anything else breaks it off. */
function parseControl(state: ParserState, character: string): ParserStep {
  const { sequence } = state;
  // The Linux console sends F1 as ESC [ [ A.
  if (character === '[' && sequence === '') return { state: inMode(state, 'linux-function') };
  if (character >= ' ' && character <= '?') {
    const isLonger = sequence.length < maxSequence;
    return { state: isLonger ? { ...state, sequence: sequence + character } : state };
  }
  const ground = inMode(state, 'ground');
  return character >= '@' && character <= '~'
    ? endControl(ground, character)
    : parseGround(ground, character);
}

function endControl(state: ParserState, final: string): ParserStep {
  const { sequence, isPasting } = state;
  if (sequence.length === maxSequence) return { state };
  if (final === 'u') return parseReport(state, sequence);
  if (keyEvent(sequence.split(';')[1]) === 'release') return { state };
  if (final === '~') {
    if (sequence === '200') return { state: { ...state, isPasting: true } };
    if (sequence === '201' && isPasting) return endPaste(state);
    return withKey(state, tildeKeys[sequence.split(';')[0] ?? '']);
  }
  // A mouse report that another program left on.
  if (final === 'M' && sequence === '') return { state: { ...state, mouseBytesLeft: 3 } };
  const isPlain = final === 'I' || final === 'O' ? sequence === '' : /^[\d;:]*$/.test(sequence);
  return withKey(state, isPlain ? finalKeys[final] : undefined);
}

/** The keys that a terminal without kitty's protocol sends. */
function parseReport(state: ParserState, sequence: string): ParserStep {
  if (/^\?\d+$/.test(sequence)) return withKey(state, 'can-report');
  const event = keyEvent(sequence.split(';')[1]);
  if (event === 'release') return { state };
  const keys: Key[] = [];
  let step: ParserStep = { state: newParserState };
  for (const character of plainText(sequence)) {
    step = parse(step.state, character);
    keys.push(...(step.keys ?? []));
  }
  keys.push(...(settled(step.state).keys ?? []));
  return { state, keys: event === 'repeat' ? keys.map((key) => ({ ...key, isHeld: true })) : keys };
}

function parseFunction(state: ParserState, character: string): ParserStep {
  const ground = inMode(state, 'ground');
  if (state.mode === 'linux-function') return withKey(ground, character === 'A' ? 'f1' : undefined);
  const name = finalKeys[character];
  return withKey(ground, name === 'focus-in' || name === 'focus-out' ? undefined : name);
}

/** Answers of the terminal (colours, names) end with BEL or ESC \. */
function modeAfterString(character: string): Mode {
  if (character === '\x07' || character === '\x18' || character === '\x1a') return 'ground';
  return character === '\x1b' ? 'string-escape' : 'string';
}

/** Visible: no white space, control, format or combining character, and not the sign for broken bytes. */
function isTypable(character: string): boolean {
  if (character >= '!' && character <= '~') return true; // the classes of Unicode take 6 ms to compile
  return character !== '\ufffd' && /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character);
}
