import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMoment, parseStart } from '../../../src/announcements/times/moment.ts';

const berlin = 'Europe/Berlin';
const noon = Date.parse('2026-01-31T12:00:00.789Z');

interface Given {
  readonly zone?: string;
  readonly now?: number;
  readonly base?: number;
  readonly dateMeans?: 'start' | 'end';
}

function parse(
  text: string,
  { zone = 'UTC', now = noon, base = now, dateMeans = 'end' }: Given = {},
): string {
  const moment = parseMoment(text, { zone, now, base, dateMeans });
  return 'instant' in moment ? new Date(moment.instant).toISOString() : moment.problem;
}

describe('moments that do not depend on a zone', () => {
  test.each([
    ['2026-12-31T18:00:00Z', '2026-12-31T18:00:00.000Z'],
    ['2026-12-31T18:00Z', '2026-12-31T18:00:00.000Z'],
    ['2026-12-31t18:00z', '2026-12-31T18:00:00.000Z'],
    ['2026-12-31 18:00:59.999+01:00', '2026-12-31T17:00:59.000Z'],
    ['2026-12-31T18:00-0530', '2026-12-31T23:30:00.000Z'],
    ['2026-12-31T00:30+14:00', '2026-12-30T10:30:00.000Z'],
    ['now', '2026-01-31T12:00:00.000Z'],
    [' now ', '2026-01-31T12:00:00.000Z'],
  ])('%s is %s in any zone', (text, instant) => {
    for (const zone of ['UTC', berlin, 'Asia/Kathmandu']) expect(parse(text, { zone })).toBe(instant);
  });
});

describe('dates and times in the editor’s zone', () => {
  test.each([
    ['2026-07-01 18:00', berlin, '2026-07-01T16:00:00.000Z'],
    ['2026-12-01T18:00', berlin, '2026-12-01T17:00:00.000Z'],
    ['2026-12-01 9:05:07', berlin, '2026-12-01T08:05:07.000Z'],
    ['2026-12-01 18:00', 'Asia/Kathmandu', '2026-12-01T12:15:00.000Z'],
    ['2028-02-29 00:00', 'UTC', '2028-02-29T00:00:00.000Z'],
  ])('%s in %s is %s', (text, zone, instant) => {
    expect(parse(text, { zone })).toBe(instant);
  });

  test('a date means its first second as a start, and its last one as an end', () => {
    expect(parse('2026-12-31', { zone: berlin, dateMeans: 'start' })).toBe('2026-12-30T23:00:00.000Z');
    expect(parse('2026-12-31', { zone: berlin, dateMeans: 'end' })).toBe('2026-12-31T22:59:59.000Z');
  });

  test('a day that begins at one o’clock, or has 23 hours, works too', () => {
    const zone = 'America/Santiago'; // puts its clocks forward at midnight
    expect(parse('2026-09-06', { zone, dateMeans: 'start' })).toBe('2026-09-06T04:00:00.000Z');
    expect(parse('2026-09-06', { zone, dateMeans: 'end' })).toBe('2026-09-07T02:59:59.000Z');
    expect(parse('2026-09-05', { zone, dateMeans: 'end' })).toBe('2026-09-06T03:59:59.000Z');
  });

  test('a time that does not exist is the one after the clocks went forward', () => {
    expect(parse('2026-03-29 02:30', { zone: berlin })).toBe('2026-03-29T01:30:00.000Z');
    expect(parse('2026-03-29 01:59:59', { zone: berlin })).toBe('2026-03-29T00:59:59.000Z');
    expect(parse('2026-03-29 03:00', { zone: berlin })).toBe('2026-03-29T01:00:00.000Z');
  });

  test('a time that comes twice is refused, with two unambiguous spellings that work', () => {
    const problem = parse('2026-10-25 02:30', { zone: berlin });
    expect(problem).toMatch(/^2026-10-25 02:30 occurs twice in Europe\/Berlin/);
    const [first = '', second = ''] = problem.match(/2026-10-25 02:30[+-]\d\d:\d\d/g) ?? [];
    expect(parse(first, { zone: berlin })).toBe('2026-10-25T00:30:00.000Z');
    expect(parse(second, { zone: berlin })).toBe('2026-10-25T01:30:00.000Z');
  });
});

