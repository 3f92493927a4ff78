import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRoundJournal } from '../../../../../../src/server/stores/files/rounds/journal/round-journal.ts';
import { toJournalLine } from '../../../../../../src/server/stores/journal-line.ts';
import type { JournalRound } from '../../../../../../src/server/stores/journal-round.ts';
import { toUnsavedRound } from '../../../../../../src/server/stores/unsaved-rounds.ts';
import { newJournalRound, toRoundId } from '../../../journal-rounds.ts';

let dir: string;
let path: string;
let told: { lines: number; aside: string | undefined }[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-journal-'));
  path = join(dir, 'data', 'rounds.jsonl');
  await mkdir(join(dir, 'data'));
  told = [];
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const open = (onLater?: (lines: number) => void) => {
  let fresh: JournalRound[] = [];
  const portions: number[] = [];
  const journal = createRoundJournal({
    path,
    onDamage: (lines, aside) => told.push({ lines, aside }),
    onLater,
    onRounds: (some) => {
      fresh.push(...some);
      portions.push(some.length);
    },
    onVoid: () => {
      fresh = [];
    },
  });
  return {
    ...journal,
    portions,
    append: (all: readonly JournalRound[]) => journal.append(all.map(toUnsavedRound)),
    /** The rounds that have appeared since the last call. */
    async readRounds() {
      fresh = [];
      await journal.readNew();
      return fresh;
    },
  };
};
const round = (number: number) => newJournalRound(toRoundId(number));
const rounds = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => round(from + at));

const readAll = (journal: ReturnType<typeof open>) => journal.readRounds();
const idsOf = (all: readonly JournalRound[]) => all.map(({ id }) => Number.parseInt(id, 16));
/** What a server that starts now would count. */
const readAfresh = async () => {
  const journal = open();
  const ids = idsOf(await readAll(journal));
  await journal.settle();
  return ids;
};

describe('a journal', () => {
  it('is empty if there is no file yet', async () => {
    expect(await readAfresh()).toEqual([]);
  });

  it('returns the appended rounds, each once', async () => {
    const journal = await open();
    await journal.append(rounds(1, 3));
    await journal.append([round(2), round(4)]);
    const read = await readAll(await open());
    expect(read).toEqual(rounds(1, 4));
    expect(await readAll(journal)).toHaveLength(4);
    expect(await readAll(journal)).toEqual([]);
    const places = await journal.placesOf([4, 5].map(toRoundId));
    expect([...places.keys()]).toEqual([toRoundId(4)]);
  });

  it('writes a round once if it is appended again while it is being written', async () => {
    const journal = await open();
    await Promise.all([
      journal.append(rounds(1, 5)),
      journal.append(rounds(3, 7)),
      journal.append(rounds(1, 7)),
    ]);
    const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
    expect(lines).toHaveLength(7);
  });

  it('has every round of two simultaneous writers, and each sees the other’s', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    const work = (journal: Awaited<ReturnType<typeof open>>, from: number) =>
      Promise.all(rounds(from, from + 149).map((each) => journal.append([each])));
    await Promise.all([work(one, 1), work(other, 1001)]);
    await Promise.all([one.settle(), other.settle()]);
    expect(await readAll(one)).toHaveLength(300);
    expect((await readAfresh()).sort((a, b) => a - b)).toEqual(
      idsOf([...rounds(1, 150), ...rounds(1001, 1150)]),
    );
    await other.append([round(5000)]);
    expect(idsOf(await readAll(one))).toEqual([5000]);
  });

  it('reads a long journal in portions', async () => {
    await (await open()).append(rounds(1, 1200));
    const journal = open();
    await journal.readNew();
    await journal.settle();
    const { portions } = journal;
    expect(portions.length).toBeGreaterThan(2);
    expect(portions.reduce((sum, portion) => sum + portion)).toBe(1_200);
    expect(told).toEqual([]);
  });

  it('goes on if its file was removed, truncated or replaced while it was open', async () => {
    const journal = await open();
    await journal.append(rounds(1, 3));
    await readAll(journal);
    await unlink(path);
    await journal.append(rounds(4, 5));
    expect(idsOf(await readAll(journal))).toEqual([4, 5]);
    expect(await readAfresh()).toEqual([4, 5]);
    await truncate(path);
    await journal.append([round(6)]);
    expect(idsOf(await readAll(journal))).toEqual([6]);
    await writeFile(
      `${path}.other`,
      rounds(6, 8)
        .map((each) => `${toJournalLine(each)}\n`)
        .join(''),
    );
    await rename(`${path}.other`, path);
    expect(idsOf(await readAll(journal))).toEqual([6, 7, 8]);
  });

  it('rejects if it cannot write, and succeeds when it can again', async () => {
    const journal = await open();
    await rm(join(dir, 'data'), { recursive: true });
    await writeFile(join(dir, 'data'), 'a file where the folder should be');
    await expect(journal.append(rounds(1, 2))).rejects.toThrow(/EEXIST|ENOTDIR/);
    await unlink(join(dir, 'data'));
    await journal.append(rounds(1, 2));
    expect(await readAfresh()).toEqual([1, 2]);
  });
});

