import { randomUUID } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';

/** Milliseconds between two looks. */
const lookEvery = 2_000;

/**
 * Replies belong to commands by their order alone. Where something between us and the store drops or adds one, every later
 * command gets the reply of another, for as long as the connection lasts. A ping with a word that nobody else sends shows it.
 * Returns what ends the watch.
 */
export function watchReplyOrder(client: Redis | Cluster, onDisorder: () => void): () => void {
  const look = async (node: Redis) => {
    const word = randomUUID();
    // A store that is away is noticed by those who need it.
    const reply = await node.ping(word).catch(() => word);
    if (reply !== word) onDisorder();
  };
  const timer = setInterval(() => {
    for (const node of 'nodes' in client ? client.nodes('all') : [client]) void look(node);
  }, lookEvery);
  timer.unref();
  return () => clearInterval(timer);
}
