import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Key } from '../../../src/tui/input/key.ts';
import { freshTiming, timeKeys } from '../../../src/tui/input/key-timing.ts';

const key = (text: string): Key =>
  text === '<' ? { name: 'backspace', text: '' } : { name: 'character', text };

/** Readings as [ms, keys, stall]; the keys come out as they are, unmeasured ones in brackets, repeats with a *. */
function time(readings: readonly (readonly [number, string, number?])[]): string {
  let memory = freshTiming;
  return readings
    .map(([ms, text, stall = 0]) => {
      const timed = timeKeys(memory, [...text].map(key), { bytes: new Uint8Array(), time: ms, stall });
      memory = timed.memory;
      return timed.keys
        .map(({ text: letter, measured, repeat }) => {
          const shown = letter === '' ? '<' : letter;
          return `${measured ? shown : `(${shown})`}${repeat ? '*' : ''}`;
        })
        .join('');
    })
    .join(' ');
}

/** Presses (`a`) and releases (`^a`) one after another: keys whose predecessor was still down in capitals, unknown ones in brackets. */
function overlap(events: readonly string[]): string {
  let memory = freshTiming;
  return events
    .map((event, at) => {
      const letter = event.slice(-1);
      const code = letter.charCodeAt(0);
      const one: Key =
        event.length > 1
          ? { name: 'release', text: '', code }
          : { name: 'character', text: letter, ...(letter === '?' ? {} : { code }) };
      const timed = timeKeys(memory, [one], { bytes: new Uint8Array(), time: at * 100, stall: 0 });
      memory = timed.memory;
      return timed.keys
        .map(({ rolled, text }) => (rolled === undefined ? `(${text})` : rolled ? text.toUpperCase() : text))
        .join('');
    })
    .join('');
}

describe('the rollover of keys', () => {
  test('is known from the first release on: whether a key is pressed before the previous one is released', () => {
    expect(overlap(['a', '^a', 'b', 'c', '^b', 'd', '^d', '^c', 'e'])).toBe('(a)bCDe');
  });

  test('is unknown if no release ever comes, or a key has no number', () => {
    expect(overlap(['a', 'b', 'c'])).toBe('(a)(b)(c)');
    expect(overlap(['a', '^a', '?', 'b', '^b', 'c'])).toBe('(a)(?)(b)c');
  });

  test('releases change neither keys nor times, wherever they are', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', 'c', ' '), { minLength: 1, maxLength: 20 });
    const releases = fc.array(fc.nat({ max: 20 }), { maxLength: 20 });
    const run = (readings: readonly (readonly Key[])[]) => {
      let memory = freshTiming;
      return readings.flatMap((keys, at) => {
        const stall = at % 7 === 3 ? 9 : 0;
        const timed = timeKeys(memory, keys, { bytes: new Uint8Array(), time: at * 90, stall });
        memory = timed.memory;
        return timed.keys.map(({ text, time, measured, repeat, together }) => ({
          text,
          time,
          measured,
          repeat,
          together,
        }));
      });
    };
    fc.assert(
      fc.property(letters, releases, (typed, places) => {
        const presses = typed.map((letter) => [{ ...key(letter), code: letter.charCodeAt(0) }]);
        const both = presses.map((keys, at) =>
          places.includes(at) ? [{ name: 'release', text: '', code: 97 } as const, ...keys] : keys,
        );
        expect(run(both)).toEqual(run(presses));
      }),
    );
  });

  test('a key that the terminal reports as held is a repetition from the first one on, except Backspace', () => {
    const reading = { bytes: new Uint8Array(), time: 0, stall: 0 };
    const [a, back] = timeKeys(
      freshTiming,
      [
        { name: 'character', text: 'a', isHeld: true },
        { name: 'backspace', text: '', isHeld: true },
      ],
      reading,
    ).keys;
    expect([a?.repeat, back?.repeat]).toEqual([true, false]);
  });
});

describe('the timing of keys', () => {
  test('keys that came one by one are measured', () => {
    expect(
      time([
        [0, 'a'],
        [100, 'b'],
        [200, 'c'],
      ]),
    ).toBe('a b c');
  });

  test('the times of keys that arrived together are unknown', () => {
    expect(
      time([
        [0, 'a'],
        [100, 'bc'],
        [200, 'd'],
      ]),
    ).toBe('a (b)(c) d');
  });

  test('keys that came together are told apart from those that a late reader found waiting', () => {
    const came = (stall: number) =>
      timeKeys(freshTiming, [key('a'), key('b')], { bytes: new Uint8Array(), time: 0, stall }).keys;
    const told = came(0).map(({ measured, together }) => [measured, together]);
    expect(told).toEqual([
      [false, true],
      [false, true],
    ]);
    expect(came(30).map(({ measured, together }) => [measured, together])).toEqual([
      [false, false],
      [false, false],
    ]);
  });

  test('a late read invalidates the interval before it and the one after it', () => {
    expect(
      time([
        [0, 'a'],
        [100, 'b', 30],
        [200, 'c'],
        [300, 'd'],
      ]),
    ).toBe('a (b) (c) d');
  });

  test('a delay within the tolerance invalidates nothing', () => {
    expect(
      time([
        [0, 'a'],
        [100, 'b', 2],
        [200, 'c'],
      ]),
    ).toBe('a b c');
  });

  test('a focus report in the same read does not turn one key into two', () => {
    const keys: Key[] = [{ name: 'focus-in', text: '' }, key('a')];
    const { keys: timed } = timeKeys(freshTiming, keys, { bytes: new Uint8Array(), time: 0, stall: 0 });
    expect(timed.map(({ measured, together }) => [measured, together])).toEqual([
      [false, false],
      [true, false],
    ]);
  });

  test('a held key is recognised from its third fast repetition on', () => {
    expect(
      time([
        [0, 'e'],
        [400, 'e'],
        [433, 'e'],
        [466, 'e'],
        [499, 'e'],
        [700, 'x'],
      ]),
    ).toBe('e e e (e)* (e)* x');
  });

  test('a letter typed twice, even quickly, is not a held key', () => {
    expect(
      time([
        [0, 'l'],
        [90, 'l'],
        [250, 'o'],
        [320, 'o'],
      ]),
    ).toBe('l l o o');
  });

  test('a held Backspace is a way to delete, and is not flagged', () => {
    expect(
      time([
        [0, '<'],
        [30, '<'],
        [60, '<'],
        [90, '<'],
      ]),
    ).toBe('< < < <');
  });
});
