import type { HistoricalStatistics } from '../../../src/contract/answer-types.ts';
import { readLanguages } from '../../../src/server/stores/languages.ts';
import { openLibrary } from '../../../src/server/typing/library.ts';
import { kindReport, type RoundHistory } from '../../../src/tui/progress/report.ts';
import { roundRecord } from '../../../src/tui/progress/round-record.ts';
import { defaultOptions, type Options } from '../../../src/tui/record/options.ts';
import type { RoundSetup } from '../../../src/tui/round/round-setup.ts';
import type { RoundView } from '../../../src/tui/round/round-view.ts';
import { finishRound, withNewRound } from '../../../src/tui/screens/reaction.ts';
import { type HistoryView, newHistoryView, newState, type State } from '../../../src/tui/state/state.ts';
import { english } from '../../../src/typing/letters/language.ts';
import { defaultRules } from '../../../src/typing/rules/rules.ts';
import { historicalSteps } from '../../../src/typing/statistics/historical-statistics.ts';
import { chaptersOf, newHistory } from '../../../src/typing/statistics/history.ts';
import { resultOf } from '../../support/steps.ts';
import { type RoundWish, sampleWords, typedRound } from '../../support/typed-rounds.ts';
import { foldRounds } from '../../typing/fold-rounds.ts';
import { defaultRoundSetup, roundOf, typeText } from '../round/round-picture.ts';

/** A round to type. */
export function freshRound(roundSetup: Partial<RoundSetup> = {}, words = sampleWords): RoundView {
  return roundOf(words, defaultRules, { ...defaultRoundSetup, ...roundSetup });
}

/** The sample words with the same slips every time. */
const slips = sampleWords
  .map((word, at) => {
    if (at % 7 === 3) return `${word.slice(0, 1)}x<${word.slice(1)} `;
    return at % 9 === 5 ? `${word.slice(0, -1)}w ` : `${word} `;
  })
  .join('');

/** Rounds of some days, getting better, three a day; on the last day also a timed one. */
function practiceOf(days: number, wish: Partial<RoundWish> = {}): RoundHistory {
  const rounds = Array.from({ length: days * 3 }, (_, at) => {
    const day = Math.floor(at / 3);
    return typedRound({
      at: new Date(Date.UTC(2026, 2, 1 + day, 9, at % 3)),
      wpm: 60 + day * 1.5 + ((at * 7) % 5),
      slow: { q: 3, e: 1.4 },
      ...wish,
    });
  });
  const timed = typedRound({ at: new Date(Date.UTC(2026, 2, 1, 8)), mode: 'time-60' });
  const records = [timed, ...rounds].map((round) => roundRecord(round, english));
  return { records, imported: [], damagedLines: 0 };
}

/** What a server tells of so many rounds of words. */
function historyOf(rounds: number, wish: Partial<RoundWish> = {}): HistoricalStatistics {
  const typed = Array.from({ length: rounds }, (_, at) =>
    typedRound({ at: new Date(Date.UTC(2026, 2, 1 + at)), wpm: 60 + at, slow: { q: 3, e: 1.4 }, ...wish }),
  );
  const { layoutOf } = openLibrary();
  const chapters = chaptersOf(foldRounds(newHistory(), typed));
  return resultOf(historicalSteps(chapters, layoutOf));
}

interface Wish {
  readonly options?: Partial<Options>;
  readonly roundSetup?: Partial<RoundSetup>;
  /** Rounds of the kind before; 0: this is the first. */
  readonly before?: number;
  readonly text?: string;
}

/** The results of a round that is saved. */
export function resultsState({ options = {}, roundSetup = {}, before = 42, text = slips }: Wish = {}): State {
  const start = {
    ...newState({ ...defaultOptions, ...options }),
    history: before > 0 ? historyOf(before) : undefined,
  };
  const round = typeText(freshRound(roundSetup), text);
  const state = finishRound(withNewRound(start, round), round, 0).state;
  if (state.outcome === undefined) return state;
  return { ...state, outcome: { ...state.outcome, history: historyOf(before + 1) } };
}

export function historyState(
  view: Partial<HistoryView> = {},
  days = 20,
  options: Partial<Options> = {},
): State {
  const found = kindReport(practiceOf(days), 'UTC', view.kind ?? 0);
  return {
    ...newState({ ...defaultOptions, ...options }),
    screen: 'history',
    report: found.report,
    historyView: { ...newHistoryView, kinds: found.kinds, ...view },
  };
}

/** Languages and layouts as a server lists them. */
export function sampleCatalog(): NonNullable<State['catalog']> {
  const library = openLibrary();
  return { languages: [...readLanguages().values()], layouts: library.layouts() };
}
