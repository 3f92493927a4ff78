import { createHash } from 'node:crypto';
import { appendFile, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../../../../../src/server/settings/log.ts';
import {
  createFileRounds,
  type FileRounds,
} from '../../../../../../../src/server/stores/files/rounds/file-rounds.ts';
import { createRoundJournal } from '../../../../../../../src/server/stores/files/rounds/journal/round-journal.ts';
import { snapshotPath } from '../../../../../../../src/server/stores/files/rounds/journal/snapshots/derived-files.ts';
import { toJournalLine } from '../../../../../../../src/server/stores/journal-line.ts';
import type { JournalRound } from '../../../../../../../src/server/stores/journal-round.ts';
import { localPlayer } from '../../../../../../../src/server/stores/player.ts';
import { toUnsavedRound } from '../../../../../../../src/server/stores/unsaved-rounds.ts';
import { type Chapter, foldRounds, newHistory } from '../../../../../../../src/typing/statistics/history.ts';
import { newJournalRound, toRoundId } from '../../../../journal-rounds.ts';

let dir: string;
let path: string;
let opened: FileRounds[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-snapshot-'));
  path = join(dir, 'rounds.jsonl');
});
afterEach(async () => {
  await Promise.all(opened.map((rounds) => rounds.settle()));
  opened = [];
  await rm(dir, { recursive: true, force: true });
});

const log = createLog({ format: 'off' });
const open = (roundsPerSnapshot = 3) => {
  const rounds = createFileRounds({ dataDir: dir, log, roundsPerSnapshot });
  opened.push(rounds);
  return rounds;
};
const round = (number: number): JournalRound =>
  newJournalRound(toRoundId(number), ['the', 'quick'], [number * 7919, number * 104_729, number]);
const keep = (rounds: FileRounds, ...numbers: number[]) =>
  rounds.keep(
    localPlayer,
    numbers.map((number) => toUnsavedRound(round(number))),
  );
const toLine = (number: number) => `\n${toJournalLine(round(number))}\n`;
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
/** Folded and written, so that the next server begins with the snapshot. */
async function readAndSettle(rounds: FileRounds) {
  const history = await rounds.history(localPlayer);
  await rounds.settle();
  return history;
}
const folded = (numbers: readonly number[]) => foldRounds(newHistory(), numbers.map(round));
async function listAll(rounds: FileRounds, limit = 4): Promise<number[]> {
  const all: number[] = [];
  let after: string | undefined;
  do {
    const page = await rounds.list(localPlayer, { limit, after });
    all.push(...(page?.rounds ?? []).map(({ id }) => Number.parseInt(id, 16)));
    after = page?.next;
  } while (after !== undefined);
  return all;
}

