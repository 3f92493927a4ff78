import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readLastRound, saveLastRound } from '../../../src/tui/record/last-round.ts';

const kind = { mode: { type: 'time', seconds: 60 }, language: 'de', layout: 'dvorak' } as const;

describe('the last round of a kind', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'typebadge-run-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  test('is kept for each kind, and replaces the previous one', async () => {
    await saveLastRound(folder, kind, [0, 100]);
    await saveLastRound(folder, kind, [0, 90, 180]);
    await saveLastRound(folder, { ...kind, language: 'fr' }, [0, 50]);
    expect(await readLastRound(folder, kind)).toEqual([0, 90, 180]);
    expect(await readLastRound(folder, { ...kind, language: 'fr' })).toEqual([0, 50]);
    expect(await readLastRound(folder, { ...kind, layout: 'qwerty' })).toEqual([]);
  });

  test.each(['', '{', '[3, 1]', '[-1]', '["x"]', '{"a":1}'])('a file of %j is not a round', async (text) => {
    await saveLastRound(folder, kind, [0]);
    const [name = ''] = readdirSync(join(folder, 'last-runs'));
    writeFileSync(join(folder, 'last-runs', name), text);
    expect(await readLastRound(folder, kind)).toEqual([]);
  });

  test('of a mode or layout with a strange name stays in its folder', async () => {
    await saveLastRound(folder, { ...kind, layout: '../../x' }, [0]);
    expect(readdirSync(join(folder, 'last-runs'))).toHaveLength(1);
  });
});
