import fc from 'fast-check';
import { expect, test } from 'vitest';
import { progressReport } from '../../../src/tui/progress/report.ts';
import { parseRoundRecord } from '../../../src/tui/progress/round-record.ts';
import { defaultOptions } from '../../../src/tui/record/options.ts';
import { withNewRound } from '../../../src/tui/screens/reaction.ts';
import { newState, type State } from '../../../src/tui/state/state.ts';
import { createPainter } from '../../../src/tui/terminal/painter.ts';
import { qwerty } from '../../../src/typing/letters/layout.ts';
import { defaultRoundSetup, typeText } from '../round/round-picture.ts';
import { drawScreen } from './draw-screen.ts';
import { freshRound, historyState, resultsState } from './sample.ts';

const parts = [
  ...[
    '\x1b[3J',
    '\x1b]0;owned\x07',
    '\x1b[?1049l',
    '\x9b3J',
    '\x1bP+q\x1b\\',
    '\x1b',
    '\x07',
    '\x08',
    '\x7f',
  ],
  ...['\r\n', '\n', '\t', '\u202e', '\u2066', '\u200f', '\u2028', '\ue000', '\uf800'],
  ...['\u200b', '\u2060', '\ufeff', '\ufff9', '\u{e0041}'],
  ...['word', ' ', 'ü', '日本', '👍🏽', 'e\u0301', '\ud800', 'x'.repeat(300)],
];
const evil = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((list) => list.join(''));

const typing: State = withNewRound(newState(defaultOptions), typeText(freshRound(), 'lob'));
const history = historyState({ page: 'rounds' }, 3);
const results = resultsState();

/** Every place of the screens where text of a server, a file or the command line comes to be shown. */
const places: Readonly<Record<string, (text: string) => State>> = {
  notice: (text) => ({ ...typing, notice: text }),
  'a notice on the results': (text) => ({ ...results, notice: text }),
  'a notice on the options': (text) => ({ ...results, screen: 'options', notice: text }),
  waiting: (text) => ({ ...typing, round: undefined, waiting: text }),
  away: (text) => ({ ...typing, away: text }),
  unsaved: (text) => ({ ...results, outcome: results.outcome && { ...results.outcome, unsaved: text } }),
  'a kept round': (text) => {
    const mode = { type: 'text', title: text.slice(0, 200) } as const;
    const focus = [{ text, ms: 1, targetMs: 1 }];
    const roundSetup = { ...defaultRoundSetup, mode, language: text, layout: text, focus };
    return withNewRound(typing, freshRound(roundSetup, ['the', 'cat']));
  },
  palette: (text) => ({
    ...typing,
    screen: 'palette',
    catalog: {
      languages: [{ id: 'de', name: text, alphabet: text }],
      layouts: [{ ...qwerty, id: 'x', name: text }],
    },
    palette: { query: 'x', row: 0, isConfirming: false },
  }),
  query: (text) => ({ ...typing, screen: 'palette', palette: { query: text, row: 0, isConfirming: false } }),
  history: (text) => {
    const [round] = history.report?.rounds ?? [];
    const record = parseRoundRecord(JSON.stringify({ ...round, errors: { [text]: 3 } }));
    const records = record === undefined ? [] : [record];
    return { ...history, report: progressReport({ records, imported: [], damagedLines: 0 }, 'UTC') };
  },
};

/** What the painter itself writes: places, erasing to the end of a row, colours, and a clean screen at the beginning. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences are what is looked for
const ours = /\x1b\[H\x1b\[2J|\x1b\[(?:\d+;\d+H|K|[\d;]*m|\?2026[hl])/g;

test('whatever text a screen shows, none of it controls the terminal', () =>
  fc.assert(
    fc.property(
      evil,
      fc.constantFrom(...Object.values(places)),
      fc.constantFrom(40, 80, 200),
      (text, place, columns) => {
        const state = place(text);
        const size = { columns, rows: 24 };
        let written = '';
        const painter = createPainter((output) => {
          written += output;
        }, size);
        painter.paint(drawScreen(state, columns, 24, 8));
        expect(written).not.toBe('');
        expect(written.replace(ours, '')).not.toMatch(
          /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u200b\u202a-\u202e\u2060-\u2069\ufeff\ufff9\u{e0041}]/u,
        );
      },
    ),
    { numRuns: 60 },
  ));
