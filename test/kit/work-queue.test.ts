import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWorkQueue } from '../../src/kit/work-queue.ts';

test('law: work is done in order, one at a time, and each caller gets their own result', async () => {
  const work = fc.record({ fails: fc.boolean(), ms: fc.nat(2) });
  await fc.assert(
    fc.asyncProperty(fc.array(work, { maxLength: 12 }), async (all) => {
      const queue = createWorkQueue();
      const log: string[] = [];
      const results = all.map(({ fails, ms }, at) =>
        queue.run(async () => {
          log.push(`begin ${at}`);
          await sleep(ms);
          log.push(`end ${at}`);
          if (fails) throw new Error(`failed ${at}`);
          return at;
        }),
      );
      const settled = Promise.allSettled(results);
      await queue.settle();
      expect(log).toEqual(all.flatMap((_, at) => [`begin ${at}`, `end ${at}`]));
      expect((await settled).map(({ status }) => status)).toEqual(
        all.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')),
      );
    }),
    { numRuns: 20 },
  );
});

test('an idle queue settles at once', async () => {
  await createWorkQueue().settle();
});
