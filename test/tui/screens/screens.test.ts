import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { widthOf } from '../../../src/kit/terminal-text.ts';
import { optionRows } from '../../../src/tui/record/option-table.ts';
import { maxScroll } from '../../../src/tui/screens/reading.ts';
import type { State } from '../../../src/tui/state/state.ts';
import { sampleWords } from '../../support/typed-rounds.ts';
import { drawScreen } from './draw-screen.ts';
import { historyState, resultsState, sampleCatalog } from './sample.ts';

const bigramDrill = { mode: { type: 'drill', on: 'bigrams' } } as const;

const results = resultsState();

const screens: Readonly<Record<string, State>> = {
  results,
  'results of a first round': resultsState({ before: 0 }),
  'results by speed': { ...results, measure: 'speed' },
  'results of a drill': resultsState({ roundSetup: bigramDrill }),
  'results, plain': resultsState({ options: { plain: true } }),
  progress: historyState(),
  'progress of three days': historyState({}, 3),
  'an empty history': historyState({}, 0),
  letters: { ...historyState({ page: 'letters' }), measure: 'speed' },
  bigrams: historyState({ page: 'bigrams' }),
  rounds: { ...historyState({ page: 'rounds' }), scroll: 30 },
  'history, plain': historyState({}, 20, { plain: true }),
  options: { ...results, screen: 'options', optionRow: 17 },
  palette: { ...results, screen: 'palette', catalog: sampleCatalog() },
  'a search': {
    ...results,
    screen: 'palette',
    palette: { query: 'x'.repeat(100), row: 0, isConfirming: false },
  },
  help: { ...results, screen: 'help' },
};

