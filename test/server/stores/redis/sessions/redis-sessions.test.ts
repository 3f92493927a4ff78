import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import {
  type Sessions,
  type SessionUpdate,
  StoreUnavailableError,
} from '../../../../../src/server/stores/ports.ts';
import type { StoreConnection } from '../../../../../src/server/stores/redis/connection/connection.ts';
import { createRedisSessions } from '../../../../../src/server/stores/redis/sessions/redis-sessions.ts';
import { newSession, type Session } from '../../../../../src/server/stores/session.ts';
import { defaultPractice } from '../../../../../src/typing/modes/practice.ts';
import { newRound, reduceRound } from '../../../../../src/typing/round.ts';
import { newInput } from '../../../../../src/typing/round-input.ts';
import { toWord } from '../../../../../src/typing/rules/word.ts';
import { describeOnEveryStore, keysOf } from '../../../../support/redis/every-store.ts';
import { describeSessionMemory, describeSessions, type StoreLimits } from '../../sessions-contract.ts';

/** The connection, and all that the store answers over it. */
function withReplies(connection: StoreConnection) {
  const replies: string[] = [];
  const run: StoreConnection['run'] = async (command) => {
    const reply = await connection.run(command);
    replies.push(JSON.stringify(reply) ?? '');
    return reply;
  };
  return { connection: { ...connection, run }, replies };
}

let prefixes = 0;
const newPrefix = () => `test-${++prefixes}`;
const id = 'a'.repeat(32);
const large = { ttl: 3_600_000, limit: 1_000, cacheMemory: 1e7 };

