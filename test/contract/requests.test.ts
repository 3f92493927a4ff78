import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  DeskQuerySchema,
  EditRequestSchema,
  ExpireRequestSchema,
  OriginRequestSchema,
  PublishRequestSchema,
  UndoRequestSchema,
  WithdrawRequestSchema,
} from '../../src/contract/desk-types.ts';
import { KeptLayoutSchema, newOwnLayout, OwnLayoutSchema } from '../../src/contract/own-layout.ts';
import {
  BackspaceRequestSchema,
  CreateSessionRequestSchema,
  EmptyRequestSchema,
  HistoryQuerySchema,
  InputRequestSchema,
  KeystrokeRequestSchema,
  PageQuerySchema,
  RoundUploadSchema,
  SpaceRequestSchema,
  TimingRequestSchema,
} from '../../src/contract/request-types.ts';
import { formatChoices } from '../../src/contract/session-setup.ts';
import { modeTypes } from '../../src/typing/modes/mode.ts';

/** What is read of a request, or what is wrong with it, as `place sentence`. */
function read(schema: v.GenericSchema, request: unknown): unknown {
  const result = v.safeParse(schema, request);
  if (result.success) return result.output;
  const [{ message, path = [] }] = result.issues;
  return `${path.map(({ key }) => String(key)).join('.')} ${message}`.trim();
}

/** The shortest list of words of one's own, and what is said of others. */
const tenWords = [...'abcdefghij'];
const badList = 'must be a list of 10 to 2000 different words';
const badWord = 'must be a word of at most 32 characters';

/** Requests that differ from a right one in one entry, for which these values are right and those are refused with a sentence. */
type Case = readonly [
  entry: string,
  right: readonly unknown[],
  refused: readonly (readonly [string, ...unknown[]])[],
];

function describeEntries(name: string, schema: v.GenericSchema, base: object, cases: readonly Case[]) {
  describe(name, () => {
    const rights = cases.flatMap(([entry, right]) => right.map((value) => [entry, value] as const));
    test.each(rights)('%s may be %j', (entry, value) => {
      expect(read(schema, { ...base, [entry]: value })).toMatchObject({ [entry]: value });
    });
    const wrongs = cases.flatMap(([entry, , refused]) =>
      refused.flatMap(([sentence, ...values]) => values.map((value) => [entry, value, sentence] as const)),
    );
    test.each(wrongs)('%s must not be %j: %s', (entry, value, sentence) => {
      expect(read(schema, { ...base, [entry]: value })).toBe(`${entry} ${sentence}`);
    });
  });
}

const seekTime: Case = [
  'seek_time_ms',
  [0, 1, 3_600_000],
  [
    ['must be a number of milliseconds', '1', null, Number.NaN],
    ['must be whole milliseconds', 0.5],
    ['must not be negative', -1],
    ['must be at most 3600000 (one hour)', 3_600_001],
  ],
];
const seq: Case = [
  'seq',
  [1, Number.MAX_SAFE_INTEGER],
  [
    ['must be a number', '1', null],
    ['must be a whole number', 1.5],
    ['must be at least 1', 0],
    ['is too large', Number.MAX_SAFE_INTEGER + 1],
  ],
];
const roundId: Case = [
  'round_id',
  ['', 'x'.repeat(64)],
  [
    ['must be a text', 1, null],
    ['is too long', 'x'.repeat(65)],
  ],
];

describeEntries('a keystroke', KeystrokeRequestSchema, { char: 'a' }, [
  seekTime,
  seq,
  roundId,
  [
    'char',
    ['a', 'ü', '👨‍👩‍👧‍👦'],
    [
      ['must be a string of one character', 1, null],
      ['must be one character, but is empty', ''],
      ['must be one character, but is longer', 'x'.repeat(33)],
      ['must be exactly one visible character (spaces have an endpoint of their own)', 'ab', ' ', '\u0007'],
    ],
  ],
]);
describeEntries('a backspace', BackspaceRequestSchema, {}, [seq, roundId]);
describeEntries('a space', SpaceRequestSchema, {}, [
  seekTime,
  seq,
  roundId,
  ['char', [' ', '\n'], [['must be a space or a line feed', '\t', 'a', '']]],
]);

