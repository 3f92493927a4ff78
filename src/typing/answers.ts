import type { InputResult } from './rules/step.ts';

// A round keeps the answer to each numbered input, so that a repeated number costs a lookup, not a replay.
// Each answer is two UTF-16 units: its kind, and a length or position.

/** All answers without their number, by the letter that encodes them. */
const shapes = {
  s: { is_correct: true, timer_started: true, char_index: 0 },
  r: { is_correct: true, timer_started: false, char_index: 0 },
  w: { is_correct: false, timer_started: false, char_index: 0 },
  d: { success: true, new_length: 0 },
  k: { success: false, new_length: 0 },
  a: { advanced: true, round_complete: false, treated_as_error: false },
  c: { advanced: true, round_complete: true, treated_as_error: false },
  e: { advanced: false, round_complete: false, treated_as_error: true },
  n: { advanced: false, round_complete: false, treated_as_error: false },
} as const satisfies Record<string, InputResult>;
type Letter = keyof typeof shapes;

/** The answer to the input with this number, which must be at most `lastSeq`. */
export function readAnswer(answers: string, seq: number): InputResult {
  const at = 2 * (seq - 1);
  const shape: InputResult = shapes[answers.charAt(at) as Letter];
  const number = answers.charCodeAt(at + 1);
  if ('is_correct' in shape) return { ...shape, char_index: number };
  return 'success' in shape ? { ...shape, new_length: number } : shape;
}

export function answerText(result: InputResult): string {
  if ('is_correct' in result) {
    if (result.timer_started) return withNumber('s', result.char_index);
    return withNumber(result.is_correct ? 'r' : 'w', result.char_index);
  }
  if ('success' in result) return withNumber(result.success ? 'd' : 'k', result.new_length);
  if (result.advanced) return withNumber(result.round_complete ? 'c' : 'a', 0);
  return withNumber(result.treated_as_error ? 'e' : 'n', 0);
}

function withNumber(letter: Letter, number: number): string {
  return letter + String.fromCharCode(number);
}
