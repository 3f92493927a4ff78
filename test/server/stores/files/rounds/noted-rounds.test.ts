import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allAtOnce } from '../../../../../src/kit/slices.ts';
import {
  type NotedRounds,
  noteSteps,
  takeIn,
} from '../../../../../src/server/stores/files/rounds/noted-rounds.ts';
import type { JournalRound } from '../../../../../src/server/stores/journal-round.ts';
import { foldRounds, newHistory } from '../../../../../src/typing/statistics/history.ts';
import { newJournalRound, toRoundId } from '../../journal-rounds.ts';

const noteRounds = (...args: Parameters<typeof noteSteps>) => allAtOnce(noteSteps(...args));
const rounds = Array.from({ length: 6 }, (_, at) => newJournalRound(toRoundId(at)));
const event = fc.record({ what: fc.constantFrom('note', 'write'), which: fc.subarray(rounds) });

test('however rounds are noted and written, each counts once, and nothing is ahead once the journal has them all', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 12 }), (events) => {
      let noted: NotedRounds | undefined;
      let history = newHistory();
      const known = new Set<string>();
      const met = new Set<string>();
      for (const { what, which } of events) {
        const ids = which.map(({ id }) => id);
        if (what === 'note') noted = noteRounds(noted, which, { history, known });
        else {
          const counted = which.filter(({ id }) => !known.has(id));
          for (const { id } of counted) known.add(id);
          history = foldRounds(history, counted);
          noted = takeIn(noted, counted);
        }
        for (const id of ids) met.add(id);
        expect((noted?.history ?? history).rounds).toBe(met.size);
        expect(noted === undefined).toBe(known.size === met.size);
      }
    }),
  );
});

test('noting again what is known changes nothing, not even the object', () => {
  const [first, second] = rounds as [JournalRound, JournalRound];
  const journal = { history: foldRounds(newHistory(), [first]), known: new Set([first.id]) };
  expect(noteRounds(undefined, [first], journal)).toBeUndefined();
  const noted = noteRounds(undefined, [first, second, second], journal);
  expect(noted?.history.rounds).toBe(2);
  expect(noteRounds(noted, [second, first], journal)).toBe(noted);
});

test('a round of 11,000 keys is counted in many steps, between which other work can be done', () => {
  const long = newJournalRound(toRoundId(7), Array<string>(1_900).fill('quiet'));
  const steps = noteSteps(undefined, [long], { history: newHistory(), known: new Set() });
  expect([...steps].length).toBeGreaterThan(30);
});