test('an input needs only what it cannot do without', () => {
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

  test('holds keystrokes, backspaces and spaces', () => {
    expect(read(InputRequestSchema, { events })).toEqual({ events });
    const many = (length: number) => ({ events: Array.from({ length }, () => events[1]) });
    expect(read(InputRequestSchema, many(500))).toEqual(many(500));
    expect(read(InputRequestSchema, many(501))).toBe('events must have at most 500 events');
  });

  test.each([
    [{ events: 'a' }, 'events must be a list of events'],
    [{ events: [] }, 'events must have at least one event'],
    [{ events: [{ type: 'key' }] }, 'events.0.type must be "keystroke", "backspace" or "space"'],
    [{ events: [events[0], { type: 'keystroke', char: 'ab' }] }, /^events\.1\.char must be exactly one/],
  ])('%j is refused', (request, sentence) => {
    const problem = read(InputRequestSchema, request);
    if (typeof sentence === 'string') expect(problem).toBe(sentence);
    else expect(problem).toMatch(sentence);
  });
});

const timing = { start_time_unix_ms: 0, end_time_unix_ms: 1000, duration_ms: 1000 };
const instant = (entry: string): Case => [
  entry,
  [0, 8_640_000_000_000_000],
  [
    ['must be a number of milliseconds since 1970', '0', null],
    ['must be whole milliseconds since 1970', 0.5],
    ['must not be before 1970', -1],
    ['must not be later than the last possible date', 8_640_000_000_000_001],
  ],
];
const timingCases: readonly Case[] = [
  instant('start_time_unix_ms'),
  instant('end_time_unix_ms'),
  [
    'duration_ms',
    [1, 86_400_000],
    [
      ['must be a number of milliseconds', '1', null],
      ['must be whole milliseconds', 1.5],
      ['must be more than 0', 0],
      ['must be at most 86400000 (24 hours)', 86_400_001],
    ],
  ],
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
  ['id', [upload.id], [['must be a UUID', 1, 'x', '']]],
  ['punctuation_mode', [true, false], [['must be true or false', 0, null]]],
  [
    'words',
    [words(1), ['x'.repeat(10_000)], words(4, 'x'.repeat(10_000))],
    [
      ['must be a list of words', 'a', null],
      ['must have at least one word', []],
      ['must have at most 40000 characters together', words(5, 'x'.repeat(8_001))],
    ],
  ],
  [
    'events',
    [events(1)],
    [
      ['must be a list of events', 'a', null],
      ['must have at least one event', []],
    ],
  ],
]);

test('the words of a round typed elsewhere are ones that keys type', () => {
  const of = (word: unknown) => read(RoundUploadSchema, { ...upload, words: ['a', word] });
  expect(of('ä')).toMatchObject({ words: ['a', 'ä'] });
  expect(of(1)).toBe('words.1 must be a word');
  for (const bad of ['', 'a b', 'x'.repeat(10_001)])
    expect(of(bad)).toBe('words.1 must be a word without white space');
  expect(of(`a${'\u0301'.repeat(32)}`)).toBe('words.1 holds a character that no key types');
});

test('words and events are counted before any of them is checked', () => {
  expect(v.is(RoundUploadSchema, { ...upload, words: words(3_200) })).toBe(true);
  expect(read(RoundUploadSchema, { ...upload, words: words(3_201) })).toBe(
    'words must have at most 3200 words',
  );
  expect(v.is(RoundUploadSchema, { ...upload, events: events(20_000) })).toBe(true);
  expect(read(RoundUploadSchema, { ...upload, events: events(20_001) })).toBe(
    'events must have at most 20000 events',
  );
  expect(v.is(RoundUploadSchema, { ...upload, events: 'a' })).toBe(false);
});

test('what a session or a round typed elsewhere leaves out has its usual value', () => {
  const usual = { mode: { type: 'words', count: 30 }, language: 'en', layout: 'qwerty' };
  const rules = { early_space: 'error', stop_on: 'none', backspace: 'free' };
  expect(read(CreateSessionRequestSchema, {})).toEqual({ punctuation_mode: false, ...usual, rules });
  expect(read(RoundUploadSchema, upload)).toEqual({ ...upload, punctuation_mode: false, ...usual, rules });
});

