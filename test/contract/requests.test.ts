import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import * as desk from '../../src/contract/desk-types.ts';
import * as typing from '../../src/contract/request-types.ts';
import {
  BackspaceRequestSchema,
  CreateSessionRequestSchema,
  EmptyRequestSchema,
  HistoryQuerySchema,
  InputRequestSchema,
  KeystrokeRequestSchema,
  PageQuerySchema,
  RoundRequestSchema,
  RoundUploadSchema,
  SpaceRequestSchema,
  TimingRequestSchema,
} from '../../src/contract/request-types.ts';
import { isContent, modes, modeTypes, parametersOf } from '../../src/typing/modes/mode.ts';
import { ruleValues } from '../../src/typing/rules/rules.ts';

const read = (schema: v.GenericSchema, request: unknown) => v.parse(schema, request);

/** The place of what is wrong with a request, such as `mode.count`, after a look at the error; undefined if nothing is. */
function wrongPlace(schema: v.GenericSchema, request: unknown): string | undefined {
  const result = v.safeParse(schema, request);
  if (result.success) return undefined;
  const [{ message, path = [] }] = result.issues;
  expect(message, JSON.stringify(request)).toMatch(/^(?:must (?:be|have|not be) |is |has |holds )\S/);
  return path.map(({ key }) => String(key)).join('.');
}

/** Values that an entry may have, and values for which it is refused. */
type Case = readonly [entry: string, right: readonly unknown[], wrong: readonly unknown[]];

function describeEntries(name: string, schema: v.GenericSchema, base: object, cases: readonly Case[]) {
  test.each(cases)(`${name}: %s`, (entry, right, wrong) => {
    for (const value of right)
      expect(read(schema, { ...base, [entry]: value })).toMatchObject({ [entry]: value });
    for (const value of wrong) {
      const place = wrongPlace(schema, { ...base, [entry]: value }) ?? 'nothing is wrong';
      expect([value, place.split('.')[0]]).toEqual([value, entry]);
    }
  });
}

test.each(
  [...Object.entries(typing), ...Object.entries(desk)].filter(([name]) =>
    /(?:Request|Upload)Schema$/.test(name),
  ),
)('%s says of every entry what it must be', (_, schema) => {
  for (const entry of Object.keys((schema as v.ObjectSchema<v.ObjectEntries, undefined>).entries)) {
    const { issues } = v.safeParse(schema as v.GenericSchema, { [entry]: () => 'no JSON value' });
    const ofEntry = issues?.find(({ path }) => path?.[0]?.key === entry);
    expect([entry, ofEntry?.message]).toEqual([entry, expect.stringMatching(/^must be \S/)]);
  }
});

const seekTime: Case = ['seek_time_ms', [0, 1, 3_600_000], ['1', null, Number.NaN, 0.5, -1, 3_600_001]];
const seq: Case = ['seq', [1, Number.MAX_SAFE_INTEGER], ['1', null, 1.5, 0, Number.MAX_SAFE_INTEGER + 1]];
const roundId: Case = ['round_id', ['', 'x'.repeat(64)], [1, null, 'x'.repeat(65)]];

describeEntries('a keystroke', KeystrokeRequestSchema, { char: 'a' }, [
  seekTime,
  seq,
  roundId,
  ['char', ['a', 'ü', '👨‍👩‍👧‍👦'], [1, null, '', 'x'.repeat(33), 'ab', ' ', '\u0007']],
]);
describeEntries('a backspace', BackspaceRequestSchema, {}, [seq, roundId]);
describeEntries('a space', SpaceRequestSchema, {}, [
  seekTime,
  seq,
  roundId,
  ['char', [' ', '\n'], ['\t', 'a', '']],
]);

test('an input needs only its required fields', () => {
  expect(read(KeystrokeRequestSchema, { char: 'a', more: 1 })).toEqual({ char: 'a' });
  expect(read(BackspaceRequestSchema, {})).toEqual({});
  expect(read(SpaceRequestSchema, {})).toEqual({});
  expect(read(EmptyRequestSchema, { anything: 1 })).toEqual({});
});

describe('a batch of inputs', () => {
  const events = [
    { type: 'keystroke', char: 'a', seek_time_ms: 80, seq: 1, round_id: 'r' },
    { type: 'backspace', seq: 2, round_id: 'r' },
    { type: 'space', char: '\n', seek_time_ms: 90, seq: 3, round_id: 'r' },
  ];
  const many = (length: number) => ({ events: Array.from({ length }, () => events[1]) });

  test('holds keystrokes, backspaces and spaces, at most 500', () => {
    expect(read(InputRequestSchema, { events })).toEqual({ events });
    expect(read(InputRequestSchema, many(500))).toEqual(many(500));
  });

  test.each([
    [many(501), 'events'],
    [{ events: 'a' }, 'events'],
    [{ events: [] }, 'events'],
    [{ events: [{ type: 'key' }] }, 'events.0.type'],
    [{ events: [events[0], { type: 'keystroke', char: 'ab' }] }, 'events.1.char'],
  ])('%j is refused for its %s', (request, place) => {
    expect(wrongPlace(InputRequestSchema, request)).toBe(place);
  });
});

