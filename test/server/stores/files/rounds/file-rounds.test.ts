import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../../../src/server/settings/log.ts';
import { openFileStores } from '../../../../../src/server/stores/files/file-stores.ts';
import { createFileRounds } from '../../../../../src/server/stores/files/rounds/file-rounds.ts';
import { createForgettings } from '../../../../../src/server/stores/files/rounds/forgettings.ts';
import { findOldRounds } from '../../../../../src/server/stores/files/rounds/idle-rounds.ts';
import { withJournalLock } from '../../../../../src/server/stores/files/rounds/journal/journal-lock.ts';
import { trimJournal } from '../../../../../src/server/stores/files/rounds/journal/journal-trim.ts';
import { snapshotPath } from '../../../../../src/server/stores/files/rounds/journal/snapshots/derived-files.ts';
import { toJournalLine } from '../../../../../src/server/stores/journal-line.ts';
import type { JournalRound } from '../../../../../src/server/stores/journal-round.ts';
import { createMemorySessions } from '../../../../../src/server/stores/memory/memory-sessions.ts';
import { RoundsNotKeptError, StoreUnavailableError } from '../../../../../src/server/stores/ports.ts';
import { keepUnsaved } from '../../../../../src/server/stores/round-keeping.ts';
import type { Retention } from '../../../../../src/server/stores/round-retention.ts';
import { newSession } from '../../../../../src/server/stores/session.ts';
import { toUnsavedRound } from '../../../../../src/server/stores/unsaved-rounds.ts';
import { defaultPractice } from '../../../../../src/typing/modes/practice.ts';
import { newJournalRound, toRoundId } from '../../journal-rounds.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-rounds-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const log = createLog({ format: 'off' });
const playerOf = (digit: number) => `key-${String(digit % 10).repeat(64)}`;
const pathOf = (player: string) => join(dir, 'players', player.slice(-2), `${player}.jsonl`);
const dayMs = 86_400_000;
const now = Date.parse('2026-06-01T00:00:00Z');

function round(number: number, player = playerOf(1), daysAgo = 0): JournalRound {
  const completedAt = new Date(now - daysAgo * dayMs).toISOString();
  return { ...newJournalRound(toRoundId(number)), player, completedAt };
}

const keepEverything: Retention = { rounds: 1e9, bytes: 1e9, since: 0 };
const open = (retention: Partial<Retention> = {}, memory?: number) =>
  createFileRounds({
    dataDir: dir,
    log,
    retention: () => ({ ...keepEverything, ...retention }),
    ...(memory === undefined ? {} : { memory }),
  });
const idsOf = (rounds: readonly JournalRound[] = []) => rounds.map(({ id }) => Number.parseInt(id, 16));

/** As another server does. */
const trimAsAnother = (retention: Retention) => {
  const path = pathOf(playerOf(1));
  return withJournalLock(path, (lock) => trimJournal(path, retention, lock));
};

describe('the histories of players', () => {
  it('have their own rounds, even after they were dropped from memory', async () => {
    const rounds = open({}, 1);
    for (let number = 1; number <= 30; number++) {
      const player = playerOf(number);
      await rounds.history(player);
      rounds.note(player, [round(number, player)]);
      await rounds.keep(player, [toUnsavedRound(round(number, player))]);
    }
    for (let digit = 0; digit < 10; digit++) expect((await rounds.history(playerOf(digit))).rounds).toBe(3);
    expect((await rounds.history('local')).rounds).toBe(0);
  });

  it('count unsaved rounds after they were read again', async () => {
    const rounds = open({}, 1);
    const waiting = [round(1), round(2)];
    rounds.findUnsavedBy((player) => (player === playerOf(1) ? waiting.map(toUnsavedRound) : []));
    expect((await rounds.history(playerOf(1))).rounds).toBe(2);
    await rounds.history(playerOf(2));
    expect((await rounds.history(playerOf(1))).rounds).toBe(2);
    await rounds.keep(playerOf(1), waiting.map(toUnsavedRound));
    expect((await rounds.history(playerOf(1))).rounds).toBe(2);
  });

  it('follow what another server has saved, trimmed or removed', async () => {
    const [mine, other] = [open(), open()];
    const keep = (number: number) => other.keep(playerOf(1), [toUnsavedRound(round(number))]);
    for (let number = 1; number <= 5; number++) await keep(number);
    expect((await mine.history(playerOf(1))).rounds).toBe(5);
    await trimAsAnother({ ...keepEverything, rounds: 4 });
    expect((await mine.history(playerOf(1))).rounds).toBe(3);
    await other.forget(playerOf(1));
    expect((await mine.history(playerOf(1))).rounds).toBe(0);
    await keep(9);
    expect((await mine.history(playerOf(1))).rounds).toBe(1);
  });
});

