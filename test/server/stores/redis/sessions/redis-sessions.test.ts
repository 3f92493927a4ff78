import { describe, expect, test } from 'vitest';
import type { Change, Sessions } from '../../../../../src/server/stores/ports.ts';
import { createRedisSessions } from '../../../../../src/server/stores/redis/sessions/redis-sessions.ts';
import { newSession, type Session } from '../../../../../src/server/stores/session.ts';
import { defaultPractice } from '../../../../../src/typing/modes/practice.ts';
import { newRound, reduceRound } from '../../../../../src/typing/round.ts';
import { newInput } from '../../../../../src/typing/round-input.ts';
import { toWord } from '../../../../../src/typing/rules/word.ts';
import { describeOnEveryStore } from '../../../../support/redis/every-store.ts';
import { describeSessions } from '../../sessions-contract.ts';

let prefixes = 0;
const newPrefix = () => `test-${++prefixes}`;
const id = 'a'.repeat(32);
const large = { ttl: 3_600_000, limit: 1_000, cacheMemory: 1e7 };

describeOnEveryStore('sessions', (engine) => {
  describeSessions('as the contract asks', async ({ ttl, limit, limitPerClient }) => {
    let time = 1_000;
    const options = {
      ttl,
      limit,
      limitPerClient,
      cacheMemory: 1e6,
      clock: () => time,
      renewAfter: 0,
      expiry: 60_000,
    };
    const store = createRedisSessions(await engine.connect(), { ...options, prefix: newPrefix() });
    return {
      store,
      pass(ms) {
        time += ms;
      },
    };
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
      (session: Session): Change<unknown> => {
        if (session.round === null) throw new Error('no round');
        const reduction = reduceRound(session.round, newInput(key, 100, seq));
        if ('problem' in reduction) return { session, result: reduction.problem.message };
        return { session: { ...session, round: reduction.round }, result: reduction.result };
      };

    test('keys typed on one after another are one round', async () => {
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

    test('what one server deletes is gone for the copies of the others', async () => {
      const servers = await openThree();
      await begin(servers[0], ['word']);
      await servers[1].update(id, type('w', 1));
      await servers[2].delete(id);
      expect(await servers[1].update(id, type('o', 2))).toBeUndefined();
      expect(await servers[0].count()).toBe(0);
    });
  });
});
