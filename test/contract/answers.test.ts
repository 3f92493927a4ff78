import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import * as answers from '../../src/contract/answer-types.ts';
import * as statistics from '../../src/contract/answer-types.ts';
import * as badge from '../../src/contract/badge-types.ts';
import * as desk from '../../src/contract/desk-types.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const at = '2026-01-01T00:00:00Z';
const setup = {
  round_id: 'r',
  mode: { type: 'words', count: 30 },
  language: 'en',
  layout: 'qwerty',
  rules: { early_space: 'error', stop_on: 'none', backspace: 'free' },
  line_ends: [1],
};
const score = {
  wpm: 40.5,
  accuracy: 97.5,
  time_seconds: 30.5,
  correct_chars: 100,
  total_chars: 103,
  standard_wpm: 45,
  raw_wpm: 46,
  consistency: 80,
  corrected_error_rate: 1,
  uncorrected_error_rate: 2,
  total_error_rate: 3,
  kspc: 1.05,
  omitted_chars: 0,
  measured_share: 1,
  counts: true,
  counts_reason: 'drill',
};
const letter = { presented: 2, correct: 1, accuracy: 50 };
const hits = { count: 2, average_ms: 120.5 };
const announcement = {
  id: 'a',
  message: 'Hello',
  link: 'https://example.org',
  published: at,
  expires: at,
  severity: 'warning',
  dismissible: false,
  linkLabel: 'Read',
  translations: {
    de: { message: 'Hallo', link: 'https://example.org/de', linkLabel: 'Lesen', severityLabel: 'Warnung' },
  },
  audience: { sites: ['https://example.org'], paths: ['/docs/*'] },
};
const stored = { ...announcement, expired: at, withdrawn: at, alongside: true };
const effect = {
  before: { id: 'a', message: 'm', link: '', published: at, expires: at },
  supersedes: ['b'],
  supersededBy: { id: 'c', published: at },
  current: 'a',
  currentBefore: 'b',
  active: ['a'],
  warnings: ['x'],
};
const tally = { impressions: 4, clicks: 1, dismissals: 0, clickThrough: 0.25 };

