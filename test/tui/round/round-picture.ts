import { randomUUID } from 'node:crypto';
import type { RoundSetup } from '../../../src/tui/round/round-setup.ts';
import {
  deleteWord,
  newRoundView,
  type Press,
  type RoundView,
  restoredRound,
  typeKey,
} from '../../../src/tui/round/round-view.ts';
import { defaultMode } from '../../../src/typing/modes/mode.ts';
import { backspaceKey, defaultRules } from '../../../src/typing/rules/rules.ts';
import { wordText } from '../../../src/typing/rules/word.ts';

export const noLimits = { suddenDeath: false, minWpm: 0, minAccuracy: 0 };

export const defaultRoundSetup: RoundSetup = {
  mode: defaultMode,
  language: 'en',
  layout: 'qwerty',
  lineEnds: [],
  indents: [],
  focus: [],
  source: '',
  limits: noLimits,
};

export function roundOf(
  words: readonly string[],
  rules = defaultRules,
  roundSetup: RoundView['roundSetup'] = defaultRoundSetup,
): RoundView {
  return newRoundView({ id: randomUUID(), words, rules, punctuation: false, roundSetup });
}

/** The round as a later run finds it on disk. */
export function interruptedOf({ id, words, practice, roundSetup, log }: RoundView): RoundView {
  const { rules, punctuation } = practice;
  return restoredRound({ id, words: words.map(wordText), rules, punctuation, roundSetup }, log);
}

/** A round drawn as text: words between bars, the current one in brackets, wrong letters after a !, the caret as ^. */
export function drawRound(round: RoundView): string {
  const { wordIndex } = round.progress;
  const words = round.words.map((word, at) => {
    if (at > wordIndex) return wordText(word);
    const typed = at === wordIndex ? round.progress.input : (round.typedBefore[at] ?? []);
    const cells = typed.map((key, place) => (key === word[place] ? key : `!${key}`)).join('');
    return at < wordIndex ? cells : `[${cells}^${wordText(word).slice(typed.length)}]`;
  });
  return words.join('|');
}

export function press(time: number, more: Partial<Press> = {}): Press {
  return { time, unix: 1_000_000 + time, measured: true, ...more };
}

/** Types a text into a round, 100 ms a key: < is Backspace, # deletes the word, a space advances. */
export function typeText(round: RoundView, text: string, from = 0): RoundView {
  let typed = round;
  for (const [at, char] of [...text].entries()) {
    const moment = press(from + at * 100);
    if (char === '#') typed = deleteWord(typed, moment);
    else typed = typeKey(typed, char === '<' ? backspaceKey : char, moment);
  }
  return typed;
}

export function typeRound(words: readonly string[], text: string): RoundView {
  return typeText(roundOf(words), text);
}