describe('a mode', () => {
  test.each([
    [{ type: 'words' }, { type: 'words', count: 30 }],
    [
      { type: 'words', count: 10 },
      { type: 'words', count: 10 },
    ],
    [
      { type: 'words', count: 200 },
      { type: 'words', count: 200 },
    ],
    [{ type: 'time' }, { type: 'time', seconds: 60 }],
    [
      { type: 'time', seconds: 5 },
      { type: 'time', seconds: 5 },
    ],
    [
      { type: 'time', seconds: 600 },
      { type: 'time', seconds: 600 },
    ],
    [{ type: 'quote' }, { type: 'quote', length: 'any' }],
    [
      { type: 'quote', length: 'short' },
      { type: 'quote', length: 'short' },
    ],
    [
      { type: 'quote', length: 'medium' },
      { type: 'quote', length: 'medium' },
    ],
    [
      { type: 'quote', length: 'long' },
      { type: 'quote', length: 'long' },
    ],
    [{ type: 'code' }, { type: 'code', language: 'typescript' }],
    [
      { type: 'code', language: 'x'.repeat(64) },
      { type: 'code', language: 'x'.repeat(64) },
    ],
    [{ type: 'drill' }, { type: 'drill', on: 'letters' }],
    [
      { type: 'drill', on: 'bigrams' },
      { type: 'drill', on: 'bigrams' },
    ],
    [
      { type: 'drill', on: 'words' },
      { type: 'drill', on: 'words' },
    ],
    [{ type: 'guided' }, { type: 'guided' }],
    [
      { type: 'words', numbers: true },
      { type: 'words', count: 30, numbers: true },
    ],
    [
      { type: 'drill', targets: ['b', 'ж'] },
      { type: 'drill', on: 'letters', targets: ['b', 'ж'] },
    ],
    [
      { type: 'guided', target_wpm: 200 },
      { type: 'guided', target_wpm: 200 },
    ],
  ])('%j is read as %j, in a session and in a round typed elsewhere', (given, mode) => {
    expect(read(CreateSessionRequestSchema, { mode: given })).toMatchObject({ mode });
    expect(read(RoundUploadSchema, { ...upload, mode: given })).toMatchObject({ mode });
  });

  test('of a custom text comes with the text, except in a round typed elsewhere, which has its words', () => {
    const text = { type: 'text', text: 'own words', title: 'x'.repeat(200) };
    expect(read(CreateSessionRequestSchema, { mode: text })).toMatchObject({ mode: text });
    expect(read(RoundUploadSchema, { ...upload, mode: { type: 'text', title: 'a' } })).toMatchObject({
      mode: { type: 'text', title: 'a' },
    });
    expect(read(CreateSessionRequestSchema, { mode: { type: 'drill', text: 'own' } })).toMatchObject({
      mode: { type: 'drill', on: 'letters', text: 'own' },
    });
  });

  test.each([
    [{ type: 'words', count: 9 }, 'mode.count must be a whole number from 10 to 200'],
    [{ type: 'words', count: 201 }, 'mode.count must be a whole number from 10 to 200'],
    [{ type: 'words', count: 10.5 }, 'mode.count must be a whole number from 10 to 200'],
    [{ type: 'words', count: '10' }, 'mode.count must be a whole number from 10 to 200'],
    [{ type: 'time', seconds: 4 }, 'mode.seconds must be a whole number from 5 to 600'],
    [{ type: 'time', seconds: 601 }, 'mode.seconds must be a whole number from 5 to 600'],
    [{ type: 'text', text: 1 }, 'mode.text must be a text'],
    [{ type: 'text', text: '' }, 'mode.text must not be empty'],
    [{ type: 'text', text: ' ' }, 'mode.text must have something to type'],
    [{ type: 'text', text: 'x'.repeat(10_001) }, 'mode.text must have at most 10000 characters'],
    [{ type: 'text', text: 'a \u0007' }, 'mode.text holds a character in its word 2 that no key types'],
    [{ type: 'text', text: 'a', title: 1 }, 'mode.title must be a text'],
    [{ type: 'text', text: 'a', title: 'x'.repeat(201) }, 'mode.title must have at most 200 characters'],
    [{ type: 'quote', length: 'tiny' }, 'mode.length must be "any", "short", "medium" or "long"'],
    [{ type: 'drill', on: 'keys' }, 'mode.on must be "letters", "bigrams" or "words"'],
    [{ type: 'drill', text: '' }, 'mode.text must not be empty'],
    [
      { type: 'code', language: '' },
      'mode.language must be the name of a programming language, such as "typescript"',
    ],
    [{ type: 'words', numbers: 1 }, 'mode.numbers must be true or false'],
    [{ type: 'words', list: tenWords.slice(1) }, `mode.list ${badList}`],
    [{ type: 'words', list: [...tenWords.slice(1), tenWords[1]] }, `mode.list ${badList}`],
    [{ type: 'words', list: [...tenWords.slice(1), 'a b'] }, `mode.list.9 ${badWord} that keys type`],
    [{ type: 'words', list: [...tenWords.slice(1), 'x'.repeat(33)] }, `mode.list.9 ${badWord}`],
    [{ type: 'guided', target_wpm: 9 }, 'mode.target_wpm must be a whole number from 10 to 200'],
    [{ type: 'drill', targets: [] }, 'mode.targets must be a list of 1 to 10 different letters or bigrams'],
    [{ type: 'drill', targets: ['th'] }, 'mode has targets that are not letters'],
    [{ type: 'drill', on: 'bigrams', targets: ['t'] }, 'mode has targets that are not bigrams'],
    [{ type: 'drill', on: 'words', targets: ['th'] }, 'mode has targets that are not letters or bigrams'],
    [{ type: 'drill', targets: ['7'] }, 'mode.targets.0 must be a letter or two letters that keys type'],
    [{ type: 'zen' }, `mode.type must be ${formatChoices(modeTypes)}`],
    [[], `mode must be an object whose type is ${formatChoices(modeTypes)}`],
  ])('%j is refused', (mode, sentence) => {
    expect(read(CreateSessionRequestSchema, { mode })).toBe(sentence);
  });
});

