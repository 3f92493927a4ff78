import { expect, test } from 'vitest';
import { createPulseCounts } from '../../../../../src/server/stores/redis/pulse/pulse-counts.ts';
import { describeOnEveryStore } from '../../../../support/redis/every-store.ts';

const click = (day: string, count: number, site = 'example.org') =>
  ({ day, announcement: '2026-001', event: 'click', site, count }) as const;

describeOnEveryStore('counts of the badge', (store) => {
  const open = async (prefix: string) => createPulseCounts(await store.connect(), prefix);

  test('counts of several servers add up, by day, announcement, event and site', async () => {
    const [one, other] = [await open('a'), await open('a')];
    await one.add('batch-1', [
      click('2026-11-21', 2),
      click('2026-11-22', 1),
      click('2026-11-22', 5, 'b.example'),
    ]);
    await other.add('batch-2', [click('2026-11-22', 10)]);
    expect(await other.read('2026-11-22')).toEqual(
      expect.arrayContaining([click('2026-11-22', 11), click('2026-11-22', 5, 'b.example')]),
    );
    expect(await one.read('2026-11-22')).toHaveLength(2);
    expect(await one.read('2026-01-01')).toHaveLength(3);
  });

  test('a batch whose reply was lost is sent again and counted once', async () => {
    const counts = await open('b');
    const batches = Array.from({ length: 20 }, (_, at) =>
      counts.add(`batch-${at % 4}`, [click('2026-11-22', 195)]),
    );
    await Promise.all(batches);
    expect(await counts.read('2026-11-22')).toEqual([click('2026-11-22', 4 * 195)]);
  });
});
