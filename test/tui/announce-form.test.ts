import type { Key } from 'ink';
import { describe, expect, test } from 'vitest';
import { toFormEvents } from '../../src/tui/announce-form/form-keys.ts';
import { drawForm, type FormFace } from '../../src/tui/announce-form/form-lines.ts';
import {
  type FormReport,
  type FormState,
  moreLine,
  newFormState,
  reduceForm,
  shownNames,
  withFields,
} from '../../src/tui/announce-form/form-state.ts';

const noKey: Key = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
  super: false,
  hyper: false,
  capsLock: false,
  numLock: false,
};

const empty = { message: '', link: '', at: 'now', expires: '+30d' };
const usual = ['message', 'link', 'at', 'expires'].map((name) => ({ name }));
const fresh = newFormState(usual, empty);

type Press = string | Partial<Key>;

/** Presses keys, as Ink hands them over: text as it comes, special keys by name. */
function press(state: FormState, ...keys: Press[]): FormState {
  let now = state;
  for (const key of keys) {
    if (now.stage !== 'fields' && now.stage !== 'confirm') return now;
    const [input, flags] = typeof key === 'string' ? [key, noKey] : ['', { ...noKey, ...key }];
    for (const event of toFormEvents(input, flags, now.stage)) {
      const problemIn = now.values.message === '' ? ('message' as const) : undefined;
      now = reduceForm(now, event === 'enter' ? { type: 'enter', problemIn } : event);
    }
  }
  return now;
}

/** The field in focus with its cursor, as `mess|age`. */
function shown(state: FormState): string {
  const field = state.focus;
  const characters = [...new Intl.Segmenter('en').segment(state.values[field] ?? '')].map(
    ({ segment }) => segment,
  );
  return `${field}: ${characters.slice(0, state.cursor).join('')}|${characters.slice(state.cursor).join('')}`;
}

const enter = { return: true };

const same = (text: string) => text;
const face: FormFace = {
  title: 'Publish an announcement',
  labelOf: (name) =>
    ({ message: 'Message', link: 'Link', at: 'Start', expires: 'Expiry' })[name as 'link'] ?? name,
  question: 'Publish it?',
  paint: {
    bold: same,
    dim: same,
    warn: same,
    accent: same,
    cursor: (text) => (text === ' ' ? '█' : `[${text}]`),
  },
  widthOf: (text) => [...text].length,
  drawPreview: ({ message }) => [`(${message})`],
  summarize: ({ message }) => [`  Message ${message}`],
  describeMore: ({ severity }) => `severity ${severity}`,
};
const report: FormReport = {
  message: { problem: 'still missing', note: 'what visitors read' },
  link: { note: 'none' },
  at: { note: 'at once' },
  expires: { problem: 'not understood' },
};

describe('typing', () => {
  test.each<[string, Press[], string]>([
    ['letters', ['H', 'i'], 'message: Hi|'],
    ['several at once', ['Hello world'], 'message: Hello world|'],
    ['in the middle', ['ac', { leftArrow: true }, 'b'], 'message: ab|c'],
    ['at the beginning and the end', ['b', { home: true }, 'a', { end: true }, 'c'], 'message: abc|'],
    [
      'with the arrows beyond the edges',
      ['a', { leftArrow: true }, { leftArrow: true }, 'b'],
      'message: b|a',
    ],
    ['Backspace takes what a person calls a character', ['a👨‍👩‍👧‍👦', { backspace: true }], 'message: a|'],
    ['Backspace at the beginning', [{ delete: true }, 'a'], 'message: a|'],
    ['Ctrl+W takes a word', ['two words', '\x17'], 'message: two |'],
    ['Ctrl+U takes everything', ['two words', '\x15', 'x'], 'message: x|'],
    ['keys that arrive together', ['ab\x7fc\tlink'], 'link: link|'],
    ['a paste of several lines is one line', ['first\r\nsecond\nthird'], 'message: first second third|'],
    ['text and Enter together', ['text\r'], 'link: |'],
    ['unknown control characters and Alt', ['a\x1fb', { meta: true }], 'message: ab|'],
  ])('%s', (_, keys, expected) => {
    expect(shown(press(fresh, ...keys))).toBe(expected);
  });
});

