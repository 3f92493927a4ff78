import { clientsInBlock } from '../../../../kit/client-block.ts';
import type { Session } from '../../session.ts';

/** Name of the list of all sessions. Players and clients have names of another form. */
export const everybody = 'all';

export const playerList = (player: string) => `player:${player}`;

/** Sessions and bytes; infinite where there is no bound. */
export interface Share {
  readonly sessions: number;
  readonly bytes: number;
}

export interface SharesOptions {
  /** All sessions together. */
  readonly all: Share;
  /** The sessions of one player, and of one client; of one block, sixteen times as many, but the same bytes. */
  readonly perClient: Share;
}

/** A list that a session is in, and what all sessions of that list may take together. */
export interface ListShare extends Share {
  readonly list: string;
  readonly of: 'store' | 'client';
  /** Whether the list counts bytes, too. */
  readonly hasBytes: boolean;
}

const unbounded: Share = { sessions: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
export const noShares: SharesOptions = { all: unbounded, perClient: unbounded };

/**
 * The lists that a session is in; that of everybody comes last, so that what a client claims beyond its own share is not
 * even tried there. As in memory, the bytes of all clients in one block count as those of one client.
 */
export function sharesOf(
  { player, client, block }: Session,
  { all, perClient: { sessions, bytes } }: SharesOptions,
): ListShare[] {
  const own = (list: string, factor: number, hasBytes: boolean): ListShare => ({
    list,
    of: 'client',
    hasBytes,
    sessions: sessions * factor,
    bytes,
  });
  return [
    own(playerList(player), 1, false),
    ...(client === '' ? [] : [own(`client:${client}`, 1, block === undefined)]),
    ...(block === undefined ? [] : [own(`block:${block}`, clientsInBlock, true)]),
    { list: everybody, of: 'store', hasBytes: true, ...all },
  ];
}
