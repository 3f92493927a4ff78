import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBoard } from '../../../src/tui/screens/board.ts';
import { createOpeningStage } from '../../../src/tui/screens/opening-stage.ts';
import { createStage } from '../../../src/tui/screens/stage.tsx';
import type { App } from '../../../src/tui/state/app-state.ts';
import type { Size } from '../../../src/tui/terminal/size.ts';
import { typeText } from '../round/round-picture.ts';
import { createEmulator } from '../terminal/emulator.ts';
import { resultsApp, typingApp } from './sample.ts';

const depth = 8;
const usual: Size = { columns: 80, rows: 24 };

function fail(error: unknown): never {
  throw error;
}

/** What a terminal shows after these states, one after the other. */
async function drawAll(apps: readonly App[], size: Size = usual): Promise<string[]> {
  const emulator = createEmulator(size);
  const stage = createStage(emulator, { depth, onError: fail });
  const drawnSize = stage.resize(size);
  for (const app of apps) stage.draw({ ...app, size: drawnSize });
  const cells = await emulator.cells();
  stage.close();
  return cells;
}

const anyKeys = fc.string({ unit: fc.constantFrom(...'lobstepairxz   <#'), maxLength: 12 });
const anyOptions = fc.record({
  view: fc.constantFrom('blocks', 'lines'),
  keyboard: fc.boolean(),
  ascii: fc.boolean(),
  theme: fc.constantFrom('clear', 'ember'),
} as const);
const anySize = fc.record({
  columns: fc.integer({ min: 30, max: 130 }),
  rows: fc.integer({ min: 9, max: 45 }),
});

/** Something happens to what is on the screen. */
type Step = (app: App) => App;

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: anyKeys.map(toTyping) },
  fc.constantFrom<Step>(
    (app) => ({ ...app, screen: 'options' }),
    (app) => ({ ...app, screen: 'help' }),
    (app) => ({ ...app, screen: 'typing' }),
    (app) => ({ ...app, round: undefined }),
    (app) => ({ ...app, round: typingApp('').round }),
    (app) => ({ ...app, notice: 'Paste ignored: only typing counts.' }),
    (app) => ({ ...app, asks: 'leave' }),
  ),
  anyOptions.map(
    (options): Step =>
      (app) => ({ ...app, options: { ...app.options, ...options } }),
  ),
);

function toTyping(keys: string): Step {
  return (app) => (app.round === undefined ? app : { ...app, round: typeText(app.round, keys) });
}

test('after any keys and screens the terminal shows the same as the last state alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 12 }), anySize, async (steps, size) => {
      const apps = [typingApp('')];
      for (const step of steps) apps.push(step(apps.at(-1) as App));
      expect(await drawAll(apps, size)).toEqual(await drawAll(apps.slice(-1), size));
    }),
    { numRuns: 60 },
  );
});

test('after a resize the screen is as if it had always had that size', async () => {
  await fc.assert(
    fc.asyncProperty(anySize, anySize, anyKeys, async (first, second, keys) => {
      const app = toTyping(keys)(typingApp(''));
      const emulator = createEmulator(first);
      const stage = createStage(emulator, { depth, onError: fail });
      stage.draw({ ...app, size: stage.resize(first) });
      emulator.setSize(second);
      stage.draw({ ...app, size: stage.resize(second) });
      expect(await emulator.cells()).toEqual(await drawAll([app], second));
      stage.close();
    }),
    { numRuns: 30 },
  );
});

describe('the stage until Ink is loaded', () => {
  function open(size: Size = usual, load?: () => Promise<ReturnType<typeof createStage>>) {
    const emulator = createEmulator(size);
    const board = createBoard(emulator, depth);
    const errors: unknown[] = [];
    let loads = 0;
    const stage = createOpeningStage(board, {
      load: () => {
        loads += 1;
        return load?.() ?? Promise.resolve(createStage(emulator, { depth, onError: fail }, board));
      },
      onError: (error) => errors.push(error),
    });
    return { emulator, stage, errors, loads: () => loads };
  }

  const never = () => new Promise<never>(() => {});
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  test('shows the typing screen as Ink would lay it out', async () => {
    await fc.assert(
      fc.asyncProperty(
        anySize.filter(({ columns, rows }) => columns >= 40 && rows >= 12),
        anyOptions,
        anyKeys,
        async (size, options, keys) => {
          const { emulator, stage } = open(size, never);
          const app = toTyping(keys)(typingApp('', options));
          for (const one of [{ ...app, round: undefined }, app])
            stage.draw({ ...one, size: stage.resize(size) });
          expect(await emulator.cells()).toEqual(await drawAll([app], size));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('shows the words without waiting for Ink, and Ink does not write them again', async () => {
    const { emulator, stage, loads } = open();
    const waiting: App = { ...typingApp(''), round: undefined };
    stage.draw(waiting);
    expect(await emulator.screen()).toContain('Getting words');
    expect(loads()).toBe(0);
    stage.draw(typingApp('lob'));
    const { bytes } = emulator;
    expect(await emulator.screen()).toContain('word 1 of 30');
    await turn();
    expect([loads(), emulator.bytes]).toEqual([1, bytes]);
    stage.draw(typingApp('lobs'));
    stage.draw(resultsApp());
    expect(await emulator.cells()).toEqual(await drawAll([resultsApp()]));
    stage.close();
  });

  test('loads Ink at once for another screen, and then shows the latest state', async () => {
    const { emulator, stage, loads } = open();
    stage.draw({ ...typingApp(''), screen: 'options' });
    stage.draw({ ...typingApp(''), screen: 'help' });
    await turn();
    expect(loads()).toBe(1);
    expect(await emulator.cells()).toEqual(await drawAll([{ ...typingApp(''), screen: 'help' }]));
    stage.close();
  });

  test('passes on why Ink could not be loaded', async () => {
    const { stage, errors } = open(usual, () => Promise.reject(new Error('a file is missing')));
    stage.draw(typingApp(''));
    await turn();
    expect(errors).toEqual([new Error('a file is missing')]);
  });

  test('if closed in the meantime, closes what has been loaded, and draws nothing more', async () => {
    const { emulator, stage } = open();
    stage.draw(typingApp('lob'));
    stage.close();
    const { bytes } = emulator;
    await turn();
    expect(emulator.bytes).toBe(bytes);
  });
});
