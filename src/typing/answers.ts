import type { InputResult } from './rules/step.ts';
import { appendToTape, type Tape, unitAt } from './rules/tape.ts';

// A round keeps the answer to each numbered input, so that a repeated number costs a lookup, not a replay.
// Each answer takes two UTF-16 units: its kind, and a length or position.

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

/** Keeps the numbers clear of control characters, which take six bytes each in JSON. */
const offset = 32;

export function appendAnswer(answers: Tape, result: InputResult): Tape {
  return appendToTape(answers, unitsOf(result));
}

/** The answer to the input with this number, which must be at most `lastSeq`. */
export function readAnswer(answers: Tape, seq: number): InputResult {
  const at = 2 * (seq - 1);
  const shape: InputResult = shapes[String.fromCharCode(unitAt(answers, at)) as Letter];
  const number = unitAt(answers, at + 1) - offset;
  if (shape.type === 'keystroke') return { ...shape, charIndex: number };
  return shape.type === 'backspace' ? { ...shape, newLength: number } : shape;
}

function unitsOf(result: InputResult): string {
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
  return letter + String.fromCharCode(number + offset);
}
