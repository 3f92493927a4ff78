import { clientsInBlock } from '../../../../kit/client-block.ts';
import type { Session } from '../../session.ts';

/** Name of the list of all sessions; those of players and clients have another form. */
export const everybody = 'all';

export const playerList = (player: string) => `player:${player}`;

/** Limits of sessions and bytes; infinite means none. */
export interface Share {
  readonly sessions: number;
  readonly bytes: number;
}

export interface SharesOptions {
  /** Limits of all sessions together. */
  readonly all: Share;
  /** Limits of one player, and of one client; a block may have sixteen times as many sessions, but the same bytes. */
  readonly perClient: Share;
}

/** A list that contains a session, with the limits of the list. */
export interface ListShare extends Share {
  readonly list: string;
  readonly of: 'store' | 'client';
  /** Whether the list also counts bytes. */
  readonly hasBytes: boolean;
}

const unbounded: Share = { sessions: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
export const noShares: SharesOptions = { all: unbounded, perClient: unbounded };

/**
 * The lists that contain a session. The list of all sessions comes last, so that a client beyond its own share does not even get
 * there. As in memory, the bytes of all clients in one block count as those of one client.
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
