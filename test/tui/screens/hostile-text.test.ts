import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { parseRoundLine } from '../../../src/tui/record/round-line.ts';
import { PractisedSchema, usualPractised } from '../../../src/tui/round/practised.ts';
import { newLocalRound } from '../../../src/tui/round/round.ts';
import { createStage } from '../../../src/tui/screens/stage.tsx';
import { type App, beginRound } from '../../../src/tui/state/app-state.ts';
import { toReport } from '../../../src/tui/trend/report.ts';
import { createEmulator } from '../terminal/emulator.ts';
import { historyApp, resultsApp, typingApp } from './sample.ts';

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
  ...['\r\n', '\n', '\t', '\u202e', '\u2066', '\u200f', '\u2028', '\u200b', '\ufeff', '\ue000', '\uf800'],
  ...['word', ' ', 'ü', '日本', '👍🏽', 'e\u0301', '\ud800', 'x'.repeat(300)],
];
const evil = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((list) => list.join(''));

/** Every place of the screens where text of a server, a file or the command line comes to be shown. */
const places: Readonly<Record<string, (text: string) => App>> = {
  notice: (text) => ({ ...typingApp('lob'), notice: text }),
  greeting: (text) => beginRound({ ...typingApp(''), greeting: text }, ['the', 'cat']),
  waiting: (text) => ({ ...typingApp(''), round: undefined, waiting: text }),
  away: (text) => ({
    ...typingApp(''),
    round: undefined,
    delivery: { confirmed: 0, total: 1, away: text, lost: '' },
  }),
  lost: (text) => ({ ...typingApp('lob'), delivery: { confirmed: 0, total: 1, away: '', lost: text } }),
  unsaved: (text) => {
    const app = resultsApp();
    return { ...app, outcome: app.outcome && { ...app.outcome, unsaved: text } };
  },
  journal: (text) => {
    const mode = { type: 'text', title: text.slice(0, 200) } as const;
    const told = {
      ...usualPractised,
      mode,
      language: text,
      layout: text,
      focus: [{ text, ms: 1, targetMs: 1 }],
    };
    const practised = v.parse(PractisedSchema, JSON.parse(JSON.stringify(told)));
    return { ...typingApp(''), round: newLocalRound(['the', 'cat'], undefined, practised) };
  },
  palette: (text) => ({
    ...typingApp(''),
    screen: 'palette',
    catalog: { languages: [{ id: 'de', name: text }], layouts: [{ id: 'x', name: text }] },
    palette: { query: '', row: 0, isSure: false },
  }),
  query: (text) => ({ ...typingApp(''), screen: 'palette', palette: { query: text, row: 0, isSure: false } }),
  history: (text) => {
    const [round] = historyApp().report?.rounds ?? [];
    const told = {
      ...round,
      layout: 'own-0123456789abcdef',
      layoutName: text.slice(0, 60),
      letters: { [text]: {} },
    };
    const record = parseRoundLine(
      JSON.stringify({ ...told, letters: round?.letters, errors: { [text]: 3 } }),
    );
    const records = record === undefined ? [] : [record];
    return { ...historyApp(), report: toReport({ records, imported: [], damagedLines: 0 }, 'UTC') };
  },
};

/** What the canvas itself writes: places, erasing to the end of a row, colours, and a clean screen at the beginning. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences are what is looked for
const ours = /\x1b\[H\x1b\[2J|\x1b\[(?:\d*C|\d+;\d+H|K|[\d;]*m|\?2026[hl])/g;

test.each(Object.keys(places))(
  'whatever text is in the place of %s, none of it controls the terminal',
  (place) =>
    fc.assert(
      fc.asyncProperty(evil, fc.constantFrom(40, 80, 200), async (text, columns) => {
        const size = { columns, rows: 24 };
        const emulator = createEmulator(size);
        let written = '';
        const write = (output: string) => {
          written += output;
          emulator.write(output);
        };
        const stage = createStage({ ...emulator, size, write }, { depth: 8, onError: fail });
        stage.draw({ ...(places[place]?.(text) as App), size: stage.resize(size) });
        stage.close();
        expect(written).not.toBe('');
        expect(written.replace(ours, '')).not.toMatch(
          /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u,
        );
      }),
      { numRuns: 40 },
    ),
);

function fail(error: unknown): never {
  throw error;
}
