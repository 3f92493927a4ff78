import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { App } from '../../../src/tui/app/app-state.ts';
import { optionRows } from '../../../src/tui/app/option-rows.ts';
import { reduceRun } from '../../../src/tui/game/run-actions.ts';
import type { Size } from '../../../src/tui/screen/size.ts';
import { createStage } from '../../../src/tui/stage.tsx';
import { press } from '../game/run-picture.ts';
import { createEmulator } from '../screen/emulator.ts';
import { historyApp, resultsApp, typeSample, typingApp, words } from './sample.ts';

/** What a terminal of that size shows, without colours. */
async function draw(app: App, { columns, rows }: Size = { columns: 80, rows: 24 }): Promise<string> {
  const emulator = createEmulator({ columns, rows });
  const stage = createStage(emulator, { depth: 1, onError: fail });
  stage.draw({ ...app, size: stage.resize({ columns, rows }) });
  const screen = await emulator.screen();
  stage.close();
  return `${screen}\n`;
}

function fail(error: unknown): never {
  throw error;
}

const midway = 'lobster paxrs m ';
const small: Size = { columns: 40, rows: 12 };
const large: Size = { columns: 200, rows: 60 };

const resume: App = {
  ...typingApp(''),
  screen: 'resume',
  leftRun: { run: typingApp(midway).run ?? typeSample(), created: 0 },
};

const screens: readonly (readonly [string, App, Size?])[] = [
  ['typing', typingApp(midway)],
  ['typing-small', typingApp(midway), small],
  ['typing-large', typingApp(midway), large],
  [
    'typing-waiting',
    { ...typingApp(''), run: undefined, waiting: 'no answer from http://127.0.0.1:9 (ECONNREFUSED)' },
  ],
  [
    'typing-away',
    { ...typingApp(midway), delivery: { confirmed: 9, total: 17, away: 'ECONNREFUSED', lost: '' } },
  ],
  ['typing-leaving', { ...typingApp(midway), isLeaving: true }],
  ['typing-keyboard', typingApp(midway, { keyboard: true })],
  ['typing-extra-letters', typingApp('lobsterxyz')],
  ['typing-too-long', typingApp(`lobster${'x'.repeat(30)}`), small],
  ['typing-ascii', typingApp(midway, { ascii: true })],
  ['lines', typingApp(midway, { view: 'lines' })],
  ['lines-small', typingApp(midway, { view: 'lines' }), small],
  ['results', resultsApp()],
  ['results-speed', { ...resultsApp(), measure: 'speed' }],
  ['results-small', resultsApp(), small],
  ['results-large', resultsApp(), large],
  ['results-ascii', resultsApp({ ascii: true })],
  ['results-plain', resultsApp({ plain: true }), { columns: 80, rows: 40 }],
  ['history', historyApp()],
  ['history-small', historyApp(), small],
  ['history-plain', historyApp({ plain: true })],
  ['options', { ...typingApp(''), screen: 'options', optionRow: 1 }],
  ['help', { ...typingApp(''), screen: 'help' }],
  ['too-small', typingApp(midway), { columns: 30, rows: 8 }],
];

describe('the screens', () => {
  test.each(screens.map(([name, app, size]) => ({ name, app, size })))(
    '$name',
    async ({ name, app, size }) => {
      await expect(await draw(app, size)).toMatchFileSnapshot(`frames/${name}.txt`);
    },
  );

  test('resume names the word, in the words of the machine’s own calendar', async () => {
    expect(await draw(resume)).toMatch(
      /A round from .* was cut off at word 3 of 30\. Nothing of it\s+is lost\./,
    );
  });

  test('fit into every terminal, whatever it shows', async () => {
    const sizes = fc.record({
      columns: fc.integer({ min: 1, max: 210 }),
      rows: fc.integer({ min: 1, max: 70 }),
    });
    await fc.assert(
      fc.asyncProperty(
        sizes,
        fc.constantFrom(resume, ...screens.map(([, app]) => app)),
        async (size, app) => {
          const lines = (await draw(app, size)).trimEnd().split('\n');
          expect(lines.length).toBeLessThanOrEqual(size.rows);
          for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(size.columns);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('never hide the current letter nor what is typed, at any size and in both views', async () => {
    const sizes = fc.record({
      columns: fc.integer({ min: 40, max: 120 }),
      rows: fc.integer({ min: 12, max: 40 }),
    });
    const texts = fc.constantFrom(
      '',
      'lob',
      'lobster pai',
      'lobsterzzzzzzzzzzzzzzzz',
      words.slice(0, 20).join(' '),
    );
    await fc.assert(
      fc.asyncProperty(sizes, texts, fc.constantFrom('blocks', 'lines'), async (size, text, view) => {
        const app = typingApp(text, { view: view as 'blocks' | 'lines', ascii: true });
        const screen = await draw(app, size);
        const { run } = app;
        expect(screen).toContain(`word ${(run?.wordIndex ?? 0) + 1} of 30`);
        if (view === 'blocks')
          expect(screen).toMatch(
            run !== undefined && run.typed.length < (run.words[run.wordIndex]?.length ?? 0) ? /\^/ : /x|=/,
          );
        else expect(screen).toContain(text.includes('zz') ? 'zz' : (run?.words[run.wordIndex] ?? ''));
      }),
      { numRuns: 60 },
    );
  });

  test('the same state draws nothing, and a key at 80 x 24 costs at most 400 bytes on average', async () => {
    const emulator = createEmulator({ columns: 80, rows: 24 });
    const stage = createStage(emulator, { depth: 8, onError: fail });
    let app = typingApp('');
    stage.draw(app);
    const start = emulator.bytes;
    stage.draw({ ...app });
    expect(emulator.bytes).toBe(start);
    const keys = [
      ...words
        .slice(0, 29)
        .map((word) => `${word} `)
        .join(''),
    ];
    for (const [at, key] of keys.entries()) {
      const run =
        app.run &&
        reduceRun(
          app.run,
          key === ' '
            ? { type: 'advance', ...press(at * 80) }
            : { type: 'character', char: key, ...press(at * 80) },
        );
      app = { ...app, run };
      stage.draw(app);
    }
    stage.close();
    expect((emulator.bytes - start) / keys.length).toBeLessThan(400);
  });

  test('every theme and option can be drawn', async () => {
    for (const row of optionRows) {
      for (const value of row.values) {
        expect(await draw(typingApp(midway, { [row.key]: value }))).toContain('word 3 of 30');
        expect(await draw(resultsApp({ [row.key]: value }))).toContain('Round finished');
      }
    }
  });
});
