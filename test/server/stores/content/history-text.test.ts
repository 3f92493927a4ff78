import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HistoryFile } from '../../../../src/announcements/announcement.ts';
import {
  toHistoryText,
  writeHistoryText,
} from '../../../../src/server/stores/content/history/history-text.ts';

/** Their number around that of a portion, since the seams between portions are what may go wrong. */
const list = fc
  .tuple(fc.constantFrom(0, 1, 2, 99, 100, 101, 199, 200, 201, 350), fc.jsonValue())
  .map(([length, value]) => Array.from({ length }, (_, at) => ({ id: `a${at}`, value })));

test('writing in portions gives the same text as JSON.stringify', async () => {
  const history = fc.record({
    version: fc.constant(1),
    announcements: list,
    changes: list,
    unknown: fc.oneof(fc.jsonValue(), fc.constant(undefined)),
    'odd "name"': fc.array(fc.nat(), { maxLength: 120 }),
  });
  await fc.assert(
    fc.asyncProperty(history, async (each) => {
      const file = each as unknown as HistoryFile;
      expect(await writeHistoryText(file)).toBe(`${JSON.stringify(file, null, 2)}\n`);
      expect(toHistoryText(file)).toBe(`${JSON.stringify(file, null, 2)}\n`);
    }),
    { numRuns: 200 },
  );
});
