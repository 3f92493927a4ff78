import type { InputResult } from './rules/step.ts';

// A round keeps the answer to each numbered input, so that a repeated number costs a lookup, not a replay.
// Each answer is two UTF-16 units: its kind, and a length or position.

/** All answers without their number, by the letter that encodes them. */
const shapes = {
  s: { type: 'keystroke', isCorrect: true, timerStarted: true, charIndex: 0 },
  r: { type: 'keystroke', isCorrect: true, timerStarted: false, charIndex: 0 },
  w: { type: 'keystroke', isCorrect: false, timerStarted: false, charIndex: 0 },
  d: { type: 'backspace', success: true, newLength: 0 },
  k: { type: 'backspace', success: false, newLength: 0 },
  a: { type: 'space', advanced: true, roundComplete: false, treatedAsError: false },
  c: { type: 'space', advanced: true, roundComplete: true, treatedAsError: false },
  e: { type: 'space', advanced: false, roundComplete: false, treatedAsError: true },
  n: { type: 'space', advanced: false, roundComplete: false, treatedAsError: false },
} as const satisfies Record<string, InputResult>;
type Letter = keyof typeof shapes;

/** The answer to the input with this number, which must be at most `lastSeq`. */
export function readAnswer(answers: string, seq: number): InputResult {
  const at = 2 * (seq - 1);
  const shape: InputResult = shapes[answers.charAt(at) as Letter];
  const number = answers.charCodeAt(at + 1);
  if (shape.type === 'keystroke') return { ...shape, charIndex: number };
  return shape.type === 'backspace' ? { ...shape, newLength: number } : shape;
}

export function answerText(result: InputResult): string {
  switch (result.type) {
    case 'keystroke':
      if (result.timerStarted) return withNumber('s', result.charIndex);
      return withNumber(result.isCorrect ? 'r' : 'w', result.charIndex);
    case 'backspace':
      return withNumber(result.success ? 'd' : 'k', result.newLength);
    default:
      if (result.advanced) return withNumber(result.roundComplete ? 'c' : 'a', 0);
      return withNumber(result.treatedAsError ? 'e' : 'n', 0);
  }
}

function withNumber(letter: Letter, number: number): string {
  return letter + String.fromCharCode(number);
}
