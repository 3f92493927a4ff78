import type { Cluster, Redis } from 'ioredis';
import type { StoreConnection } from './connection.ts';

/** A Lua script as the store knows it. */
export interface BareScript {
  /** Its name as a command of the client; must differ from all commands of Redis. */
  readonly name: string;
  readonly lua: string;
  /** Whether it only reads, so that even a store that refuses writes executes it. Default: false. */
  readonly isReadOnly?: boolean;
}

type Runner = (...args: readonly string[]) => Promise<unknown>;

/**
 * Runs a script by its hash; the client sends the text if the store does not know it. The reply is what the script returns:
 * integers, strings, null and lists of them.
 *
 * @param keys number of arguments that are keys, which are all in one slot
 */
export function runBareScript(
  store: Pick<StoreConnection, 'run'>,
  script: BareScript,
  keys: number,
  args: readonly string[],
): Promise<unknown> {
  return store.run((client) => runnerOf(client, script, keys)(...args));
}

function runnerOf(
  client: Redis | Cluster,
  { name, lua, isReadOnly = false }: BareScript,
  keys: number,
): Runner {
  if (!Reflect.has(client, name)) {
    // With this flag, a store that is full or read-only executes it (Redis 7).
    const text = isReadOnly ? `#!lua flags=no-writes\n${lua}` : lua;
    client.defineCommand(name, { numberOfKeys: keys, lua: text });
  }
  return (Reflect.get(client, name) as Runner).bind(client);
}
