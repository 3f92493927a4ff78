import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../../settings/log.ts';
import { type PlayerId, playerPattern } from '../../player.ts';
import { StoreUnavailableError } from '../../ports.ts';
import type { ForgottenPlayer, ForgottenPlayers } from './forgotten-players.ts';

export interface ForgottenCopiesOptions {
  readonly forgotten: ForgottenPlayers;
  /** Removes from this server's disk what the player had finished by then (milliseconds since 1970) and the store does not have. */
  readonly drop: (player: PlayerId, at: number) => Promise<void>;
  readonly log: Log;
  /** Milliseconds from one look to the next, about. Default: a minute. */
  readonly interval?: number;
  /** Milliseconds between two portions of a long list. Default: 250. */
  readonly pause?: number;
}

/**
 * How far each look goes back beyond the one before, in milliseconds: a player is listed a moment before the rounds are
 * deleted, and one who is looked at in that moment still has them.
 */
const overlap = 5 * 60_000;
/** Looks after which all of the list is read again: the store's clock may have jumped back and forth between two of them. */
const looksUntilAll = 60;

/**
 * Removes this server's copies of players who were forgotten on another server: at the start, which makes up for what
 * happened while it was not running, and every minute. What it returns stops that, and resolves once it has ended.
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
      // It becomes the name of a file.
      if (playerPattern.test(player)) await options.drop(player, at);
    }
  };
  const look = async () => {
    for await (const { players, hasMore } of list.readNew()) {
      await dropAll(players);
      // A portion takes a tenth of a second's work, and a server that has just started has better things to do.
      if (hasMore) await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
    }
  };
  const lookAndWait = async () => {
    await look().catch((error) => {
      // Begins again with all of it, once the store answers.
      list.startOver();
      if (!(error instanceof StoreUnavailableError))
        log.error(`copies of rounds that were deleted could not be removed for now: ${error.message}`);
    });
    if (signal.aborted) return;
    // Servers that were started together do not all ask at the same moment.
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

/** Reads the list of forgotten players, look by look. */
interface ListReader {
  /** Those forgotten since the last look, in portions; at the first look, and now and then, everybody. */
  readNew(): AsyncGenerator<{ readonly players: readonly ForgottenPlayer[]; readonly hasMore: boolean }>;
  /** The next look reads the list from its beginning. */
  startOver(): void;
}

/** @param onFull called when the list is found full, once until it is not */
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
        // The store's clock has been put back: what was listed after that may be before what was read last.
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
