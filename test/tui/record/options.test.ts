import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { optionRows, turnOption } from '../../../src/tui/option-rows.ts';
import {
  defaultOptions,
  readOptions,
  toSavedOptions,
  writeOptions,
} from '../../../src/tui/record/options.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'typebadge-options-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('the options', () => {
  test('are calm at first: no sounds, block letters, the classic theme', async () => {
    expect(await readOptions(folder)).toEqual(defaultOptions);
    expect(defaultOptions).toEqual({
      view: 'blocks',
      theme: 'classic',
      advance: 'space',
      sounds: false,
      reducedMotion: false,
      keyboard: false,
      ascii: false,
      plain: false,
    });
  });

  test('come back as they were saved, in a file that people can read', async () => {
    const wanted = { ...defaultOptions, theme: 'clear', advance: 'either', keyboard: true } as const;
    await writeOptions(join(folder, 'new'), wanted);
    expect(await readOptions(join(folder, 'new'))).toEqual(wanted);
    expect(readFileSync(join(folder, 'new', 'options.json'), 'utf8')).toMatch(/^{\n {2}"view": "blocks",\n/);
  });

  test('a value that makes no sense has its default, the others stay', async () => {
    writeFileSync(join(folder, 'options.json'), '{"theme":"neon","view":"lines","sounds":"yes","extra":1}');
    expect(await readOptions(folder)).toEqual({ ...defaultOptions, view: 'lines' });
    writeFileSync(join(folder, 'options.json'), '[');
    expect(await readOptions(folder)).toEqual(defaultOptions);
  });

  test('a flag is not saved, a change on the screen is', () => {
    const saved = { ...defaultOptions, theme: 'ember' } as const;
    const atStart = { ...saved, view: 'lines', ascii: true } as const;
    expect(toSavedOptions(saved, atStart, atStart)).toEqual(saved);
    expect(toSavedOptions(saved, atStart, { ...atStart, keyboard: true })).toEqual({
      ...saved,
      keyboard: true,
    });
    expect(toSavedOptions(saved, atStart, { ...atStart, view: 'blocks', theme: 'clear' })).toEqual({
      ...saved,
      theme: 'clear',
    });
  });

  test('every one has a row, and turning it to the right as often as it has values changes nothing', () => {
    expect(optionRows.map(({ key }) => key).sort()).toEqual(Object.keys(defaultOptions).sort());
    fc.assert(
      fc.property(fc.nat(optionRows.length - 1), (row) => {
        const times = optionRows[row]?.values.length ?? 0;
        let options = defaultOptions;
        for (let turn = 0; turn < times; turn += 1) options = turnOption(options, row, 1);
        expect(options).toEqual(defaultOptions);
        expect(turnOption(turnOption(options, row, 1), row, -1)).toEqual(options);
      }),
    );
  });
});
