import { StringDecoder } from 'node:string_decoder';

const controlKeys = {
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
} as const;

/** By the final character of a control sequence; for a tilde, with the first parameter. */
const finalKeys = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  P: 'f1',
  '1~': 'home',
  '4~': 'end',
  '5~': 'page-up',
  '6~': 'page-down',
  '7~': 'home',
  '8~': 'end',
  '11~': 'f1',
} as const;

/** Whole control sequences. */
const wholeKeys = {
  '\x1b[I': 'focus-in',
  '\x1b[O': 'focus-out',
  '\x1b[200~': 'paste-begins',
  '\x1b[201~': 'paste-ends',
  '\x1b[[A': 'f1', // of the Linux console
  '\x1b\x7f': 'delete-word',
  '\x1b\b': 'delete-word',
  '\x1b\x03': 'ctrl-c', // the way out works after anything
} as const;

type NameIn<Table> = Table[keyof Table];

/** What one key press means to the client. */
export type KeyName =
  | 'character'
  | 'escape'
  | 'paste'
  | NameIn<typeof controlKeys>
  | NameIn<typeof finalKeys>
  | Exclude<NameIn<typeof wholeKeys>, PasteMark>;
type PasteMark = 'paste-begins' | 'paste-ends';

function find<Name extends string>(table: Readonly<Record<string, Name>>, key: string): Name | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

export interface Key {
  readonly name: KeyName;
  /** The character typed; empty for every other key. */
  readonly text: string;
}

/** A key and its time. */
export interface StampedKey extends Key {
  /** Ms on the monotonic clock, taken when the bytes arrived, and the same moment in Unix ms. */
  readonly time: number;
  readonly unix: number;
  /** Whether the interval that ends with this key can be trusted. */
  readonly measured: boolean;
  /** The keyboard repeated it because it was held down. */
  readonly repeat: boolean;
}

/** Max pause in a paste, ms: one whose end never came must not swallow the keys typed afterwards. */
const maxPasteGap = 1000;

export function createKeyReader() {
  const decoder = new StringDecoder('utf8');
  /** The start of a sequence. */
  let pending = '';
  let isPasting = false;
  /** The latest typing key, and how many times in a row it came faster than a finger can tap it. */
  let latest = { key: '', time: 0, fast: 0 };
  let lastPush = 0;

  return {
    /** The keys completed by `bytes`, which arrived at `time` (monotonic ms). Chunks may be cut anywhere. */
    push(bytes: Buffer, time: number): StampedKey[] {
      const isPasteLost = isPasting && time - lastPush > maxPasteGap;
      lastPush = time;
      const lost: Key[] = isPasteLost ? [{ name: 'paste', text: '' }] : [];
      if (isPasteLost) isPasting = false;
      return stamp([...lost, ...readKeys(decoder.write(bytes))], time);
    },
    /** Call when nothing has followed for a moment: an Esc that waited for more was the Esc key. */
    flush(time: number): StampedKey[] {
      const isEscape = pending === '\x1b' && !isPasting;
      pending = '';
      return stamp(isEscape ? [{ name: 'escape', text: '' }] : [], time);
    },
    /** Bytes wait for their continuation. */
    get isWaiting() {
      return pending !== '';
    },
  };

  function readKeys(text: string): Key[] {
    const keys: Key[] = [];
    let rest = pending + text;
    for (let found = token.exec(rest); found !== null; found = token.exec(rest)) {
      rest = rest.slice(found[0].length);
      const name = nameOf(found);
      if (name === 'paste-begins') isPasting = true;
      else if (name === 'paste-ends') {
        if (isPasting) keys.push({ name: 'paste', text: '' });
        isPasting = false;
      } else if (name !== undefined && !isPasting)
        keys.push({ name, text: name === 'character' ? found[0] : '' });
    }
    // Of one that is too long for a key, its beginning is enough to find its end.
    const isLong = rest.length > maxSequence;
    pending = isLong ? rest.slice(0, 2) + (rest.endsWith('\x1b') ? '\x1b' : '') : rest;
    return keys;
  }

  /** Keys that arrived together share one moment, so the time between them is unknown. */
  function stamp(keys: readonly Key[], time: number): StampedKey[] {
    const together = keys.filter(isTypingKey).length > 1;
    return keys.map((key) => {
      const isTyping = isTypingKey(key);
      if (isTyping) {
        const isFast = key.name + key.text === latest.key && time - latest.time <= minTapInterval;
        latest = { key: key.name + key.text, time, fast: isFast ? latest.fast + 1 : 0 };
      }
      // Holding Backspace is a usual way to delete, and not flagged.
      const isHeld = isTyping && latest.fast >= minFastRepeats && !isDeletion(key.name);
      // Not from the start on: the monotonic clock stands still while the computer sleeps.
      const unix = Date.now() - performance.now() + time;
      return { ...key, time, unix, measured: isTyping && !together && !isHeld, repeat: isHeld };
    });
  }
}

/** Sequences of keys are shorter. */
const maxSequence = 32;

/** A character, or a sequence (ECMA-48); nothing while its end is missing. */
const token = new RegExp(
  `^(?:${[
    String.raw`[^\x1b]`,
    String.raw`\x1b\[\[.`, // a function key of the Linux console
    String.raw`\x1b\[(?<parameters>[ -?]*)(?<final>[@-Z\\-~])`, // a control sequence
    String.raw`\x1bO(?<shifted>[^\x1b])`, // a single shift
    String.raw`\x1b[\]P^_X].*?(?:[\x07\x18\x1a]|\x1b\\)`, // an answer of the terminal
    String.raw`\x1b[^\x1b[O\]P^_X]`, // Alt with a key
    String.raw`\x1b(?:\[[ -?]+(?=[^ -?])|\[(?=[^ -?[])|O?(?=\x1b))`, // one that something else breaks off
  ].join('|')})`,
  'su',
);

function nameOf({ 0: whole, groups = {} }: RegExpExecArray): KeyName | PasteMark | undefined {
  if (whole === '\x1b') return 'escape';
  if (whole[0] !== '\x1b') return find(controlKeys, whole) ?? (isTypable(whole) ? 'character' : undefined);
  const { parameters = '', final = '', shifted = '' } = groups;
  const isPlain = whole.length < maxSequence && /^[\d;:]*$/.test(parameters);
  const [first = ''] = parameters.split(';');
  const named = find(finalKeys, final === '~' ? `${first}~` : final || shifted);
  return find(wholeKeys, whole) ?? (isPlain ? named : undefined);
}

/** Visible: no white space, control, format or combining character, and not the replacement character. */
function isTypable(character: string): boolean {
  if (character >= '!' && character <= '~') return true; // compiling the Unicode classes costs 6 ms
  return character !== '\ufffd' && /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character);
}

/** Keys that type or correct; the others control the client. */
function isTypingKey({ name }: Key): boolean {
  return ['character', 'space', 'enter'].includes(name) || isDeletion(name);
}

/** Keyboards repeat every 25 to 70 ms; a finger needs more than 80 ms to tap the same key again and again. */
const minTapInterval = 80;

/** One quick doubling can be a worn switch or a lucky finger; from the second on it is a held key. */
const minFastRepeats = 2;

function isDeletion(name: string): boolean {
  return name === 'backspace' || name === 'delete-word';
}
