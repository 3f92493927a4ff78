import type { StartedRound } from '../session/answers.ts';
import type { Catalog } from '../session/catalog.ts';
import type { SessionSetup } from '../session/session-setup.ts';

/** Makes rounds without a server, of what the package brings. */
export interface OfflineRounds {
  /** A round of this practice; rejects where the package has nothing for it. */
  next(setup: SessionSetup): Promise<StartedRound>;
  readCatalog(): Promise<Catalog>;
}

/** Stands for the session of a round that no server has begun: it is delivered whole. */
export const offlineSession = 'offline';
