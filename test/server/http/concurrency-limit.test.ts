import { expect, test } from 'vitest';
import { createConcurrencyLimit } from '../../../src/server/http/concurrency-limit.ts';

test('as many requests are under way as one owner and all together may have, and a finished one makes room', async () => {
  const limit = createConcurrencyLimit({ each: 2, total: 3 });
  const ends: (() => void)[] = [];
  const run = (owner: string) => limit(owner, () => new Promise<void>((resolve) => ends.push(resolve)));
  const refused = { code: 'RATE_LIMITED' };
  for (let time = 0; time < 3; time += 1) {
    const running = [run('a'), run('a'), run('b')];
    for (const owner of ['a', 'b', 'c']) await expect(run(owner)).rejects.toMatchObject(refused);
    ends.pop()?.();
    await running.pop();
    await expect(run('a')).rejects.toMatchObject(refused);
    for (const end of ends.splice(0)) end();
    await Promise.all(running);
  }
});

test('a request that fails makes room, too', async () => {
  const limit = createConcurrencyLimit({ each: 1, total: 1 });
  for (let time = 0; time < 3; time += 1)
    await expect(limit('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});