describe('a preset', () => {
  const fields = usual.map((field) => (field.name === 'expires' ? { ...field, preset: '+30d' } : field));
  const blank = newFormState(fields, empty);
  const back = { tab: true, shift: true };

  test.each<[string, Press[], string]>([
    ['what is typed takes its place', ['2099-12-31'], 'expires: 2099-12-31|'],
    ['key by key', ['+', '2', 'd'], 'expires: +2d|'],
    ['Backspace empties it', [{ backspace: true }], 'expires: |'],
    ['after an arrow it is edited', [{ leftArrow: true }, { rightArrow: true }, 'x'], 'expires: +30dx|'],
    ['Home goes to its beginning', [{ home: true }, 'x'], 'expires: x|+30d'],
  ])('%s', (_, keys, expected) => {
    expect(shown(press(blank, back, ...keys))).toBe(expected);
  });

  test('is marked until something is typed, even if it gets the focus again', () => {
    const draw = (state: FormState) =>
      drawForm(state, report, face, { columns: 60, rows: 24 })
        .find((line) => line.includes('› Expiry'))
        ?.trimEnd();
    expect(draw(press(blank, back))).toBe('› Expiry   [+30d]');
    expect(draw(press(blank, back, { leftArrow: true }))).toBe('› Expiry   +30[d]');
    expect(draw(press(blank, back, back, { tab: true }))).toBe('› Expiry   [+30d]');
    expect(draw(press(blank, back, '+60d', back, { tab: true }))).toBe('› Expiry   +60d█');
  });

  test('typing into it again adds to the earlier input', () => {
    expect(shown(press(blank, back, '+60', back, { tab: true }, 'd'))).toBe('expires: +60d|');
  });

  test('does not exist for a field without one', () => {
    expect(shown(press(fresh, back, 'x'))).toBe('expires: +30dx|');
  });
});

test('the problem of the focused field has two rows, and a quoted spelling is not broken', () => {
  const problem = '"+30d2099" is not a recognised time; write 2027-12-31, "2027-12-31 18:00" or +30d';
  const rowsOf = (state: FormState, rows = 24) =>
    drawForm(state, { expires: { problem } }, face, { columns: 64, rows }).filter((line) =>
      /recognised|18:00/.test(line),
    );
  const focused = press(fresh, { tab: true, shift: true });
  expect(rowsOf(focused)).toEqual([
    '           ! "+30d2099" is not a recognised time; write',
    '             2027-12-31, "2027-12-31 18:00" or +30d',
  ]);
  expect(rowsOf(press(focused, { tab: true }))).toHaveLength(2);
  expect(rowsOf(press(focused, { tab: true }), 15)).toEqual([
    '           ! "+30d2099" is not a recognised time; write 2027-1…',
  ]);
  const endless = { expires: { problem: `"${'x'.repeat(50_000)} ${'"'.repeat(50_000)}` } };
  const lines = drawForm(focused, endless, face, { columns: 64, rows: 24 });
  expect(lines.filter((line) => line.length > 64)).toEqual([]);
});

test('advice that is longer than a row is broken between words, in focus or not, and cut only where there is no room', () => {
  const note = '120 of 280 characters: the message has 120 characters; over 100 few visitors read to the end';
  const linesOf = (state: FormState, rows: number) =>
    drawForm(state, { message: { note } }, face, { columns: 80, rows })
      .filter((line) => /characters|visitors/.test(line))
      .map((line) => line.trim());
  const whole = [
    '120 of 280 characters: the message has 120 characters; over 100 few',
    'visitors read to the end',
  ];
  for (const state of [press(fresh, 'Hi'), press(fresh, 'Hi', enter)]) {
    expect(linesOf(state, 24)).toEqual(whole);
    const [short = '', ...rest] = linesOf(state, 15);
    expect([short.endsWith('…'), short.length, rest]).toEqual([true, 68, []]);
  }
});

