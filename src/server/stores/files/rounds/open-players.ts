import { localPlayer, type PlayerId } from '../../player.ts';
import type { PlayerRounds } from './player-rounds.ts';

export interface OpenPlayersOptions {
  /** Bytes that the histories of all players but the local one may take. */
  readonly memory: number;
  readonly open: (player: PlayerId) => PlayerRounds;
}

export interface OpenPlayer {
  readonly rounds: PlayerRounds;
  /** Bytes of memory when they were last weighed, roughly; 0 before that, and for the local player. */
  weight: number;
}

/** The players whose rounds are in memory: those used last, and always the local one. */
export interface OpenPlayers {
  find(player: PlayerId): PlayerRounds | undefined;
  /** Opened where they are not, and now the last used. */
  of(player: PlayerId): OpenPlayer;
  close(player: PlayerId): void;
  /** Weighs a player after use, and closes others until there is room. */
  weigh(player: PlayerId, opened: OpenPlayer): void;
  all(): PlayerRounds[];
}

export function createOpenPlayers({ memory, open }: OpenPlayersOptions): OpenPlayers {
  /** What was unused the longest comes first. */
  const players = new Map<PlayerId, OpenPlayer>();
  let weight = 0;
  const close = (player: PlayerId) => {
    weight -= players.get(player)?.weight ?? 0;
    players.delete(player);
  };
  return {
    find: (player) => players.get(player)?.rounds,
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
