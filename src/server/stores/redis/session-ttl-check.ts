import type { Log } from '../../settings/log.ts';
import type { StoreConnection } from '../records/store-connection.ts';

export interface SessionTtlOptions {
  readonly prefix: string;
  /** Milliseconds after which an unused session expires. */
  readonly sessionTtl: number;
  /** The address of the store, for the log. */
  readonly name: string;
  readonly log: Log;
}

/**
 * Leaves this server's setting in the store, and warns if the one that was started before had another. It may have been this one, or one that
 * is about to be replaced, so it is only a warning; and whatever keeps it from being written keeps no server from starting.
 */
export async function compareSessionTtl(
  store: StoreConnection,
  { prefix, sessionTtl, name, log }: SessionTtlOptions,
): Promise<void> {
  const key = `${prefix}:session-ttl`;
  const own = String(sessionTtl);
  const before = await store.run((client) => client.set(key, own, 'GET')).catch(() => null);
  if (before === null || before === own) return;
  log.warn(
    `the server that was last started on this store has a --session-ttl of ${toSpan(Number(before))}, and this one of ${toSpan(sessionTtl)}: set the same on all servers of a store, or sessions end early`,
    { store: name },
  );
}

const units = [
  ['d', 24 * 60 * 60 * 1000],
  ['h', 60 * 60 * 1000],
  ['m', 60 * 1000],
] as const;

/** As it is given to the option: `24h`. */
function toSpan(milliseconds: number): string {
  const [unit, size] = units.find(([, each]) => milliseconds % each === 0) ?? ['s', 1000];
  return `${milliseconds / size}${unit}`;
}
