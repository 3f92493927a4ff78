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

/** How far a sequence has come. `string`: an answer of the terminal, which is not for us. */
type Mode = 'ground' | 'escape' | 'control' | 'single-shift' | 'linux-function' | 'string' | 'string-escape';

/** What is known between two characters that a terminal sends. Immutable. */
interface ParserState {
  readonly mode: Mode;
  /** Parameters of a control sequence so far. */
  readonly sequence: string;
  /** Bytes of a mouse report that are still to come. */
  readonly mouseBytesLeft: number;
  /** What comes is pasted: it types nothing. */
  readonly isPasting: boolean;
}

export const newParserState: ParserState = {
  mode: 'ground',
  sequence: '',
  mouseBytesLeft: 0,
  isPasting: false,
};

export interface ParserStep {
  readonly state: ParserState;
  readonly keys?: readonly Key[];
}

/** Sequences of terminals are shorter; what is longer is noise. */
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

export function parseCharacter(state: ParserState, character: string): ParserStep {
  const step = parse(state, character);
  return step.state.isPasting ? { state: step.state } : step;
}

/** The end of what was sent: an Esc that waited for more was the Esc key. */
export function settled(state: ParserState): ParserStep {
  const ground = inMode(state, 'ground');
  return state.mode === 'escape' && !state.isPasting ? withKey(ground, 'escape') : { state: ground };
}

/** A paste is over, well or not. */
export function endPaste(state: ParserState): ParserStep {
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
