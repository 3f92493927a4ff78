import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDay } from '../../src/cli/commands/stats/day-text.ts';

/** A Monday, half an hour before midnight in Berlin. */
const context = { zone: 'Europe/Berlin', now: Date.parse('2026-11-23T22:30:00Z') };

function read(text: string): string {
  const day = parseDay(text, context);
  return 'date' in day ? day.date : day.problem;
}

describe('a day that stats is asked for', () => {
  test.each([
    ['2026-01-31', '2026-01-31'],
    ['31.1.2026', '2026-01-31'],
    ['2026/01/31', '2026-01-31'],
    ['today', '2026-11-23'],
    ['Yesterday', '2026-11-22'],
    ['now', '2026-11-23'],
    ['0d', '2026-11-23'],
    ['7d', '2026-11-16'],
    ['-7D', '2026-11-16'],
    ['7 days', '2026-11-16'],
    ['7 days ago', '2026-11-16'],
    ['last 7 days', '2026-11-16'],
    ['2w', '2026-11-09'],
    ['1 month', '2026-10-23'],
    ['friday', '2026-11-20'],
    ['last Friday', '2026-11-20'],
    ['9999d', '1999-07-09'],
  ])('%s is understood', (text, date) => {
    expect(read(text)).toBe(date);
  });

  test.each([
    ['12/31/2026', '"12/31/2026" is not a recognised time; write 2026-12-31'],
    ['03/04/2026', '"03/04/2026" could mean either of two moments; write 2026-03-04 or 2026-04-03'],
    ['monday', '"monday" could mean either of two moments; write 2026-11-16 or 2026-11-23'],
    ['2026-02-31', '2026-02-31 does not exist; write 2026-02-28'],
    ['31.12.', '"31.12." is not a recognised time; write 2025-12-31'],
    ['Nov 1', '"Nov 1" is not a recognised time; write 2026-11-01'],
    ['2026-11', '"2026-11" is not a recognised time; write 2026-11-01'],
    ['30', '"30" is not a recognised time; write 30d'],
    ['last week', '"week" is not a recognised time; write 7d'],
    ['this month', '"this month" is not a recognised time; write 30d'],
    ['a week ago', '"a week" is not a recognised time; write 7d'],
    ['+7d', '+7d is still to come; write 7d'],
    ['12h', '12h is not a number of days; write today, yesterday or 2d'],
    ['2026-01-31 18:00', '"2026-01-31 18:00" has a time, and days count as a whole; write 2026-01-31'],
    ['9999999y', '9999999y is too far away; write 2026-01-31, yesterday, 7d or 2w'],
    ['', '"" is not a recognised time; write 2026-01-31, yesterday, 7d or 2w'],
  ])('%s is answered with the spelling that works', (text, answer) => {
    expect(read(text)).toBe(answer);
  });
});

test('law: any text is a day, or is answered with one that is', () => {
  const piece = fc.constantFrom(
    ...[
      '2026',
      '31',
      '12',
      '1',
      '.',
      '/',
      '-',
      ' ',
      ':',
      '+',
      'd',
      'w',
      'days',
      'ago',
      'last',
      'next',
      'friday',
    ],
    ...[
      'monday',
      'dec',
      'now',
      'today',
      'week',
      'month',
      'noon',
      'end of',
      'in',
      'the',
      'T',
      'Z',
      '18:00',
      'x',
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const answer = read(pieces.join(''));
      if (/^-?\d+-\d\d-\d\d$/.test(answer)) return;
      const [, list = ''] = /; write (.*)$/s.exec(answer) ?? [];
      const offered = list.split(/, | or /).map((spelling) => spelling.replace(/^"(.*)"$/, '$1'));
      for (const spelling of offered) expect(parseDay(spelling, context), answer).toHaveProperty('date');
    }),
    { numRuns: 2000 },
  );
});
