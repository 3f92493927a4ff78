import type { Log } from '../../settings/log.ts';
import type { PlayerId } from '../player.ts';
import type { KeyDamage } from './connection/connection.ts';
import { cannotBeSetAside } from './connection/damaged-keys.ts';

/** Logs damaged data of a store, each key once. */
export interface DamageReport {
  /** Called with data that was set aside, or could not be. */
  key(damage: KeyDamage): void;
  /** Called with the number of a player's rounds that were left out. */
  rounds(player: PlayerId, count: number): void;
  /** Why requests fail, in a sentence; undefined if none failed lately. */
  problem(): string | undefined;
}

export interface DamageReportOptions {
  /** The address of the store. */
  readonly store: string;
  readonly log: Log;
  /** Milliseconds of a clock that never jumps. Default: `performance.now`. */
  readonly now?: () => number;
}

/** Milliseconds for which a failed request counts. */
const memory = 60_000;
/** Names remembered, so that they are not logged again. */
const mostNamed = 1_000;

export function createDamageReport({
  store,
  log,
  now = () => performance.now(),
}: DamageReportOptions): DamageReport {
  const named = new Set<string>();
  let failedAt = Number.NEGATIVE_INFINITY;
  const isNew = (name: string) => {
    if (named.has(name)) return false;
    if (named.size >= mostNamed) named.clear();
    named.add(name);
    return true;
  };
  return {
    key({ key, problem, movedTo }) {
      if (movedTo !== undefined) {
        log.error(
          'the store held something at a key of typebadge that does not belong there: it was set aside',
          {
            ...{ store, key, problem, setAside: movedTo },
          },
        );
        return;
      }
      failedAt = now();
      if (isNew(key))
        log.error(
          'the store holds something at a key of typebadge that does not belong there and cannot be set aside: move or delete it',
          { store, key, problem },
        );
    },
    rounds(player, count) {
      if (isNew(player))
        log.error('rounds in the store cannot be read and are left out', { store, player, rounds: count });
    },
    problem: () => (now() - failedAt < memory ? cannotBeSetAside : undefined),
  };
}