describe('long journals', () => {
  /** A round with many keys, as a stranger may upload. */
  const longRound = (number: number): JournalRound => {
    const words = Array.from({ length: 400 }, () => 'abcdefghij');
    return { ...newJournalRound(toRoundId(number), words), player: playerOf(1) };
  };
  const longLine = toUnsavedRound(longRound(1)).line;
  const linesOf = (count: number) =>
    Array.from({ length: count }, (_, at) => `${longLine.replace(toRoundId(1), toRoundId(at + 1))}\n`).join(
      '',
    );
  const writeJournal = async (count: number) => {
    await mkdir(dirname(pathOf(playerOf(1))), { recursive: true });
    await appendFile(pathOf(playerOf(1)), linesOf(count));
  };

  it('are folded by their bytes too, even if rounds are only ever added', async () => {
    const rounds = open();
    let added = 0;
    for (let number = 1; number <= 40; number += 1) {
      const line = longLine.replace(toRoundId(1), toRoundId(number));
      await rounds.keep(playerOf(1), [{ id: toRoundId(number), line }]);
      added += line.length;
    }
    await rounds.settle();
    const unread = await open().unread(playerOf(1));
    expect(added).toBeGreaterThan(400_000);
    expect(unread).toBeLessThan(250_000);
    expect((await open().history(playerOf(1))).rounds).toBe(40);
  });

  it('keep no other player waiting while they are read', async () => {
    await writeJournal(400);
    const rounds = open();
    let isRead = false;
    const read = async () => {
      const history = await rounds.history(playerOf(1));
      isRead = true;
      return history;
    };
    const reading = read();
    await rounds.history(playerOf(2));
    await rounds.keep(playerOf(3), [toUnsavedRound(round(1, playerOf(3)))]);
    expect(isRead).toBe(false);
    expect((await reading).rounds).toBe(400);
    // A copy of what was read is still being written, into the folder that is removed next.
    await rounds.settle();
  });

  it('are not read to their end for requests when the server stops, but what must be saved is', async () => {
    await writeJournal(400);
    const rounds = open();
    const waiting = [playerOf(1), playerOf(1)].map((player) => rounds.history(player));
    await new Promise(setImmediate);
    rounds.stopReading();
    // Both at once: the second may be refused while the first is looked at.
    const refused = { status: 'rejected', reason: expect.any(StoreUnavailableError) };
    expect(await Promise.allSettled(waiting)).toEqual([refused, refused]);
    await rounds.keep(playerOf(1), [toUnsavedRound(round(999))]);
    await rounds.keep(playerOf(1), [toUnsavedRound(longRound(7))]);
    const later = open();
    expect((await later.history(playerOf(1))).rounds).toBe(401);
    // What is written in the background would get in the way of the end.
    await Promise.all([rounds.settle(), later.settle()]);
  });
});

