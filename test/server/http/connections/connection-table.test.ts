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
