import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../../settings/log.ts';
import { type PlayerId, playerPattern } from '../../player.ts';
import { StoreUnavailableError } from '../../ports.ts';
import type { ForgottenPlayer, ForgottenPlayers } from './forgotten-players.ts';

export interface ForgottenCopiesOptions {
  readonly forgotten: ForgottenPlayers;
  /** Removes rounds that the player had finished by then (milliseconds since 1970) from this disk, unless the store has them. */
  readonly drop: (player: PlayerId, at: number) => Promise<void>;
  readonly log: Log;
  /** Approximate milliseconds between two checks. Default: a minute. */
  readonly interval?: number;
  /** Milliseconds between two portions of a long list. Default: 250. */
  readonly pause?: number;
}

/**
 * Overlap of each check with the one before, in milliseconds: a player is listed a moment before the rounds are deleted, so a
 * check in that moment still finds them.
 */
const overlap = 5 * 60_000;
/** Number of checks after which the whole list is read again: the store's clock may have jumped between two of them. */
const looksUntilAll = 60;

/**
 * Removes this server's copies of the rounds of players who were forgotten on another server: at the start, for the time when it
 * was not running, and then every minute. Returns a function that stops it, and resolves once it has ended.
 */
export function startDroppingForgotten(options: ForgottenCopiesOptions): () => Promise<void> {
  const { forgotten, log, interval = 60_000, pause = 250 } = options;
  const list = createListReader(forgotten, () => log.warn(fullList));
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout;
  let running: Promise<void>;

  const dropAll = async (players: readonly ForgottenPlayer[]) => {
    for (const { player, at } of players) {
      if (signal.aborted) return;
      // Checked, because it becomes a file name.
      if (playerPattern.test(player)) await options.drop(player, at);
    }
  };
  const look = async () => {
    for await (const { players, hasMore } of list.readNew()) {
      await dropAll(players);
      // A portion is a tenth of a second of work, and a server that has just started has more urgent work.
      if (hasMore) await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
    }
  };
  const lookAndWait = async () => {
    await look().catch((error) => {
      // Starts from the beginning once the store answers.
      list.startOver();
      if (!(error instanceof StoreUnavailableError))
        log.error(`copies of rounds that were deleted could not be removed for now: ${error.message}`);
    });
    if (signal.aborted) return;
    // A random interval, so that servers started together do not all read at the same moment.
    timer = setTimeout(begin, interval * (0.75 + Math.random() / 2)).unref();
  };
  const begin = () => {
    running = lookAndWait();
  };
  begin();
  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await running;
  };
}

/** Reads the list of forgotten players, check by check. */
interface ListReader {
  /** Players forgotten since the last check, in portions; in the first check, and regularly, all of them. */
  readNew(): AsyncGenerator<{ readonly players: readonly ForgottenPlayer[]; readonly hasMore: boolean }>;
  /** Makes the next check read the list from its beginning. */
  startOver(): void;
}

/** @param onFull called once when the list becomes full */
function createListReader(forgotten: ForgottenPlayers, onFull: () => void): ListReader {
  let looks = 0;
  let lastLook = 0;
  let wasFull = false;
  return {
    async *readNew() {
      const isWholeDue = looks++ % looksUntilAll === 0;
      let since = isWholeDue ? 0 : lastLook - overlap;
      for (;;) {
        const { players, now, hasMore, isFull } = await forgotten.read(since);
        // The store's clock was set back: newer entries may have earlier times than those read last.
        if (now < lastLook) looks = 0;
        lastLook = now;
        if (isFull && !wasFull) onFull();
        wasFull = isFull;
        yield { players, hasMore };
        if (!hasMore) return;
        since = Math.max(since + 1, players.at(-1)?.at ?? 0);
      }
    },
    startOver() {
      looks = 0;
    },
  };
}

const fullList =
  'the list of players whose data was deleted is full: a server that was off for long may keep copies of some of them';
