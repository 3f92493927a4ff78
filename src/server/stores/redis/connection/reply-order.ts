import { randomUUID } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';

/** Milliseconds between two checks. */
const lookEvery = 2_000;

/**
 * Only the order of replies assigns them to commands. If something between us and the store drops or adds one, every later
 * command on the connection gets the reply of another. A ping with a unique word reveals this. Returns a function that stops
 * the watch.
 */
export function watchReplyOrder(client: Redis | Cluster, onDisorder: () => void): () => void {
  const look = async (node: Redis) => {
    const word = randomUUID();
    // Others notice when the store is away.
    const reply = await node.ping(word).catch(() => word);
    if (reply !== word) onDisorder();
  };
  const timer = setInterval(() => {
    for (const node of 'nodes' in client ? client.nodes('all') : [client]) void look(node);
  }, lookEvery);
  timer.unref();
  return () => clearInterval(timer);
}
