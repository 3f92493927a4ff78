import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLane } from '../../../src/server/typing/requests/lane.ts';

/** Enters for each of these clients in turn, and tells in which order they have begun so far, as `client at`. */
function enterAll(mostAtOnce: number, clients: readonly string[]) {
  const lane = createLane(mostAtOnce);
  const begun: string[] = [];
  const places = clients.map((client, at) => {
    const place = lane.enter(client);
    void place.begun.then(() => begun.push(`${client} ${at}`));
    return place;
  });
  const leave = async (at: number) => {
    places[at]?.leave();
    await nextTurn();
  };
  return { begun, leave };
}

test('few pieces of work have begun at once, and the next begins when one leaves', async () => {
  const { begun, leave } = enterAll(2, ['a', 'b', 'c', 'd']);
  await nextTurn();
  expect(begun).toEqual(['a 0', 'b 1']);
  await leave(1);
  expect(begun).toEqual(['a 0', 'b 1', 'c 2']);
  await leave(1);
  expect(begun).toEqual(['a 0', 'b 1', 'c 2']);
  await leave(0);
  expect(begun).toEqual(['a 0', 'b 1', 'c 2', 'd 3']);
});

test('clients take turns, with one piece of work each', async () => {
  const { begun, leave } = enterAll(2, ['a', 'a', 'a', 'b', 'c']);
  await nextTurn();
  expect(begun).toEqual(['a 0', 'b 3']);
  await leave(0);
  expect(begun).toEqual(['a 0', 'b 3', 'c 4']);
  for (const at of [3, 4, 1]) await leave(at);
  expect(begun).toEqual(['a 0', 'b 3', 'c 4', 'a 1', 'a 2']);
});

test('neighbours in one block of IPv6 take one turn together', async () => {
  const { begun } = enterAll(2, ['2001:db8:0:1::/64', '2001:db8:0:2::/64', '2001:db9:0:1::/64']);
  await nextTurn();
  expect(begun).toEqual(['2001:db8:0:1::/64 0', '2001:db9:0:1::/64 2']);
});

test('what leaves before its turn never begins, and others do not wait for it', async () => {
  const { begun, leave } = enterAll(1, ['a', 'b', 'b', 'c']);
  await leave(1);
  await leave(3);
  await leave(0);
  expect(begun).toEqual(['a 0', 'b 2']);
  await leave(2);
  expect(begun).toEqual(['a 0', 'b 2']);
});