describe('a torn last line', () => {
  it('never swallows the next one, wherever it was torn', async () => {
    await (await open()).append(rounds(1, 2));
    const bytes = await readFile(path);
    const firstEnd = bytes.indexOf('\n\n') + 1;
    const cuts = [1, 2, firstEnd - 2, firstEnd - 1, firstEnd, firstEnd + 1, firstEnd + 20, bytes.length - 1];
    for (let cut = 9; cut < bytes.length; cut += 37) cuts.push(cut);
    for (const cut of cuts) {
      await writeFile(path, bytes.subarray(0, cut));
      await (await open()).append([round(3)]);
      const whole = [cut >= firstEnd - 1 ? [1] : [], cut >= bytes.length - 1 ? [2] : [], 3].flat();
      expect(await readAfresh(), `torn after ${cut} bytes`).toEqual(whole);
    }
  });

  it('counts if only its line break is missing', async () => {
    await (await open()).append(rounds(1, 2));
    await truncate(path, (await stat(path)).size - 1);
    expect(await readAfresh()).toEqual([1, 2]);
    await (await open()).append([round(3)]);
    expect(await readAfresh()).toEqual([1, 2, 3]);
    expect(told).toEqual([]);
  });

  it('is waited for while another server is still writing it', async () => {
    const line = toJournalLine(round(1));
    const journal = await open();
    await writeFile(path, line.slice(0, 50));
    expect(await readAll(journal)).toEqual([]);
    await appendFile(path, `${line.slice(50)}\n`);
    expect(idsOf(await readAll(journal))).toEqual([1]);
  });

  it('of a save that failed and later succeeded is not damage', async () => {
    const line = toJournalLine(round(1));
    await (await open()).append([round(9)]);
    await appendFile(path, `\n${line.slice(0, 7)}`);
    await appendFile(path, `\n${line.slice(0, 30)}`);
    await appendFile(path, `\n${line.slice(0, 100)}`);
    await (await open()).append([round(1)]);
    expect(await readAfresh()).toEqual([9, 1]);
    expect(told).toEqual([]);
  });
});