describe('spans', () => {
  test.each([
    ['+90m', '2026-01-31T13:30:00.000Z'],
    ['+12h', '2026-02-01T00:00:00.000Z'],
    ['+30d', '2026-03-02T12:00:00.000Z'],
    ['+2w', '2026-02-14T12:00:00.000Z'],
    ['+1mo', '2026-02-28T12:00:00.000Z'],
    ['+13mo', '2027-02-28T12:00:00.000Z'],
    ['+25mo', '2028-02-29T12:00:00.000Z'],
    ['+1y', '2027-01-31T12:00:00.000Z'],
    ['+1d12h', '2026-02-02T00:00:00.000Z'],
    ['+1mo1d', '2026-03-01T12:00:00.000Z'],
  ])('%s after noon on 31 January 2026 is %s', (text, instant) => {
    expect(parse(text)).toBe(instant);
  });

  test('a year after a leap day is the day before 1 March', () => {
    expect(parse('+1y', { now: Date.parse('2028-02-29T10:00:00Z') })).toBe('2029-02-28T10:00:00.000Z');
  });

  test('a day later is the same time tomorrow in the editor’s zone; hours are hours', () => {
    const now = Date.parse('2026-03-28T11:00:00Z'); // noon in Berlin, the day before its clocks go forward
    expect(parse('+1d', { zone: berlin, now })).toBe('2026-03-29T10:00:00.000Z');
    expect(parse('+24h', { zone: berlin, now })).toBe('2026-03-29T11:00:00.000Z');
  });

  test('a span counts from its base', () => {
    expect(parse('+1w', { base: Date.parse('2026-12-24T00:00:00Z') })).toBe('2026-12-31T00:00:00.000Z');
  });
});