const timing = { start_time_unix_ms: 0, end_time_unix_ms: 1000, duration_ms: 1000 };
const instant = (entry: string): Case => [
  entry,
  [0, Date.UTC(10_000, 0) - 1],
  ['0', null, 0.5, -1, Date.UTC(10_000, 0)],
];
const timingCases: readonly Case[] = [
  instant('start_time_unix_ms'),
  instant('end_time_unix_ms'),
  ['duration_ms', [1, 86_400_000], ['1', null, 1.5, 0, 86_400_001]],
];
describeEntries('the timing of a round', TimingRequestSchema, timing, timingCases);

const upload = {
  id: '6f0c1c5e-0d0a-4b57-8c30-9f1b9f3f2f10',
  words: ['a'],
  events: [{ type: 'space' }],
  ...timing,
};
const events = (length: number) => Array.from({ length }, () => ({ type: 'space' }));
const words = (length: number, word = 'a') => Array.from({ length }, () => word);

describeEntries('a round typed elsewhere', RoundUploadSchema, upload, [
  ...timingCases,
  ['id', [upload.id], [1, 'x', '']],
  ['punctuation_mode', [true, false], [0, null]],
  [
    'words',
    [words(1), words(3_200), ['x'.repeat(10_000)], words(4, 'x'.repeat(10_000)), ['a', 'ä']],
    [
      ...['a', null, [], words(3_201), words(5, 'x'.repeat(8_001))],
      ...[1, '', 'a b', 'x'.repeat(10_001), `a${'\u0301'.repeat(32)}`, '\u0301'.repeat(40)].map((word) => [
        'a',
        word,
      ]),
    ],
  ],
  ['events', [events(1), events(20_000)], ['a', null, [], events(20_001)]],
]);

test('fields that a session or an uploaded round leaves out have their defaults', () => {
  const usual = { mode: { type: 'words', count: 30 }, language: 'en', layout: 'qwerty' };
  const rules = { early_space: 'error', stop_on: 'none', backspace: 'free' };
  expect(read(CreateSessionRequestSchema, {})).toEqual({ punctuation_mode: false, ...usual, rules });
  expect(read(RoundUploadSchema, upload)).toEqual({ ...upload, punctuation_mode: false, ...usual, rules });
});

describe('a mode', () => {
  const tenWords = [...'abcdefghij'];

  /** Values at the bounds of a parameter, and beyond them. */
  const values: { readonly [N in string]?: readonly [right: readonly unknown[], wrong: readonly unknown[]] } =
    {
      number: [[], [10.5, '10', null]],
      choice: [[], ['tiny', '', 1]],
      flag: [[true], [1, 'yes']],
      name: [['x'.repeat(64)], ['', 'x'.repeat(65), 1]],
      tag: [['rust'], ['', 'C', 'two words', 1]],
      label: [[''], [1]],
      content: [['own words'], [1, '', ' ', 'x'.repeat(10_001), 'a \u0007']],
      words: [
        [tenWords],
        [
          ...[tenWords.slice(1), [...tenWords, 'a']],
          ...['a b', 'x'.repeat(33), 'a\u0007'].map((word) => [...tenWords, word]),
        ],
      ],
      parts: [[['b', 'ж']], [[], ['th'], ['7'], ['b', 'b']]],
    };

  test.each(
    modeTypes.flatMap((type) =>
      parametersOf(type).map(([name, parameter]) => [type, name, parameter] as const),
    ),
  )('%s has the parameter %s within its bounds', (type, name, parameter) => {
    const base = type === 'text' ? { type, text: 'x' } : { type };
    const [right, wrong] = values[parameter.kind] as (typeof values)[string] & object;
    const more =
      parameter.kind === 'number'
        ? { right: [parameter.min, parameter.max], wrong: [parameter.min - 1, parameter.max + 1] }
        : { right: parameter.kind === 'choice' ? parameter.values : [], wrong: [] };
    for (const value of [...right, ...more.right]) {
      const mode = { ...base, [name]: value };
      expect(read(CreateSessionRequestSchema, { mode })).toMatchObject({ mode });
      if (isContent(parameter)) continue;
      const { text: _, ...typed } = mode as { text?: string };
      expect(read(RoundUploadSchema, { ...upload, mode: typed })).toMatchObject({ mode: typed });
    }
    for (const value of [...wrong, ...more.wrong])
      expect(wrongPlace(CreateSessionRequestSchema, { mode: { ...base, [name]: value } })).toMatch(/^mode/);
  });

  test.each([
    [{ type: 'words', list: ['a b'] }, /\bwords?\b/],
    [{ type: 'words', list: [] }, /\bwords\b/],
    [{ type: 'drill', on: 'letters', targets: ['7'] }, /\bletters?\b/],
    [{ type: 'drill', on: 'letters', targets: [] }, /\bletters\b/],
  ])('the error of %j says of what the list must be', (mode, word) => {
    const { issues = [] } = v.safeParse(CreateSessionRequestSchema, { mode });
    expect(issues[0]?.message).toMatch(word);
  });

  test.each(modeTypes)('%s is read with the defaults of its parameters', (type) => {
    const usual = parametersOf(type).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    const mode = { ...modes[type].example };
    for (const [name] of usual) delete (mode as Record<string, unknown>)[name];
    expect(read(CreateSessionRequestSchema, { mode })).toMatchObject({ mode: Object.fromEntries(usual) });
  });

  test('without what it needs is refused', () => {
    expect(v.safeParse(CreateSessionRequestSchema, { mode: { type: 'text' } }).issues).toMatchObject([
      { path: [{ key: 'mode' }, { key: 'text' }] },
    ]);
  });

  test.each([
    { type: 'drill', on: 'bigrams', targets: ['t'] },
    { type: 'drill', on: 'words', targets: ['th'] },
    { type: 'drill', on: 'letters', targets: ['1', 'b'] },
    { type: 'drill', on: 'bigrams', targets: ['1a'] },
    { type: 'drill', on: 'bigrams', targets: ['a1'] },
    { type: 'zen' },
    [],
    null,
  ])('%j is refused', (mode) => {
    expect(wrongPlace(CreateSessionRequestSchema, { mode })).toMatch(/^mode/);
  });
});