describe('damage', () => {
  it('costs only the damaged lines, which are set aside and reported once', async () => {
    await (await open()).append(rounds(1, 5));
    const bytes = await readFile(path);
    const third = bytes.indexOf(`"id":"${toRoundId(3)}"`);
    bytes.write('#### damaged ####', third + 60);
    await writeFile(path, bytes);
    expect(await readAfresh()).toEqual([1, 2, 4, 5]);
    expect(told).toEqual([
      { lines: 1, aside: expect.stringMatching(/rounds\.jsonl\.damaged-[0-9a-f]{16}$/) },
    ]);
    expect(await readFile(told[0]?.aside as string, 'utf8')).toContain('#### damaged ####');
    expect(await readFile(path)).toEqual(bytes);
    expect(await readAfresh()).toEqual([1, 2, 4, 5]);
    expect(told).toHaveLength(1);
  });

  it('of any bytes anywhere loses nothing else, and stops neither reading nor appending', async () => {
    await (await open()).append(rounds(1, 4));
    const bytes = await readFile(path);
    const starts = [1, 2, 3, 4].map((number) => bytes.indexOf(`{"v":1,"id":"${toRoundId(number)}"`));
    const noise = fc.record({
      at: fc.nat(bytes.length - 1),
      with: fc.uint8Array({ minLength: 1, maxLength: 300 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(noise, { minLength: 1, maxLength: 3 }), async (noises) => {
        const damaged = Buffer.from(bytes);
        for (const { at, with: some } of noises) damaged.set(some.subarray(0, damaged.length - at), at);
        await writeFile(path, damaged);
        const isUntouched = (start: number, number: number) => {
          const end = start + toJournalLine(round(number)).length + 1;
          return damaged.subarray(start - 1, end).equals(bytes.subarray(start - 1, end));
        };
        const untouched = starts.flatMap((start, at) => (isUntouched(start, at + 1) ? [at + 1] : []));
        await (await open()).append([round(5)]);
        expect(await readAfresh()).toEqual(expect.arrayContaining([...untouched, 5]));
      }),
      { numRuns: 60 },
    );
  });

  it('by a block of zeros, as after a power failure, is set aside', async () => {
    await (await open()).append([round(1)]);
    await appendFile(path, Buffer.alloc(4096));
    await (await open()).append([round(2)]);
    expect(await readAfresh()).toEqual([1, 2]);
    expect(told).toEqual([{ lines: 1, aside: expect.any(String) }]);
    expect(await readFile(told[0]?.aside as string)).toEqual(
      Buffer.concat([Buffer.alloc(4096), Buffer.from('\n')]),
    );
  });

  it('by megabytes without a line break costs bounded memory and nothing else', async () => {
    await (await open()).append([round(1)]);
    await appendFile(path, Buffer.alloc(20 * 1024 * 1024, 'x'));
    await (await open()).append([round(2)]);
    expect(await readAfresh()).toEqual([1, 2]);
    expect((await stat(told[0]?.aside as string)).size).toBeLessThan(11 * 1024 * 1024);
  });

  it('does not include lines of a later version: they are counted, and stay in the journal, trimmed or not', async () => {
    const lineOfLater = toJournalLine(round(2)).replace('"v":1', '"v":3');
    await (await open()).append([round(1)]);
    await appendFile(path, `\n${lineOfLater}\n\n{"v":17,"what":"nobody knows"}\n`);
    const later: number[] = [];
    const journal = open((lines) => later.push(lines));
    expect(idsOf(await readAll(journal))).toEqual([1]);
    expect(await readAll(journal)).toEqual([]);
    expect(later).toEqual([2]);
    expect(told).toEqual([]);
    expect(await readdir(join(dir, 'data'))).toEqual(['rounds.jsonl']);
    await journal.trim({ rounds: 10, bytes: 1e6, since: Date.parse(round(1).completedAt) + 1 });
    const kept = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
    expect(kept).toEqual([lineOfLater, '{"v":17,"what":"nobody knows"}']);
  });

  it.each(['{"v":1,', '{"v":2,'])(
    'does not include a torn attempt once the round is there: %s',
    async (beginning) => {
      const torn = toJournalLine(round(1)).replace('{"v":1,', beginning);
      for (const length of [1, 5, 7, 13, 30, torn.length - 1]) {
        await appendFile(path, `\n${torn.slice(0, length)}\n`);
      }
      await (await open()).append([round(1)]);
      expect(await readAfresh()).toEqual([1]);
      expect(told).toEqual([]);
    },
  );
});