describe('rules', () => {
  test.each([
    ['early_space', ['error', 'skip'], '"error" or "skip"'],
    ['stop_on', ['none', 'letter', 'word'], '"none", "letter" or "word"'],
    ['backspace', ['free', 'word', 'none'], '"free", "word" or "none"'],
  ])('%s is one of %j', (name, values, choices) => {
    for (const value of values)
      expect(read(CreateSessionRequestSchema, { rules: { [name]: value } })).toMatchObject({
        rules: { [name]: value },
      });
    expect(read(CreateSessionRequestSchema, { rules: { [name]: 'never' } })).toBe(
      `rules.${name} must be ${choices}`,
    );
  });

  test('must not be a list, or anything else that is no object', () => {
    for (const rules of [[], 'skip', 1, null])
      expect(read(CreateSessionRequestSchema, { rules })).toBe(
        'rules must be an object with early_space ("error" or "skip"), stop_on ("none", "letter" or "word"), backspace ("free", "word" or "none")',
      );
  });
});

test('choices are quoted, with an "or" before the last one', () => {
  expect(formatChoices(['a'])).toBe('"a"');
  expect(formatChoices(['a', 'b'])).toBe('"a" or "b"');
  expect(formatChoices(['a', 'b', 'c'])).toBe('"a", "b" or "c"');
});

describeEntries('a session', CreateSessionRequestSchema, {}, [
  ['punctuation_mode', [true, false], [['must be true or false', 1, null]]],
  [
    'language',
    ['a', 'x'.repeat(64)],
    [['must be an id of GET /api/languages, such as "en"', '', 'x'.repeat(65), 1, null]],
  ],
  [
    'layout',
    ['a', 'x'.repeat(64)],
    [
      ['must be an id of GET /api/layouts, such as "qwerty"', '', 'x'.repeat(65)],
      ['must be an id of GET /api/layouts, such as "qwerty", or a layout of your own', 1, null, []],
    ],
  ],
]);