test('where there is room for the advice of one field only, that in focus is whole', () => {
  const long = 'a word '.repeat(14).trim();
  const rowsOf = (state: FormState) =>
    drawForm(state, { message: { note: long }, link: { note: long } }, face, { columns: 80, rows: 16 })
      .filter((line) => line.includes('word'))
      .map((line) => line.trim().endsWith('…'));
  expect(rowsOf(press(fresh, 'Hi'))).toEqual([false, false, true]);
  expect(rowsOf(press(fresh, 'Hi', enter))).toEqual([true, false, false]);
});

describe('moving', () => {
  test('Tab, arrows and Enter go through the fields, and around', () => {
    const tab = { tab: true };
    expect(shown(press(fresh, tab, tab))).toBe('at: now|');
    expect(shown(press(fresh, { tab: true, shift: true }))).toBe('expires: +30d|');
    expect(shown(press(fresh, { upArrow: true }, { downArrow: true }))).toBe('message: |');
    expect(shown(press(fresh, enter, enter, enter))).toBe('expires: +30d|');
  });

  test('Enter on the last field goes to the first problem, or asks if there is none; y publishes, n and Esc go back', () => {
    const last = press(fresh, enter, enter, enter);
    expect(shown(press(last, enter))).toBe('message: |');
    const asked = press(fresh, 'Hi', enter, enter, enter, enter);
    expect(asked.stage).toBe('confirm');
    expect(press(asked, 'y').stage).toBe('accepted');
    expect(press(asked, 'Y').stage).toBe('accepted');
    expect(press(asked, 'n')).toMatchObject({ stage: 'fields', values: { message: 'Hi' } });
    expect(press(asked, { escape: true }).stage).toBe('fields');
    for (const key of ['x', ' ', 'yes', enter]) expect(press(asked, key).stage).toBe('confirm');
  });

  test('only Ctrl+C leaves, and the input is still there', () => {
    expect(press(fresh, 'Hi', { escape: true })).toMatchObject({
      stage: 'fields',
      values: { message: 'Hi' },
    });
    expect(press(fresh, 'Hi\x03')).toMatchObject({ stage: 'left', values: { message: 'Hi' } });
    const [ctrlC] = toFormEvents('c', { ...noKey, ctrl: true }, 'fields');
    expect(ctrlC).toEqual({ type: 'leave' });
  });
});

