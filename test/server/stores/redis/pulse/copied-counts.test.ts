import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportCounts, importCounts } from '../../../../../src/cli/commands/store/sides/copy-counts.ts';
import type { PulseCount } from '../../../../../src/server/stores/pulse-tally.ts';
import { createCopiedCounts } from '../../../../../src/server/stores/redis/pulse/copied-counts.ts';
import { createPulseCounts } from '../../../../../src/server/stores/redis/pulse/pulse-counts.ts';
import { describeOnEveryStore } from '../../../../support/redis/every-store.ts';

const click = (count: number, day = '2026-11-22') =>
  ({ day, announcement: '2026-001', event: 'click', site: 'example.org', count }) as const;

describeOnEveryStore('counters of folders and of a store', (store) => {
  let prefixes = 0;
  const open = async () => {
    const connection = await store.connect();
    return () => {
      const prefix = `copied-${++prefixes}`;
      const counts = createPulseCounts(connection, prefix);
      return { ...createCopiedCounts(connection, prefix), read: () => counts.read(''), count: counts.add };
    };
  };
  /** A folder that a server counts in while it is not copied. */
  const newFolder = (name: string) => {
    const counts = new Map<string, PulseCount>();
    const set = (count: PulseCount) => void counts.set(count.day, count);
    return {
      read: async () => [...counts.values()],
      id: async () => name,
      raise: async (raised: readonly PulseCount[]) => raised.forEach(set),
      count: (more: number, day?: string) => {
        const { day: key } = click(0, day);
        set(click((counts.get(key)?.count ?? 0) + more, day));
      },
    };
  };

  test('the counts of a folder are added once, and later ones are added to them', async () => {
    const side = (await open())();
    const folder = newFolder('one');
    folder.count(10);
    expect(await importCounts(folder, side)).toEqual({ found: 1, added: 1 });
    expect(await importCounts(folder, side)).toEqual({ found: 1, added: 0 });
    folder.count(5);
    await side.count('batch', [click(100)]);
    expect(await importCounts(folder, side)).toEqual({ found: 1, added: 1 });
    expect(await side.read()).toEqual([click(115)]);
  });

  test('folders of several servers add up, even with thousands of counters', async () => {
    const side = (await open())();
    const many = Array.from({ length: 1_234 }, (_, at) => ({ ...click(2), site: `s${at}.example` }));
    for (const id of ['one', 'other']) expect(await side.add(id, many)).toBe(1_234);
    const counts = await side.read();
    expect([counts.length, new Set(counts.map(({ count }) => count))]).toEqual([1_234, new Set([4])]);
  });

  test('law: however servers count and counts are copied in both directions, nothing is lost or counted twice', async () => {
    const openSide = await open();
    const act = fc.oneof(
      fc.record({
        kind: fc.constant('count' as const),
        where: fc.constantFrom(0, 1, 2),
        more: fc.integer({ min: 1, max: 9 }),
      }),
      fc.record({
        kind: fc.constantFrom('import' as const, 'export' as const),
        where: fc.constantFrom(0, 1),
        more: fc.constant(0),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 20 }), async (acts) => {
        const side = openSide();
        const folders = [newFolder('one'), newFolder('other')] as const;
        let total = 0;
        for (const [at, each] of acts.entries()) {
          const folder = folders[each.where === 1 ? 1 : 0];
          if (each.kind === 'import') await importCounts(folder, side);
          else if (each.kind === 'export') await exportCounts(side, folder);
          else {
            total += each.more;
            if (each.where === 2) await side.count(`batch-${at}`, [click(each.more)]);
            else folder.count(each.more);
          }
        }
        for (const folder of folders) await importCounts(folder, side);
        expect((await side.read()).map(({ count }) => count)).toEqual(total === 0 ? [] : [total]);
        for (const folder of folders) {
          await exportCounts(side, folder);
          expect(await folder.read()).toEqual(await side.read());
        }
      }),
      { numRuns: 40 },
    );
  });
});