describe('a player who is forgotten while rounds are being saved', () => {
  const player = playerOf(1);
  const kept = (number: number) => [toUnsavedRound(round(number))];

  it('gets none of them back, and keeps later ones', async () => {
    const rounds = open();
    const mark = await rounds.mark(player);
    await rounds.forget(player);
    await rounds.keep(player, kept(1), mark);
    rounds.note(player, [round(1)], mark);
    expect((await rounds.history(player)).rounds).toBe(0);
    await rounds.keep(player, kept(2), await rounds.mark(player));
    expect((await rounds.history(player)).rounds).toBe(1);
    await rounds.keep(playerOf(2), [toUnsavedRound(round(3, playerOf(2)))], mark);
    expect((await rounds.history(playerOf(2))).rounds).toBe(1);
  });

  it('gets none back at any moment of writing, even if memory is short, and nothing is reported as an error', async () => {
    const lines: string[] = [];
    const rounds = createFileRounds({
      dataDir: dir,
      log: createLog({ format: 'json', write: (line) => lines.push(line) }),
      memory: 1,
    });
    for (let time = 0; time < 60; time++) {
      await rounds.keep(player, kept(1));
      const mark = await rounds.mark(player);
      const work: unknown[] = [rounds.keep(player, kept(2), mark), rounds.history(player)];
      work.push(rounds.history(playerOf(2)), rounds.list(player, { limit: 9, after: undefined }));
      for (let step = 0; step < time % 12; step++) await new Promise(setImmediate);
      work.push(rounds.forget(player), rounds.history(player));
      await Promise.all(work);
      expect([time, (await open().history(player)).rounds]).toEqual([time, 0]);
    }
    expect(lines).toEqual([]);
  });

  it('cannot get rounds back from a session that is gone', async () => {
    const sessions = createMemorySessions({ ttl: 60_000, limit: 9 });
    const rounds = open();
    const session = { ...newSession('a'.repeat(32), defaultPractice, 1_000), player, unsaved: kept(1) };
    sessions.create(session);
    await sessions.forget(player);
    await rounds.forget(player);
    await keepUnsaved({ sessions, rounds }, session);
    expect((await rounds.history(player)).rounds).toBe(0);
  });

  it('is not remembered for ever among ten thousand others: rounds that waited longer are refused, not lost', () => {
    const forgettings = createForgettings(2);
    const mark = forgettings.mark();
    for (const other of ['a', 'b', 'c']) forgettings.note(other);
    expect([forgettings.isCurrent('x', mark), forgettings.isUnknown('x', mark)]).toEqual([false, true]);
    expect([forgettings.isCurrent('c', mark), forgettings.isUnknown('c', mark)]).toEqual([false, false]);
    expect(forgettings.isCurrent('x', forgettings.mark())).toBe(true);
  });
});

const replacingScript = fileURLToPath(new URL('journal/killed-replacement.ts', import.meta.url));

