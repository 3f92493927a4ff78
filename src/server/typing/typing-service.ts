import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Route } from '../http/routing/router.ts';
import type { Log } from '../settings/log.ts';
import type { Stores } from '../stores/ports.ts';
import { countKeys } from './game/counted-game.ts';
import { createRoundAllowance } from './game/round-allowance.ts';
import { createTypingGame, type TypingGame } from './game/typing-game.ts';
import { type Library, openLibrary } from './library/library.ts';
import { createCallerOf } from './requests/caller.ts';
import { createTypingRoutes } from './typing-routes.ts';

export interface TypingServiceOptions {
  readonly stores: Pick<Stores, 'sessions' | 'rounds' | 'addressKey' | 'problem'>;
  /** Whether strangers can reach the server. */
  readonly isExposed: boolean;
  /** Makes the choice of words repeatable: with the same history, the n-th round of any session gets the same words. */
  readonly seed: number | undefined;
  /** Most bytes of the finished rounds of all players; each client gets a share. Default: no limit. */
  readonly roundQuota?: number;
  /** Counts what typists do. Default: nothing is counted. */
  readonly counts?: GameCounts | undefined;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

export interface GameCounts {
  /** So many keys were answered, including repeats. */
  keys(count: number): void;
  /** A round was finished. */
  round(): void;
}

/** The routes of the typing API with everything behind them except the stores. */
export function createTypingService(options: TypingServiceOptions): { readonly routes: readonly Route[] } {
  const { stores, isExposed, log } = options;
  const library = openLibrary();
  return {
    routes: createTypingRoutes({
      game: createGame(options, library),
      library,
      callerOf: createCallerOf({ isExposed, addressKey: stores.addressKey }),
      isExposed,
      storeState: stores.problem && (() => (stores.problem?.() === undefined ? 'ok' : 'away')),
      log,
    }),
  };
}

/** The game behind the typing API, without its routes. */
export function createGame(
  {
    stores,
    seed,
    roundQuota,
    counts,
    clock,
  }: Pick<TypingServiceOptions, 'stores' | 'seed' | 'roundQuota' | 'counts' | 'clock'>,
  library: Library = openLibrary(),
): TypingGame {
  const game = createTypingGame({
    stores,
    library,
    seed,
    newId: () => randomBytes(16).toString('hex'),
    newRoundId: () => randomUUID(),
    newSeed: () => randomInt(2 ** 32),
    clock,
    allowance: createRoundAllowance({ quota: roundQuota ?? Number.MAX_SAFE_INTEGER }),
    onRound: counts?.round,
  });
  return counts === undefined ? game : countKeys(game, counts.keys);
}
