import type { InputResult } from '../../../src/contract/answer-types.ts';
import type { InputEvent } from '../../../src/contract/request-types.ts';

/** What the server owes to a typist, worked out from the rules alone. */
export interface ExpectedRound {
  /** Takes the next input and tells its owed result. */
  take(event: InputEvent): InputResult;
  wordIndex(): number;
  input(): string;
  counts(): { readonly correct: number; readonly total: number };
}

export function createExpectedRound(words: readonly string[]): ExpectedRound {
  let wordIndex = 0;
  let input: string[] = [];
  let timerRuns = false;
  let total = 0;
  let correct = 0;

  const key = (char: string): InputResult => {
    const char_index = input.length;
    const is_correct = words[wordIndex]?.[char_index] === char;
    const timer_started = !timerRuns && wordIndex === 0 && char_index === 0 && is_correct;
    timerRuns ||= timer_started;
    input.push(char);
    total++;
    if (is_correct) correct++;
    return { is_correct, timer_started, char_index };
  };
  const space = (): InputResult => {
    if (input.length >= (words[wordIndex] as string).length) {
      wordIndex++;
      input = [];
      return { advanced: true, round_complete: wordIndex === words.length, treated_as_error: false };
    }
    const treated_as_error = input.length > 0 || timerRuns;
    if (treated_as_error) {
      input.push(' ');
      total++;
    }
    return { advanced: false, round_complete: false, treated_as_error };
  };
  const backspace = (): InputResult => {
    const success = input.pop() !== undefined;
    return { success, new_length: input.length };
  };
  return {
    take(event) {
      if (event.type === 'keystroke') return key(event.char);
      return event.type === 'space' ? space() : backspace();
    },
    wordIndex: () => wordIndex,
    input: () => input.join(''),
    counts: () => ({ correct, total }),
  };
}
