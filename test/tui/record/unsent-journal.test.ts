import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type JournalHead,
  openUnsentJournal,
  readUnsentRounds,
  toLeftRound,
  type UnsentRound,
} from '../../../src/tui/record/unsent-journal.ts';
import { usualPractised } from '../../../src/tui/round/practised.ts';
import { isComplete, toTiming } from '../../../src/tui/round/round.ts';
import { defaultRules } from '../../../src/typing/rules/rules.ts';
import { typeRound } from '../round/round-picture.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'typebadge-journal-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const { inputs } = typeRound(['the', 'cat'], 'thx<e cat ');

/** A process that is surely gone: process ids end at 4 million on Linux and lower elsewhere. */
const gone = 99_999_999;

function head(created: number, pid = gone): JournalHead {
  return {
    session: 's',
    server: 'http://127.0.0.1:1/',
    punctuation: false,
    words: ['the', 'cat'],
    rules: defaultRules,
    pid,
    created,
  };
}

describe('the journal of a round', () => {
  test('returns what was appended, in order, oldest round first', () => {
    const later = openUnsentJournal(folder, head(2));
    later.append({ inputs: inputs.slice(0, 3), isOver: false });
    later.append({ inputs: inputs.slice(0, 3), isOver: false });
    later.append({ inputs, isOver: false });
    later.close();
    openUnsentJournal(folder, head(1), inputs.slice(0, 2)).close();
    const rounds = readUnsentRounds(folder);
    expect(rounds.map((round) => round.head.created)).toEqual([1, 2]);
    expect(rounds.map((round) => round.inputs)).toEqual([inputs.slice(0, 2), inputs]);
  });

  test('is on disk after every append, because the process may be killed at any moment', () => {
    const journal = openUnsentJournal(folder, head(1));
    for (let count = 1; count <= inputs.length; count += 1) {
      journal.append({ inputs: inputs.slice(0, count), isOver: false });
      expect(readUnsentRounds(folder)[0]?.inputs).toHaveLength(count);
    }
    journal.close();
  });

  test('of a timed test says when its time was over, and the round is restored as finished', () => {
    const practised = { ...usualPractised, mode: { type: 'time', seconds: 5 } } as const;
    const journal = openUnsentJournal(folder, { ...head(1), practised });
    journal.append({ inputs: inputs.slice(0, 4), isOver: false });
    expect(isComplete(toLeftRound(readUnsentRounds(folder)[0] as UnsentRound))).toBe(false);
    journal.append({ inputs: inputs.slice(0, 5), isOver: true });
    journal.append({ inputs: inputs.slice(0, 5), isOver: true });
    journal.close();
    const round = toLeftRound(readUnsentRounds(folder)[0] as UnsentRound);
    expect([isComplete(round), round.inputs.length]).toEqual([true, 5]);
    expect(toTiming(round).duration_ms).toBe(5000);
  });

  test('leaves nothing behind when it is removed', () => {
    const journal = openUnsentJournal(folder, head(1), inputs);
    journal.remove();
    journal.append({ inputs, isOver: false });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('of a living process belongs to that process', () => {
    openUnsentJournal(folder, head(1, process.ppid), inputs).close();
    expect(readUnsentRounds(folder)).toEqual([]);
  });

  test('that was cut in the middle of a line counts up to there', () => {
    openUnsentJournal(folder, head(1), inputs).close();
    const path = join(folder, readdirSync(folder)[0] ?? '');
    const text = readFileSync(path, 'utf8');
    for (const length of [text.length - 1, text.length - 20, text.indexOf('\n') + 1]) {
      writeFileSync(path, text.slice(0, length));
      const [round] = readUnsentRounds(folder);
      expect(round?.inputs).toEqual(inputs.slice(0, round?.inputs.length ?? -1));
    }
  });

  test('with a missing line counts up to the gap: what follows would be misread', () => {
    openUnsentJournal(folder, head(1), inputs).close();
    const path = join(folder, readdirSync(folder)[0] ?? '');
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, lines.filter((_, at) => at !== 3).join('\n'));
    expect(readUnsentRounds(folder)[0]?.inputs).toEqual(inputs.slice(0, 2));
  });

  test('leaves invalid files alone, and without a folder there are no rounds', () => {
    writeFileSync(join(folder, 'a.jsonl'), 'nonsense');
    writeFileSync(join(folder, 'b.jsonl'), '{"session": 5}\n');
    writeFileSync(join(folder, 'c.txt'), '');
    appendFileSync(join(folder, 'd.jsonl'), '');
    expect(readUnsentRounds(folder)).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(4);
    expect(readUnsentRounds(join(folder, 'nowhere'))).toEqual([]);
  });
});