describeOnEveryStore('sessions', (engine) => {
  const open = async (limits: StoreLimits) => {
    let time = 1_000;
    const options = {
      ...limits,
      cacheMemory: 1e6,
      clock: () => time,
      renewAfter: 0,
      expiry: 60_000,
    };
    const store = createRedisSessions(await engine.connect(), { ...options, prefix: newPrefix() });
    return {
      store,
      pass(ms: number) {
        time += ms;
      },
    };
  };
  describeSessions('as the contract asks', open);
  // A character takes one byte and a quarter in the store, and two in memory.
  const scale = 1.25 / 2;
  describeSessionMemory('as the contract asks', ({ memory = 0, memoryPerClient, ...limits }) => {
    const share = memoryPerClient === undefined ? {} : { memoryPerClient: memoryPerClient * scale };
    return open({ ...limits, ...share, memory: memory * scale });
  });

  describe('with large sessions', () => {
    const player = `key-${'1'.repeat(64)}`;
    const opener = { player, client: `address-${'2'.repeat(64)}`, block: `address-${'3'.repeat(64)}` };
    const text = { type: 'text', text: 'a word '.repeat(1_400).trim() } as const;
    const practice = { ...defaultPractice, mode: text };
    const toId = (at: number) => at.toString(16).padStart(32, '0');
    const openLarge = async () => {
      const prefix = newPrefix();
      const { connection, replies } = withReplies(await engine.connect());
      const sessions = createRedisSessions(connection, { ...large, renewAfter: 0, prefix });
      for (let at = 0; at < 8; at++) {
        const session = newSession(toId(at), practice, 1_000 + at, opener);
        expect(await sessions.create(session)).toBe('added');
      }
      return { sessions, connection, prefix, replies };
    };

    test('a list reads none of them, however long their texts are, and no page reads the other pages', async () => {
      const { sessions, replies } = await openLarge();
      replies.length = 0;
      const page = await sessions.list(player, { limit: 2, after: toId(3) });
      expect(page).toMatchObject({
        sessions: [4, 5].map((at) => ({ session: { id: toId(at) } })),
        next: toId(5),
      });
      expect(replies.join('').length).toBeLessThan(1_500);
      expect(replies.length).toBeLessThan(8);
    });

    test('repeated refusals do not make the server check all sessions repeatedly', async () => {
      let time = 1_000;
      const { connection, replies } = withReplies(await engine.connect());
      const options = { ...large, ttl: 800, limitPerClient: 20, expiry: 60_000, prefix: newPrefix() };
      const sessions = createRedisSessions(connection, { ...options, clock: () => time });
      const open = (at: number) => sessions.create(newSession(toId(at), defaultPractice, 1_000, opener));
      for (let at = 0; at < 20; at++) expect(await open(at)).toBe('added');
      // Used, but not noted as used: that is done once in an eighth of the life of a session.
      await Promise.all(Array.from({ length: 20 }, (_, at) => sessions.read(toId(at))));
      time += 99;
      await Promise.all(Array.from({ length: 20 }, (_, at) => sessions.read(toId(at))));
      time += 750;
      expect(await open(20)).toBe('client full');
      replies.length = 0;
      expect(await open(20)).toBe('client full');
      expect(replies.length).toBeLessThan(5);
      time += 60;
      expect(await open(20)).toBe('added');
    });

    test('no key stays for ever: the store removes each after a time that a use renews', async () => {
      const { sessions, connection, prefix } = await openLarge();
      const lives = async () => {
        const keys = await keysOf(connection, `${prefix}:*`);
        const left = await Promise.all(keys.map((key) => connection.run((client) => client.pttl(key))));
        return new Map(keys.map((key, at) => [key, left[at] as number]));
      };
      const before = await lives();
      expect(before.size).toBeGreaterThan(8);
      expect([...before].filter(([, left]) => left < large.ttl / 2)).toEqual([]);
      const lists = [...before.keys()].filter((key) => !key.includes(toId(0).slice(0, -1)));
      for (const key of lists) await connection.run((client) => client.pexpire(key, 60_000));
      await sessions.read(toId(0));
      await expect
        .poll(async () => [...(await lives())].filter(([, left]) => left < large.ttl / 2), {
          timeout: 120_000,
        })
        .toEqual([]);
    });
  });

  test('a session missing from the lists, such as after a jump of the store’s clock, is listed again when it is used', async () => {
    const prefix = newPrefix();
    const connection = await engine.connect();
    const sessions = createRedisSessions(connection, { ...large, renewAfter: 0, prefix });
    const player = `key-${'1'.repeat(64)}`;
    const opener = { player, client: '' };
    const other = 'b'.repeat(32);
    await sessions.create(newSession(id, defaultPractice, 1_000, opener));
    const bytesOf = () =>
      connection.run((client) => client.hget(`${prefix}:sessions:{all}:bytes`, `1000:${id}`));
    const bytes = await bytesOf();
    for (const list of ['all', `player:${player}`])
      await connection.run((client) => client.zadd(`${prefix}:sessions:{${list}}`, 5, `1000:${id}`));
    await sessions.create(newSession(other, defaultPractice, 2_000, opener));
    expect(await sessions.count()).toBe(1);
    expect((await sessions.list(player, { limit: 9, after: undefined }))?.sessions).toHaveLength(1);

    await sessions.read(id);
    await expect.poll(() => sessions.count()).toBe(2);
    const listed = async () =>
      (await sessions.list(player, { limit: 9, after: undefined }))?.sessions.map(
        ({ session }) => session.id,
      );
    await expect.poll(listed).toEqual([id, other]);
    expect(await bytesOf()).toBe(bytes);
  });

  test('a session deleted while its use is being noted does not return to any list', async () => {
    const prefix = newPrefix();
    const connection = await engine.connect();
    const other = createRedisSessions(await engine.connect(), { ...large, prefix });
    let isArmed = false;
    const run: StoreConnection['run'] = async (command) => {
      const isFirst = isArmed;
      isArmed = false;
      const reply = await connection.run(command);
      if (isFirst) await other.delete(id);
      return reply;
    };
    const sessions = createRedisSessions({ ...connection, run }, { ...large, renewAfter: 0, prefix });
    await sessions.create(newSession(id, defaultPractice, 1_000));
    isArmed = true;
    expect(await sessions.read(id)).toBeDefined();
    const isEmpty = async () => (await keysOf(connection, `${prefix}:sessions:{all}`)).length === 0;
    // It is put there, and taken away again.
    for (let quiet = 0; quiet < 10; ) {
      quiet = (await isEmpty()) ? quiet + 1 : 0;
      await sleep(20);
    }
    expect(await other.count()).toBe(0);
  });

  test('a server whose clock jumps by a month drops no session from any list, and opens no limit', async () => {
    const prefix = newPrefix();
    const player = `key-${'1'.repeat(64)}`;
    const sessions = createRedisSessions(await engine.connect(), { ...large, limitPerClient: 2, prefix });
    const ids = ['1', '2', '3'].map((digit) => digit.repeat(32));
    const open = (at: number) =>
      sessions.create(newSession(ids[at] as string, defaultPractice, 1_000, { player, client: '' }));
    const seen = async () => [await open(2), await sessions.count()];
    expect([await open(0), await open(1), ...(await seen())]).toEqual(['added', 'added', 'client full', 2]);
    const jump = vi.spyOn(Date, 'now');
    try {
      for (const days of [30, -30]) {
        jump.mockReturnValue(performance.timeOrigin + days * 86_400_000);
        expect(await seen()).toEqual(['client full', 2]);
      }
    } finally {
      jump.mockRestore();
    }
    await sessions.forget(player);
    expect([await sessions.read(ids[0] as string), await sessions.count()]).toEqual([undefined, 0]);
  });

  describe('with a long session', () => {
    const inputs = 4_000;
    // A wrong key counts, but does not enter the word, so that any number of them is accepted.
    const practice = { ...defaultPractice, rules: { ...defaultPractice.rules, stopOn: 'letter' } } as const;
    const words = 'word '.repeat(1_000).trim().split(' ').map(toWord);
    const typeWrong =
      (count: number) =>
      (session: Session): SessionUpdate<undefined> => {
        let { round } = session;
        for (let at = 0; at < count && round !== null; at++) {
          const reduction = reduceRound(round, newInput('x', 100));
          if ('round' in reduction) round = reduction.round;
        }
        return { session: { ...session, round }, result: undefined };
      };
    const startRound = (roundId: string) => (session: Session) => ({
      session: {
        ...session,
        roundCount: session.roundCount + 1,
        round: newRound(roundId, words, practice),
      },
      result: roundId,
    });
    const openLong = async () => {
      const prefix = newPrefix();
      const options = { ...large, prefix };
      const typist = createRedisSessions(await engine.connect(), options);
      const { connection, replies } = withReplies(await engine.connect());
      const reader = createRedisSessions(connection, options);
      await typist.create(newSession(id, practice, 1_000));
      await typist.update(id, startRound('r'));
      await typist.update(id, typeWrong(inputs));
      return { typist, reader, prefix, connection, replies, sent: () => replies.join('').length };
    };
    const inputsOf = async (sessions: Sessions) => (await sessions.read(id))?.round?.inputCount;

    test('a server that knows it gets only what is new of it, and replays only that', async () => {
      const { typist, reader, replies, sent } = await openLong();
      const first = await reader.read(id);
      expect(first?.round?.inputCount).toBe(inputs);
      await sleep(50);
      replies.length = 0;
      for (let times = 0; times < 5; times += 1) expect(await reader.read(id)).toBe(first);
      expect(sent()).toBeLessThan(100);

      await typist.update(id, typeWrong(3));
      const next = await reader.read(id);
      expect(next?.round?.inputCount).toBe(inputs + 3);
      expect(next?.round?.words).toBe(first?.round?.words);
      expect(next).toEqual(await typist.read(id));
      expect(sent()).toBeLessThan(200);
      expect(await reader.read(id)).toBe(next);
    });

    test('a server that knows it notices a new round, another session with its id, and its end', async () => {
      const { typist, reader } = await openLong();
      expect(await inputsOf(reader)).toBe(inputs);
      await typist.update(id, startRound('r2'));
      expect((await reader.read(id))?.round).toMatchObject({ id: 'r2', inputCount: 0 });
      await typist.delete(id);
      expect(await reader.read(id)).toBeUndefined();
      await typist.create(newSession(id, practice, 2_000));
      expect(await reader.read(id)).toMatchObject({ createdAt: 2_000, round: null });
    });

    test('a server that knows more of it than the store, which has been reset, believes the store', async () => {
      const { typist, reader, prefix, connection } = await openLong();
      await inputsOf(reader);
      const [key] = await keysOf(connection, `${prefix}:*{${id}}:inputs`);
      await connection.run((client) => client.set(key as string, 'x\t1\t0\n'));
      expect(await inputsOf(reader)).toBe(1);
      expect(await inputsOf(typist)).toBe(1);
    });

    test('many first reads at once read it once', async () => {
      const { reader, sent } = await openLong();
      const found = await Promise.all(Array.from({ length: 40 }, () => reader.read(id)));
      expect(new Set(found).size).toBe(1);
      expect(sent()).toBeLessThan(2 * 12 * inputs);
    });

    test('many changes at once on one server do not compete with each other', async () => {
      const { reader, replies } = await openLong();
      const rounds = Array.from({ length: 60 }, (_, at) => `r${at}`);
      let runs = 0;
      const start = (roundId: string) =>
        reader.update(id, (session) => {
          runs += 1;
          return startRound(roundId)(session);
        });
      expect(await Promise.all(rounds.map(start))).toEqual(rounds);
      expect(runs).toBe(60);
      expect(replies.length).toBeLessThan(80);
      expect((await reader.read(id))?.roundCount).toBe(61);
    });

    test('a change that fails does not stop those behind it', async () => {
      const { reader } = await openLong();
      const failing = reader.update(id, () => {
        throw new Error('refused');
      });
      const next = reader.update(id, typeWrong(1));
      await expect(failing).rejects.toThrow('refused');
      await next;
      expect(await inputsOf(reader)).toBe(inputs + 1);
    });

    test('a change is given up, as if the store were away, if other servers keep changing the session', async () => {
      const { typist, prefix, connection } = await openLong();
      let conflicts = 0;
      const run: StoreConnection['run'] = async (command) => {
        // The other server is always faster.
        if (conflicts < 300) {
          conflicts += 1;
          await typist.update(id, typeWrong(1));
        }
        return connection.run(command);
      };
      const slow = createRedisSessions({ ...connection, run }, { ...large, prefix });
      await expect(slow.update(id, typeWrong(1))).rejects.toThrow(StoreUnavailableError);
      expect(conflicts).toBeLessThan(150);
    });
  });

  describe('shared by three servers', () => {
    const openThree = async () => {
      const prefix = newPrefix();
      const open = async () => createRedisSessions(await engine.connect(), { ...large, prefix });
      return [await open(), await open(), await open()] as const;
    };
    const begin = async (sessions: Sessions, words: readonly string[]) => {
      await sessions.create(newSession(id, defaultPractice, 1_000));
      await sessions.update(id, (session) => ({
        session: { ...session, roundCount: 1, round: newRound('r', words.map(toWord), defaultPractice) },
        result: undefined,
      }));
    };
    const type =
      (key: string, seq: number) =>
      (session: Session): SessionUpdate<unknown> => {
        if (session.round === null) throw new Error('no round');
        const reduction = reduceRound(session.round, newInput(key, 100, seq));
        if ('problem' in reduction) return { session, result: reduction.problem.message };
        return { session: { ...session, round: reduction.round }, result: reduction.result };
      };

    test('keys typed on different servers are one round', async () => {
      const servers = await openThree();
      await begin(servers[0], ['über', 'allen']);
      const keys = [...'über', ' ', ...'allen', ' '];
      const results: unknown[] = [];
      for (const [at, key] of keys.entries())
        results.push(await servers[at % 3]?.update(id, type(key, at + 1)));
      expect(results.every((result) => typeof result === 'object')).toBe(true);
      const rounds = await Promise.all(servers.map(async (server) => (await server.read(id))?.round));
      expect(rounds[0]).toMatchObject({ inputCount: 11, lastSeq: 11, progress: { wordIndex: 2 } });
      expect(rounds[1]).toEqual(rounds[0]);
      expect(rounds[2]).toEqual(rounds[0]);
    });

    test('a key that is sent to two servers counts once, and both give the first answer', async () => {
      const servers = await openThree();
      await begin(servers[0], ['word', 'word']);
      for (const [at, key] of [...'word'].entries()) {
        const answers = await Promise.all(servers.map((server) => server.update(id, type(key, at + 1))));
        expect(answers[1]).toEqual(answers[0]);
        expect(answers[2]).toEqual(answers[0]);
      }
      expect((await servers[0].read(id))?.round?.inputCount).toBe(4);
    });

    test('a session deleted by one server is gone from the copies of the others', async () => {
      const servers = await openThree();
      await begin(servers[0], ['word']);
      await servers[1].update(id, type('w', 1));
      await servers[2].delete(id);
      expect(await servers[1].update(id, type('o', 2))).toBeUndefined();
      // A server that is still noting its last use puts it into the lists, and takes it away again.
      await expect.poll(() => servers[0].count()).toBe(0);
    });
  });
});
