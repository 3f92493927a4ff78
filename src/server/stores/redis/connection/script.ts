import type { Cluster, Redis } from 'ioredis';
import type { StoreConnection } from './connection.ts';

/** A Lua script, which the store executes atomically. */
export interface Script {
  /** Its name as a command of the client; must differ from all commands of Redis. */
  readonly name: string;
  /** Number of its keys, which are all in one slot. */
  readonly keys: number;
  readonly lua: string;
  /** Whether it only reads, so that even a store that refuses writes executes it. Default: false. */
  readonly isReadOnly?: boolean;
}

type Runner = (...args: readonly string[]) => Promise<unknown>;

/**
 * Runs a script by its hash; the client sends the text if the store does not know it. The reply is what the script returns:
 * integers, strings, null and lists of them.
 */
export function runScript(
  store: StoreConnection,
  script: Script,
  ...args: readonly string[]
): Promise<unknown> {
  return store.run((client) => runnerOf(client, script)(...args));
}

function runnerOf(client: Redis | Cluster, { name, keys, lua, isReadOnly = false }: Script): Runner {
  if (!Reflect.has(client, name)) {
    // With this flag, a store that is full or read-only executes it (Redis 7).
    const text = isReadOnly ? `#!lua flags=no-writes\n${lua}` : lua;
    client.defineCommand(name, { numberOfKeys: keys, lua: text });
  }
  return (Reflect.get(client, name) as Runner).bind(client);
}
