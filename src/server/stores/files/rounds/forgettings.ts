import type { PlayerId } from '../../player.ts';

/** Which players were forgotten, and in what order, so that rounds that were on their way to the disk then do not come back. */
export interface Forgettings {
  /** A player is being forgotten: no mark that was given before is good for their rounds any more. */
  note(player: PlayerId): void;
  /** What to give `isCurrent` later. */
  mark(): string;
  /** Whether the player was not forgotten since; false, too, where that is not known any more. */
  isCurrent(player: PlayerId, mark: string): boolean;
  /** Whether too many others were forgotten since to know that. */
  isUnknown(player: PlayerId, mark: string): boolean;
}

/** @param most players remembered: strangers can be forgotten as often as they like. Default: 10,000 */
export function createForgettings(most = 10_000): Forgettings {
  const last = new Map<PlayerId, number>();
  let count = 0;
  /** Of the forgettings up to this one, some are not remembered. */
  let dropped = 0;
  const wasForgotten = (player: PlayerId, mark: string) => (last.get(player) ?? 0) > Number(mark);
  return {
    note(player) {
      count += 1;
      last.delete(player);
      last.set(player, count);
      if (last.size <= most) return;
      const [[oldest, number] = [player, count]] = last;
      last.delete(oldest);
      dropped = number;
    },
    mark: () => String(count),
    isCurrent: (player, mark) => Number(mark) >= dropped && !wasForgotten(player, mark),
    isUnknown: (player, mark) => Number(mark) < dropped && !wasForgotten(player, mark),
  };
}