describe('a layout of the player’s own', () => {
  const rows: [string[], string[], string[], string[]] = [['a'], ['b'], ['c', 'd'], ['1']];
  const own = { name: 'Mine', rows };

  test('has a name, four rows, and fingers for some of its keys', () => {
    expect(read(OwnLayoutSchema, own)).toEqual({ ...own, fingers: {} });
    const fingers = { a: 0, '1': 9 };
    expect(read(CreateSessionRequestSchema, { layout: { ...own, fingers } })).toMatchObject({
      layout: { ...own, fingers },
    });
    for (const name of ['x', 'x y', 'x'.repeat(60)])
      expect(read(OwnLayoutSchema, { ...own, name })).toMatchObject({ name });
  });

  test.each([
    [{ ...own, name: 1 }, 'name must be a text'],
    ...['', ' x', 'x ', 'x\u2028y', 'x\u0000y', 'x'.repeat(61)].map(
      (name) => [{ ...own, name }, 'name must be 1 to 60 visible characters'] as const,
    ),
    [{ ...own, rows: 'abcd' }, 'rows must be four lists of keys: top, home, bottom and number row'],
    [
      { ...own, rows: ['a', ...rows.slice(1)] },
      'rows.0 must be a list of keys; there are four: top, home, bottom and number row',
    ],
    [{ ...own, rows: [[...'abcdefghijklmnop'], [], [], []] }, 'rows.0 must have at most 15 keys'],
    [{ ...own, rows: [[1], [], [], []] }, 'rows.0.0 must be a key'],
    [{ ...own, rows: [['abc'], [], [], []] }, 'rows.0.0 must be one character'],
    [{ ...own, rows: [['ab'], [], [], []] }, 'has a key that is not one visible character'],
    [{ ...own, rows: [['a'], ['a'], [], []] }, 'has the same key twice'],
    [{ ...own, rows: [['1'], [], [], []] }, 'has no key with a letter'],
    [{ ...own, fingers: { a: '0' } }, 'fingers.a must be a number'],
    [{ ...own, fingers: { a: 0.5 } }, 'fingers.a must be a whole number'],
    [{ ...own, fingers: { a: -1 } }, 'fingers.a must be at least 0'],
    [{ ...own, fingers: { a: 10 } }, 'fingers.a must be at most 9'],
    [{ ...own, fingers: { x: 1 } }, 'has a finger for a key that is in none of its rows'],
  ] as const)('%j is refused', (layout, sentence) => {
    expect(read(OwnLayoutSchema, layout)).toBe(sentence);
    const inSession = String(read(CreateSessionRequestSchema, { layout }));
    expect(inSession).toMatch(/^layout[ .]/);
    expect(inSession.slice('layout '.length)).toBe(sentence);
  });

  test('must not lack its name or its rows', () => {
    for (const layout of [{}, { name: 'x' }, { rows }])
      expect(read(CreateSessionRequestSchema, { layout })).toMatch(
        /^layout(?:\.\w+)? must have a name and rows$/,
      );
  });

  test('may have fifteen keys in a row', () => {
    const full = { ...own, rows: [[...'abcdefghijklmno'], [], [], []] };
    expect(read(OwnLayoutSchema, full)).toMatchObject(full);
  });

  test('becomes a layout with the fingers of standard touch typing, except where it says otherwise', () => {
    const layout = newOwnLayout('own-1', { ...own, fingers: { a: 7 } });
    expect(layout).toEqual({ id: 'own-1', name: 'Mine', rows, fingers: { a: 7, b: 0, c: 0, d: 1, '1': 0 } });
  });

  test('is kept with its id', () => {
    const kept = { id: `own-${'0'.repeat(16)}`, layout: { ...own, fingers: {} } };
    expect(read(KeptLayoutSchema, kept)).toEqual(kept);
    for (const id of ['own-0', `own-${'0'.repeat(17)}`, `x${kept.id}`, `own-${'g'.repeat(16)}`])
      expect(v.is(KeptLayoutSchema, { ...kept, id })).toBe(false);
  });
});

