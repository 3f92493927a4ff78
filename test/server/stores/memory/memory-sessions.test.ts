import { expect, it } from 'vitest';
import { createMemorySessions } from '../../../../src/server/stores/memory/memory-sessions.ts';
import { newSession } from '../../../../src/server/stores/session.ts';
import { sessionBytes } from '../../../../src/server/stores/session-size.ts';
import { defaultPractice } from '../../../../src/typing/modes/practice.ts';
import { describeSessionMemory, describeSessions, type StoreLimits } from '../sessions-contract.ts';

async function open(limits: StoreLimits) {
  let time = 1_000;
  const store = createMemorySessions({ ...limits, now: () => time, ticks: () => time });
  return {
    store,
    pass(ms: number) {
      time += ms;
    },
  };
}

describeSessions('the session store in memory', open);
describeSessionMemory('the session store in memory', open);

it('reports every session that is new, used, changed or gone, so that it can be written in the background', async () => {
  const told: string[] = [];
  const store = createMemorySessions({
    ttl: 100,
    limit: 9,
    now: () => 0,
    ticks: () => 0,
    onChange: (id) => told.push(id),
  });
  await store.create(newSession('a', defaultPractice, 0));
  await store.read('a');
  await store.update('a', (session) => ({ session, result: 1 }));
  await store.delete('a');
  await store.read('a');
  expect(told).toEqual(['a', 'a', 'a', 'a']);
});

it('keeps expired sessions until their contents have been saved', async () => {
  let time = 0;
  const store = createMemorySessions({ ttl: 100, limit: 9, now: () => time, ticks: () => time });
  await store.create(newSession('a', defaultPractice, 0));
  time = 100;
  expect(await store.read('a')).toBeUndefined();
  expect(store.expired().map(({ id }) => id)).toEqual(['a']);
  store.evict('a');
  expect(store.expired()).toEqual([]);
});

it('measures how long a session is unused by a monotonic clock, whatever the date is set to', async () => {
  let date = Date.parse('2026-05-01T12:00:00Z');
  let ticks = 5;
  const store = createMemorySessions({ ttl: 100, limit: 9, now: () => date, ticks: () => ticks });
  await store.create(newSession('a', defaultPractice, date));
  for (const jump of [86_400_000, -864_000_000]) {
    date += jump;
    ticks += 99;
    expect(await store.read('a')).toBeDefined();
    expect(await store.list('local', { limit: 9, after: undefined })).toMatchObject({
      sessions: [{ lastUsed: date }],
    });
  }
  ticks += 100;
  expect(await store.read('a')).toBeUndefined();
});

it('dates a session of an earlier process by its last use, and treats one from the future as new', async () => {
  let ticks = 5;
  const store = createMemorySessions({ ttl: 100, limit: 9, now: () => 1_000, ticks: () => ticks });
  store.restore({ session: newSession('old', defaultPractice, 0), lastUsed: 940 });
  store.restore({ session: newSession('future', defaultPractice, 0), lastUsed: 900_000 });
  ticks += 40;
  expect(store.expired().map(({ id }) => id)).toEqual(['old']);
  ticks += 60;
  expect(store.expired().map(({ id }) => id)).toEqual(['old', 'future']);
});

it('removes expired sessions before it refuses anything, except those with rounds that are not saved', async () => {
  let time = 0;
  const opened = (id: string) => ({ ...newSession(id, defaultPractice, 0), client: 'a client' });
  const bytes = sessionBytes(opened('a'));
  const store = createMemorySessions({
    ttl: 100,
    limit: 9,
    memory: 3.5 * bytes,
    memoryPerClient: 3.5 * bytes,
    now: () => time,
    ticks: () => time,
  });
  for (const id of ['a', 'b', 'c']) expect(await store.create(opened(id))).toBe('added');
  const grow = (id: string) =>
    store.update(id, (session) => ({
      session: { ...session, unsaved: [{ id: 'r', line: '{}' }] },
      result: true,
    }));
  await grow('a');
  expect(await store.create(opened('d'))).toBe('client full');
  time = 100;
  expect(await store.create(opened('d'))).toBe('added');
  expect([...store.ids()]).toEqual(['a', 'd']);
  expect(await store.create(opened('e'))).toBe('added');
  time = 150;
  await store.read('e');
  time = 200;
  expect(await grow('e')).toBe(true);
  expect(await store.create(opened('f'))).toBe('added');
  expect([...store.ids()]).toEqual(['a', 'e', 'f']);
  expect(await store.create({ ...opened('g'), client: 'another' })).toBe('store full');
});
