import type { Key, KeyName } from './key.ts';

/**
 * A key as kitty's keyboard protocol reports it: `CSI code:shifted:base ; modifiers:event ; text u`, all but the code
 * optional (https://sw.kovidgoyal.net/kitty/keyboard-protocol).
 */
interface Report {
  /** Code point of the key without Shift, or a number of the protocol; 0 for text without a key. */
  readonly code: number;
  readonly shifted: number | undefined;
  /** Code point of the key at the same place on a US keyboard. */
  readonly base: number | undefined;
  /** Bits: 1 Shift, 2 Alt, 4 Ctrl, 8 and more others, 64 Caps Lock, 128 Num Lock. */
  readonly modifiers: number;
  readonly event: KeyEvent;
  readonly text: string;
}

type KeyEvent = 'press' | 'repeat' | 'release';

const [shift, alt, control] = [1, 2, 4];
const locks = 64 + 128;

/** What happened to a key, by the second parameter of its sequence. */
export function toKeyEvent(modifiers: string | undefined): KeyEvent {
  const event = modifiers?.split(':')[1];
  if (event === '3') return 'release';
  return event === '2' ? 'repeat' : 'press';
}

/** Keys that have a number of their own; those of the keypad that are characters come with their text. */
const functionKeys: Readonly<Record<number, KeyName>> = {
  9: 'tab',
  13: 'enter',
  27: 'escape',
  127: 'backspace',
  57414: 'enter',
  57417: 'left',
  57418: 'right',
  57419: 'up',
  57420: 'down',
  57421: 'page-up',
  57422: 'page-down',
  57423: 'home',
  57424: 'end',
};

/**
 * The keys that a sequence ending in `u` stands for.
 *
 * @param sequence its parameters
 * @param toTyped the key that a character is, as terminals without the protocol send it; undefined: none
 */
export function toKittyKeys(sequence: string, toTyped: (character: string) => Key | undefined): Key[] {
  if (/^\?\d+$/.test(sequence)) return [{ name: 'reports-releases', text: '' }];
  const report = parseReport(sequence);
  if (report === undefined) return [];
  const { code, event } = report;
  if (event === 'release') return [{ name: 'release', text: '', code }];
  const [first, ...others] = toKeys(report, toTyped);
  if (first === undefined) return [];
  const known = code === 0 ? first : { ...first, code };
  return [event === 'repeat' ? { ...known, isHeld: true } : known, ...others];
}

function parseReport(sequence: string): Report | undefined {
  if (!/^\d+[\d:;]*$/.test(sequence)) return undefined;
  const [key = '', modifiers = '', text = ''] = sequence.split(';');
  const [code = 0, shifted, base] = key.split(':').map((part) => Number(part) || undefined);
  return {
    code,
    shifted,
    base,
    modifiers: Math.max(0, (Number.parseInt(modifiers, 10) || 1) - 1),
    event: toKeyEvent(modifiers),
    text: text.split(':').map(toCharacter).join('').normalize('NFC'),
  };
}

function toCharacter(point: string): string {
  const code = Number(point);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

function toKeys(report: Report, toTyped: (character: string) => Key | undefined): Key[] {
  const { code, shifted, modifiers, text } = report;
  if ((modifiers & control) !== 0) return toList(toControlKey(report, toTyped));
  if (text !== '') return [...text].flatMap((character) => toList(toTyped(character)));
  const name = functionKeys[code];
  if (name === 'backspace') return [toKey((modifiers & alt) === 0 ? 'backspace' : 'delete-word')];
  if (name !== undefined) return name === 'tab' && (modifiers & shift) !== 0 ? [] : [toKey(name)];
  const isPlain = (modifiers & ~(shift | locks)) === 0;
  const character = (modifiers & shift) === 0 ? code : (shifted ?? code);
  return isPlain ? toList(toTyped(toCharacter(String(character)))) : [];
}

/** The control character that a terminal without the protocol would send, also from a keyboard of other letters. */
function toControlKey(
  { code, base }: Report,
  toTyped: (character: string) => Key | undefined,
): Key | undefined {
  const name = functionKeys[code];
  if (name !== undefined) return toKey(name);
  const letter = code < 128 ? code : (base ?? 0);
  if (letter === 0x5b) return toKey('escape');
  const isLetter = letter >= 0x61 && letter <= 0x7a;
  return isLetter ? toTyped(String.fromCharCode(letter & 0x1f)) : undefined;
}

function toKey(name: KeyName): Key {
  return { name, text: '' };
}

function toList(key: Key | undefined): Key[] {
  return key === undefined ? [] : [key];
}
