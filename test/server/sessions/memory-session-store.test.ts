import { expect, it } from 'vitest';
import { createMemorySessionStore } from '../../../src/server/sessions/memory-session-store.ts';
import { newSession } from '../../../src/server/sessions/session.ts';
import { describeSessionStore } from './session-store-contract.ts';

describeSessionStore('the session store in memory', async (limits) => {
  let time = 1_000;
  const store = createMemorySessionStore({ ...limits, now: () => time, ticks: () => time });
  return {
    store,
    pass(ms) {
      time += ms;
    },
  };
});

it('tells of every session that is new, used, changed or gone, so that it can be written behind', async () => {
  const told: string[] = [];
  const store = createMemorySessionStore({
    ttl: 100,
    limit: 9,
    now: () => 0,
    ticks: () => 0,
    onChange: (id) => told.push(id),
  });
  await store.create(newSession('a', false, 0));
  await store.read('a');
  await store.update('a', (session) => ({ session, result: 1 }));
  await store.delete('a');
  await store.read('a');
  expect(told).toEqual(['a', 'a', 'a', 'a']);
});

it('keeps expired sessions for whoever has to save what is in them', async () => {
  let time = 0;
  const store = createMemorySessionStore({ ttl: 100, limit: 9, now: () => time, ticks: () => time });
  await store.create(newSession('a', false, 0));
  time = 100;
  expect(await store.read('a')).toBeUndefined();
  expect(store.expired().map(({ id }) => id)).toEqual(['a']);
  store.evict('a');
  expect(store.expired()).toEqual([]);
});

it('measures how long a session is unused by a clock that never jumps, whatever the date is set to', async () => {
  let date = Date.parse('2026-05-01T12:00:00Z');
  let ticks = 5;
  const store = createMemorySessionStore({ ttl: 100, limit: 9, now: () => date, ticks: () => ticks });
  await store.create(newSession('a', false, date));
  for (const jump of [86_400_000, -864_000_000]) {
    date += jump;
    ticks += 99;
    expect(await store.read('a')).toBeDefined();
    expect(await store.list()).toMatchObject([{ lastUsed: date }]);
  }
  ticks += 100;
  expect(await store.read('a')).toBeUndefined();
});

it('takes a session from an earlier life for as old as the dates say, and for new where its date is in the future', async () => {
  let ticks = 5;
  const store = createMemorySessionStore({ ttl: 100, limit: 9, now: () => 1_000, ticks: () => ticks });
  store.restore({ session: newSession('old', false, 0), lastUsed: 940 });
  store.restore({ session: newSession('future', false, 0), lastUsed: 900_000 });
  ticks += 40;
  expect(store.expired().map(({ id }) => id)).toEqual(['old']);
  ticks += 60;
  expect(store.expired().map(({ id }) => id)).toEqual(['old', 'future']);
});
