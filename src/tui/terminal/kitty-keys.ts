/*
 * Kitty's keyboard protocol (https://sw.kovidgoyal.net/kitty/keyboard-protocol): `CSI code:shifted:base ;
 * modifiers:event ; text u`, all but the code optional. It says which keys are held, and what Ctrl with a
 * letter means on a keyboard without Latin letters.
 */

const [shift, alt, control] = [1, 2, 4];
const locks = 64 + 128;

/** Keys that have a number, as terminals without the protocol send them; the last ones are of the keypad. */
const numberedKeys: Readonly<Record<number, string>> = {
  9: '\t',
  13: '\r',
  27: '\x1b',
  127: '\x7f',
  57414: '\r',
  57417: '\x1b[D',
  57418: '\x1b[C',
  57419: '\x1b[A',
  57420: '\x1b[B',
  57421: '\x1b[5~',
  57422: '\x1b[6~',
  57423: '\x1b[H',
  57424: '\x1b[F',
};

/** @param modifiers the second parameter of any sequence of a key */
export function keyEvent(modifiers: string | undefined): 'press' | 'repeat' | 'release' {
  const event = modifiers?.split(':')[1];
  if (event === '3') return 'release';
  return event === '2' ? 'repeat' : 'press';
}

/** What a terminal without the protocol sends for a key. @param sequence parameters, before the `u` */
export function plainText(sequence: string): string {
  if (!/^\d+[\d:;]*$/.test(sequence)) return '';
  const [key = '', modifiers = '', points = ''] = sequence.split(';');
  const [code = 0, shifted, base] = key.split(':').map((part) => Number(part) || undefined);
  const bits = Math.max(0, (Number.parseInt(modifiers, 10) || 1) - 1);
  const numbered = numberedKeys[code];
  if ((bits & control) !== 0) return numbered ?? controlCharacter(code < 128 ? code : (base ?? 0));
  const text = points.split(':').map(characterOf).join('').normalize('NFC');
  if (text !== '') return text;
  if (numbered === '\x7f' && (bits & alt) !== 0) return '\x1b\x7f';
  if (numbered !== undefined) return numbered === '\t' && (bits & shift) !== 0 ? '' : numbered;
  const isPlain = (bits & ~(shift | locks)) === 0;
  return isPlain ? characterOf(String((bits & shift) === 0 ? code : (shifted ?? code))) : '';
}

function controlCharacter(letter: number): string {
  const isLetter = (letter >= 0x61 && letter <= 0x7a) || letter === 0x5b;
  return isLetter ? String.fromCharCode(letter & 0x1f) : '';
}

function characterOf(point: string): string {
  const code = Number(point);
  return code >= 0x20 && code !== 0x7f && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
