import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StoreUnavailableError } from '../../../../../src/server/stores/ports.ts';
import {
  noBounds as all,
  createRoundStreams,
  type StreamPosition,
} from '../../../../../src/server/stores/redis/rounds/round-streams.ts';
import { describeOnEveryStore, keysOf } from '../../../../support/redis/every-store.ts';

const round = (number: number) => ({ id: `round-${number}`, line: `{"n":${number}}` });
const atMost = (rounds: number) => ({ ...all, rounds });

/** Again while the store has no time to answer: on a busy machine mebibytes may take a cluster longer than it has. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || attempt === 100) throw error;
      await sleep(100);
    }
  }
}

describeOnEveryStore('streams of rounds', (store) => {
  const open = async (prefix: string) => createRoundStreams(await store.connect(), { prefix });

  test('a round that three servers add at once exists once', async () => {
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

  test('players are separate', async () => {
    const streams = await open('c');
    await streams.add('p', [round(1)], all);
    expect((await streams.read('q', undefined, 10)).lines).toEqual([]);
    expect((await streams.read('p', undefined, 10)).lines).toHaveLength(1);
  });

  test('only the newest are kept, a few more until it is worth removing them, and removed ones may be added again', async () => {
    const streams = await open('d');
    const numbers = Array.from({ length: 100 }, (_, at) => at);
    for (const number of numbers) await streams.add('p', [round(number)], atMost(40));
    const { lines } = await streams.read('p', undefined, 200);
    expect(lines.length).toBeGreaterThanOrEqual(40);
    expect(lines.length).toBeLessThanOrEqual(42);
    expect(lines).toEqual(numbers.slice(-lines.length).map((number) => round(number).line));
    await streams.add('p', [round(1)], atMost(40));
    expect((await streams.readBack('p', undefined, 1))?.rounds).toEqual([round(1)]);
  });

  test('a reader of rounds that were removed since has to start again', async () => {
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

  test('a player’s rounds stay within their bytes, and their size is known in advance', async () => {
    const streams = await open('d6');
    const large = (number: number) => ({ id: `round-${number}`, line: 'ü'.repeat(400) });
    const bytes = 10_000;
    for (let number = 0; number < 30; number++) {
      await streams.add('p', [large(number)], { ...all, bytes });
      const next = await streams.sizeWith('p', [large(number + 1)]);
      expect(next).toBeGreaterThan(1_000);
      expect(next).toBeLessThanOrEqual(bytes + 1_000);
    }
    const { lines } = await streams.read('p', undefined, 100);
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(await streams.sizeWith('p', [large(29)])).toBeUndefined();
    expect(await streams.sizeWith('q', [large(1), large(29)])).toBe(2_000);
  });

  test('rounds of a player who adds no more expire together, and adding one keeps them', async () => {
    const connection = await store.connect();
    const streams = createRoundStreams(connection, { prefix: 'd7' });
    const lives = async () => {
      const keys = await keysOf(connection, 'd7:rounds:{p}*');
      return Promise.all(keys.map((key) => connection.run((client) => client.pttl(key))));
    };
    await streams.add('p', [round(1)], { ...all, life: 60_000 });
    expect((await lives()).filter((left) => left > 0)).toHaveLength(4);
    await streams.add('p', [round(1)], { ...all, life: 600_000 });
    expect((await lives()).filter((left) => left > 60_000)).toHaveLength(4);
    await streams.add('p', [round(2)], all);
    expect(await lives()).toEqual([-1, -1, -1, -1]);
    const { position } = await streams.read('p', undefined, 10);
    await streams.add('p', [round(3)], { ...all, life: 1 });
    await expect.poll(() => keysOf(connection, 'd7:rounds:{p}*')).toEqual([]);
    expect(await streams.read('p', position, 10)).toMatchObject({ lines: [], continues: false });
  });

  test('rounds can be read backwards from any of them, newest first', async () => {
    const streams = await open('d4');
    await streams.add('p', [1, 2, 3, 4].map(round), all);
    expect(await streams.readBack('p', undefined, 2)).toEqual({ rounds: [4, 3].map(round), hasMore: true });
    expect(await streams.readBack('p', 'round-3', 9)).toEqual({ rounds: [2, 1].map(round), hasMore: false });
    expect(await streams.readBack('p', 'round-3', 2)).toMatchObject({ hasMore: false });
    expect(await streams.readBack('p', 'round-9', 9)).toBeUndefined();
  });

  test('a reply has at most half a mebibyte of lines, or one line, in both directions, and nothing is left out', async () => {
    const streams = await open('d5');
    const sizes = [170_000, 170_000, 170_000, 170_000, ...Array<number>(30).fill(10), 600_000, 1, 1];
    const rounds = sizes.map((size, at) => ({ id: `round-${at}`, line: 'x'.repeat(size) }));
    for (const each of rounds) await patiently(() => streams.add('p', [each], all));
    const isBounded = (lines: readonly string[]) => lines.length === 1 || lines.join('').length <= 512 * 1024;

    const forward: string[] = [];
    for (let position: StreamPosition | undefined, hasMore = true; hasMore; ) {
      const from = position;
      const part = await patiently(() => streams.read('p', from, 20));
      expect(isBounded(part.lines) && part.lines.length <= 20).toBe(true);
      forward.push(...part.lines);
      ({ position, hasMore } = part);
    }
    expect(forward.map((line) => line.length)).toEqual(sizes);

    const back: string[] = [];
    for (let before: string | undefined, hasMore = true; hasMore; ) {
      const from = before;
      const page = await patiently(() => streams.readBack('p', from, 20));
      const found = page?.rounds ?? [];
      expect(isBounded(found.map(({ line }) => line)) && found.length <= 20).toBe(true);
      back.push(...found.map(({ id }) => id));
      before = found.at(-1)?.id;
      hasMore = page?.hasMore === true;
    }
    expect(back).toEqual(rounds.map(({ id }) => id).reverse());
  });

  test('however many invented players are deleted, only the latest deletions keep a mark', async () => {
    const connection = await store.connect();
    const servers = [1, 2, 3].map(() => createRoundStreams(connection, { prefix: 'f', mostMarks: 5 }));
    const [one] = servers as [(typeof servers)[number]];
    const marked = async () =>
      (await keysOf(connection, 'f:rounds:*')).map((key) => key.match(/\{(.+)\}:mark$/)?.[1]).sort();
    const named = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, at) => `p${from + at}`);
    for (const player of named(10, 40)) await one.delete(player);
    expect(await marked()).toEqual(named(36, 40));
    for (let times = 0; times < 20; times++) await one.delete('p38');
    expect(await marked()).toEqual(named(36, 40));
    await one.delete('p41');
    await one.delete('p42');
    expect(await marked()).toEqual(named(38, 42));
    await Promise.all(
      servers.flatMap((server, at) =>
        named(100 * (at + 1), 100 * (at + 1) + 30).map((player) => server.delete(player)),
      ),
    );
    for (const player of named(50, 54)) await one.delete(player);
    expect(await marked()).toEqual(expect.arrayContaining(named(50, 54)));

    expect(await one.add('p54', [round(1)], all, '')).toBe(false);
    expect(await one.hasAny('p54')).toBe(false);
    expect(await one.add('p54', [round(1)], all, await one.mark('p54'))).toBe(true);
    expect(await one.hasAny('p54')).toBe(true);
    const life = await connection.run((client) => client.ttl('f:marked'));
    expect(life).toBeGreaterThan(0);
    expect(life).toBeLessThanOrEqual(15 * 60);
    expect(await connection.run((client) => client.zcard('f:marked'))).toBe(5);
  });

  test('a reader of rounds that were deleted has to start again', async () => {
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