/** One example of each answer, with everything that may be in it, and the entries that it may lack. */
const examples: readonly [name: string, v.GenericSchema, Json, optional?: readonly string[]][] = [
  ['a new session', answers.SessionCreatedSchema, { session_id: 's' }],
  [
    'sessions',
    answers.SessionListSchema,
    { sessions: [{ id: 's', created_at: at, last_used: at }], next: 's' },
    ['next'],
  ],
  [
    'languages',
    answers.LanguageListSchema,
    { languages: [{ id: 'en', name: 'English', alphabet: 'abc', words: 3, quotes: 1 }] },
  ],
  [
    'layouts',
    answers.LayoutListSchema,
    { layouts: [{ id: 'qwerty', name: 'QWERTY', rows: [['q']], fingers: { q: 0 } }] },
    ['layouts.0.fingers.q'],
  ],
  ['health', answers.HealthSchema, { status: 'ok', active_sessions: 1, store: 'ok' }, ['store']],
  [
    'a round',
    answers.RoundSchema,
    {
      words: ['a'],
      total_words: 1,
      total_characters: 1,
      ...setup,
      indents: [0],
      focus: [{ text: 'th', ms: 120, target_ms: 100.5 }],
    },
    ['line_ends', 'indents', 'focus'],
  ],
  ['a keystroke', answers.KeystrokeResultSchema, { is_correct: true, timer_started: true, char_index: 1 }],
  ['a backspace', answers.BackspaceResultSchema, { success: true, new_length: 0 }],
  ['a space', answers.SpaceResultSchema, { advanced: true, round_complete: false, treated_as_error: false }],
  [
    'results of a batch',
    answers.InputResponseSchema,
    {
      results: [
        { is_correct: true, timer_started: true, char_index: 1 },
        { success: true, new_length: 0 },
      ],
    },
  ],
  ['a round that is kept', answers.RoundKeptSchema, { id: 'r' }],
  ['success', answers.SuccessSchema, { success: true }],
  [
    'the state of a round',
    answers.GameStateSchema,
    {
      words: ['a'],
      current_word_idx: 0,
      current_input: '',
      timer_started: false,
      punctuation_mode: false,
      word_number: 1,
      total_words: 1,
      live_wpm: 40.5,
      current_word: 'a',
      previous_word: '',
      next_word: '',
      next_words: [''],
      last_seq: 0,
      ...setup,
    },
    ['line_ends'],
  ],
  ['an error', answers.ErrorBodySchema, { error: 'Not found.', code: 'NOT_FOUND' }],
  [
    'statistics of a round',
    statistics.SessionStatisticsSchema,
    { ...score, is_new_best_wpm: true, is_new_best_accuracy: false, is_new_best_time: false },
  ],
  [
    'rounds',
    statistics.RoundListSchema,
    {
      rounds: [{ id: 'r', completed_at: at, mode: 'words-30', language: 'en', layout: 'qwerty', ...score }],
      next: 'r',
    },
    ['next'],
  ],
  [
    'statistics of many rounds',
    statistics.HistoricalStatisticsSchema,
    {
      best_wpm: 40.5,
      best_accuracy: 99,
      best_time: 20.5,
      average_wpm: 38.5,
      average_accuracy: 98,
      average_time: 21.5,
      total_sessions: 3,
      letter_accuracy: { a: letter },
      letter_seek_time: { a: { total_time_ms: 200, count: 2, average_ms: 100.5 } },
      finger_stats: { '3': letter },
      row_stats: { '0': letter },
      hand_balance: { left: 40, right: 60 },
      alternation_rate: 50,
      sfb_stats: hits,
      rhythm_stddev: 10.5,
      error_patterns: [{ expected: 'a', typed: 's', count: 1 }],
      best_standard_wpm: 41.5,
      average_standard_wpm: 39.5,
      average_consistency: 80,
      bigrams: { th: hits },
      rounds_not_counted: 0,
    },
    [
      ...['letter_accuracy.a', 'letter_seek_time.a', 'finger_stats.3', 'row_stats.0', 'bigrams.th'],
      ...[
        'letter_accuracy.a.accuracy',
        'letter_seek_time.a.average_ms',
        'finger_stats.3.accuracy',
        'row_stats.0.accuracy',
      ],
    ],
  ],
  [
    'active announcements',
    badge.ActiveAnnouncementsSchema,
    { announcements: [announcement] },
    ['severity', 'dismissible', 'linkLabel', 'translations', 'audience']
      .concat(
        'translations.de',
        'translations.de.link',
        'translations.de.linkLabel',
        'translations.de.severityLabel',
      )
      .concat('audience.sites', 'audience.paths')
      .map((name) => `announcements.0.${name}`),
  ],
  [
    'a shield',
    badge.ShieldSchema,
    { schemaVersion: 1, label: 'news', message: 'Hello', color: 'blue', cacheSeconds: 300 },
  ],
  [
    'the history',
    badge.PublicHistorySchema,
    {
      announcements: [{ id: 'a', message: 'm', link: '', published: at, expires: at, active: true }],
      lastUpdated: at,
    },
  ],
  [
    'a feed',
    badge.JsonFeedSchema,
    { version: '1.1', title: 'News', items: [{ id: 'a', more: 1 }], more: 1 },
    ['more', 'items.0.more'],
  ],
  [
    'readiness',
    badge.ReadinessSchema,
    { status: 'ready', version: '1.0.0', reasons: ['x'] },
    ['version', 'reasons'],
  ],
  [
    'announcements for editors',
    desk.AnnouncementListSchema,
    {
      announcements: [{ id: 'a', message: 'm', link: '', published: at, expires: at, state: 'active' }],
      total: 1,
      current: 'a',
      editor: 'ada',
      next: 'a',
    },
    ['next'],
  ],
  [
    'a changed announcement',
    desk.ChangedAnnouncementSchema,
    {
      id: 'a',
      message: 'm',
      link: '',
      published: at,
      expires: at,
      state: 'active',
      change: 1,
      ...effect,
    },
  ],
  [
    'a stored announcement',
    desk.StoredAnnouncementSchema,
    { ...stored },
    [
      'severity',
      'dismissible',
      'linkLabel',
      'translations',
      'audience',
      'expired',
      'withdrawn',
      'alongside',
    ].concat(
      [
        'translations.de',
        'translations.de.link',
        'translations.de.linkLabel',
        'translations.de.severityLabel',
      ],
      ['audience.sites', 'audience.paths'],
    ),
  ],
  [
    'what was undone',
    desk.UndoneSchema,
    {
      announcement: { id: 'a', message: 'm', link: '', published: at, expires: at, state: 'active' },
      change: 2,
      undone: 1,
      by: 'ada',
      id: 'a',
      action: 'edit',
      undoes: null,
      ...effect,
    },
  ],
  [
    'the log',
    desk.ChangeLogSchema,
    {
      changes: [
        {
          number: 1,
          at,
          by: 'ada',
          action: 'publish',
          id: 'a',
          before: { id: 'a', message: 'm', link: '', published: at, expires: at },
          after: { id: 'a', message: 'm', link: '', published: at, expires: at },
          undoes: 1,
          undoneBy: 2,
        },
      ],
      total: 1,
      next: '1',
    },
    ['next'],
  ],
  [
    'statistics of readers',
    desk.ReaderStatisticsSchema,
    {
      since: '2026-01-01',
      until: '2026-01-02',
      total: tally,
      days: [{ day: '2026-01-01', ...tally }],
      announcements: [{ id: 'a', message: 'm', ...tally, sites: [{ site: 'example.org', ...tally }] }],
      sites: [{ site: 'example.org', ...tally }],
    },
  ],
  ['origins', desk.OriginListSchema, { origins: ['https://example.org'] }],
];

