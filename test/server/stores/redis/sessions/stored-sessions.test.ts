import { expect, test } from 'vitest';
import { createCountedLists } from '../../../../../src/server/stores/redis/lists/counted-lists.ts';
import { createRedisSessions } from '../../../../../src/server/stores/redis/sessions/redis-sessions.ts';
import { everybody } from '../../../../../src/server/stores/redis/sessions/session-shares.ts';
import { createStoredSessions } from '../../../../../src/server/stores/redis/sessions/stored-sessions.ts';
import { newSession } from '../../../../../src/server/stores/session.ts';
import { defaultPractice } from '../../../../../src/typing/modes/practice.ts';
import { describeOnEveryStore } from '../../../../support/redis/every-store.ts';

const ttl = 3_600_000;
const toId = (at: number) => at.toString(16).padStart(32, '0');
const sessionOf = (at: number) => newSession(toId(at), defaultPractice, 1_000);

describeOnEveryStore('sessions that are copied into a store', (engine) => {
  const open = async (prefix: string) => {
    const connection = await engine.connect();
    return {
      stored: createStoredSessions(connection, { prefix, ttl }),
      sessions: createRedisSessions(connection, { prefix, ttl, limit: 1_000, cacheMemory: 0 }),
      lists: createCountedLists(connection, { root: `${prefix}:sessions`, expiry: 2 * ttl }),
    };
  };

  test('keep the time of their last use, and are listed and counted', async () => {
    const { stored, sessions } = await open('a');
    const lastUsed = Date.now() - 60_000;
    expect(await stored.add({ session: sessionOf(1), lastUsed })).toBe(true);
    const page = await sessions.list('local', { limit: 10, after: undefined });
    expect(page?.sessions).toEqual([{ session: { id: toId(1), createdAt: 1_000 }, lastUsed }]);
    expect(await sessions.count()).toBe(1);
  });

  test('never replace one that is in use while several people copy', async () => {
    const { stored, sessions } = await open('b');
    const ids = Array.from({ length: 20 }, (_, at) => at);
    const lastUsed = Date.now() - 1_000;
    const addThenUse = async (at: number) => {
      const isAdded = await stored.add({ session: sessionOf(at), lastUsed });
      if (isAdded)
        await sessions.update(toId(at), (session) => ({
          session: { ...session, roundCount: 7 },
          result: true,
        }));
      return isAdded;
    };
    for (const at of ids) {
      const added = await Promise.all(Array.from({ length: 4 }, () => addThenUse(at)));
      expect(added.filter((isAdded) => isAdded)).toHaveLength(1);
    }
    for (const at of ids) expect((await sessions.read(toId(at)))?.roundCount).toBe(7);
  });

  test('do not age an existing one: copying an older state leaves its last use', async () => {
    const { stored, sessions, lists } = await open('c');
    await sessions.create(sessionOf(1));
    expect(await stored.add({ session: sessionOf(1), lastUsed: 5_000 })).toBe(false);
    // What is dropped from this list is no longer counted or exported.
    expect(await lists.countUsed(everybody, ttl)).toBe(1);
    expect(await sessions.read(toId(1))).toEqual(sessionOf(1));
  });
});
