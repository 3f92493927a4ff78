/**
 * Whose sessions and rounds these are: `local`; `key-` and the SHA-256 of a player's key; or `address-` and a keyed hash of
 * the address that a request without a key came from. Neither key nor address can be found out from it.
 */
export type PlayerId = string;

/** Who plays on a server that only this machine can reach; all rounds of version 1 are theirs. */
export const localPlayer: PlayerId = 'local';

/** Also a safe name of a file. */
export const playerPattern = /^(?:local|(?:key|address)-[0-9a-f]{64})$/;

/** Who sends a request. */
export interface Asking {
  readonly player: PlayerId;
  /** Keyed hash of the address, for the bound per client; empty on a server that only this machine can reach. */
  readonly client: string;
  /** The same of the /48 that an IPv6 address is of; missing where there is none. */
  readonly block?: string;
}

export const askingLocally: Asking = { player: localPlayer, client: '' };

/**
 * Whether a session may be used: by its own player; and one that was opened without a key by anyone who knows its id, but
 * for the local player's on a server that only this machine can reach.
 */
export function mayUse({ player, client }: Asking, owner: PlayerId): boolean {
  if (owner === player) return true;
  return owner === localPlayer ? client !== '' : !owner.startsWith('key-');
}
