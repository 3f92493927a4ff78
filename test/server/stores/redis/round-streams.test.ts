import { expect, test } from 'vitest';
import {
  createRoundStreams,
  type StreamPosition,
} from '../../../../src/server/stores/redis/round-streams.ts';
import { describeOnEveryStore } from '../../../support/redis/every-store.ts';

const round = (number: number) => ({ id: `round-${number}`, line: `{"n":${number}}` });
const all = { rounds: Number.POSITIVE_INFINITY, since: Number.NEGATIVE_INFINITY };
const atMost = (rounds: number) => ({ ...all, rounds });

describeOnEveryStore('streams of rounds', (store) => {
  const open = async (prefix: string) => createRoundStreams(await store.connect(), prefix);

  test('a round that three servers add at once is there once', async () => {
    const servers = await Promise.all([open('a'), open('a'), open('a')]);
    await Promise.all(servers.flatMap((server) => [1, 2, 3].map((n) => server.add('p', [round(n)], all))));
    const { lines } = await (servers[0] as (typeof servers)[number]).read('p', undefined, 100);
    expect([...lines].sort()).toEqual([1, 2, 3].map((n) => round(n).line));
  });

  test('a reader goes on where it stopped, in portions', async () => {
    const streams = await open('b');
    await streams.add('p', [1, 2, 3, 4, 5].map(round), all);
    const seen: string[] = [];
    let position: StreamPosition | undefined;
    for (;;) {
      const part = await streams.read('p', position, 2);
      seen.push(...part.lines);
      position = part.position;
      if (part.lines.length === 0) break;
    }
    expect(seen).toEqual([1, 2, 3, 4, 5].map((n) => round(n).line));
    await streams.add('p', [round(6)], all);
    const more = await streams.read('p', position, 100);
    expect(more).toMatchObject({ lines: [round(6).line], continues: true });
  });

  test('players are apart', async () => {
    const streams = await open('c');
    await streams.add('p', [round(1)], all);
    expect((await streams.read('q', undefined, 10)).lines).toEqual([]);
    expect((await streams.read('p', undefined, 10)).lines).toHaveLength(1);
  });

  test('only the newest are kept, a few more until it is worth removing them, and what was removed may come again', async () => {
    const streams = await open('d');
    const numbers = Array.from({ length: 100 }, (_, at) => at);
    for (const number of numbers) await streams.add('p', [round(number)], atMost(40));
    const { lines } = await streams.read('p', undefined, 200);
    expect(lines.length).toBeGreaterThanOrEqual(40);
    expect(lines.length).toBeLessThanOrEqual(42);
    expect(lines).toEqual(numbers.slice(-lines.length).map((number) => round(number).line));
    await streams.add('p', [round(1)], atMost(40));
    expect(await streams.readBack('p', undefined, 1)).toEqual([round(1).line]);
  });

  test('whoever has read rounds that were removed since is told to begin anew', async () => {
    const streams = await open('d2');
    await streams.add('p', [1, 2, 3].map(round), all);
    const { position } = await streams.read('p', undefined, 200);
    await streams.add('p', [round(4)], atMost(2));
    expect(await streams.read('p', position, 200)).toMatchObject({
      continues: false,
      lines: [round(3).line, round(4).line],
    });
  });

  test('rounds that are too old are removed', async () => {
    const streams = await open('d3');
    await streams.add('p', [round(1)], all);
    await streams.add('p', [round(2)], { ...all, since: Date.now() + 2 * 86_400_000 });
    expect((await streams.read('p', undefined, 10)).lines).toEqual([]);
  });

  test('rounds are read back from any of them, newest first', async () => {
    const streams = await open('d4');
    await streams.add('p', [1, 2, 3, 4].map(round), all);
    expect(await streams.readBack('p', undefined, 2)).toEqual([4, 3].map((number) => round(number).line));
    expect(await streams.readBack('p', 'round-3', 9)).toEqual([2, 1].map((number) => round(number).line));
    expect(await streams.readBack('p', 'round-9', 9)).toBeUndefined();
  });

  test('who has read rounds that were deleted is told to begin anew', async () => {
    const streams = await open('e');
    await streams.add('p', [round(1), round(2)], all);
    const { position } = await streams.read('p', undefined, 100);
    await streams.delete('p');
    expect(await streams.read('p', position, 100)).toMatchObject({ lines: [], continues: false });
    await streams.add('p', [round(3)], all);
    expect(await streams.read('p', position, 100)).toMatchObject({
      lines: [round(3).line],
      continues: false,
    });
  });
});
