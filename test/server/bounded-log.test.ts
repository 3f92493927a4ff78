import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundLines } from '../../src/server/settings/bounded-log.ts';

test('law: ten lines are logged in a minute, and none is missing without being counted', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20_000), { maxLength: 200 }), (pauses) => {
      let now = 1_000_000;
      const lines: { at: number; leftOut: number }[] = [];
      const log = boundLines(
        (_, { left_out = 0 }) => lines.push({ at: now, leftOut: Number(left_out) }),
        () => now,
      );
      for (const pause of pauses) {
        now += pause;
        log('full', {});
      }
      now += 60_000;
      log('full', {});
      const leftOut = lines.reduce((sum, line) => sum + line.leftOut, 0);
      expect(lines.length + leftOut).toBe(pauses.length + 1);
      // Two neighbouring minutes may share a stretch of that length.
      for (const { at } of lines)
        expect(lines.filter((line) => line.at >= at && line.at < at + 60_000).length).toBeLessThanOrEqual(20);
    }),
  );
});
