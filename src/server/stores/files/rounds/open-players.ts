import { localPlayer, type PlayerId } from '../../player.ts';
import type { PlayerRounds } from './player-rounds.ts';

export interface OpenPlayersOptions {
  /** Most memory of the histories of all players except the local one, in bytes. */
  readonly memory: number;
  readonly open: (player: PlayerId) => PlayerRounds;
}

export interface OpenPlayer {
  readonly rounds: PlayerRounds;
  /** Approximate memory in bytes when last weighed; 0 before that, and for the local player. */
  weight: number;
}

/** The players whose rounds are in memory: the most recently used, and always the local one. */
export interface OpenPlayers {
  find(player: PlayerId): PlayerRounds | undefined;
  /** Whether this player's rounds are open and have been used. */
  isInUse(player: PlayerId): boolean;
  /** Opens the player's rounds if they are not open. The player is now the most recently used. */
  of(player: PlayerId): OpenPlayer;
  close(player: PlayerId): void;
  /** Updates the weight of a player after use, and closes others until all fit into memory. */
  weigh(player: PlayerId, opened: OpenPlayer): void;
  all(): PlayerRounds[];
}

export function createOpenPlayers({ memory, open }: OpenPlayersOptions): OpenPlayers {
  const players = new Map<PlayerId, OpenPlayer>();
  let weight = 0;
  const close = (player: PlayerId) => {
    weight -= players.get(player)?.weight ?? 0;
    players.delete(player);
  };
  return {
    find: (player) => players.get(player)?.rounds,
    isInUse: (player) => (players.get(player)?.weight ?? 0) > 0,
    /** Moves the player to the end of the map, so that the least recently used is at its beginning. */
    of(player) {
      const opened = players.get(player) ?? { rounds: open(player), weight: 0 };
      players.delete(player);
      players.set(player, opened);
      return opened;
    },
    close,
    weigh(player, opened) {
      if (players.get(player) !== opened) return;
      const now = player === localPlayer ? 0 : opened.rounds.weight();
      weight += now - opened.weight;
      opened.weight = now;
      for (const other of players.keys()) {
        if (weight <= memory) return;
        if (other !== localPlayer && other !== player) close(other);
      }
    },
    all: () => Array.from(players.values(), ({ rounds }) => rounds),
  };
}
