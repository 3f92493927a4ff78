// Results of the typing engine, under the names of the wire.

import type { RoundText } from '../typing/modes/practice.ts';
import type { Round } from '../typing/round.ts';
import { wordText } from '../typing/rules/word.ts';
import { wpmOf } from '../typing/statistics/score-statistics.ts';
import type * as answers from './answer-types.ts';
import { wireMode } from './session-setup.ts';

/** Words that the state of a round shows after the current one. */
const shownNextWords = 3;

export function wireState(round: Round): answers.GameState {
  const { words, progress, practice } = round;
  const { wordIndex } = progress;
  const texts = words.map(wordText);
  return {
    words: texts,
    current_word_idx: wordIndex,
    current_input: progress.input.join(''),
    timer_started: progress.timerStarted,
    punctuation_mode: practice.punctuation,
    word_number: Math.min(wordIndex + 1, words.length),
    total_words: words.length,
    live_wpm: wpmOf(round.score.correctKeys, round.score.elapsedMs),
    current_word: texts[wordIndex] ?? '',
    previous_word: texts[wordIndex - 1] ?? '',
    next_word: texts[wordIndex + 1] ?? '',
    next_words: texts.slice(wordIndex + 1, wordIndex + 1 + shownNextWords),
    last_seq: round.lastSeq,
    ...wireSetup(round),
  };
}

export function wireRoundStart({
  round,
  focus,
  source,
}: Pick<RoundText, 'focus' | 'source'> & { readonly round: Round }): answers.Round {
  const { words, indents } = round;
  return {
    words: words.map(wordText),
    total_words: words.length,
    total_characters: words.reduce((sum, word) => sum + word.length, 0),
    ...wireSetup(round),
    ...(indents && { indents: [...indents] }),
    ...(focus && { focus: focus.map(({ text, ms, targetMs }) => ({ text, ms, target_ms: targetMs })) }),
    ...(source !== undefined && { source }),
  };
}

function wireSetup({ id, practice: { mode, language, layout, rules }, lineEnds }: Round) {
  return {
    round_id: id,
    mode: wireMode(mode),
    language,
    layout,
    rules,
    ...(lineEnds && { line_ends: [...lineEnds] }),
  };
}
