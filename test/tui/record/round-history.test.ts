import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { appendRoundRecords, readRoundHistory } from '../../../src/tui/record/round-history.ts';
import type { RoundRecord } from '../../../src/tui/record/round-line.ts';
import { toRoundRecord } from '../../../src/tui/record/round-record.ts';
import { usualPractised } from '../../../src/tui/round/practised.ts';
import { newLocalRound } from '../../../src/tui/round/round.ts';
import { typeRound, typeText } from '../round/round-picture.ts';

let folder: string;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'typebadge-history-')), 'typist');
});

afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

const record = toRoundRecord(typeRound(['the', 'cat'], 'thx<e cat '), true);

describe('the record of finished rounds', () => {
  test('keeps figures, letters and errors of a round', () => {
    expect(record).toEqual({
      version: 3,
      omitted: 0,
      counts: true,
      finished: '1970-01-01T00:16:40.800Z',
      wpm: 90,
      standardWpm: 90,
      rawWpm: (8 * 12_000) / 800,
      consistency: null,
      correctedErrorRate: (1 / 8) * 100,
      uncorrectedErrorRate: 0,
      accuracy: (6 / 7) * 100,
      seconds: 0.8,
      correct: 6,
      total: 7,
      mode: 'words-30',
      language: 'en',
      layout: 'qwerty',
      punctuation: true,
      letters: {
        t: { presented: 2, correct: 2, seekMs: 100, seekCount: 1 },
        h: { presented: 1, correct: 1, seekMs: 100, seekCount: 1 },
        e: { presented: 1, correct: 0, seekMs: 100, seekCount: 1 },
        c: { presented: 1, correct: 1, seekMs: 0, seekCount: 0 },
        a: { presented: 1, correct: 1, seekMs: 100, seekCount: 1 },
      },
      errors: { 'e>x': 1 },
      unmeasured: 0,
      bigrams: { th: { count: 1, ms: 100 }, ca: { count: 1, ms: 100 }, at: { count: 1, ms: 100 } },
      speeds: expect.any(Array),
    });
    expect(record.speeds).toHaveLength(40);
  });

  test('says that a drill does not count, and what kind a round was', () => {
    const practised = { ...usualPractised, mode: { type: 'drill', on: 'words' }, language: 'de' } as const;
    const drill = typeText(newLocalRound(['the', 'cat'], undefined, practised), 'the cat ');
    expect(toRoundRecord(drill, false)).toMatchObject({ counts: false, mode: 'drill', language: 'de' });
  });

  test('is read as it was written, oldest first', async () => {
    const earlier = { ...record, finished: '1969-01-01T00:00:00.000Z' };
    appendRoundRecords(folder, [record]);
    appendRoundRecords(folder, [earlier]);
    expect(await readRoundHistory(folder)).toEqual({
      imported: [],
      records: [earlier, record],
      damagedLines: 0,
    });
  });

  test('of an earlier version gets the spaces of its thirty words counted', async () => {
    const { standardWpm, rawWpm, consistency, correctedErrorRate, uncorrectedErrorRate, ...rest } = record;
    const earlier = { ...rest, version: 2, correct: 150, seconds: 30, finished: '1969-01-01T00:00:00.000Z' };
    appendRoundRecords(folder, [earlier as RoundRecord]);
    const { records } = await readRoundHistory(folder);
    expect(records).toEqual([{ ...earlier, standardWpm: (150 + 29 - 1) / 5 / 0.5 }]);
  });

  test('is empty without a file', async () => {
    expect(await readRoundHistory(folder)).toEqual({ records: [], imported: [], damagedLines: 0 });
  });

  test('skips damaged lines, counts them and leaves them as they are', async () => {
    appendRoundRecords(folder, [record]);
    appendFileSync(join(folder, 'runs.jsonl'), '{"finished":"yesterday"}\nnonsense\n{"finished":"1970-');
    appendRoundRecords(folder, [record]);
    const { records, damagedLines } = await readRoundHistory(folder);
    expect(records).toEqual([record, record]);
    expect(damagedLines).toBe(3);
    expect(readFileSync(join(folder, 'runs.jsonl'), 'utf8')).toContain('nonsense\n{"finished":"1970-\n');
  });

  test('counts lines of version 1, and leaves those of a later version as they are', async () => {
    const { version, omitted, counts, ...old } = record;
    mkdirSync(folder, { recursive: true });
    const newer = JSON.stringify({ ...record, version: 4 });
    writeFileSync(join(folder, 'runs.jsonl'), `${JSON.stringify(old)}\n${newer}\n`);
    appendRoundRecords(folder, [record]);
    const { records, damagedLines } = await readRoundHistory(folder);
    expect(records).toEqual([{ ...old, version: 1, omitted: 0, counts: true }, record]);
    expect(damagedLines).toBe(1);
    expect(readFileSync(join(folder, 'runs.jsonl'), 'utf8')).toContain(newer);
    expect([version, omitted, counts]).toEqual([3, 0, true]);
  });
});
