import { createHash } from 'node:crypto';

/**
 * The owner of sessions and rounds: `local`; `key-` and the SHA-256 of a player's key; or `address-` and a
 * keyed hash of the address of a request without a key. It reveals neither key nor address.
 */
export type PlayerId = string;

/** The player without a key on a server that only this machine can reach. */
export const localPlayer: PlayerId = 'local';

/** The player with this key. */
export function playerOfKey(key: string): PlayerId {
  return `key-${createHash('sha256').update(key).digest('hex')}`;
}

/** Matches are also safe as file names. */
export const playerPattern = /^(?:local|(?:key|address)-[0-9a-f]{64})$/;

/** The sender of a request. */
export interface Caller {
  readonly player: PlayerId;
  /** Keyed hash of the address, for limits per client; empty on a server that only this machine can reach. */
  readonly address: string;
  /** The same for the /48 of an IPv6 address; missing otherwise. */
  readonly block?: string;
}

export const localCaller: Caller = { player: localPlayer, address: '' };

/**
 * Whether the sender may use a session: its owner always may; if it was opened without a key, anyone who
 * knows its id may. The local player's sessions are the exception: on a server that only this machine can
 * reach, only they may use them.
 */
export function mayUse({ player, address }: Caller, owner: PlayerId): boolean {
  if (owner === player) return true;
  return owner === localPlayer ? address !== '' : !owner.startsWith('key-');
}

/** A page of a list: at most `limit` entries after the one with the id `after`. */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | undefined;
}
