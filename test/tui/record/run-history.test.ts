import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { appendRunRecords, readRunHistory } from '../../../src/tui/record/run-history.ts';
import { toRunRecord } from '../../../src/tui/record/run-record.ts';
import { typeRound } from '../game/run-picture.ts';

let folder: string;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'typebadge-history-')), 'typist');
});

afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

const record = toRunRecord(typeRound(['the', 'cat'], 'thx<e cat '), true);

describe('the record of finished rounds', () => {
  test('keeps figures, letters and errors of a round', () => {
    expect(record).toEqual({
      finished: '1970-01-01T00:16:40.900Z',
      wpm: 80,
      accuracy: (6 / 7) * 100,
      seconds: 0.9,
      correct: 6,
      total: 7,
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
    });
  });

  test('comes back as it was written, oldest first', async () => {
    const earlier = { ...record, finished: '1969-01-01T00:00:00.000Z' };
    appendRunRecords(folder, [record]);
    appendRunRecords(folder, [earlier]);
    expect(await readRunHistory(folder)).toEqual({ records: [earlier, record], damagedLines: 0 });
  });

  test('of nobody is empty', async () => {
    expect(await readRunHistory(folder)).toEqual({ records: [], damagedLines: 0 });
  });

  test('passes over damaged lines, counts them and leaves them as they are', async () => {
    appendRunRecords(folder, [record]);
    appendFileSync(join(folder, 'runs.jsonl'), '{"finished":"yesterday"}\nnonsense\n{"finished":"1970-');
    appendRunRecords(folder, [record]);
    const { records, damagedLines } = await readRunHistory(folder);
    expect(records).toEqual([record, record]);
    expect(damagedLines).toBe(3);
    expect(readFileSync(join(folder, 'runs.jsonl'), 'utf8')).toContain('nonsense\n{"finished":"1970-\n');
  });
});
