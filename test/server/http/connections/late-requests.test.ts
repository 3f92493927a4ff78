import { Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLateRequests } from '../../../../src/server/http/connections/late-requests.ts';
import { newConnection } from '../../../../src/server/http/connections/turns/connection.ts';

function setUp() {
  const refused: unknown[] = [];
  const connection = newConnection(new Socket(), '192.0.2.1');
  const late = createLateRequests((one) => refused.push(one));
  return { refused, connection, late };
}

describe('a connection that node:http calls too slow', () => {
  test('is refused at once if it was read all the time', () => {
    const { connection, late } = setUp();
    expect(late.putOff(connection)).toBe(false);
  });

  test('is not refused while it waits for its turn, nor before its bytes can have been read', () => {
    const { refused, connection, late } = setUp();
    connection.stops.turn = true;
    expect(late.putOff(connection)).toBe(true);
    for (let time = 0; time < 10; time += 1) late.inspect();
    connection.stops.turn = false;
    late.inspect();
    expect(refused).toEqual([]);
    late.inspect();
    late.inspect();
    expect(refused).toEqual([connection]);
  });

  test('is not refused if its request comes after all', () => {
    const { refused, connection, late } = setUp();
    connection.stops.rest = true;
    expect(late.putOff(connection)).toBe(true);
    connection.stops.rest = false;
    late.inspect();
    late.forget(connection);
    for (let time = 0; time < 3; time += 1) late.inspect();
    expect(refused).toEqual([]);
  });
});

test('law: it is refused once, by the second of two inspections in a row that find it read and without a request', () => {
  const step = fc.constantFrom('held', 'read', 'request');
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const { refused, connection, late } = setUp();
      connection.stops.turn = true;
      late.putOff(connection);
      for (const each of steps) {
        if (each === 'request') late.forget(connection);
        else {
          connection.stops.turn = each === 'held';
          late.inspect();
        }
      }
      const before = steps.slice(0, steps.includes('request') ? steps.indexOf('request') : undefined);
      const isOwed = before.some((each, at) => each === 'read' && before[at - 1] === 'read');
      expect(refused).toHaveLength(isOwed ? 1 : 0);
    }),
  );
});
