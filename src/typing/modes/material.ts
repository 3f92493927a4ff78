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
  /** Columns that each of those lines begins with, given and not typed. */
  readonly indents?: readonly number[];
  /** What the text was chosen for; missing where it was chosen for nothing in particular. */
  readonly focus?: readonly Focus[];
}

/** A letter or a pair of letters that a round is about. */
export interface Focus {
  readonly text: string;
  /** The player's own time for it, and the one to reach, in milliseconds; null where too little is known. */
  readonly ms: number | null;
  readonly targetMs: number;
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
  /** The words of the session's last round; missing before its first. */
  readonly before?: readonly Word[];
}
