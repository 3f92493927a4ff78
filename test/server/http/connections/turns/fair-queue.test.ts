import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../../../src/server/http/connections/turns/connection.ts';
import { createFairQueue } from '../../../../../src/server/http/connections/turns/fair-queue.ts';

/** What the queue reads of a connection. */
function newConnection(owner: string | undefined, quietRequests = 0): Connection {
  return { owner, quietRequests } as Connection;
}

const owners = fc.constantFrom('192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:db8:1::/48', undefined);
const connections = fc.array(fc.record({ owner: owners, quietRequests: fc.integer({ min: 0, max: 40 }) }), {
  minLength: 1,
  maxLength: 60,
});

describe('connections that wait', () => {
  test('are each taken once, unless they are deleted, whatever is added meanwhile', () => {
    const commands = fc.array(fc.tuple(fc.constantFrom('add', 'delete', 'take'), fc.nat(59)), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(connections, commands, (made, steps) => {
        const all = made.map(({ owner, quietRequests }) => newConnection(owner, quietRequests));
        const queue = createFairQueue();
        const waiting = new Set<Connection>();
        for (const [step, number] of steps) {
          const connection = all[number % all.length] as Connection;
          if (step === 'add') {
            queue.add(connection);
            waiting.add(connection);
          } else if (step === 'delete') {
            expect(queue.delete(connection)).toBe(waiting.delete(connection));
          } else {
            const taken = queue.take();
            expect(taken === undefined ? waiting.size === 0 : waiting.delete(taken)).toBe(true);
          }
          expect(queue.size).toBe(waiting.size);
        }
      }),
    );
  });

  test('of one owner are not taken twice while another owner with the same reputation waits', () => {
    fc.assert(
      fc.property(connections, (made) => {
        const queue = createFairQueue();
        const left = new Map<string, number>();
        for (const { owner = 'nobody' } of made) {
          queue.add(newConnection(owner));
          left.set(owner, (left.get(owner) ?? 0) + 1);
        }
        while (queue.size > 0) {
          const inTurn = Array.from(left, () => queue.take()?.owner as string);
          expect(new Set(inTurn)).toEqual(new Set(left.keys()));
          for (const [owner, count] of left) {
            if (count === 1) left.delete(owner);
            else left.set(owner, count - 1);
          }
        }
      }),
    );
  });

  test('of a client that has been quiet for long come at once, however many owners came a moment ago', () => {
    const queue = createFairQueue();
    for (let number = 0; number < 1_000; number += 1) queue.add(newConnection(`10.0.0.${number}`));
    const known = newConnection('192.0.2.1', 300);
    queue.add(known);
    expect([queue.take(), queue.take()]).toContain(known);
  });
});
