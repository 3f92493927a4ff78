import type { Input, Run } from './run.ts';

/** Sums of one letter over one run, counted by the rules of the session API's historical statistics. */
export interface LetterSums {
  /** Times the letter stood in the words. */
  readonly presented: number;
  /** Times its first keystroke was right. */
  readonly correct: number;
  /** Sum of the measured seek times of right keystrokes, ms, and how many there were. */
  readonly seekMs: number;
  readonly seekCount: number;
}

export interface RunSummary {
  readonly letters: Readonly<Record<string, LetterSums>>;
  /** Wanted letter and what was typed instead, such as "e>r", and how often. */
  readonly errors: Readonly<Record<string, number>>;
}

/** Slower than this is thinking, not typing. */
const longestCountedSeek = 5000;

/** Counts the letters and errors of a complete run by playing its inputs again. */
export function summarizeRun(run: Pick<Run, 'words' | 'inputs'>): RunSummary {
  const sums = new Map<string, LetterSums>();
  const errors = new Map<string, number>();
  for (const word of run.words) {
    for (const letter of word) if (isLetter(letter)) add(letter, { presented: 1 });
  }
  for (const { input, expected, position, isFirst } of walkInputs(run.words, run.inputs)) {
    if (input.type === 'backspace' || !isLetter(expected)) continue;
    const typed = input.type === 'space' ? ' ' : input.char;
    if (typed === expected) {
      const counts = position > 0 && input.seek > 0 && input.seek < longestCountedSeek;
      add(expected, {
        correct: isFirst ? 1 : 0,
        seekMs: counts ? input.seek : 0,
        seekCount: counts ? 1 : 0,
      });
    } else {
      const pair = `${expected}>${typed}`;
      errors.set(pair, (errors.get(pair) ?? 0) + 1);
    }
  }
  return { letters: Object.fromEntries(sums), errors: Object.fromEntries(errors) };

  function add(letter: string, more: Partial<LetterSums>): void {
    const sum = sums.get(letter) ?? { presented: 0, correct: 0, seekMs: 0, seekCount: 0 };
    sums.set(letter, {
      presented: sum.presented + (more.presented ?? 0),
      correct: sum.correct + (more.correct ?? 0),
      seekMs: sum.seekMs + (more.seekMs ?? 0),
      seekCount: sum.seekCount + (more.seekCount ?? 0),
    });
  }
}

export interface Step {
  readonly input: Input;
  /** The character that stood at this position; empty past the end of the word. */
  readonly expected: string;
  /** Position in the word before this input. */
  readonly position: number;
  /** Whether nothing had been typed at this position of this word before. */
  readonly isFirst: boolean;
}

/** Plays inputs against the words and says what each of them met. */
export function* walkInputs(words: readonly string[], inputs: readonly Input[]): Generator<Step> {
  let wordIndex = 0;
  let position = 0;
  let reached = 0;
  for (const input of inputs) {
    const word = words[wordIndex] ?? '';
    yield { input, expected: word[position] ?? '', position, isFirst: position === reached };
    if (input.type === 'backspace') {
      position -= 1;
    } else if (input.type === 'space' && position >= word.length) {
      wordIndex += 1;
      position = 0;
      reached = 0;
    } else {
      position += 1;
      reached = Math.max(reached, position);
    }
  }
}

function isLetter(character: string): boolean {
  return character >= 'a' && character <= 'z' && character.length === 1;
}
