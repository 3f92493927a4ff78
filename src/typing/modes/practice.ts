import type { Layout } from '../letters/layout.ts';
import { defaultRules, type Rules } from '../rules/rules.ts';
import { defaultMode, type Mode } from './mode.ts';

/** What a session practises, and how. Plain JSON. */
export interface Practice {
  readonly mode: Mode;
  /** See `Language.id` and `Layout.id`. */
  readonly language: string;
  readonly layout: string;
  /** The layout itself if it is the player's own, which is in no list. */
  readonly keyboard?: Layout;
  readonly rules: Rules;
  /** Words come as sentences, with capitals and punctuation marks. */
  readonly punctuation: boolean;
}

/** The defaults. */
export const defaultPractice: Practice = {
  mode: defaultMode,
  language: 'en',
  layout: 'qwerty',
  rules: defaultRules,
  punctuation: false,
};
