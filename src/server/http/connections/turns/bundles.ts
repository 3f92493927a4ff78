import { toBlock } from '../../../../kit/client-block.ts';
import type { Arrivals } from './arrivals.ts';
import type { Connection } from './connection.ts';
import { resumeReading, stopReading } from './reading.ts';

interface Client {
  readonly key: string;
  readonly connections: Set<Connection>;
  /** Connections that are not read now, in the order in which they will be. */
  readonly queue: Set<Connection>;
  /** Whether a bundle has been read, and new connections are being accepted before the next one. */
  isWaiting: boolean;
}

/**
 * A bundle is more requests than may wait on one connection, read at once: node:http parses up to 64 KiB in one go, hundreds of
 * requests, and the event loop accepts only one new connection in between. So no second bundle of a client is read, however many
 * connections it has, until all new connections have been accepted.
 */
export interface Bundles {
  /** A new connection; it is not read while its client waits. */
  admit(connection: Connection): void;
  /** A bundle has arrived: the other connections of its client wait. */
  take(connection: Connection): void;
  /** The connection is closed. */
  forget(connection: Connection): void;
}

/** Connections that count towards no client may send as much as they like. */
export function createBundles(arrivals: Arrivals): Bundles {
  const clients = new Map<string, Client>();
  const find = (connection: Connection) => clients.get(toKey(connection) ?? '');

  return {
    admit(connection) {
      const key = toKey(connection);
      if (key === undefined) return;
      const client = clients.get(key) ?? newClient(key);
      clients.set(key, client);
      client.connections.add(connection);
      // node:http resumes a new socket in the next tick, which would undo an earlier pause.
      if (client.isWaiting) process.nextTick(enqueue, client, connection);
    },
    take(connection) {
      const client = find(connection);
      if (client === undefined || client.isWaiting || client.connections.size === 1) return;
      client.isWaiting = true;
      for (const other of client.connections) if (other !== connection) enqueue(client, other);
      arrivals.whenOver(() => {
        client.isWaiting = false;
        readNext(client);
      });
    },
    forget(connection) {
      const client = find(connection);
      client?.connections.delete(connection);
      client?.queue.delete(connection);
      if (client?.connections.size === 0) clients.delete(client.key);
    },
  };
}

/** The /48 for IPv6: one site has 65,536 of the /64s that count as clients elsewhere. */
function toKey({ client }: Connection): string | undefined {
  return client === undefined ? undefined : (toBlock(client) ?? client);
}

function newClient(key: string): Client {
  return { key, connections: new Set(), queue: new Set(), isWaiting: false };
}

function enqueue({ isWaiting, connections, queue }: Client, connection: Connection): void {
  if (!isWaiting || !connections.has(connection) || queue.has(connection)) return;
  queue.add(connection);
  stopReading(connection, 'turn');
}

/** Resumes one connection per turn of the event loop, until one of them brings a bundle again. */
function readNext(client: Client): void {
  if (client.isWaiting) return;
  const [next] = client.queue;
  if (next === undefined) return;
  client.queue.delete(next);
  resumeReading(next, 'turn');
  if (client.queue.size > 0) setImmediate(readNext, client);
}
