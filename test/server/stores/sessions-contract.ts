import { beforeEach, describe, expect, it } from 'vitest';
import { defaultSetup, newSession, type Session } from '../../../src/server/stores/session.ts';
import type { SessionPage, Sessions } from '../../../src/server/stores/sessions.ts';
import { labelEntries } from '../../../src/typing/labels.ts';
import { type Mode, modes, modeTypes } from '../../../src/typing/modes/mode.ts';
import { defaultPractice } from '../../../src/typing/modes/practice.ts';

export interface StoreUnderTest {
  readonly store: Sessions;
  /** Lets time pass for the store, in milliseconds. */
  pass(ms: number): Promise<void>;
}

export interface StoreLimits {
  /** Time to live in milliseconds. */
  readonly ttl: number;
  readonly limit: number;
  /** Sessions of one player, and of one client; default: as many as there is room for. */
  readonly limitPerClient?: number;
}

const all = { limit: 1_000, after: undefined };
/** Ids as the server makes them. */
const [a, b, c, d] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32), 'd'.repeat(32)];

const setup = { ...defaultSetup, ...labelEntries((_, name) => `a ${name}`) };
const session = (id: string): Session => newSession(id, setup, 1_000);
const rename = (to: number) => (current: Session) => ({
  session: { ...current, roundCount: to },
  result: `was ${current.roundCount}`,
});

