import type { WordChooser } from '../choice/word-choice.ts';
import type { Language } from '../letters/language.ts';
import { defaultRules, type Rules } from '../rules/rules.ts';
import type { Word } from '../rules/word.ts';
import type { Chapter } from '../statistics/history.ts';
import { defaultMode, describeMode, type Mode, type ModeType } from './mode.ts';

/** What a session practises, and how. Plain JSON. */
export interface Practice {
  readonly mode: Mode;
  /** See `Language.id` and `Layout.id`. */
  readonly language: string;
  readonly layout: string;
  readonly rules: Rules;
  /** Words come as sentences, with capitals and punctuation marks. */
  readonly punctuation: boolean;
}

export const defaultPractice: Practice = {
  mode: defaultMode,
  language: 'en',
  layout: 'qwerty',
  rules: defaultRules,
  punctuation: false,
};

/** Modes with the same words in every language count as English, so that their rounds can be compared. */
export function countedLanguage(mode: ModeType, language: string): string {
  return describeMode(mode).isEnglish ? defaultPractice.language : language;
}

export interface Quote {
  readonly text: string;
  /** Who said it, or where it is from. */
  readonly from: string;
}

export interface RoundText {
  readonly words: readonly Word[];
  /** Indices of the words that end a line; missing if the text has no lines. */
  readonly lineEnds?: readonly number[];
  /** Indentation of each of those lines, in columns; it is shown and not typed. */
  readonly indents?: readonly number[];
  /** What the text was chosen for; missing if nothing in particular. */
  readonly focus?: readonly Focus[];
  /** Who said a quote, or where it is from. */
  readonly source?: string;
}

/** A letter or a pair of letters that a round is about. */
export interface Focus {
  readonly text: string;
  /** The player's time for it, null if there are too few measurements, and the target; milliseconds. */
  readonly ms: number | null;
  readonly targetMs: number;
}

/** What the text of a round is made from: data of the language, and the player's history in it. */
export interface Material {
  /** The same seed and material give the same text. */
  readonly seed: number;
  readonly language: Language;
  /** The words of the language, most frequent first. */
  readonly words: readonly string[];
  readonly choose: WordChooser;
  /** The letters and pairs of letters that enough words of the language have. */
  readonly drillable: () => ReadonlySet<string>;
  readonly isWord: (text: string) => boolean;
  /** Whether a text is a word excluded from the lists, which an invented one may spell by chance. */
  readonly isLeftOut: (text: string) => boolean;
  readonly quotes: readonly Quote[];
  /** Pieces of code in the language of a code round. */
  readonly code: readonly string[];
  /** The player's rounds in this language on this layout, in every mode. */
  readonly chapters: readonly Chapter[];
  /** The words of the session's previous round; missing in the first. */
  readonly before?: readonly Word[];
}