const size = fc.record({
  columns: fc.integer({ min: 40, max: 200 }),
  rows: fc.integer({ min: 12, max: 60 }),
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const colour = /\u001b\[[\d;]*m/g;

describe.each(Object.entries(screens))('the screen of %s', (_, state) => {
  test('has as many rows as the terminal, none wider, at any size', () => {
    fc.assert(
      fc.property(size, ({ columns, rows }) => {
        const drawn = drawScreen(state, columns, rows);
        expect(drawn.length).toBeLessThanOrEqual(rows);
        for (const row of drawn) expect(widthOf(row)).toBeLessThanOrEqual(columns);
        expect(drawn.join('')).not.toMatch(/undefined|NaN/);
      }),
      { numRuns: 4, examples: [[{ columns: 40, rows: 12 }], [{ columns: 200, rows: 60 }]] },
    );
  });

  test('uses only ASCII with --ascii, and no colour on a terminal without', () => {
    // Names of languages and layouts stay as they are.
    const ascii = { ...state, catalog: undefined, options: { ...state.options, ascii: true } };
    expect(drawScreen(ascii, 80, 24).join('\n').replace(colour, '')).toMatch(/^[\n -~]*$/);
    expect(drawScreen(state, 80, 24, 1).join('\n')).not.toMatch(/\[(?:[34]\d|9\d|10\d)/);
  });
});

const textOf = (state: State, columns = 80, rows = 24) =>
  drawScreen(state, columns, rows).join('\n').replace(colour, '');

describe('the results', () => {
  test('say of each group whether it is of this round or of all, and how many those are', () => {
    const text = textOf(results);
    expect(text).toMatch(/This round: WPM, × an error {2,}43 rounds/);
    expect(text).toMatch(/43 rounds of this kind: % right/);
    expect(text).toMatch(/In all 43 rounds of this kind:\n Left/);
    expect(text).toMatch(/wrong {2}l→x 1×/); // of this round
    expect(text).toMatch(/Errors +h→x 43×/); // of all
  });

  test('have the speed in block letters, and in figures beside bests and averages', () => {
    const text = textOf(results);
    expect(text.split('\n').slice(1, 6).join('')).toMatch(/[▀▄█]/);
    expect(text).toMatch(/\d+\.\d WPM {2}★ {2}new best {2}before 101\.0 {2}average 80\.5/);
    expect(textOf({ ...results, outcome: undefined, screen: 'help' })).not.toMatch(/█/);
  });

  test('name the missed words of a drill instead of statistics of letters', () => {
    const text = textOf(screens['results of a drill'] as State);
    expect(text).toMatch(/Not counted: a drill/);
    expect(text).toMatch(/Missed: /);
    expect(text).not.toMatch(/share/);
  });

  test('of a round too short for a speed have no curve', () => {
    const limits = { suddenDeath: true, minWpm: 0, minAccuracy: 0 };
    const text = textOf(resultsState({ text: 'x', roundSetup: { limits } }));
    expect(text).toMatch(/too short for a speed/);
    expect(text).not.toMatch(/This round: WPM|\d{4}/);
  });

  test('name only keys that do something here, the most important first', () => {
    const perfect = resultsState({ text: `${sampleWords.join(' ')} ` });
    const keys = textOf(results, 160, 24).split('\n').at(-1) ?? '';
    expect(keys).toMatch(/Enter next round {2}r again {2}m missed words {2}Esc leave/);
    expect(textOf(perfect, 160, 24)).toMatch(/Enter next round {2}r again {2}Esc leave/);
  });

  test('say in a narrow window what matters most', () => {
    const text = textOf(results, 40, 12);
    expect(text).toMatch(/114\.3 WPM/);
    expect(text).toMatch(/94\.8 %/);
    expect(text).toMatch(/Practise e/);
    expect(text).toMatch(/Enter next round {2}\? help/);
  });

  test('say what a window of 40 or 80 columns cuts short, and have no row of half the fingers', () => {
    const text = textOf(results, 40, 15);
    expect(text).toMatch(/114\.3 WPM {2}★$/m);
    expect(text).toMatch(/wrong {2}l→x 1× …$/m);
    expect(text).toMatch(/Errors {3}h→x 43× .* …$/m);
    expect(text).not.toMatch(/little/);
    expect(textOf(results)).toMatch(/errors left 1\.8 %$/m);
    expect(textOf(results, 120, 40)).toMatch(/h→x 1×$/m);
  });

  test('as sentences, can be read to their last line', () => {
    const plain = screens['results, plain'] as State;
    const small = { ...plain, size: { columns: 40, rows: 12 } };
    const last = textOf({ ...small, scroll: maxScroll(small) }, 40, 12);
    expect(last).toMatch(/% in \d+ ms/);
    expect(textOf(plain, 80, 60)).toMatch(/Of all 43 rounds of this kind:/);
    expect(textOf(plain, 80, 60)).toMatch(/^ 94\.8 % right/m);
    expect(textOf(plain, 80, 60)).not.toMatch(/unknown|\b1 times/);
  });
});

describe('the history', () => {
  test('begins with a total over all kinds, and shows single rounds until there are weeks', () => {
    const early = textOf(historyState({}, 3));
    expect(early).toMatch(/In all, 10 rounds, \d+ min of typing on 3 days\./);
    expect(early).toMatch(/WPM, each of 9 rounds/);
    expect(textOf(historyState({}, 20))).toMatch(/WPM, median of the last 7 days/);
  });

  test('says what a window has no room for', () => {
    expect(textOf(historyState({}, 12), 40, 15)).toMatch(/WPM, the latest 32 of 36 rounds/);
    const footer = /Esc back {2}Tab page {2}Up\/Down scroll/;
    expect(textOf(historyState({ page: 'rounds' }))).toMatch(footer);
    expect(textOf(historyState())).not.toMatch(footer);
    expect(textOf(historyState({ page: 'rounds' }, 3))).not.toMatch(footer);
  });

  test('has only round figures beside its charts', () => {
    const labels = textOf(historyState({}, 12)).matchAll(/^ +(\d+) │/gm);
    expect([...labels].map(([, figure]) => figure)).toEqual(['85', '55', '100', '95']);
  });

  test('has one unit for bigrams', () => {
    expect(textOf(historyState({ page: 'bigrams' }))).toMatch(/Slowest bigrams, ms/);
  });

  test('has every letter as a heat map', () => {
    const text = textOf({ ...historyState({ page: 'letters' }), measure: 'speed' });
    expect(text).toMatch(/Letters, ms from the key before/);
    expect(text).toMatch(/ a \d{2,3} .* e \d{2,3} /);
  });
});

test('the options screen has a row for each option of the table', () => {
  const text = textOf(screens.options as State, 80, 30);
  for (const { label } of optionRows) expect(text).toContain(label);
});
