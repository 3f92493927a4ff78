import { expect, test } from 'vitest';
import { createSessionRecords } from '../../../../../src/server/stores/redis/sessions/session-records.ts';
import { describeOnEveryStore } from '../../../../support/redis/every-store.ts';

const fresh = { generation: 'g0', header: '{"v":1}', inputs: '' };
let now = 1_000;
const append = (from: number, token: string, text: string, generation = 'g0') => ({
  generation,
  from,
  token,
  text,
});

describeOnEveryStore('records of sessions', (store) => {
  const open = async (prefix: string, ttl = 60_000) =>
    createSessionRecords(await store.connect(), { prefix, ttl, clock: () => now, expiry: 60_000 });

  test('inputs are appended atomically, and counted in bytes', async () => {
    const records = await open('a');
    await records.create('s', fresh);
    expect(await records.write('s', append(0, 't1', 'ü\t1\t1\n'))).toEqual({
      kind: 'written',
      generation: 'g0',
    });
    expect(await records.write('s', append(7, 't2', 'b\n'))).toMatchObject({ kind: 'written' });
    expect(await records.read('s')).toEqual({ ...fresh, inputs: 'ü\t1\t1\nb\n', lastUsed: now });
  });

  test('a write whose reply was lost is not executed again', async () => {
    const records = await open('b');
    await records.create('s', fresh);
    await records.write('s', append(0, 't1', 'a\n'));
    expect(await records.write('s', append(0, 't1', 'a\n'))).toEqual({
      kind: 'written',
      generation: 'g0',
    });
    expect((await records.read('s'))?.inputs).toBe('a\n');
  });

  test('a writer that is behind gets the missing inputs, and one with another header gets everything', async () => {
    const records = await open('c');
    await records.create('s', fresh);
    await records.write('s', append(0, 't1', 'a\n'));
    expect(await records.write('s', append(0, 't2', 'b\n'))).toEqual({ kind: 'behind', tail: 'a\n' });
    await records.write('s', { ...append(2, 't3', ''), header: '{"v":2}' });
    expect(await records.write('s', append(2, 't4', 'c\n'))).toEqual({
      kind: 'changed',
      record: { generation: 't3', header: '{"v":2}', inputs: '', lastUsed: now },
    });
  });

  test('a session that is gone is gone for all, and its id can be used again', async () => {
    const records = await open('d');
    await records.create('s', fresh);
    await records.write('s', append(0, 't1', 'a\n'));
    expect(await records.delete('s')).toBe(true);
    expect(await records.delete('s')).toBe(false);
    expect(await records.write('s', append(2, 't2', 'b\n'))).toEqual({ kind: 'gone' });
    await records.create('s', fresh);
    expect((await records.read('s'))?.inputs).toBe('');
  });

  test('a session unused for its time to live is gone, and a use renews it', async () => {
    const records = await open('e', 100);
    now = 1_000;
    await records.create('s', fresh);
    now += 99;
    expect(await records.read('s')).toMatchObject({ lastUsed: 1_099 });
    now += 99;
    expect(await records.peek('s')).toMatchObject({ lastUsed: 1_099 });
    expect(await records.lastUse('s')).toBe(1_099);
    now += 1;
    expect(await records.lastUse('s')).toBeUndefined();
    expect(await records.read('s')).toBeUndefined();
    expect(await records.write('s', append(0, 't1', 'a\n'))).toEqual({ kind: 'gone' });
    expect(await records.delete('s')).toBe(false);
  });

  test('the store itself removes unused sessions, by its own clock', async () => {
    const connection = await store.connect();
    const records = createSessionRecords(connection, { prefix: 'g', ttl: 40 });
    await records.create('s', { ...fresh, inputs: 'a\n' });
    await expect
      .poll(() => connection.run((client) => client.exists('g:session:{s}', 'g:session:{s}:inputs')))
      .toBe(0);
  });
});
