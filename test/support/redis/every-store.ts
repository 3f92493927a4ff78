import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { parseStoreUrl } from '../../../src/server/settings/store-url.ts';
import { openConnection, type StoreConnection } from '../../../src/server/stores/records/store-connection.ts';
import { startCluster } from './redis-cluster.ts';
import { eventually, hasRedis, startRedis } from './redis-process.ts';

export interface TestStore {
  /** Its address, for a server; known once the tests run. */
  url(): string;
  /** A connection of its own, as another server would have; closed at the end. */
  connect(): Promise<StoreConnection>;
}

const kinds = { 'one server': startRedis, 'a cluster of three': startCluster } as const;

/** The same tests on one server and on a cluster of three. */
export function describeOnEveryStore(title: string, tests: (store: TestStore) => void): void {
  for (const kind of Object.keys(kinds)) describeOnStore(title, kind as keyof typeof kinds, tests);
}

export function describeOnStore(
  title: string,
  kind: keyof typeof kinds,
  tests: (store: TestStore) => void,
): void {
  describe.skipIf(!hasRedis)(`${title}, on ${kind}`, () => {
    const connections: StoreConnection[] = [];
    let dir: string;
    let engine: { readonly url: string; kill(): Promise<void> };
    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'typebadge-store-'));
      engine = await kinds[kind](join(dir, 'engine'));
    });
    afterAll(async () => {
      await Promise.all(connections.map((connection) => connection.close()));
      await engine.kill();
      await rm(dir, { recursive: true, force: true });
    });
    tests({
      url: () => engine.url,
      async connect() {
        const connection = await openConnection(parseStoreUrl(engine.url));
        connections.push(connection);
        await eventually(() => connection.problem() === undefined);
        return connection;
      },
    });
  });
}

/** All keys of a store, on all its nodes, that match a pattern. */
export function keysOf(store: StoreConnection, pattern: string): Promise<string[]> {
  return store.run(async (client) => {
    const nodes = 'nodes' in client ? client.nodes('master') : [client];
    const found = await Promise.all(nodes.map((node) => node.keys(pattern)));
    return found.flat();
  });
}
