import { join } from 'node:path';
import { retentionAt } from '../../round-retention.ts';
import { createFileRounds, type FileRounds, type FileRoundsOptions } from './file-rounds.ts';
import { findOldRounds } from './idle-rounds.ts';
import { limitRounds } from './round-quota.ts';

export interface BoundedRoundsOptions extends Pick<FileRoundsOptions, 'dataDir' | 'log'> {
  /** Most disk space of the finished rounds of all players together, in bytes. */
  readonly roundQuota: number;
  /** Whether strangers can reach the server: then the rounds of players other than the local one are bounded. */
  readonly isExposed: boolean;
  /** Milliseconds that their rounds are kept. */
  readonly keepRounds: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

export interface BoundedRounds extends FileRounds {
  /** Regularly removes old rounds of players who do not come back. Returns a function that stops it. */
  startCleaning(): () => void;
}

const cleaningInterval = 6 * 60 * 60 * 1000;

/** The finished rounds of a data folder, with bounds on those of strangers. */
export function createBoundedRounds(options: BoundedRoundsOptions): BoundedRounds {
  const { dataDir, roundQuota, isExposed, keepRounds, clock, log } = options;
  const retention = isExposed ? () => retentionAt(clock(), keepRounds) : undefined;
  const rounds = limitRounds(createFileRounds({ dataDir, log, retention }), { dataDir, quota: roundQuota });
  const clean = () =>
    findOldRounds({
      dir: join(dataDir, 'players'),
      since: clock() - keepRounds,
      onOld: async (player, which) => (which === 'all' ? rounds.forget(player) : rounds.history(player)),
    }).catch(({ message }) => log.error(`old rounds could not be removed for now: ${message}`));
  return {
    ...rounds,
    startCleaning() {
      if (!isExposed) return () => undefined;
      void clean();
      const timer = setInterval(clean, cleaningInterval).unref();
      return () => clearInterval(timer);
    },
  };
}
