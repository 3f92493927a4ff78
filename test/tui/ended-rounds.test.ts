import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordEndedRounds } from '../../src/tui/ended-rounds.ts';
import { appendRoundRecords, readRoundHistory } from '../../src/tui/record/round-history.ts';
import { toRoundRecord } from '../../src/tui/record/round-record.ts';
import { openUnsentJournal } from '../../src/tui/record/unsent-journal.ts';
import { noLimits } from '../../src/tui/round/limits.ts';
import { usualPractised } from '../../src/tui/round/practised.ts';
import { type LocalRound, newLocalRound } from '../../src/tui/round/round.ts';
import { defaultRules } from '../../src/typing/rules/rules.ts';
import { typeText } from './round/round-picture.ts';

const words = ['the', 'cat'];
const practised = { ...usualPractised, limits: { ...noLimits, suddenDeath: true } };

describe('a round ended by a limit just before its client was killed', () => {
  let folder: string;
  let unsent: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'typebadge-ended-'));
    unsent = join(folder, 'unsent');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  function leave(text: string): LocalRound {
    const round = typeText(newLocalRound(words, defaultRules, practised), text);
    const head = { session: 's', server: 'x', punctuation: false, words, rules: defaultRules, practised };
    const journal = openUnsentJournal(unsent, { ...head, pid: process.pid, created: 1 });
    journal.append(round);
    journal.close();
    return round;
  }

  test('is recorded by the next start, without any server', async () => {
    leave('the x');
    await recordEndedRounds(unsent, folder);
    const { records } = await readRoundHistory(folder);
    expect(records).toEqual([expect.objectContaining({ ended: 'mistake', counts: false, total: 4 })]);
    expect(readdirSync(unsent)).toEqual([]);
  });

  test('is not recorded a second time', async () => {
    appendRoundRecords(folder, [toRoundRecord(leave('the x'), false)]);
    await recordEndedRounds(unsent, folder);
    expect((await readRoundHistory(folder)).records).toHaveLength(1);
    expect(readdirSync(unsent)).toEqual([]);
  });

  test('stays where it is while the record cannot be written', async () => {
    leave('the x');
    mkdirSync(join(folder, 'runs.jsonl'));
    await expect(recordEndedRounds(unsent, folder)).rejects.toThrow();
    expect(readdirSync(unsent)).toHaveLength(1);
  });

  test('is left to continue if nothing had ended it', async () => {
    leave('the c');
    await recordEndedRounds(unsent, folder);
    expect(readdirSync(unsent)).toHaveLength(1);
    expect((await readRoundHistory(folder)).records).toEqual([]);
  });
});
