import type { WordChooser } from '../choice/word-choice.ts';
import type { Language } from '../letters/language.ts';
import type { Word } from '../rules/word.ts';
import type { Chapter } from '../statistics/history.ts';

export interface Quote {
  readonly text: string;
  /** Who said it, or where it is from. */
  readonly from: string;
}

/** What a round is typed from. */
export interface RoundText {
  readonly words: readonly Word[];
  /** Indices of the words that end a line; missing where the text has no lines. */
  readonly lineEnds?: readonly number[];
}

/** What the words of a round are made of: data of the language, and what the player has done in it. */
export interface Material {
  /** The same seed and material give the same text. */
  readonly seed: number;
  readonly language: Language;
  /** The words of the language, the most frequent first. */
  readonly words: readonly string[];
  readonly choose: WordChooser;
  readonly isWord: (text: string) => boolean;
  readonly quotes: readonly Quote[];
  /** Pieces of code in the language of a code round. */
  readonly code: readonly string[];
  /** The player's rounds in this language on this layout, and those of them in guided mode. */
  readonly chapters: readonly Chapter[];
}
