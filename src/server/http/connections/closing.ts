import type { Server } from 'node:http';
import type { ConnectionTable } from './connection-table.ts';
import { isLingering } from './lingering-close.ts';
import { isIdle } from './turns/connection.ts';

/** Milliseconds between two checks for connections that have become idle. */
const lookEvery = 100;

/**
 * Accepts no new connections, and resolves when the last one is closed. Idle connections are closed after `lingerMs`, others
 * when their last answer has been sent, and all that remain after `graceMs` are cut, including tunnels, which Node does not track.
 */
export async function closeServer(
  server: Server,
  connections: ConnectionTable,
  { graceMs, lingerMs }: { readonly graceMs: number; readonly lingerMs: number },
): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  let look: NodeJS.Timeout | undefined;
  const linger = setTimeout(() => {
    look = setInterval(closeIdle, lookEvery, connections);
  }, lingerMs);
  const grace = setTimeout(() => {
    for (const { socket } of connections.all()) socket.destroy();
  }, graceMs);
  if (lingerMs === 0) closeIdle(connections);
  await closed;
  clearTimeout(linger);
  clearInterval(look);
  clearTimeout(grace);
}

function closeIdle(connections: ConnectionTable): void {
  for (const connection of connections.all()) {
    if (!isIdle(connection) || isLingering(connection.socket)) continue;
    // The socket is still read until the system has closed its sending side: a request taken then could not be answered.
    connection.isEnding = true;
    connection.socket.destroySoon();
  }
}
