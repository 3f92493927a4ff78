import type { StoreConnection } from './connection.ts';

/** What is between `start` and the closing brace of each key that has nothing after it, in order. */
export async function listNames(store: StoreConnection, start: string): Promise<string[]> {
  const names = new Set<string>();
  await store.run(async (client) => {
    for (const node of 'nodes' in client ? client.nodes('master') : [client]) {
      let cursor = '0';
      do {
        const [next, keys] = await node.scan(cursor, 'MATCH', `${start}*}`, 'COUNT', 500);
        for (const key of keys) names.add(key.slice(start.length, -1));
        cursor = next;
      } while (cursor !== '0');
    }
  });
  return [...names].sort();
}
