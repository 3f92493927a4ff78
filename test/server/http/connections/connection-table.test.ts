import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createConnectionTable } from '../../../../src/server/http/connections/connection-table.ts';

test.each(['turn', 'rest'] as const)(
  'a connection that waits to be read (%s) is not closed as idle',
  (stop) => {
    const table = createConnectionTable({ maxConnections: 10, capOf: () => undefined });
    const socket = new Socket();
    table.admit(socket, 0);
    const connection = table.of(socket);
    if (connection === undefined) throw new Error('not admitted');
    connection.stops[stop] = true;
    table.closeIdleSince(1_000, 2_000);
    expect(socket.destroyed).toBe(false);
    connection.stops[stop] = false;
    table.closeIdleSince(3_000, 4_000);
    expect(socket.destroyed).toBe(true);
  },
);

test('a connection that was removed is not closed later, even if it is noted as active', () => {
  const table = createConnectionTable({ maxConnections: 10, capOf: () => undefined });
  const [gone, kept] = [new Socket(), new Socket()];
  for (const socket of [gone, kept]) table.admit(socket, 0);
  const connection = table.of(gone);
  if (connection === undefined) throw new Error('not admitted');
  table.remove(gone);
  table.touch(connection, 1_000);
  table.closeIdleSince(2_000, 3_000);
  expect([gone.destroyed, kept.destroyed]).toEqual([false, true]);
});
