import { expect, test } from 'vitest';
import {
  createCountedLists,
  type ListRoom,
} from '../../../../../src/server/stores/redis/lists/counted-lists.ts';
import { describeOnEveryStore } from '../../../../support/redis/every-store.ts';

const infinite = Number.POSITIVE_INFINITY;
const room = (bounds: Partial<ListRoom>) => ({
  entries: infinite,
  bytes: infinite,
  unused: infinite,
  ...bounds,
});
const use = (id: string, usedAt: number, bytes = 0) => ({ id, createdAt: 1_000, usedAt, bytes });

describeOnEveryStore('lists that count', (store) => {
  const open = async (prefix: string) =>
    createCountedLists(await store.connect(), { root: prefix, expiry: 60_000, clock: () => 10_000 });
  const idsOf = async (lists: Awaited<ReturnType<typeof open>>) =>
    (await lists.entries('p')).map(({ id }) => id);

  test('a list accepts entries up to its limit, oldest first, and drops those unused for too long', async () => {
    const lists = await open('a');
    expect(await lists.note('p', use('b', 2_500), room({ entries: 2 }))).toBe(true);
    expect(await lists.note('p', { ...use('a', 2_000), createdAt: 900 }, room({ entries: 2 }))).toBe(true);
    expect(await lists.note('p', use('c', 2_500), room({ entries: 2 }))).toBe(false);
    expect(await idsOf(lists)).toEqual(['a', 'b']);
    expect((await lists.unusedFor('p', 8_000)).map(({ id }) => id)).toEqual(['a']);
    expect(await lists.note('p', use('c', 2_600), room({ entries: 2, unused: 600 }))).toBe(true);
    expect(await idsOf(lists)).toEqual(['b', 'c']);
    expect(await lists.entries('q')).toEqual([]);
  });

  test('a use makes an entry newer, never older, and does not add a missing one', async () => {
    const lists = await open('b');
    await lists.note('p', use('a', 2_000), room({}));
    expect(await lists.renew('p', use('a', 9_000))).toBe(true);
    expect(await lists.renew('p', use('gone', 9_000))).toBe(false);
    await lists.note('p', use('a', 5_000), room({}));
    expect([await lists.countUsed('p', 1_001), await lists.countUsed('p', 1_000)]).toEqual([1, 0]);
    await lists.remove('p', [use('a', 0), use('gone', 0)]);
    expect(await idsOf(lists)).toEqual([]);
  });

  test('a list accepts bytes up to its limit: each entry counts with the most that it ever took, until it is removed', async () => {
    const lists = await open('c');
    const note = (id: string, usedAt: number, bytes: number, unused = infinite) =>
      lists.note('p', use(id, usedAt, bytes), room({ bytes: 100, unused }));
    expect(await note('a', 2_000, 40)).toBe(true);
    expect(await note('b', 2_000, 61)).toBe(false);
    expect(await idsOf(lists)).toEqual(['a']);
    expect(await note('b', 2_000, 60)).toBe(true);
    expect([await note('a', 2_001, 41), await note('a', 2_001, 10), await note('c', 2_001, 1)]).toEqual([
      false,
      true,
      false,
    ]);
    await lists.remove('p', [use('b', 0)]);
    expect([await note('c', 3_000, 61), await note('c', 3_000, 60)]).toEqual([false, true]);
    expect(await note('d', 4_000, 100, 1_001)).toBe(false);
    expect(await note('d', 4_000, 100, 1_000)).toBe(true);
    expect(await idsOf(lists)).toEqual(['d']);
  });

  test('more than a thousand unused entries are dropped at once', async () => {
    const lists = await open('d');
    const ids = Array.from({ length: 2_345 }, (_, at) => `s${at}`);
    await Promise.all(ids.map((id) => lists.note('p', use(id, 2_000, 1), room({}))));
    expect(await lists.note('p', use('new', 3_000, 5), room({ entries: 1, bytes: 5, unused: 1_000 }))).toBe(
      true,
    );
    expect(await idsOf(lists)).toEqual(['new']);
  });
});
