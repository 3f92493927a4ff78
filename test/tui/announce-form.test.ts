import type { Key } from 'ink';
import { describe, expect, test } from 'vitest';
import { toFormEvents } from '../../src/tui/announce-form/form-keys.ts';
import { drawForm, type FormFace } from '../../src/tui/announce-form/form-lines.ts';
import {
  type FormReport,
  type FormState,
  newFormState,
  reduceForm,
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
const fresh = newFormState(['message', 'link', 'at', 'expires'], empty);

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
  const field = state.fields[state.focus] ?? 'message';
  const characters = [...new Intl.Segmenter('en').segment(state.values[field] ?? '')].map(
    ({ segment }) => segment,
  );
  return `${field}: ${characters.slice(0, state.cursor).join('')}|${characters.slice(state.cursor).join('')}`;
}

const enter = { return: true };

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

describe('moving', () => {
  test('Tab, arrows and Enter go through the fields, and round', () => {
    const tab = { tab: true };
    expect(shown(press(fresh, tab, tab))).toBe('at: now|');
    expect(shown(press(fresh, { tab: true, shift: true }))).toBe('expires: +30d|');
    expect(shown(press(fresh, { upArrow: true }, { downArrow: true }))).toBe('message: |');
    expect(shown(press(fresh, enter, enter, enter))).toBe('expires: +30d|');
  });

  test('Enter on the last field goes back to the first problem, else asks; y publishes, n and Esc go back', () => {
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

  test('only Ctrl+C leaves, and what was typed is still there', () => {
    expect(press(fresh, 'Hi', { escape: true })).toMatchObject({
      stage: 'fields',
      values: { message: 'Hi' },
    });
    expect(press(fresh, 'Hi\x03')).toMatchObject({ stage: 'left', values: { message: 'Hi' } });
    const [ctrlC] = toFormEvents('c', { ...noKey, ctrl: true }, 'fields');
    expect(ctrlC).toEqual({ type: 'leave' });
  });
});

const same = (text: string) => text;
const face: FormFace = {
  title: 'Publish an announcement',
  labels: { message: 'Message', link: 'Link', at: 'Start', expires: 'Expiry' },
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
};
const report: FormReport = {
  message: { problem: 'still missing', note: 'what visitors read' },
  link: { note: 'none' },
  at: { note: 'at once' },
  expires: { problem: 'not understood' },
};

describe('drawing', () => {
  test('the whole form; what is missing is no reproach before its field was left', () => {
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

  test('never more lines than the terminal has, nor wider ones, and the field in focus is always there', () => {
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