describe('a snapshot', () => {
  it('replaces the rounds that it was made of: their part of the journal is not read again', async () => {
    const first = open();
    await keep(first, ...range(1, 20));
    const before = await readAndSettle(first);
    const bytes = await readFile(path);
    // In the middle, so that neither end that is compared is touched.
    await appendFile(path, `\n${'x'.repeat(200_000)}\n`);
    await keep(first, ...range(21, 40));
    await readAndSettle(first);
    const unread = Buffer.from(await readFile(path));
    unread.fill('#', 70_000 + bytes.length, 71_000 + bytes.length);
    await writeFile(path, unread);
    const errors: string[] = [];
    const told = createFileRounds({
      dataDir: dir,
      log: { ...log, error: (message) => errors.push(message) },
      roundsPerSnapshot: 3,
    });
    expect((await told.history(localPlayer)).rounds).toBe(40);
    expect(errors).toEqual([]);
    expect(before).toEqual(folded(range(1, 20)));
  });

  it('gives the same history as reading the whole journal, to the last digit', async () => {
    const writer = open();
    for (let number = 1; number <= 60; number += 2) {
      await keep(writer, number, number + 1);
      await readAndSettle(writer);
    }
    expect(await open().history(localPlayer)).toEqual(folded(range(1, 60)));
    await rm(snapshotPath(path));
    expect(await open().history(localPlayer)).toEqual(folded(range(1, 60)));
  });

  it('leaves no round in memory, however many there are, and few while they are read', async () => {
    await writeFile(path, range(1, 6000).map(toLine).join(''));
    const held: number[] = [];
    const journal = createRoundJournal({
      path,
      roundsPerSnapshot: 2,
      onDamage: () => undefined,
      onVoid: () => undefined,
      onRounds: () => held.push(journal.view().held),
    });
    await journal.readNew();
    await journal.settle();
    expect(journal.view()).toMatchObject({ held: 0, history: { rounds: 6000 } });
    // 400 times as many as a snapshot waits for, or an eighth of all; and what one reading of 128 KiB holds.
    expect(Math.max(...held)).toBeLessThan(800 + 1000);
    expect((await journal.placesOf([1, 3000, 6000, 6001].map(toRoundId))).size).toBe(3);
    expect(await listAll(open(2), 1000)).toEqual(range(1, 6000).reverse());
  });

  it('is already made in the middle of a long journal', async () => {
    const text = range(1, 4000).map(toLine).join('');
    await writeFile(path, text);
    const rounds = open(3);
    expect((await rounds.history(localPlayer)).rounds).toBe(4000);
    await rounds.settle();
    // All of them again, behind the snapshot and in another order.
    await appendFile(path, text.split('\n\n').reverse().join('\n\n'));
    expect((await rounds.history(localPlayer)).rounds).toBe(4000);
    expect((await open(3).history(localPlayer)).rounds).toBe(4000);
  });

  it('that is damaged, truncated, older or of another journal is ignored', async () => {
    const writer = open();
    await keep(writer, ...range(1, 5));
    await readAndSettle(writer);
    const older = join(dir, 'older');
    await copyFile(snapshotPath(path), older);
    await keep(writer, ...range(6, 30));
    await readAndSettle(writer);
    const whole = await readFile(snapshotPath(path));
    const expected = folded(range(1, 30));
    const damage = fc.oneof(
      fc.record({ at: fc.nat(whole.length - 1), bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }) }),
      fc.record({ cut: fc.nat(whole.length - 1) }),
    );
    await fc.assert(
      fc.asyncProperty(damage, async (how) => {
        const damaged = Buffer.from(whole);
        if ('at' in how) damaged.set(how.bytes.subarray(0, whole.length - how.at), how.at);
        await writeFile(snapshotPath(path), 'cut' in how ? damaged.subarray(0, how.cut) : damaged);
        const rounds = open(1000);
        expect(await rounds.history(localPlayer)).toEqual(expected);
        await keep(rounds, 3, 30);
        expect((await rounds.history(localPlayer)).rounds).toBe(30);
      }),
      { numRuns: 60 },
    );
    await copyFile(older, snapshotPath(path));
    expect(await open().history(localPlayer)).toEqual(expected);
    await writeFile(path, `\n${toJournalLine(round(99))}\n`);
    expect((await open().history(localPlayer)).rounds).toBe(1);
  });

  it.each([9, 3, 2, 1])(
    'of another version is left alone, and everything is folded again: %i',
    async (version) => {
      const other = `${path}.folded-${version}`;
      await writeFile(other, 'something that only that version understands');
      const rounds = open();
      await keep(rounds, ...range(1, 10));
      await readAndSettle(rounds);
      expect(await readFile(other, 'utf8')).toBe('something that only that version understands');
      expect(await open().history(localPlayer)).toEqual(folded(range(1, 10)));
    },
  );

  it('that cannot be written costs nothing but the next start', async () => {
    const rounds = open();
    await keep(rounds, 1);
    await mkdir(join(snapshotPath(path), 'in the way'), { recursive: true });
    await keep(rounds, ...range(2, 20));
    expect((await readAndSettle(rounds)).rounds).toBe(20);
    await keep(rounds, ...range(15, 25));
    expect((await readAndSettle(rounds)).rounds).toBe(25);
    expect((await open().history(localPlayer)).rounds).toBe(25);
  });

  it('is removed with the player, even if one is just being written', async () => {
    for (let turn = 0; turn < 20; turn++) {
      const [mine, other] = [open(1), open(1)];
      await keep(mine, ...range(1, 5));
      // Both servers have read it and write their snapshots while it is removed.
      await Promise.all([mine.history(localPlayer), other.history(localPlayer)]);
      await mine.forget(localPlayer);
      await Promise.all([mine.settle(), other.settle()]);
      expect(await readdir(dir)).toEqual([]);
      expect((await other.history(localPlayer)).rounds).toBe(0);
    }
  });
});

