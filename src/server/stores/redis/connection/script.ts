import type { Cluster, Redis } from 'ioredis';
import type { StoreConnection } from './connection.ts';

/** A Lua script, which the store carries out as one step. */
export interface Script {
  /** Names it among the commands of the client; unlike any command of Redis. */
  readonly name: string;
  /** Keys it takes, all in one slot. */
  readonly keys: number;
  readonly lua: string;
  /** It changes nothing, so that even a store that takes no more writes carries it out. Default: false. */
  readonly isReadOnly?: boolean;
}

type Runner = (...args: readonly string[]) => Promise<unknown>;

/**
 * Runs a script by its hash; the client sends the text again where the store does not know it (any more). The reply is as
 * the script returned it: integers, strings, null and lists of them.
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
    // The flag lets a store that is full or read-only run it (Redis 7).
    const text = isReadOnly ? `#!lua flags=no-writes\n${lua}` : lua;
    client.defineCommand(name, { numberOfKeys: keys, lua: text });
  }
  return (Reflect.get(client, name) as Runner).bind(client);
}
