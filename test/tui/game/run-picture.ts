import { newRun, type Run } from '../../../src/tui/game/run.ts';
import { type Press, reduceRun } from '../../../src/tui/game/run-actions.ts';

/** A run drawn as text: words between bars, the current one in brackets, wrong letters after a !, the caret as ^. */
export function drawRun(run: Run): string {
  const words = run.words.map((word, at) => {
    if (at > run.wordIndex) return word;
    const typed = at === run.wordIndex ? run.typed : (run.left[at] ?? []);
    const cells = typed.map((key, place) => (key === word[place] ? key : `!${key}`)).join('');
    return at < run.wordIndex ? cells : `[${cells}^${word.slice(typed.length)}]`;
  });
  return words.join('|');
}

export function press(time: number, more: Partial<Press> = {}): Press {
  return { time, unix: 1_000_000 + time, measured: true, repeat: false, together: false, ...more };
}

/** Types a text into a run, 100 ms a key: < is Backspace, # deletes the word, a space advances. */
export function typeText(run: Run, text: string, from = 0): Run {
  let typed = run;
  for (const [at, char] of [...text].entries()) {
    const moment = press(from + at * 100);
    if (char === ' ') typed = reduceRun(typed, { type: 'advance', ...moment });
    else if (char === '<') typed = reduceRun(typed, { type: 'backspace', ...moment });
    else if (char === '#') typed = reduceRun(typed, { type: 'delete-word', ...moment });
    else typed = reduceRun(typed, { type: 'character', char, ...moment });
  }
  return typed;
}

export function typeRound(words: readonly string[], text: string): Run {
  return typeText(newRun(words), text);
}
