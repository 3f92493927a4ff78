import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type JournalHead, openRunJournal, readUnsentRuns } from '../../../src/tui/record/run-journal.ts';
import { typeRound } from '../game/run-picture.ts';

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
    pid,
    created,
  };
}

describe('the journal of a run', () => {
  test('gives back what was appended, in order, oldest run first', () => {
    const later = openRunJournal(folder, head(2));
    later.append(inputs.slice(0, 3));
    later.append(inputs.slice(0, 3));
    later.append(inputs);
    later.close();
    openRunJournal(folder, head(1), inputs.slice(0, 2)).close();
    const runs = readUnsentRuns(folder);
    expect(runs.map((run) => run.head.created)).toEqual([1, 2]);
    expect(runs.map((run) => run.inputs)).toEqual([inputs.slice(0, 2), inputs]);
  });

  test('is on disk after every append, for a process may be killed the next moment', () => {
    const journal = openRunJournal(folder, head(1));
    for (let count = 1; count <= inputs.length; count += 1) {
      journal.append(inputs.slice(0, count));
      expect(readUnsentRuns(folder)[0]?.inputs).toHaveLength(count);
    }
    journal.close();
  });

  test('leaves nothing behind when it is removed', () => {
    const journal = openRunJournal(folder, head(1), inputs);
    journal.remove();
    journal.append(inputs);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('of a living process belongs to that process', () => {
    openRunJournal(folder, head(1, process.ppid), inputs).close();
    expect(readUnsentRuns(folder)).toEqual([]);
  });

  test('that was cut in the middle of a line counts up to the cut', () => {
    openRunJournal(folder, head(1), inputs).close();
    const path = join(folder, readdirSync(folder)[0] ?? '');
    const text = readFileSync(path, 'utf8');
    for (const length of [text.length - 1, text.length - 20, text.indexOf('\n') + 1]) {
      writeFileSync(path, text.slice(0, length));
      const [run] = readUnsentRuns(folder);
      expect(run?.inputs).toEqual(inputs.slice(0, run?.inputs.length ?? -1));
    }
  });

  test('with a line missing counts up to the gap: what follows would be taken for something else', () => {
    openRunJournal(folder, head(1), inputs).close();
    const path = join(folder, readdirSync(folder)[0] ?? '');
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, lines.filter((_, at) => at !== 3).join('\n'));
    expect(readUnsentRuns(folder)[0]?.inputs).toEqual(inputs.slice(0, 2));
  });

  test('files that make no sense are left alone, and no folder means no runs', () => {
    writeFileSync(join(folder, 'a.jsonl'), 'nonsense');
    writeFileSync(join(folder, 'b.jsonl'), '{"session": 5}\n');
    writeFileSync(join(folder, 'c.txt'), '');
    appendFileSync(join(folder, 'd.jsonl'), '');
    expect(readUnsentRuns(folder)).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(4);
    expect(readUnsentRuns(join(folder, 'nowhere'))).toEqual([]);
  });
});