/** What every session store must hold. `open` makes an empty one with the given limits; it begins at time 1,000. */
export function describeSessions(name: string, open: (limits: StoreLimits) => Promise<StoreUnderTest>): void {
  describe(name, () => {
    let store: Sessions;
    let pass: StoreUnderTest['pass'];
    beforeEach(async () => {
      ({ store, pass } = await open({ ttl: 100, limit: 3 }));
    });
    it.each(modeTypes)('returns what was created, as plain data, in the mode %s', async (type) => {
      const mode = modes[type].example as Mode;
      const practice = { ...defaultPractice, mode, language: 'de', layout: 'my-layout' };
      const created = { ...session(a), practice: { ...practice, punctuation: true } };
      expect(await store.create(created)).toBe('added');
      expect(await store.read(a)).toEqual(created);
      expect(JSON.parse(JSON.stringify(await store.read(a)))).toEqual(created);
    });

    it('knows nothing of other ids', async () => {
      await store.create(session(a));
      expect(await store.read(b)).toBeUndefined();
      expect(await store.update(b, rename(1))).toBeUndefined();
      expect(await store.delete(b)).toBe(false);
      for (const id of ['__proto__', 'constructor', 'toString', ''])
        expect(await store.read(id)).toBeUndefined();
    });

    it('updates a session, returns the result, and never changes a session that it has returned', async () => {
      await store.create(session(a));
      const before = await store.read(a);
      expect(await store.update(a, rename(7))).toBe('was 0');
      expect([before?.roundCount, (await store.read(a))?.roundCount]).toEqual([0, 7]);
    });

    it('loses no update when many come at once', async () => {
      await store.create(session(a));
      const increment = (current: Session) => ({
        session: { ...current, roundCount: current.roundCount + 1 },
        result: current.roundCount,
      });
      const results = await Promise.all(Array.from({ length: 100 }, async () => store.update(a, increment)));
      expect((await store.read(a))?.roundCount).toBe(100);
      expect(new Set(results).size).toBe(100);
    });

    it('leaves a session as it is if the change throws', async () => {
      await store.create(session(a));
      const failing = () => {
        throw new Error('no');
      };
      await expect((async () => store.update(a, failing))()).rejects.toThrow('no');
      expect((await store.read(a))?.roundCount).toBe(0);
    });

    it('refuses more sessions than its limit, until one is gone', async () => {
      for (const id of [a, b, c]) expect(await store.create(session(id))).toBe('added');
      expect(await store.create(session(d))).toBe('store full');
      expect(await store.read(d)).toBeUndefined();
      expect([await store.delete(b), await store.delete(b)]).toEqual([true, false]);
      expect(await store.create(session(d))).toBe('added');
      await pass(100);
      expect(await store.create(newSession(b, defaultSetup, 1_100))).toBe('added');
      expect(await store.count()).toBe(1);
    });

    it('drops a session that was unused for its time to live', async () => {
      await store.create(session(a));
      await pass(99);
      await store.create(newSession(b, defaultSetup, 1_099));
      expect(await store.count()).toBe(2);
      await pass(1);
      expect(await store.read(a)).toBeUndefined();
      expect(await store.update(a, rename(1))).toBeUndefined();
      expect(await store.delete(a)).toBe(false);
      expect(await idsOf(store)).toEqual([b]);
      expect(await store.count()).toBe(1);
    });

    it('renews a session whenever it is read or updated, and says when that was', async () => {
      await store.create(session(a));
      for (let time = 0; time < 5; time++) {
        await pass(60);
        await (time % 2 === 0 ? store.read(a) : store.update(a, rename(time)));
      }
      expect((await store.list('local', all))?.sessions).toMatchObject([
        { createdAt: 1_000, lastUsed: 1_300 },
      ]);
    });

    it('lists a player only their own sessions, oldest first, in pages that together are all of them', async () => {
      const mine = { player: `key-${'1'.repeat(64)}`, address: '' };
      for (const [at, id] of [b, a].entries())
        await store.create(newSession(id, defaultSetup, 1_000 + at, mine));
      await store.create(session(c));
      await store.update(b, rename(1));
      expect([idsIn(await store.list(mine.player, all)), await store.count()]).toEqual([[b, a], 3]);
      expect(await store.list(mine.player, { limit: 1, after: undefined })).toMatchObject({ next: b });
      const rest = await store.list(mine.player, { limit: 1, after: b });
      expect([idsIn(rest), rest?.next]).toEqual([[a], undefined]);
      expect(await store.list(mine.player, { limit: 1, after: c })).toBeUndefined();
      expect(await store.list('local', { limit: 1, after: a })).toBeUndefined();
    });

    describe('for many players and clients', () => {
      let opened = 0;
      const add = (player: string, client: string, block?: string) => {
        const id = (++opened).toString(16).padStart(32, '0');
        const opener = { player: keyOf(player), address: addressOf(client) };
        const caller = block === undefined ? opener : { ...opener, block: addressOf(block) };
        return store.create(newSession(id, defaultSetup, 1_000, caller));
      };
      beforeEach(async () => {
        ({ store, pass } = await open({ ttl: 100, limit: 100, limitPerClient: 2 }));
      });

      it('limits the sessions of one player and of one client, whatever keys and addresses they use', async () => {
        expect([await add('1', 'a'), await add('1', 'b')]).toEqual(['added', 'added']);
        expect(await add('1', 'c')).toBe('client full');
        expect([await add('2', 'a'), await add('3', 'a')]).toEqual(['added', 'client full']);
        expect((await store.list(keyOf('3'), all))?.sessions).toEqual([]);
        expect(await add('4', 'c')).toBe('added');
        await pass(100);
        expect(await add('3', 'a')).toBe('added');
      });

      it('limits the sessions of all clients in one block, whatever addresses they use', async () => {
        const answers: string[] = [];
        for (const client of 'abcdef0123456789A') {
          for (const key of 'xy') answers.push(await add(client + key, client, 'block'));
        }
        expect(answers.slice(0, 32)).toEqual(Array(32).fill('added'));
        expect(answers.slice(32)).toEqual(['client full', 'client full']);
        expect(await add('other', 'other', 'other block')).toBe('added');
        const [gone] = (await store.list(keyOf('ax'), all))?.sessions ?? [];
        expect(await store.delete(gone?.id ?? '')).toBe(true);
        expect([await add('Ax', 'A', 'block'), await add('Ay', 'A', 'block')]).toEqual([
          'added',
          'client full',
        ]);
      });
    });
  });
}

const keyOf = (name: string) => `key-${digitsOf(name)}`;
const addressOf = (name: string) => `address-${digitsOf(name)}`;
/** As a hash looks: the same for the same name. */
const digitsOf = (name: string) => Buffer.from(name).toString('hex').padStart(64, '0');

function idsIn(page: SessionPage | undefined): string[] {
  return (page?.sessions ?? []).map(({ id }) => id);
}

async function idsOf(store: Sessions): Promise<string[]> {
  return idsIn(await store.list('local', all));
}
