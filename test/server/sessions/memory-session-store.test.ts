import { expect, it } from 'vitest';
import { createMemorySessionStore } from '../../../src/server/sessions/memory-session-store.ts';
import { newSession } from '../../../src/server/sessions/session.ts';
import { describeSessionStore } from './session-store-contract.ts';

describeSessionStore('the session store in memory', async (limits) => {
  let time = 1_000;
  const store = createMemorySessionStore({ ...limits, now: () => time });
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
  const store = createMemorySessionStore({ ttl: 100, limit: 9, now: () => time });
  await store.create(newSession('a', false, 0));
  time = 100;
  expect(await store.read('a')).toBeUndefined();
  expect(store.expired().map(({ id }) => id)).toEqual(['a']);
  store.evict('a');
  expect(store.expired()).toEqual([]);
});
