import type { Look } from '../look/look.ts';
import { fingerNames, keyboardRows, toFinger } from '../round/keyboard.ts';

/** Rows and columns of the drawing. */
export const keyboardHeight = 5;
export const keyboardWidth = 34;

/** The keyboard with the next key in brackets, and the finger that it belongs to; ' ' is the space bar. */
export function drawSmallKeyboard(look: Look, next: string): string[] {
  const pressed = next.toLowerCase();
  const draw = (key: string, name: string) =>
    key === pressed ? look.paint('accent', `[${name}]`) : ` ${name} `;
  const rows = keyboardRows.map((row, at) => {
    return ' '.repeat(at * 2) + [...row].map((key) => draw(key, key)).join('');
  });
  const bar = draw(' ', look.signs.unfilled.repeat(12));
  return [...rows, `${' '.repeat(8)}${bar}`, look.paint('faint', `      ${toFingerText(next)}`.trimEnd())];
}

function toFingerText(next: string): string {
  if (next === ' ') return 'either thumb';
  const letter = next.toLowerCase();
  const finger = toFinger(letter);
  if (finger === undefined) return '';
  return `${fingerNames[finger]} finger${letter === next ? '' : ', with Shift'}`;
}