describe('a save that was refused because another process is replacing the journal', () => {
  it('is refused again, although the round is in that journal, and loses nothing once the process is gone', async () => {
    const rounds = open();
    const player = playerOf(1);
    const keep = (number: number) => rounds.keep(player, [toUnsavedRound(round(number))]);
    await keep(1);
    const replacing = spawn(process.execPath, ['--import', 'tsx', replacingScript, pathOf(player)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(replacing.stdout, 'data');
    replacing.kill('SIGSTOP');
    await expect(keep(2)).rejects.toThrow('waited 2 s');
    expect((await rounds.history(player)).rounds).toBe(2);
    await expect(keep(2)).rejects.toThrow('waited 0 s');
    replacing.stdin.write('go on\n');
    replacing.kill('SIGCONT');
    await once(replacing, 'close');
    await expect.poll(() => keep(2).then(() => 'kept', String), { timeout: 10_000 }).toBe('kept');
    expect(idsOf((await open().list(player, { limit: 10, after: undefined }))?.rounds)).toEqual([2, 1]);
  }, 60_000);
});

describe('the list of rounds', () => {
  it('goes from newest to oldest in pages, with unsaved rounds first', async () => {
    const rounds = open();
    const waiting = [round(8), round(9)];
    rounds.findUnsavedBy(() => waiting.map(toUnsavedRound));
    await rounds.keep(
      playerOf(1),
      [1, 2, 3, 4, 5, 6, 7].map((number) => toUnsavedRound(round(number))),
    );
    for (const limit of [1, 2, 3, 4, 9, 50]) {
      const seen: number[] = [];
      let after: string | undefined;
      do {
        const page = await rounds.list(playerOf(1), { limit, after });
        expect(page?.rounds.length).toBeLessThanOrEqual(limit);
        seen.push(...idsOf(page?.rounds));
        after = page?.next;
      } while (after !== undefined);
      expect([limit, seen]).toEqual([limit, [9, 8, 7, 6, 5, 4, 3, 2, 1]]);
    }
  });

  it('has no round of another player', async () => {
    const rounds = open();
    await rounds.keep(playerOf(1), [toUnsavedRound(round(1))]);
    expect(await rounds.list(playerOf(2), { limit: 9, after: toRoundId(1) })).toBeUndefined();
    expect(await rounds.list(playerOf(2), { limit: 9, after: undefined })).toEqual({ rounds: [] });
  });

  it('reads at most half a mebibyte for a page, however long its rounds are', async () => {
    const long = (number: number): JournalRound => ({
      ...round(number),
      session: 's'.repeat(100_000),
    });
    const rounds = open();
    for (let number = 1; number <= 8; number++)
      await rounds.keep(playerOf(1), [toUnsavedRound(long(number))]);
    const page = await rounds.list(playerOf(1), { limit: 1000, after: undefined });
    expect(idsOf(page?.rounds)).toEqual([8, 7, 6, 5, 4]);
    const rest = await rounds.list(playerOf(1), { limit: 1000, after: page?.next });
    expect([idsOf(rest?.rounds), rest?.next]).toEqual([[3, 2, 1], undefined]);
  });
});

describe('what is kept', () => {
  it('has to be read as a whole once it exceeds its bound, which callers can see', async () => {
    const rounds = open({ rounds: 20 });
    const keep = async (from: number, to: number) => {
      for (let number = from; number <= to; number += 1)
        await rounds.keep(playerOf(1), [toUnsavedRound(round(number))]);
    };
    await keep(1, 20);
    await rounds.history(playerOf(1));
    expect(await rounds.unread(playerOf(1))).toBe(0);
    await keep(21, 21);
    // As the first use after another server has added a round.
    await rounds.list(playerOf(1), { limit: 1, after: undefined });
    expect(await rounds.unread(playerOf(1))).toBe((await stat(pathOf(playerOf(1)))).size);
    expect((await rounds.history(playerOf(1))).rounds).toBeLessThan(20);
    expect(await rounds.unread(playerOf(1))).toBe(0);
  });

  it('is limited to the newest rounds of a player', async () => {
    const rounds = open({ rounds: 20 });
    for (let number = 1; number <= 50; number++) {
      await rounds.keep(playerOf(1), [toUnsavedRound(round(number))]);
      expect((await rounds.history(playerOf(1))).rounds).toBeLessThanOrEqual(20);
    }
    const { rounds: left = [] } = (await rounds.list(playerOf(1), { limit: 99, after: undefined })) ?? {};
    expect(idsOf(left)).toEqual(Array.from({ length: left.length }, (_, at) => 50 - at));
    expect(left.length).toBeGreaterThanOrEqual(18);
  });

  it('is limited in bytes for each player', async () => {
    const line = toJournalLine(round(1)).length;
    const rounds = open({ bytes: 10 * line });
    for (let number = 1; number <= 40; number++) {
      await rounds.keep(playerOf(1), [toUnsavedRound(round(number))]);
      await rounds.history(playerOf(1));
      expect((await stat(pathOf(playerOf(1)))).size).toBeLessThanOrEqual(10 * line);
    }
  });

  it('excludes rounds that are too old', async () => {
    const rounds = open({ since: now - 400 * dayMs });
    const old = [401, 500, 402].map((days, at) => toUnsavedRound(round(at + 1, playerOf(1), days)));
    const recent = [399, 1].map((days, at) => toUnsavedRound(round(at + 4, playerOf(1), days)));
    await rounds.keep(playerOf(1), [...old, ...recent]);
    expect((await rounds.history(playerOf(1))).rounds).toBe(2);
    expect(await readFile(pathOf(playerOf(1)), 'utf8')).not.toContain(toRoundId(1));
  });

  it('includes everything of the local player, whatever the bounds', async () => {
    const rounds = open({ rounds: 1, since: now });
    const local = [1, 2, 3].map((number) => toUnsavedRound(round(number, 'local', 900)));
    await rounds.keep('local', local);
    expect((await rounds.history('local')).rounds).toBe(3);
  });

  it('includes everything that another server appends while a journal is trimmed', async () => {
    const [mine, other] = [open(), open()];
    let kept = 0;
    for (let turn = 0; turn < 20; turn++) {
      const appended = Array.from({ length: 10 }, () => toUnsavedRound(round(++kept)));
      await Promise.all([
        mine.keep(playerOf(1), appended.slice(0, 3)),
        ...appended.slice(3).map((one) => other.keep(playerOf(1), [one])),
        turn > 0 ? trimAsAnother(keepEverything) : undefined,
      ]);
    }
    expect((await open().history(playerOf(1))).rounds).toBe(kept);
  });

  it('excludes old rounds of players who never come back', async () => {
    const old = now - 401 * dayMs;
    const [gone, some, recent] = [playerOf(1), playerOf(2), playerOf(3)];
    const writer = open();
    await writer.keep(gone, [toUnsavedRound(round(1, gone, 401))]);
    await writer.keep(some, [toUnsavedRound(round(2, some, 401)), toUnsavedRound(round(3, some, 1))]);
    await writer.keep(recent, [toUnsavedRound(round(4, recent, 1))]);
    await utimes(pathOf(gone), old / 1000, old / 1000);
    for (const path of [pathOf(some), pathOf(recent)]) await utimes(path, now / 1000, now / 1000);
    const log = createLog({ format: 'off' });
    const options = {
      dataDir: dir,
      sessionTtl: 1e9,
      maxSessions: 9,
      sessionMemory: 1e9,
      roundQuota: 1e9,
      log,
    };
    const stores = await openFileStores({
      contentDir: options.dataDir,
      ...options,
      isExposed: true,
      keepRounds: 400 * dayMs,
      clock: () => now,
    });
    const left = async (player: string) => {
      const text = await readFile(pathOf(player), 'utf8').catch(() => '');
      return [1, 2, 3, 4].filter((number) => text.includes(toRoundId(number)));
    };
    await expect.poll(() => left(gone)).toEqual([]);
    await expect.poll(() => left(some)).toEqual([3]);
    expect(await left(recent)).toEqual([4]);
    await stores.close();
  });

  it.runIf(process.platform !== 'win32')(
    'keeps nobody waiting if a pipe replaces a journal or its snapshot',
    async () => {
      const [piped, folded] = [playerOf(1), playerOf(2)];
      await mkdir(dirname(pathOf(piped)), { recursive: true });
      execFileSync('mkfifo', [pathOf(piped)]);
      const rounds = open();
      await rounds.keep(folded, [toUnsavedRound(round(2, folded))]);
      execFileSync('mkfifo', [snapshotPath(pathOf(folded))]);
      expect((await rounds.history(piped)).rounds).toBe(0);
      expect((await open().history(folded)).rounds).toBe(1);
      await expect(rounds.keep(piped, [toUnsavedRound(round(1))])).rejects.toThrow(RoundsNotKeptError);
      const onOld = async (player: string, which: string) => void found.push([player, which]);
      const found: string[][] = [];
      await findOldRounds({ dir: join(dir, 'players'), since: now - dayMs, onOld });
      expect(found).toEqual([]);
      await rounds.settle();
      await rounds.forget(piped);
      await rounds.keep(piped, [toUnsavedRound(round(1))]);
      expect((await rounds.history(piped)).rounds).toBe(1);
    },
  );

  it('is not too old at the very moment from which rounds are kept', async () => {
    const rounds = open();
    await rounds.keep(playerOf(1), [toUnsavedRound(round(1, playerOf(1), 1))]);
    const found: string[] = [];
    const onOld = async (_: string, which: string) => void found.push(which);
    await findOldRounds({ dir: join(dir, 'players'), since: now - dayMs, onOld });
    expect(found).toEqual([]);
    await findOldRounds({ dir: join(dir, 'players'), since: now - dayMs + 1, onOld });
    expect(found).toEqual(['some']);
    const { mtimeMs } = await stat(pathOf(playerOf(1)));
    await findOldRounds({ dir: join(dir, 'players'), since: mtimeMs, onOld });
    await findOldRounds({ dir: join(dir, 'players'), since: mtimeMs + 1, onOld });
    expect(found).toEqual(['some', 'some', 'all']);
  });

  it.each([
    ['a torn line', '{"v":1,"id":"torn'],
    ['a line whose time is none', '{"v":1,"id":"damaged","completed_at":"soon"}'],
    ['a line without an id', '{"v":1,"completed_at":"2126-06-01T00:00:00Z"}'],
  ])('has nothing of a forgotten player, not even %s', async (_, damage) => {
    const rounds = open();
    await rounds.keep(playerOf(1), [toUnsavedRound(round(1))]);
    await rounds.keep(playerOf(2), [toUnsavedRound(round(2, playerOf(2)))]);
    await appendFile(pathOf(playerOf(1)), `\n${damage}`);
    await rounds.forget(playerOf(1));
    const files = await readdir(dir, { recursive: true });
    expect(files.filter((file) => file.includes('1111'))).toEqual([]);
    expect((await rounds.history(playerOf(1))).rounds).toBe(0);
    expect((await rounds.history(playerOf(2))).rounds).toBe(1);
    await rounds.forget(playerOf(3));
  });
});

describe('a history that cannot be read', () => {
  it('is an error, and not an empty one', async () => {
    const player = playerOf(1);
    await mkdir(join(dir, 'players'));
    await writeFile(dirname(pathOf(player)), 'no folder');
    await expect(open().history(player)).rejects.toThrow('ENOTDIR');
  });
});

describe('the removal of rounds finished until a time', () => {
  const damage =
    '{"v":1,"id":"damaged","completed_at":"soon"}\n{"v":1,"completed_at":"2126-06-01T00:00:00Z"}\n{"v":1,"id":"torn\n';
  const player = playerOf(1);
  const none = () => Promise.resolve(new Set<string>());

  it('keeps later rounds and those that are to stay, and removes unreadable lines that are whole', async () => {
    const rounds = open();
    const [going, staying, onTime, later] = [
      round(1, player, 5),
      round(2, player, 4),
      round(3, player, 3),
      round(4, player, 2),
    ];
    await rounds.keep(
      player,
      [going, staying, onTime, later].map((one) => toUnsavedRound(one)),
    );
    await appendFile(pathOf(player), `\n${damage}`);
    await rounds.remove(player, {
      until: Date.parse(onTime.completedAt),
      staying: (ids) => Promise.resolve(new Set(ids.filter((id) => id === staying.id))),
    });
    const lines = (await readFile(pathOf(player), 'utf8')).split('\n').filter((line) => line !== '');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual([staying.id, later.id]);
  });

  it('leaves a file alone from which nothing is to be removed, and removes it if nothing would be left', async () => {
    const rounds = open();
    const [first, last] = [round(1, player, 5), round(2, player, 4)];
    await rounds.keep(
      player,
      [first, last].map((one) => toUnsavedRound(one)),
    );
    const before = await stat(pathOf(player));
    await rounds.remove(player, { until: Date.parse(first.completedAt) - 1, staying: none });
    expect(await stat(pathOf(player))).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    await rounds.remove(player, { until: Date.parse(last.completedAt), staying: none });
    await expect(stat(pathOf(player))).rejects.toThrow('ENOENT');
  });
});

describe('the lock of a journal', () => {
  const path = () => join(dir, 'rounds.jsonl');
  beforeEach(() => writeFile(path(), ''));

  it('with something else in its place is reported with the folder, and no work is done', async () => {
    await writeFile(join(dir, 'history.lock'), 'not a lock');
    let isDone = false;
    const locked = withJournalLock(path(), async () => {
      isDone = true;
    });
    await expect(locked).rejects.toThrow(StoreUnavailableError);
    await expect(locked).rejects.toThrow(`the rounds in ${dir} cannot be changed`);
    expect(isDone).toBe(false);
  });

  it('passes on what went wrong with the work itself, once', async () => {
    for (const code of ['EIO', 'ENOSPC']) {
      let times = 0;
      const failed = withJournalLock(path(), () => {
        times += 1;
        return Promise.reject(Object.assign(new Error(`the work: ${code}`), { code }));
      });
      await expect(failed).rejects.toMatchObject({ code, message: `the work: ${code}` });
      expect(times).toBe(1);
    }
  });
});
