/*
 * Everything that is on the screen, as one immutable value. `update.ts` makes the next one from an event; the
 * screens draw it. A screen is a reducer of keys and a drawing (`Screen` in `screens/reaction.ts`).
 */
import type { HistoricalStatistics } from '../../contract/answer-types.ts';
import type { ModeRequest } from '../../contract/session-setup.ts';
import { defaultMode } from '../../typing/modes/mode.ts';
import { countedLanguage, defaultPractice } from '../../typing/modes/practice.ts';
import type { Catalog, SessionSetup } from '../link/session.ts';
import type { DailyGoal } from '../progress/days.ts';
import type { KeyMeasure } from '../progress/letters.ts';
import type { Kind, ProgressReport } from '../progress/report.ts';
import type { CustomText, Options } from '../record/options.ts';
import type { RoundView } from '../round/round-view.ts';
import type { RoundScore } from '../round/scoring.ts';

/** A finished round with everything that is known about it so far. */
export interface RoundOutcome {
  readonly round: RoundView;
  readonly score: RoundScore;
  /** Bests and averages as they were before this round; undefined if they were never read. */
  readonly before: HistoricalStatistics | undefined;
  /** Over all rounds of the kind, this one included; undefined until it is saved. */
  readonly history: HistoricalStatistics | undefined;
  /** Why the round could not be saved on this computer; empty if it could, undefined until that is known. */
  readonly unsaved: string | undefined;
  /** Keys before this monotonic ms were still meant for the round. */
  readonly settlesAt: number;
}

export const historyPages = ['progress', 'letters', 'bigrams', 'rounds'] as const;
export type HistoryPage = (typeof historyPages)[number];

export const newHistoryView = {
  page: 'progress' as HistoryPage,
  /** All kinds of rounds that there are, and the place of the one shown. */
  kinds: [] as readonly Kind[],
  kind: 0,
};
export type HistoryView = Readonly<typeof newHistoryView>;

export const newPalette = {
  query: '',
  /** The selected entry. */
  row: 0,
  /** The next Enter abandons the round in progress. */
  isConfirming: false,
};

const initialState = {
  /** `typing` is painted row by row; all others are drawn with Ink. */
  screen: 'typing' as 'typing' | 'results' | 'options' | 'history' | 'help' | 'palette',
  /** What there is to draw on. */
  size: { columns: 80, rows: 24 },
  /** The screen below options, history, help and palette. */
  below: 'typing' as 'typing' | 'results',
  /** Undefined while there are no words. */
  round: undefined as RoundView | undefined,
  outcome: undefined as RoundOutcome | undefined,
  /** The latest statistics over all rounds of the kind. */
  history: undefined as HistoricalStatistics | undefined,
  /** Why the server does not answer; empty while it does, and if none is used. */
  away: '',
  /** Why there are no words yet; empty while nothing is wrong. */
  waiting: '',
  /** What pressing the same key again would do to the round in progress. */
  confirming: undefined as 'leave' | 'restart' | undefined,
  /** One sentence about the last event; the next key in a round removes it. */
  notice: '',
  /** The profile in use; empty for the default one. */
  profile: '',
  optionRow: 0,
  measure: 'accuracy' as KeyMeasure,
  /** First row shown of a text longer than the screen. */
  scroll: 0,
  /** The report on all finished rounds; undefined until they are read. */
  report: undefined as ProgressReport | undefined,
  historyView: newHistoryView as HistoryView,
  /** Active ms of the round, as of the latest tick of its clock. */
  elapsed: 0,
  /** A custom text, in place of the mode of the options. */
  customText: undefined as CustomText | undefined,
  /** Progress towards the daily goal; undefined without one, and until it is known. */
  goal: undefined as DailyGoal | undefined,
  /** How often this text was typed, this time included; and the moments of the previous time, if any. */
  attempt: 1,
  pastMoments: [] as readonly number[],
  /** The moments of the last round of this kind, empty if there is none; undefined until they are read. */
  lastMoments: undefined as readonly number[] | undefined,
  /** The words to practise in place of everything else until the next results are left; empty: none. */
  missed: '',
  palette: newPalette as Readonly<typeof newPalette>,
  /** Languages and layouts; undefined until they are loaded. */
  catalog: undefined as Catalog | undefined,
};

export type State = Readonly<typeof initialState> & { readonly options: Options };

export function newState(options: Options): State {
  return { ...initialState, options };
}

/** What the next round practises. */
export function sessionSetup(state: State): SessionSetup {
  const { options } = state;
  const { punctuation, strict, stopOn, backspace, layout, suddenDeath, minWpm, minAccuracy } = options;
  return {
    punctuation_mode: punctuation,
    rules: { early_space: strict ? 'error' : 'skip', stop_on: stopOn, backspace },
    limits: { suddenDeath, minWpm, minAccuracy },
    mode: modeOf(state),
    language: languageOf(state),
    layout,
    // Missed words may be of a text that an earlier start began.
    isCustomText: state.customText !== undefined || state.missed !== '',
  };
}

function modeOf({ missed, customText, options }: State): ModeRequest {
  if (missed !== '') return { type: 'drill', on: 'words', text: missed };
  if (customText === undefined) return options.mode;
  const { text, title, code, list } = customText;
  const words = options.mode.type === 'words' ? options.mode : undefined;
  if (list !== undefined) return { ...defaultMode, ...words, list };
  return { type: 'text', text, title, ...(code !== undefined && { code }) };
}

function languageOf({ customText, options: { mode, language } }: State): string {
  if (customText?.code !== undefined) return defaultPractice.language;
  if (customText !== undefined) return language;
  return countedLanguage(mode.type, language);
}
