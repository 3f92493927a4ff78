import { beforeEach, describe, expect, it } from 'vitest';
import { localPlayer } from '../../../src/server/stores/player.ts';
import type { Records } from '../../../src/server/stores/records/records.ts';
import { createRounds, RoundNotStoredError } from '../../../src/server/stores/rounds.ts';
import { defaultSetup, newSession } from '../../../src/server/stores/session.ts';
import { createSessions, type Sessions } from '../../../src/server/stores/sessions.ts';
import { roundLine } from '../../../src/server/stores/stored-round.ts';
import { newRound, type Round, reduceRoundBatch } from '../../../src/typing/round.ts';
import { newInput, type RoundInput } from '../../../src/typing/round-input.ts';
import { newStoredRound, toRoundId } from './stored-rounds.ts';

const day = 24 * 60 * 60 * 1000;
const stranger = `key-${'7'.repeat(64)}`;
const address = `address-${'8'.repeat(64)}`;
const id = 'a'.repeat(32);

export interface TestEngine {
  /** The records of one more server. Each test begins without any. */
  open(): Promise<Records>;
  /** Milliseconds since 1970; 1,000 at the beginning of each test. */
  clock(): number;
  /** Lets time pass for the engine too. */
  pass(ms: number): Promise<void>;
}

/** What bounds the rounds and sessions of players. */
export function describeBounds({ open, clock, pass }: TestEngine): void {
  describe('of rounds', () => {
    const begin = Date.UTC(2026, 0, 1);
    const roundAt = (number: number, time: number) => ({
      ...newStoredRound(toRoundId(number)),
      completedAt: new Date(time).toISOString(),
    });
    let now: number;
    const openRounds = async ({ quota = 1e9, maxRounds = 10_000, age = 400 * day } = {}) =>
      createRounds(await open(), { quota, retention: { maxRounds, age }, clock: () => now });
    beforeEach(() => {
      now = begin;
    });

    it('keeps at most so many of a player, the newest ones, and counts and lists exactly these', async () => {
      const rounds = await openRounds({ maxRounds: 100 });
      for (let number = 1; number <= 260; number += 1) {
        await rounds.add(stranger, roundAt(number, begin));
        expect((await rounds.history(stranger)).rounds).toBeLessThanOrEqual(100);
      }
      const other = await openRounds({ maxRounds: 100 });
      const { rounds: kept } = await other.history(stranger);
      // With a hundred and one, the oldest six go.
      expect(kept).toBe(98);
      const bytesOf = async (id: string) => (await (await open()).read(id, ['bytes'])).values;
      expect(await bytesOf('quota/rounds')).toEqual(await bytesOf(`rounds/${stranger}`));
      expect(await other.history(stranger)).toEqual(await rounds.history(stranger));
      const listed = (await other.list(stranger, { limit: 1000, after: undefined }))?.rounds ?? [];
      expect(listed.map((round) => Number.parseInt(round.id, 16))).toEqual(
        Array.from({ length: kept }, (_, at) => 260 - at),
      );
      expect(await other.find(stranger, toRoundId(260))).toEqual(roundAt(260, begin));
      expect(await other.find(stranger, toRoundId(1))).toBeUndefined();
    });

    it('keeps no round of a stranger longer than it may, and all of the local player', async () => {
      const rounds = await openRounds({ age: 10 * day });
      for (const player of [stranger, localPlayer]) {
        for (let number = 0; number < 20; number += 1) {
          now = begin + number * day;
          await rounds.add(player, roundAt(number, now));
        }
      }
      const other = await openRounds({ age: 10 * day });
      expect((await other.history(stranger)).rounds).toBe(11);
      expect((await other.history(localPlayer)).rounds).toBe(20);
      now += 30 * day;
      expect((await rounds.history(stranger)).rounds).toBe(0);
      expect((await rounds.list(stranger, { limit: 9, after: undefined }))?.rounds).toEqual([]);
      expect(await rounds.add(stranger, roundAt(5, now))).toBe('added');
      const versionOf = async (id: string) => (await (await open()).read(id)).version;
      await pass(10.5 * day);
      expect(await versionOf(`rounds/${stranger}`)).not.toBe('');
      await pass(day);
      expect(await versionOf(`rounds/${stranger}`)).toBe('');
      expect((await (await openRounds()).history(localPlayer)).rounds).toBe(20);
    });

    it('cuts off old rounds in the order in which they were stored, even if an older one came later', async () => {
      const rounds = await openRounds({ age: 10 * day });
      const second = 1000;
      const times = [day, day - 5 * second, day + second, 2 * day, 2 * day - second, 3 * day];
      for (const [number, time] of times.entries()) await rounds.add(stranger, roundAt(number, begin + time));
      const left = [];
      for (let days = 10; days <= 15; days += 1) {
        now = begin + (days + 0.5) * day;
        for (const each of [rounds, await openRounds({ age: 10 * day })])
          left.push((await each.history(stranger)).rounds);
      }
      expect(left).toEqual([6, 6, 6, 6, 3, 3, 1, 1, 0, 0, 0, 0]);
    });

    it('gives all players together no more than the quota, and what one has given back to another', async () => {
      const rounds = await openRounds({ quota: 10 * roundLine(roundAt(1, begin)).length });
      const players = [stranger, address, localPlayer];
      let added = 0;
      const fill = async (from: number) => {
        for (let number = from; ; number += 1) {
          try {
            await rounds.add(players[number % 3] as string, roundAt(number, begin));
            added += 1;
          } catch (error) {
            expect(error).toBeInstanceOf(RoundNotStoredError);
            expect((error as Error).message).toMatch(
              /could not be saved: the quota of all rounds is used up$/,
            );
            return;
          }
        }
      };
      await fill(1);
      expect(added).toBe(10);
      const before = (await rounds.history(stranger)).rounds;
      await rounds.deleteAll(stranger);
      added = 0;
      await fill(100);
      expect(added).toBe(before);
    });

    it('counts again what a crash has left taken, once there seems to be no room', async () => {
      const records = await open();
      await records.commit('quota/rounds', { add: { bytes: 5_000 } });
      const rounds = await openRounds({ quota: 5_000 });
      expect(await rounds.add(stranger, roundAt(1, begin))).toBe('added');
    });
  });

  describe('of sessions', () => {
    const started = (words: readonly string[]): Round => newRound('r', words, undefined, [0], [4]);
    const letters = 'x'.repeat(2_000);
    const openSessions = async (ttl = 60_000) =>
      createSessions(await open(), { limit: 100, limitPerClient: 50, ttl, clock });
    const type = (sessions: Sessions, input: RoundInput) =>
      sessions.update(id, (session) => {
        const reduction = reduceRoundBatch(session.round as Round, [input]);
        if ('problem' in reduction) throw new Error(reduction.problem.message);
        return { session: { ...session, round: reduction.round }, result: reduction.result[0] };
      });

    it('several servers that type in turns end with the round of one, however long it is', async () => {
      const servers = [await openSessions(), await openSessions(), await openSessions()];
      const [first] = servers as [Sessions];
      await first.create({ ...newSession(id, defaultSetup, clock()), round: started([letters]) });
      let undisturbed = started([letters]);
      for (let at = 0; at < 1_500; at += 1) {
        const input = newInput(at % 7 === 3 ? 'ż' : 'x', 100 + at, at + 1);
        // Each server is behind by a few inputs when its turn comes.
        await type(servers[Math.floor(at / 5) % 3] as Sessions, input);
        const reduction = reduceRoundBatch(undisturbed, [input]);
        if ('round' in reduction) undisturbed = reduction.round;
      }
      for (const server of [...servers, await openSessions()])
        expect((await server.read(id))?.round).toEqual(undisturbed);
      const begun = reduceRoundBatch({ ...started(['ab']), id: 'next' }, [newInput('a', 5, 1)]);
      const next = 'round' in begun ? begun.round : null;
      await first.update(id, (session) => ({
        session: { ...session, roundCount: 2, round: next },
        result: 0,
      }));
      expect((await (await openSessions()).read(id))?.round).toEqual(next);
    });

    it('of long sessions a process keeps only some in memory, and reads the others', async () => {
      const records = await open();
      const cachedOf = async (words: readonly string[]) => {
        const sessions = createSessions(records, { limit: 100, limitPerClient: 100, ttl: 60_000, clock });
        const ids = Array.from(
          { length: 30 },
          (_, at) => words.length.toString(16).padStart(30, '0') + (10 + at),
        );
        for (const id of ids)
          await sessions.create({ ...newSession(id, defaultSetup, clock()), round: started(words) });
        const cached = ids.filter(sessions.isCached).length;
        for (const id of ids) expect((await sessions.read(id))?.round?.words).toHaveLength(words.length);
        return cached;
      };
      expect(await cachedOf(['short'])).toBe(30);
      const ofLong = await cachedOf(Array<string>(20).fill('x'.repeat(10_000)));
      expect(ofLong).toBeGreaterThan(5);
      expect(ofLong).toBeLessThan(25);
    });

    it('a store that has gone back and then on, as after a failover, is believed', async () => {
      const records = await open();
      const [one, other] = [await openSessions(), await openSessions()];
      await one.create({ ...newSession(id, defaultSetup, clock()), round: started(['abcdef']) });
      for (const at of [1, 2, 3]) await type(one, newInput('a', at, at));
      const before = await records.fields(`session/${id}`);
      for (const at of [4, 5]) await type(one, newInput('b', at, at));
      await records.remove(`session/${id}`);
      await records.commit(`session/${id}`, { put: Object.fromEntries(before) });
      for (const at of [4, 5, 6]) await type(other, newInput('c', 10 * at, at));
      await type(one, newInput('d', 7, 7));
      const expected = (await (await openSessions()).read(id))?.round;
      expect(expected?.inputCount).toBe(7);
      expect((await one.read(id))?.round).toEqual(expected);
      expect((await other.read(id))?.round).toEqual(expected);

      const rounds = async () => createRounds(await open(), { quota: 1e9, retention: undefined, clock });
      const [first, second] = [await rounds(), await rounds()];
      const add = (view: typeof first, number: number) =>
        view.add(localPlayer, { ...newStoredRound(toRoundId(number)), mode: `words-${number}` });
      for (let number = 1; number <= 25; number += 1) await add(first, number);
      const kept = await records.fields(`rounds/${localPlayer}`);
      const lines = await records.lines(`rounds/${localPlayer}`, 1, 15);
      await records.remove(`rounds/${localPlayer}`);
      const put = Object.fromEntries([...kept].filter(([name]) => !name.startsWith('id')));
      await records.commit(`rounds/${localPlayer}`, { put, push: lines });
      for (let number = 101; number <= 115; number += 1) await add(second, number);
      const history = await (await rounds()).history(localPlayer);
      expect(history.rounds).toBe(30);
      for (const view of [first, second]) expect(await view.history(localPlayer)).toEqual(history);
      const listed = (await first.list(localPlayer, { limit: 99, after: undefined }))?.rounds ?? [];
      expect(new Set(listed.map(({ id }) => Number.parseInt(id, 16))).size).toBe(30);
      expect(Object.values(history.chapters).some(({ mode }) => mode === 'words-20')).toBe(false);
    });

    it('a session lives on a server that only answers repeats, and ends on all', async () => {
      const [one, other] = [await openSessions(100), await openSessions(100)];
      await one.create(newSession(id, defaultSetup, clock()));
      for (let times = 0; times < 3; times += 1) {
        await pass(60);
        await other.update(id, (session) => ({ session, result: 0 }));
      }
      expect(await one.read(id)).toBeDefined();
      await pass(100);
      expect(await other.read(id)).toBeUndefined();
      expect(await one.update(id, (session) => ({ session, result: 0 }))).toBeUndefined();
    });

    it('what a player leaves is gone once it is forgotten or cleaned, but for the count of all', async () => {
      const records = await open();
      const sessions = await openSessions(100);
      const opener = { player: address, address, block: `address-${'9'.repeat(64)}` };
      await sessions.create(newSession(id, defaultSetup, clock(), opener));
      await sessions.create(newSession('b'.repeat(32), defaultSetup, clock(), opener));
      await pass(100);
      await sessions.create(newSession('c'.repeat(32), defaultSetup, clock(), opener));
      await sessions.deleteAll(address);
      await pass(1_000_000);
      await sessions.clean();
      expect(await idsOf(records)).toEqual([]);
    });
  });
}

async function idsOf(records: Records): Promise<string[]> {
  const found: string[] = [];
  for await (const record of records.ids('')) {
    if ((await records.read(record, [])).version !== '') found.push(record);
  }
  return found;
}
