import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  maxCounters,
  type Pulse,
  type PulseCount,
  type PulseKey,
  pulseEvents,
} from '../../../src/server/stores/pulse.ts';

const toText = ({ day, announcement, event, site }: PulseKey) => `${day} ${announcement} ${event} ${site}`;

/** Counts by their names, as they add up. */
function byKey(counts: readonly PulseCount[]): Record<string, number> {
  return Object.fromEntries(counts.map((count) => [toText(count), count.count]));
}

const sumOf = (counts: readonly PulseCount[]) => counts.reduce((sum, { count }) => sum + count, 0);
export const click: PulseKey = {
  day: '2026-11-22',
  announcement: '2026-001',
  event: 'click',
  site: 'example.org',
};

/** What every store of counts must hold. `open` opens one more server's view of a store that is empty at first. */
export function describePulse(name: string, open: () => Promise<Pulse>): void {
  describe(name, () => {
    let pulse: Pulse;
    beforeEach(async () => {
      pulse = await open();
    });

    it('has no counts at first', async () => {
      await pulse.save();
      expect(await pulse.read('2000-01-01')).toEqual([]);
    });

    it('returns saved counts to every server, from the requested day on', async () => {
      pulse.count({ ...click, day: '2026-10-31' });
      pulse.count(click);
      pulse.count(click);
      await pulse.save();
      const other = await open();
      expect(byKey(await other.read('2026-11-22'))).toEqual({ [toText(click)]: 2 });
      expect(sumOf(await other.read('2026-10-31'))).toBe(3);
      expect(await other.read('2026-11-23')).toEqual([]);
    });

    it('counts once what is saved several times, even simultaneously', async () => {
      pulse.count(click);
      await Promise.all([pulse.save(), pulse.save(), pulse.save()]);
      await pulse.save();
      expect(sumOf(await pulse.read('2026-11-22'))).toBe(1);
    });

    it('goes on naming sites after there were more of them than fit in memory, if it could save in between', async () => {
      const names: Record<string, number> = {};
      for (let part = 0; part < 3; part += 1) {
        pulse.count(click);
        for (let number = 0; number < 0.6 * maxCounters; number += 1) {
          const site = `${part}-${number}.example`;
          pulse.count({ ...click, site });
          names[toText({ ...click, site })] = 1;
        }
        await pulse.save();
      }
      const counts = byKey(await pulse.read('2026-11-22'));
      expect(counts).toEqual({ ...names, [toText(click)]: 3 });
    });

    it('adds up what three servers count and save in any order', async () => {
      const key = fc.record({
        day: fc.constantFrom('2026-11-21', '2026-11-22'),
        announcement: fc.constantFrom('2026-001', '2026-002'),
        event: fc.constantFrom(...pulseEvents),
        site: fc.constantFrom('a.example', 'b.example:8443', 'other'),
      });
      const step = fc.record({ server: fc.nat(2), key, saves: fc.boolean() });
      const expected: Record<string, number> = {};
      const servers = [pulse, await open(), await open()];
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          for (const { server, key, saves } of steps) {
            servers[server]?.count(key);
            expected[toText(key)] = (expected[toText(key)] ?? 0) + 1;
            if (saves) await servers[server]?.save();
          }
          await Promise.all(servers.map((each) => each.save()));
          expect(byKey(await pulse.read('2000-01-01'))).toEqual(expected);
        }),
        { numRuns: 10 },
      );
    });
  });
}