describe('a round that is sent twice', () => {
  const servers = 2;
  const numbers = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6 });
  const server = fc.nat(servers - 1);
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('keep' as const), server, numbers }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('note' as const), server, numbers }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const), server }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart' as const), server }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('append' as const), numbers }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose snapshot' as const) }) },
  );

  it('counts once, across restarts, snapshots and servers that share the folder', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 30 }),
        fc.integer({ min: 1, max: 8 }),
        async (steps, every) => {
          for (const name of await readdir(dir)) await rm(join(dir, name), { recursive: true });
          const kept = new Set<number>();
          const start = () => {
            const server = { rounds: open(every), noted: new Set<number>() };
            server.rounds.findUnsavedBy(() => Array.from(server.noted, (one) => toUnsavedRound(round(one))));
            return server;
          };
          const running = Array.from({ length: servers }, start);
          const check = async ({ rounds, noted }: ReturnType<typeof start>) => {
            const history = await rounds.history(localPlayer);
            expect(history.rounds).toBe(new Set([...kept, ...noted]).size);
          };
          for (const each of steps) {
            const at = 'server' in each ? running[each.server] : undefined;
            if (each.kind === 'keep') {
              await keep(at?.rounds as FileRounds, ...each.numbers);
              for (const number of each.numbers) kept.add(number);
            } else if (each.kind === 'note') {
              await at?.rounds.history(localPlayer);
              at?.rounds.note(localPlayer, each.numbers.map(round));
              for (const number of each.numbers) at?.noted.add(number);
            } else if (each.kind === 'append') {
              for (const number of each.numbers) kept.add(number);
              await appendFile(path, each.numbers.map(toLine).join(''));
            } else if (each.kind === 'lose snapshot') await rm(snapshotPath(path), { force: true });
            else if (each.kind === 'restart') {
              await at?.rounds.settle();
              running[each.server] = start();
            } else await check(at as ReturnType<typeof start>);
          }
          for (const one of running) await check(one);
          const fresh = start();
          await check(fresh);
          const listed = await listAll(fresh.rounds);
          expect([...listed].sort((a, b) => a - b)).toEqual([...kept].sort((a, b) => a - b));
          for (const { rounds, noted } of running) {
            const others = (await listAll(rounds)).filter((one) => kept.has(one) || !noted.has(one));
            expect(others).toEqual(listed);
          }
          await Promise.all([...running, fresh].map(({ rounds }) => rounds.settle()));
        },
      ),
      { numRuns: 40 },
    );
  });
});

it('what a fold gives is what version 4 of the snapshot holds: raise the version where this changes', () => {
  expect(snapshotPath('')).toBe('.folded-4');
  // With times and mistakes of many kinds, or much of a history would be empty.
  const rounds = range(1, 50).map((number) => {
    const tape = range(1, 12).map(
      (at) => 1000 * ((7 * number + 5 * at) % 13) + ((31 * number + 17 * at) % 100),
    );
    return newJournalRound(toRoundId(number), ['the', 'quick'], tape);
  });
  const history = foldRounds(newHistory(), rounds);
  const { keys } = Object.values(history.chapters)[0] as Chapter;
  for (const table of Object.values(keys)) expect(table).not.toEqual({});
  const text = JSON.stringify(history, (_, value) =>
    typeof value === 'number' ? Number(value.toPrecision(9)) : value,
  );
  expect(createHash('sha256').update(text).digest('hex')).toBe(
    'dbd5651eff4b19be1a275b47b49e74c8d7c8e92704f6ced2b5804d24c79e2812',
  );
});