const isParent = (value: Json): value is readonly Json[] | { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null;

/** The places of all values in an example, such as `rounds.0.wpm`. */
function placesIn(value: Json): string[] {
  if (!isParent(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    name,
    ...placesIn(inner).map((place) => `${name}.${place}`),
  ]);
}

/** The example with another value at a place, or without it. */
function changed(value: Json, place: string, change: (old: Json) => Json | undefined): Json {
  const [name = '', ...rest] = place.split('.');
  const copy: Record<string, Json> = { ...(value as Record<string, Json>) };
  const inner = copy[name] as Json;
  const next = rest.length === 0 ? change(inner) : changed(inner, rest.join('.'), change);
  if (next === undefined) delete copy[name];
  else copy[name] = next;
  return Array.isArray(value) ? Object.values(copy) : copy;
}

/** Something of another type. */
const otherThan = (value: Json): Json => (typeof value === 'string' ? 7 : 'something else');

describe.each(examples)('%s', (_, schema, example, optional = []) => {
  test('is read whole', () => {
    expect(v.parse(schema, example)).toEqual(example);
  });

  test('may lack only what is optional', () => {
    const entries = placesIn(example).filter((place) => !/\.\d+$/.test(place) || optional.includes(place));
    const dispensable = entries.filter((place) =>
      v.is(
        schema,
        changed(example, place, () => undefined),
      ),
    );
    expect(dispensable.sort()).toEqual([...optional].sort());
  });

  test('is refused with a value of another type anywhere', () => {
    const loose = new Set(['more', 'items.0.more']);
    for (const place of placesIn(example).filter((one) => !loose.has(one)))
      expect([place, v.is(schema, changed(example, place, otherThan))]).toEqual([place, false]);
  });
});

describe('words with a fixed meaning', () => {
  const state = (value: string) =>
    v.is(desk.DeskAnnouncementSchema, {
      id: 'a',
      message: 'm',
      link: '',
      published: at,
      expires: at,
      state: value,
    });

  test('are the states of an announcement', () => {
    for (const one of ['active', 'scheduled', 'superseded', 'expired', 'ended', 'withdrawn'])
      expect(state(one)).toBe(true);
    expect(state('past')).toBe(false);
  });

  test('are the actions of the log', () => {
    const change = {
      number: 1,
      at,
      by: 'ada',
      id: 'a',
      before: null,
      after: null,
      undoes: null,
      undoneBy: null,
    };
    const accepts = (action: string) => v.is(desk.LoggedChangeSchema, { ...change, action });
    for (const one of ['publish', 'edit', 'expire', 'withdraw', 'undo']) expect(accepts(one)).toBe(true);
    expect(accepts('')).toBe(false);
  });

  test('are the reasons why a round does not count', () => {
    const round = { ...score, is_new_best_wpm: true, is_new_best_accuracy: false, is_new_best_time: false };
    const accepts = (counts_reason: string | null) =>
      v.is(statistics.SessionStatisticsSchema, { ...round, counts_reason });
    for (const one of ['unmeasured', 'too_fast', 'drill', null]) expect(accepts(one)).toBe(true);
    expect(accepts('')).toBe(false);
  });

  test('are what is said of health and readiness', () => {
    const health = (store: string) => v.is(answers.HealthSchema, { status: 'ok', active_sessions: 0, store });
    expect([health('ok'), health('away'), health('')]).toEqual([true, true, false]);
    const ready = (status: string) => v.is(badge.ReadinessSchema, { status });
    expect([ready('ready'), ready('unready'), ready('')]).toEqual([true, true, false]);
  });
});

test.each([
  { type: 'words', count: 30 },
  { type: 'time', seconds: 60 },
  { type: 'text', title: 'Own' },
  { type: 'text' },
  { type: 'quote', length: 'any' },
  { type: 'code', language: 'typescript' },
  { type: 'drill', on: 'bigrams' },
  { type: 'guided' },
])('the mode of a round may be %j, and nothing of it is lost', (mode) => {
  const round = { words: ['a'], total_words: 1, total_characters: 1, ...setup, mode };
  expect(v.parse(answers.RoundSchema, round)).toEqual(round);
  for (const name of Object.keys(mode)) {
    if (name === 'title') continue;
    const { [name]: _, ...less } = mode as Record<string, unknown>;
    expect(v.is(answers.RoundSchema, { ...round, mode: less })).toBe(false);
  }
});
