import { type LocalRound, newLocalRound } from '../../../src/tui/round/round.ts';
import { type Press, reduceLocalRound } from '../../../src/tui/round/round-actions.ts';

/** A round drawn as text: words between bars, the current one in brackets, wrong letters after a !, the caret as ^. */
export function drawRound(round: LocalRound): string {
  const words = round.words.map((word, at) => {
    if (at > round.wordIndex) return word;
    const typed = at === round.wordIndex ? round.typed : (round.left[at] ?? []);
    const cells = typed.map((key, place) => (key === word[place] ? key : `!${key}`)).join('');
    return at < round.wordIndex ? cells : `[${cells}^${word.slice(typed.length)}]`;
  });
  return words.join('|');
}

export function press(time: number, more: Partial<Press> = {}): Press {
  return { time, unix: 1_000_000 + time, measured: true, repeat: false, together: false, ...more };
}

/** Types a text into a round, 100 ms a key: < is Backspace, # deletes the word, a space advances. */
export function typeText(round: LocalRound, text: string, from = 0): LocalRound {
  let typed = round;
  for (const [at, char] of [...text].entries()) {
    const moment = press(from + at * 100);
    if (char === ' ') typed = reduceLocalRound(typed, { type: 'advance', ...moment });
    else if (char === '<') typed = reduceLocalRound(typed, { type: 'backspace', ...moment });
    else if (char === '#') typed = reduceLocalRound(typed, { type: 'delete-word', ...moment });
    else typed = reduceLocalRound(typed, { type: 'character', char, ...moment });
  }
  return typed;
}

export function typeRound(words: readonly string[], text: string): LocalRound {
  return typeText(newLocalRound(words), text);
}
