import { fingerNames, keyboardRows, toFinger } from '../game/keyboard.ts';
import type { Look } from '../screen/look.ts';

/** Rows and columns of the drawing. */
export const keyboardHeight = 4;
export const keyboardWidth = 34;

/** The keyboard with the next key in brackets, and the finger that it belongs to. */
export function drawSmallKeyboard(look: Look, next: string): string[] {
  const finger = toFinger(next);
  const rows = keyboardRows.map((row, at) => {
    const keys = [...row].map((key) => (key === next ? look.paint('accent', `[${key}]`) : ` ${key} `));
    return ' '.repeat(at * 2) + keys.join('');
  });
  return [...rows, look.paint('faint', finger === undefined ? '' : `      ${fingerNames[finger]} finger`)];
}