describeEntries('a page of a list', PageQuerySchema, {}, [
  ['limit', [1, 1000], [['must be a whole number from 1 to 1000', 0, 1001, 1.5, '1', null]]],
  [
    'after',
    ['0123456789abcdef'.repeat(2), '6f0c1c5e-0d0a-4b57-8c30-9f1b9f3f2f10'],
    [['must be an id as the list shows it', '', '0'.repeat(31), '0'.repeat(33), 'g'.repeat(32), 1]],
  ],
]);

const modes = 'must be words-N, time-N, text, quote, code-LANGUAGE, drill, guided or all';
describeEntries('a question about the history', HistoryQuerySchema, {}, [
  [
    'mode',
    [
      'words-1',
      'words-200',
      'time-5',
      'time-600',
      'text',
      'quote',
      'code-typescript',
      'drill',
      'guided',
      'all',
    ],
    [
      [
        modes,
        '',
        'words-',
        'words-1000',
        'time-x',
        'texts',
        'a text',
        'code-',
        'code-C',
        `code-${'x'.repeat(21)}`,
      ],
    ],
  ],
  ['language', ['', 'x'.repeat(64)], [['is too long', 'x'.repeat(65)]]],
  ['layout', ['', 'x'.repeat(64)], [['is too long', 'x'.repeat(65)]]],
]);

test('a question may leave out everything', () => {
  expect([PageQuerySchema, HistoryQuerySchema, DeskQuerySchema].map((schema) => read(schema, {}))).toEqual([
    {},
    {},
    {},
  ]);
});

const plain: readonly Case[] = [
  ...['link', 'severity', 'linkLabel', 'at', 'expires'].map(
    (entry): Case => [entry, ['x', null], [['must be a text', 1, true, {}]]],
  ),
  ...['alongside', 'dismissible'].map(
    (entry): Case => [entry, [true, false, null], [['must be true or false', 1, 'yes']]],
  ),
  ...['translations', 'audience'].map(
    (entry): Case => [entry, [{}, { a: 1 }, null], [['must be an object', 1, 'x']]],
  ),
];
describeEntries('an announcement to publish', PublishRequestSchema, { message: 'Hello' }, [
  ...plain,
  ['message', ['x'], [['must be a text', 1, null]]],
  ['id', ['x', null], [['must be a text', 1]]],
]);
describeEntries('an edit of an announcement', EditRequestSchema, {}, [
  ...plain,
  ['message', ['x'], [['must be a text', 1, null]]],
]);
describeEntries('the end of an announcement', ExpireRequestSchema, {}, [
  ['at', ['x', null], [['must be a text', 1]]],
]);
describeEntries('an undo', UndoRequestSchema, {}, [
  ['change', [1, 99], [['must be the number of a change', 0, 1.5, '1', null]]],
]);
describeEntries('an origin', OriginRequestSchema, { origin: 'https://example.org' }, [
  [
    'origin',
    ['', 'x'.repeat(300)],
    [
      ['must be a text', 1, null],
      ['must have at most 300 characters', 'x'.repeat(301)],
    ],
  ],
]);
const pageProblem = 'must be a whole number from 1 to 1000';
const daysProblem = 'must be a whole number from 1 to 3660';
describeEntries('a question of an editor', DeskQuerySchema, {}, [
  ['state', ['active', 'scheduled', 'past', 'all'], [['must be active, scheduled, past, all', 'ended', '']]],
  ['limit', [1, 1000], [[pageProblem, 0, 1001, 1.5, '1']]],
  ['after', ['', 'x'], [['must be the value of `next`', 1]]],
  ['id', ['', 'x'], []],
  ['days', [1, 3660], [[daysProblem, 0, 3661, 1.5, '1']]],
]);

test.each([
  ['publish', PublishRequestSchema, { message: 'x' }],
  ['edit', EditRequestSchema, {}],
  ['expire', ExpireRequestSchema, {}],
  ['withdraw', WithdrawRequestSchema, {}],
  ['undo', UndoRequestSchema, {}],
  ['an origin', OriginRequestSchema, { origin: 'x' }],
])('%s refuses what it does not know', (_, schema, request) => {
  expect(read(schema, request)).toEqual(request);
  expect(v.is(schema, { ...request, surprise: 1 })).toBe(false);
});