test('rules are an object with known values', () => {
  for (const [name, values] of Object.entries(ruleValues)) {
    for (const value of values)
      expect(read(CreateSessionRequestSchema, { rules: { [name]: value } })).toMatchObject({
        rules: { [name]: value },
      });
    expect(wrongPlace(CreateSessionRequestSchema, { rules: { [name]: 'never' } })).toBe(`rules.${name}`);
  }
  for (const rules of [[], 'skip', 1, null]) {
    expect(wrongPlace(CreateSessionRequestSchema, { rules })).toBe('rules');
    const { issues = [] } = v.safeParse(CreateSessionRequestSchema, { rules });
    for (const text of Object.entries(ruleValues).flat(2)) expect(issues[0]?.message).toContain(text);
  }
});

describeEntries('a session', CreateSessionRequestSchema, {}, [
  ['punctuation_mode', [true, false], [1, null]],
  ['client', ['x', 'x'.repeat(40)], ['', 'x'.repeat(41), 1, null]],
  ['language', ['a', 'x'.repeat(64)], ['', 'x'.repeat(65), 1, null]],
  ['layout', ['a', 'x'.repeat(64)], ['', 'x'.repeat(65), 1, null, []]],
]);

describeEntries('a new round', RoundRequestSchema, {}, [['repeat', [true, false], [1, 'true', null]]]);

describeEntries('a page of a list', PageQuerySchema, {}, [
  ['limit', [1, 1000], [0, 1001, 1.5, '1', null]],
  [
    'after',
    ['0123456789abcdef'.repeat(2), '6f0c1c5e-0d0a-4b57-8c30-9f1b9f3f2f10'],
    ['', '0'.repeat(31), '0'.repeat(33), 'g'.repeat(32), 1],
  ],
]);

test('the error of a mode says whether it or its type is wrong', () => {
  const errorOf = (mode: unknown) => v.safeParse(CreateSessionRequestSchema, { mode }).issues?.[0]?.message;
  expect(errorOf(1)).toMatch(/^must be an object whose type is /);
  expect(errorOf({ type: 'zen' })).toMatch(/^must be (?!an object)/);
});

test('the error of a mode names every kind of mode', () => {
  const { issues = [] } = v.safeParse(HistoryQuerySchema, { mode: 'never' });
  for (const type of modeTypes) expect(issues[0]?.message).toContain(type);
});

describeEntries('a question about the history', HistoryQuerySchema, {}, [
  [
    'mode',
    ['words-1', 'words-200', 'time-600', 'text', 'quote', 'code-typescript', 'drill', 'guided', 'all'],
    ['', 'words-', 'words-1000', 'time-x', 'texts', 'a text', 'code-', 'code-C', `code-${'x'.repeat(21)}`],
  ],
  ['language', ['', 'x'.repeat(64)], ['x'.repeat(65)]],
  ['layout', ['', 'x'.repeat(64)], ['x'.repeat(65)]],
]);

describeEntries('a question of an editor', desk.DeskQuerySchema, {}, [
  ['state', ['active', 'scheduled', 'past', 'all'], ['ended', '']],
  ['limit', [1, 1000], [0, 1001, 1.5, '1']],
  ['after', ['', 'x'], [1]],
  ['days', [1, 3660], [0, 3661, 1.5, '1']],
]);
