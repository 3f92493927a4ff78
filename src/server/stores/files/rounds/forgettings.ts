import type { PlayerId } from '../../player.ts';

/** Which players were forgotten, and when, so that rounds that were just being written do not come back. */
export interface Forgettings {
  /** Notes that a player is forgotten: earlier marks are no longer valid for their rounds. */
  note(player: PlayerId): void;
  /** A mark of this moment, for `isCurrent`. */
  mark(): string;
  /** Whether the player has not been forgotten since the mark; also false if that is no longer known. */
  isCurrent(player: PlayerId, mark: string): boolean;
  /** Whether it is no longer known, because too many others have been forgotten since. */
  isUnknown(player: PlayerId, mark: string): boolean;
}

/** @param most players remembered, because strangers can ask to be forgotten as often as they like. Default: 10,000 */
export function createForgettings(most = 10_000): Forgettings {
  const last = new Map<PlayerId, number>();
  let count = 0;
  /** Up to this number, some are no longer remembered. */
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
