import fc from 'fast-check';
import { expect, test } from 'vitest';
import { languageOf } from '../../../src/server/stores/languages.ts';
import { openLibrary } from '../../../src/server/typing/library.ts';
import { progressReport } from '../../../src/tui/progress/report.ts';
import { roundRecord } from '../../../src/tui/progress/round-record.ts';
import { historicalSteps } from '../../../src/typing/statistics/historical-statistics.ts';
import { chaptersOf, newHistory } from '../../../src/typing/statistics/history.ts';
import { resultOf } from '../../support/steps.ts';
import { typedRound } from '../../support/typed-rounds.ts';
import { foldRounds } from '../../typing/fold-rounds.ts';

const { layoutOf } = openLibrary();

const germanWords = ['über', 'größe', 'die', 'straße', 'und', 'schön'];

const wish = fc.record({
  wpm: fc.integer({ min: 15, max: 400 }),
  slipEvery: fc.constantFrom(0, 2, 5),
  kind: fc.constantFrom('words-30', 'time-60', 'drill', 'de'),
  minute: fc.nat(50_000),
});

test('a report and stats/historical agree to the digit, whatever was typed', () => {
  fc.assert(
    fc.property(fc.array(wish, { minLength: 1, maxLength: 12 }), (wishes) => {
      const rounds = wishes
        .toSorted((a, b) => a.minute - b.minute)
        .map(({ kind, minute, ...rest }) => {
          const at = new Date(Date.UTC(2026, 0, 1, 0, minute));
          return kind === 'de'
            ? typedRound({
                at,
                ...rest,
                words: germanWords,
                language: 'de',
                layout: 'qwertz',
                mode: 'words-10',
              })
            : typedRound({ at, ...rest, mode: kind });
        });
      const records = rounds.map((round) => roundRecord(round, languageOf(round.language ?? 'en')));
      const history = foldRounds(newHistory(), rounds, languageOf);
      const report = progressReport({ records, imported: [], damagedLines: 0 }, 'UTC');
      for (const kind of report.kinds) {
        const { mode, language, layout } = kind;
        const chapters = chaptersOf(history, { mode, language, layout });
        const told = resultOf(historicalSteps(chapters, layoutOf));
        expect([kind.runs, kind.averageWpm, kind.bestWpm]).toEqual([
          told.total_sessions,
          told.average_standard_wpm,
          told.best_standard_wpm,
        ]);
        const own = progressReport({ records, imported: [], damagedLines: 0 }, 'UTC', {
          mode,
          language,
          layout,
        });
        const letters = Object.fromEntries(
          [...own.letters].map(([letter, { presented, correct }]) => [
            letter,
            { presented, correct, accuracy: (correct / presented) * 100 },
          ]),
        );
        expect(letters).toEqual(told.letter_accuracy);
        for (const [letter, sums] of own.letters) {
          const times = told.letter_seek_time[letter] ?? { total_time_ms: 0, count: 0 };
          expect([sums.seekMs, sums.seekCount]).toEqual([times.total_time_ms, times.count]);
        }
        for (const [pair, { count, average_ms }] of Object.entries(told.bigrams)) {
          const found = own.bigrams.get(pair) ?? { count: 0, ms: 0 };
          expect([found.count, found.ms / found.count]).toEqual([count, average_ms]);
        }
        expect(own.notCounted).toBe(told.rounds_not_counted);
      }
    }),
    { numRuns: 30 },
  );
});
