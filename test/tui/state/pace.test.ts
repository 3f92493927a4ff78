import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evenPacer, momentsOf, pacePlace, roundPacer } from '../../../src/tui/state/pace.ts';
import { standardWpmOf } from '../../../src/typing/statistics/score-statistics.ts';
import { roundOf, typeText } from '../round/round-picture.ts';

const words = ['the', 'quick', 'brown', 'fox'];
const round = typeText(roundOf(words), 'the quick ');

describe('a pacer', () => {
  test('with an even speed is where a typist of that standard speed would be', () => {
    for (const ms of [1000, 5000, 60_000]) {
      const characters = evenPacer(60)(ms);
      expect(standardWpmOf({ ...round.score, right: characters, wrong: 0 }, ms)).toBeCloseTo(60, 9);
    }
  });

  test('says its place in the text, and how far the typist is ahead or behind', () => {
    const pacer = evenPacer(60); // a character in 200 ms
    expect(pacePlace(round, pacer, 0)).toEqual({ wordIndex: 0, at: 1, lead: 9 });
    expect(pacePlace(round, pacer, 1000)).toEqual({ wordIndex: 1, at: 2, lead: 4 });
    expect(pacePlace(round, pacer, 2600)).toEqual({ wordIndex: 2, at: 4, lead: -4 });
    expect(pacePlace(round, pacer, 60_000)).toBeUndefined();
    expect(pacePlace(roundOf(words), pacer, 1000)).toBeUndefined();
  });

  test('that replays an earlier round is, key by key, where that round was', () => {
    const moments = momentsOf({
      id: 'r',
      words: ['the', 'quick'],
      keys: [...'thx\be qu'],
      seekTimes: [0, 100, 100, 0, 200, 100, 100, 100],
      timing: { start: 0, end: 700, duration: 700 },
    });
    expect(moments).toEqual([0, 100, 200, 500, 600, 700]);
    const pacer = roundPacer(moments);
    expect(pacer(0)).toBe(1);
    expect(pacer(499)).toBe(3);
    expect(pacer(600)).toBe(5);
  });

  test('never goes back, and never leaves the text', () => {
    const moments = fc.array(fc.nat(20_000), { maxLength: 30 }).map((list) => list.sort((a, b) => a - b));
    const pacers = fc.oneof(fc.integer({ min: 1, max: 300 }).map(evenPacer), moments.map(roundPacer));
    fc.assert(
      fc.property(pacers, fc.nat(30_000), fc.nat(5000), (pacer, ms, more) => {
        const now = pacer(ms);
        expect(pacer(ms + more)).toBeGreaterThanOrEqual(now);
        const place = pacePlace(round, pacer, ms);
        if (place === undefined) return;
        expect(place.at).toBeLessThanOrEqual(words[place.wordIndex]?.length ?? -1);
        expect(place.lead).toBe('the quick '.length - now);
      }),
    );
  });
});
