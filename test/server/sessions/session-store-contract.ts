import { beforeEach, describe, expect, it } from 'vitest';
import { newSession, type Session } from '../../../src/server/sessions/session.ts';
import type { SessionStore } from '../../../src/server/sessions/session-store.ts';

export interface StoreUnderTest {
  readonly store: SessionStore;
  /** Lets time pass for the store, in milliseconds. */
  pass(ms: number): void;
}

export interface StoreLimits {
  /** Time to live in milliseconds. */
  readonly ttl: number;
  readonly limit: number;
}

/** What every session store must hold. `open` makes an empty one with the given limits; it begins at time 1,000. */
export function describeSessionStore(
  name: string,
  open: (limits: StoreLimits) => Promise<StoreUnderTest>,
): void {
  describe(name, () => {
    let store: SessionStore;
    let pass: StoreUnderTest['pass'];
    beforeEach(async () => {
      ({ store, pass } = await open({ ttl: 100, limit: 3 }));
    });
    const session = (id: string): Session => newSession(id, false, 1_000);
    const rename = (to: number) => (current: Session) => ({
      session: { ...current, roundCount: to },
      result: `was ${current.roundCount}`,
    });

    it('reads back what was created, as plain data', async () => {
      const created = { ...session('a'), punctuation: true };
      expect(await store.create(created)).toBe(true);
      expect(await store.read('a')).toEqual(created);
      expect(JSON.parse(JSON.stringify(await store.read('a')))).toEqual(created);
    });

    it('knows nothing of other ids', async () => {
      await store.create(session('a'));
      expect(await store.read('b')).toBeUndefined();
      expect(await store.update('b', rename(1))).toBeUndefined();
      expect(await store.delete('b')).toBe(false);
    });

    it.each(['__proto__', 'constructor', 'toString', ''])('knows no session %j', async (id) => {
      expect(await store.read(id)).toBeUndefined();
    });

    it('updates a session and hands on the result', async () => {
      await store.create(session('a'));
      expect(await store.update('a', rename(7))).toBe('was 0');
      expect((await store.read('a'))?.roundCount).toBe(7);
    });

    it('loses no update when many come at once', async () => {
      await store.create(session('a'));
      const increment = (current: Session) => ({
        session: { ...current, roundCount: current.roundCount + 1 },
        result: current.roundCount,
      });
      const results = await Promise.all(
        Array.from({ length: 100 }, async () => store.update('a', increment)),
      );
      expect((await store.read('a'))?.roundCount).toBe(100);
      expect(new Set(results).size).toBe(100);
    });

    it('leaves a session as it is when the change throws', async () => {
      await store.create(session('a'));
      const failing = () => {
        throw new Error('no');
      };
      await expect((async () => store.update('a', failing))()).rejects.toThrow('no');
      expect((await store.read('a'))?.roundCount).toBe(0);
    });

    it('never changes what was handed out', async () => {
      await store.create(session('a'));
      const before = await store.read('a');
      await store.update('a', rename(9));
      expect(before?.roundCount).toBe(0);
    });

    it('removes a session once', async () => {
      await store.create(session('a'));
      expect(await store.delete('a')).toBe(true);
      expect(await store.delete('a')).toBe(false);
      expect(await store.read('a')).toBeUndefined();
      expect(await store.count()).toBe(0);
    });

    it('lists and counts its sessions, oldest first', async () => {
      for (const id of ['b', 'a', 'c']) await store.create(session(id));
      await store.update('b', rename(1));
      expect(await idsOf(store)).toEqual(['b', 'a', 'c']);
      expect(await store.count()).toBe(3);
    });

    it('refuses more sessions than its limit, until one goes', async () => {
      for (const id of ['a', 'b', 'c']) expect(await store.create(session(id))).toBe(true);
      expect(await store.create(session('d'))).toBe(false);
      expect(await store.read('d')).toBeUndefined();
      await store.delete('b');
      expect(await store.create(session('d'))).toBe(true);
    });

    it('lets a session go that was not used for its time to live', async () => {
      await store.create(session('a'));
      pass(99);
      await store.create(newSession('b', false, 1_099));
      expect(await store.count()).toBe(2);
      pass(1);
      expect(await store.read('a')).toBeUndefined();
      expect(await store.update('a', rename(1))).toBeUndefined();
      expect(await store.delete('a')).toBe(false);
      expect(await idsOf(store)).toEqual(['b']);
      expect(await store.count()).toBe(1);
    });

    it('renews a session whenever it is read or updated, and says when that was', async () => {
      await store.create(session('a'));
      for (let time = 0; time < 5; time++) {
        pass(60);
        await (time % 2 === 0 ? store.read('a') : store.update('a', rename(time)));
      }
      expect(await store.list()).toMatchObject([{ session: { createdAt: 1_000 }, lastUsed: 1_300 }]);
    });

    it('makes room where sessions have run out of time', async () => {
      for (const id of ['a', 'b', 'c']) await store.create(session(id));
      pass(100);
      expect(await store.create(newSession('d', false, 1_100))).toBe(true);
      expect(await store.count()).toBe(1);
    });
  });
}

async function idsOf(store: SessionStore): Promise<string[]> {
  return (await store.list()).map(({ session }) => session.id);
}