describe('more fields', () => {
  const fields = [
    ...usual,
    { name: 'severity', choices: ['info', 'success', 'warning', 'critical'], isExtra: true },
    { name: 'languages', isExtra: true },
  ];
  const closed = newFormState(fields, { ...empty, severity: 'info', languages: '' });
  const down = { downArrow: true };
  const atMore = press(closed, { upArrow: true });

  test('are one line, which Enter skips; Space and the right arrow open it, Esc closes it', () => {
    expect(shownNames(closed)).toEqual(['message', 'link', 'at', 'expires', moreLine]);
    expect(atMore.focus).toBe(moreLine);
    expect(press(closed, 'Hi', enter, enter, enter, enter, enter).stage).toBe('confirm');
    expect(press(atMore, ' wa').values.severity).toBe('warning');
    for (const key of [' ', { rightArrow: true }]) {
      const open = press(atMore, key);
      expect([open.isOpen, open.focus]).toEqual([true, 'severity']);
      expect(shownNames(open)).toEqual(fields.map(({ name }) => name));
      const again = press(open, { escape: true });
      expect([again.isOpen, again.focus]).toEqual([false, moreLine]);
    }
    for (const key of ['x', '\x15', { backspace: true }, { leftArrow: true }])
      expect(press(atMore, key)).toEqual(atMore);
  });

  test('are also offered with the question', () => {
    const asked = press(closed, 'Hi', enter, enter, enter, enter, enter);
    expect(press(asked, 'm')).toMatchObject({ stage: 'fields', isOpen: true, focus: 'severity' });
    expect(drawForm(asked, report, face, { columns: 80, rows: 24 }).at(-1)).toBe(
      'Publish it?  y = yes, n = no, back to the form, m = more',
    );
  });

  test('are opened by a problem in one that is hidden', () => {
    const next = reduceForm(atMore, { type: 'enter', problemIn: 'languages' });
    expect(next).toMatchObject({ stage: 'fields', isOpen: true, focus: 'languages' });
  });

  test('with choices: Space and the right arrow take the next, the left arrow the previous, a letter the one that begins with it', () => {
    const open = press(atMore, ' ');
    const chosen = (...keys: Press[]) => press(open, ...keys).values.severity;
    expect(chosen(' ')).toBe('success');
    expect(chosen({ rightArrow: true }, { rightArrow: true })).toBe('warning');
    expect(chosen({ leftArrow: true })).toBe('critical');
    expect(chosen('c')).toBe('critical');
    for (const word of ['warning', 'critical', 'success', 'info']) {
      expect(chosen(word)).toBe(word);
      expect(chosen(...word)).toBe(word);
    }
    expect(chosen('c', 'i')).toBe('info');
    expect(chosen('  w')).toBe('warning');
    expect(chosen('x', '\x15', { backspace: true })).toBe('info');
    const drawn = (state: FormState, columns: number) =>
      drawForm(state, report, face, { columns, rows: 24 }).join('\n');
    expect(drawn(press(open, ' '), 80)).toContain('info  ‹success›  warning   critical');
    expect(drawn(open, 30)).toMatch(/› severity +‹info›\n/);
  });

  test('leave the cursor where it is when fields appear and disappear', () => {
    const open = press(atMore, ' ', down, 'de');
    const more = withFields(open, [...fields, { name: 'message.de', isExtra: true }]);
    expect(shown(more)).toBe('languages: de|');
    expect(shown(press(more, down, 'Hallo'))).toBe('message.de: Hallo|');
    expect(withFields(more, [...more.fields])).toBe(more);
  });

  test('are drawn around the focused one if the terminal is too low for all', () => {
    const many = Array.from({ length: 60 }, (_, at) => ({ name: `f${at}`, isExtra: true }));
    const long = press(newFormState([...usual, ...many], empty), { upArrow: true }, ' ');
    for (let rows = 3; rows <= 30; rows += 1) {
      let state = long;
      for (let at = 0; at < 64; at += 1, state = press(state, down)) {
        const lines = drawForm(state, report, face, { columns: 80, rows });
        expect(lines.length).toBeLessThan(rows);
        expect(lines.filter((line) => line.startsWith('›'))).toHaveLength(1);
      }
    }
  });
});

describe('drawing', () => {
  test('the whole form; a missing value is not an error until its field was left', () => {
    expect(drawForm(fresh, report, face, { columns: 80, rows: 24 }).join('\n')).toBe(`\
Publish an announcement

› Message  █
           what visitors read
  Link     ${''}
           none
  Start    now
           at once
  Expiry   +30d
           ! not understood

()

Enter: next · Tab and arrows move · Ctrl+C: cancel`);
    const left = drawForm(press(fresh, enter), report, face, { columns: 80, rows: 24 });
    expect(left.slice(2, 4)).toEqual(['  Message  ', '           ! still missing']);
  });

  test('the question', () => {
    const asked = press(fresh, 'Hi', enter, enter, enter, enter);
    expect(drawForm(asked, report, face, { columns: 80, rows: 24 })).toEqual([
      'Publish an announcement',
      '',
      '(Hi)',
      '',
      '  Message Hi',
      '',
      'Publish it?  y = yes, n = no, back to the form',
    ]);
  });

  test('never more or wider lines than the terminal has, and the focused field is always there', () => {
    const long = press(fresh, 'x'.repeat(200), { leftArrow: true });
    for (let rows = 2; rows <= 24; rows += 1) {
      for (const columns of [20, 40, 80]) {
        for (const state of [long, press(long, enter), press(long, enter, enter, enter, enter)]) {
          const lines = drawForm(state, report, face, { columns, rows });
          expect(lines.length).toBeLessThan(rows);
          if (state.stage === 'fields') expect(lines.join('\n')).toContain(state === long ? '[x]' : '█');
        }
        const input =
          drawForm(long, report, face, { columns, rows: 24 }).find((line) => line.includes('[x]')) ?? '';
        expect(input.replace('[x]', 'x').length).toBeLessThanOrEqual(columns);
      }
    }
  });
});
