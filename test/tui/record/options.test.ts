import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replaceFile } from '../../../src/kit/files/atomic-file.ts';
import { packageFile } from '../../../src/kit/package-files.ts';
import { optionRows, steppedOption } from '../../../src/tui/record/option-table.ts';
import { createOptionsSaver, defaultOptions, readOptions } from '../../../src/tui/record/options.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'typebadge-options-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('the options', () => {
  test('are restored as they were saved, from a file that people can read', async () => {
    const wanted = { ...defaultOptions, theme: 'clear', advance: 'either', keyboard: true } as const;
    await createOptionsSaver(join(folder, 'new'), defaultOptions, replaceFile)(wanted);
    expect(await readOptions(join(folder, 'new'))).toEqual(wanted);
    expect(readFileSync(join(folder, 'new', 'options.json'), 'utf8')).toMatch(/^{\n {2}"mode": {\n/);
  });

  test('an invalid value gets its default, the others stay', async () => {
    writeFileSync(join(folder, 'options.json'), '{"theme":"neon","view":"lines","sounds":"yes","extra":1}');
    expect(await readOptions(folder)).toEqual({ ...defaultOptions, view: 'lines' });
    writeFileSync(join(folder, 'options.json'), '[');
    expect(await readOptions(folder)).toEqual(defaultOptions);
  });

  test('a flag is not saved, but a change on the screen is, and so is reverting it', async () => {
    const atStart = { ...defaultOptions, view: 'lines', ascii: true } as const;
    const save = createOptionsSaver(folder, atStart, replaceFile);
    await save(atStart);
    expect(existsSync(join(folder, 'options.json'))).toBe(false);
    await save({ ...atStart, keyboard: true });
    expect(await readOptions(folder)).toEqual({ ...defaultOptions, keyboard: true });
    await save({ ...atStart, keyboard: true, view: 'blocks', theme: 'clear' });
    await save({ ...atStart, view: 'blocks' });
    expect(await readOptions(folder)).toEqual(defaultOptions);
    await save({ ...atStart, view: 'lines' });
    expect(await readOptions(folder)).toEqual({ ...defaultOptions, view: 'lines' });
  });

  test('two clients do not revert each other’s changes', async () => {
    const mine = createOptionsSaver(folder, defaultOptions, replaceFile);
    const yours = createOptionsSaver(folder, defaultOptions, replaceFile);
    await mine({ ...defaultOptions, theme: 'ember' });
    await yours({ ...defaultOptions, sounds: true });
    await mine({ ...defaultOptions, theme: 'ember', plain: true });
    expect(await readOptions(folder)).toEqual({
      ...defaultOptions,
      theme: 'ember',
      sounds: true,
      plain: true,
    });
  });

  test('changes faster than the disk are saved in order, and a failed one with the next', async () => {
    let failures = 1;
    const save = createOptionsSaver(folder, defaultOptions, async (path, text) => {
      await new Promise((resolve) => setTimeout(resolve, text.includes('ember') ? 20 : 1));
      failures -= 1;
      if (failures === 0) throw new Error('no space left on device');
      await replaceFile(path, text);
    });
    const first = save({ ...defaultOptions, keyboard: true });
    const slow = save({ ...defaultOptions, keyboard: true, theme: 'ember' });
    const quick = save({ ...defaultOptions, keyboard: true, theme: 'clear' });
    await expect(first).rejects.toThrow('no space left');
    await Promise.all([slow, quick]);
    expect(await readOptions(folder)).toEqual({ ...defaultOptions, keyboard: true, theme: 'clear' });
  });

  test('the table of the documentation has the rows of the screen, in their order', () => {
    const docs = readFileSync(packageFile('docs', 'playing.md'), 'utf8');
    const [, table = ''] = /\n\| Ctrl\+O \|[^\n]*\n[^\n]*\n((?:\|[^\n]*\n)+)/.exec(docs) ?? [];
    const labels = table
      .trimEnd()
      .split('\n')
      .map((row) => row.split('|')[1]?.trim());
    expect(labels).toEqual(optionRows.map(({ label }) => label));
  });

  test('each has a row, and moving right as often as it has values changes nothing', () => {
    const { mode, language, layout, customTheme, ...rows } = defaultOptions; // these are in the palette only
    expect(optionRows.map(({ key }) => key).sort()).toEqual(Object.keys(rows).sort());
    expect([mode.type, language, layout, customTheme]).toEqual(['words', 'en', 'qwerty', null]);
    fc.assert(
      fc.property(fc.nat(optionRows.length - 1), (row) => {
        const times = optionRows[row]?.values.length ?? 0;
        let options = defaultOptions;
        for (let turn = 0; turn < times; turn += 1) options = steppedOption(options, row, 1);
        expect(options).toEqual(defaultOptions);
        expect(steppedOption(steppedOption(options, row, 1), row, -1)).toEqual(options);
      }),
    );
  });
});
