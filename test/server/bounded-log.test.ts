import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { boundLines } from '../../src/server/settings/bounded-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('law: ten lines of a message are logged in a minute, and none is missing without being counted', () => {
  const event = fc.tuple(fc.nat(20_000), fc.constantFrom('full', 'away'));
  fc.assert(
    fc.property(fc.array(event, { maxLength: 200 }), (events) => {
      const lines: { message: string; at: number; leftOut: number | undefined }[] = [];
      const log = boundLines((message, { left_out }) =>
        lines.push({ message, at: Date.now(), leftOut: left_out as number | undefined }),
      );
      for (const [pause, message] of events) {
        vi.advanceTimersByTime(pause);
        log(message, {});
      }
      vi.advanceTimersByTime(60_000);
      for (const message of ['full', 'away']) {
        const own = lines.filter((line) => line.message === message);
        const shown = own.filter(({ leftOut }) => leftOut === undefined);
        const leftOut = own.reduce((sum, line) => sum + (line.leftOut ?? 0), 0);
        expect(shown.length + leftOut).toBe(events.filter(([, one]) => one === message).length);
        // A stretch of that length may lie in two minutes.
        for (const { at } of shown)
          expect(shown.filter((line) => line.at >= at && line.at < at + 60_000).length).toBeLessThanOrEqual(
            20,
          );
      }
    }),
  );
});

test('a flood of one message does not hide another, and made-up ones are bounded together', () => {
  const lines: string[] = [];
  const log = boundLines((message) => lines.push(message));
  for (let time = 0; time < 1_000; time += 1) log('full', {});
  log('away', {});
  for (let time = 0; time < 1_000; time += 1) log(`made up ${time}`, {});
  expect(lines.filter((line) => line === 'full')).toHaveLength(10);
  expect(lines).toContain('away');
  expect(lines.length).toBeLessThan(50);
});