test.each([
  ['9999-12-31', '9999-12-31T23:59:59.000Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ['9999-12-31T23:59:59-01:00', 'too far away'],
  ['+8000y', 'too far away'],
  ['+9999999y', 'too far away'],
  ['+999999999d', 'not a recognised time'],
  ['1969-12-31', 'before 1970'],
  ['2026-02-29', 'does not exist'],
  ['2026-13-01', 'does not exist'],
  ['2026-04-31 10:00', 'does not exist'],
  ['2026-01-01 24:00', 'does not exist'],
  ['2026-01-01 12:60', 'does not exist'],
  ['2026-01-01T12:00+25:00', 'does not exist'],
  ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
  ['1969-12-31T23:59:59Z', 'before 1970'],
  ...['', 'in +30d', '+30d or so', 'on 2026-12-31', '2026-12-31 18:00 sharp', '+30', '-30d', '+1.5d'].map(
    (text): [string, string] => [text, 'not a recognised time'],
  ),
])('%j gives: %s', (text, expected) => {
  expect(parse(text)).toContain(expected);
});

describe('other spellings', () => {
  test.each([
    ['31.12.2026', '2026-12-31T23:59:59.000Z'],
    ['1.2.2026', '2026-02-01T23:59:59.000Z'],
    ['31.12.2026 18:00', '2026-12-31T18:00:00.000Z'],
    ['tomorrow', '2026-02-01T23:59:59.000Z'],
    ['Tomorrow 18:00', '2026-02-01T18:00:00.000Z'],
    ['today', '2026-01-31T23:59:59.000Z'],
    ['18:00', '2026-01-31T18:00:00.000Z'],
    ['30d', '2026-03-02T12:00:00.000Z'],
    ['+90s', '2026-01-31T12:01:30.000Z'],
    ['1m30s', '2026-01-31T12:01:30.000Z'],
    ['in 30 days', '2026-03-02T12:00:00.000Z'],
    ['2 weeks', '2026-02-14T12:00:00.000Z'],
    ['1 day 12 hours', '2026-02-02T00:00:00.000Z'],
  ])('%s is understood', (text, instant) => {
    expect(parse(text)).toBe(instant);
  });

  test.each([
    ['12/31/2026', '"12/31/2026" is not a recognised time; write 2026-12-31'],
    ['31/12/2026 18:00', '"31/12/2026 18:00" is not a recognised time; write "2026-12-31 18:00"'],
    ['03/04/2026', '"03/04/2026" could mean either of two moments; write 2026-03-04 or 2026-04-03'],
    ['04/04/2026', '"04/04/2026" is not a recognised time; write 2026-04-04'],
  ])('%s is answered with its readings', (text, answer) => {
    expect(parse(text)).toBe(answer);
  });

  test.each([
    ...['31.12.26', '20261231', '2026/12/31', '2026-2-1', '31 Dec 2026', '31.12.', '12/31', '2026-12', '12'],
    ...['never', 'friday', 'next friday', 'at 18:00', '6pm', 'tomorrowish', '30D'],
  ])('%s is not guessed: the answer lists the forms', (text) => {
    expect(parse(text)).toBe(
      `"${text}" is not a recognised time; write 2027-12-31, "2027-12-31 18:00" or +30d`,
    );
  });

  test('today as a start is now, because its first second is over', () => {
    const now = Date.parse('2026-01-31T23:30:00Z');
    expect(parseStart('Today', { zone: berlin, now })).toEqual({ instant: now });
    expect(parseStart('today 00:00', { zone: 'UTC', now })).toEqual({
      instant: Date.parse('2026-01-31T00:00:00Z'),
    });
  });

  test('tomorrow is the day after today in the editor’s zone, and begins at its first second', () => {
    const now = Date.parse('2026-01-31T23:30:00Z'); // in Berlin, 1 February
    expect(parse('tomorrow', { zone: berlin, now, dateMeans: 'start' })).toBe('2026-02-01T23:00:00.000Z');
    expect(parse('tomorrow', { zone: 'UTC', now, dateMeans: 'start' })).toBe('2026-02-01T00:00:00.000Z');
  });
});

const zones = fc.constantFrom(
  'UTC',
  berlin,
  'Asia/Kathmandu',
  'America/Santiago',
  'Pacific/Apia',
  'Africa/Cairo',
);
const means = fc.constantFrom('start' as const, 'end' as const);

test('law: any text is understood, or answered with spellings that are', () => {
  const pieces = fc.constantFrom(
    ...['1', '12', '31', '2026', '26', '.', '/', '-', ':', ' ', 'T', '18:00', '02:30', 'tomorrow'],
    ...[
      'today',
      'now',
      'never',
      '+',
      'd',
      'mo',
      's',
      'in',
      'Z',
      '+01:00',
      '2026-03-29',
      '2026-10-25',
      '\u202e',
      'ü',
    ],
  );
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 7 }).map((parts) => parts.join('')),
    fc.string({ maxLength: 20 }),
  );
  const now2026 = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2026, 11, 30) });
  fc.assert(
    fc.property(texts, zones, means, now2026, (text, zone, dateMeans, now) => {
      const moment = parseMoment(text, { zone, now, dateMeans });
      if ('instant' in moment) {
        expect(moment.instant % 1000).toBe(0);
        return;
      }
      const [, list = ''] = /; write (.+)$/s.exec(moment.problem) ?? [];
      const spellings = list.split(/, | or /).map((spelling) => spelling.replaceAll('"', ''));
      for (const spelling of spellings)
        expect(parseMoment(spelling, { zone, now, dateMeans })).toHaveProperty('instant');
    }),
    { numRuns: 500 },
  );
});
