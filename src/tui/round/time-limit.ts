import { isUnderWay, type Round } from './round.ts';

/** Active ms after which a timed round ends; undefined for one that ends with its last word. */
export function toTimeLimit({ practised: { mode } }: Pick<Round, 'practised'>): number | undefined {
  return mode.type === 'time' ? mode.seconds * 1000 : undefined;
}

/** Active ms of the round at `time` (monotonic ms); a paused round gets no older. */
export function toElapsed(round: Round, time: number): number {
  return round.lastKey === undefined ? round.active : round.active + Math.max(0, time - round.lastKey);
}

/** Ms until the clock of a timed round shows another second, or ends it; undefined while no clock runs. */
export function toNextTick(round: Round, time: number): number | undefined {
  const limit = toTimeLimit(round);
  if (limit === undefined || !isUnderWay(round) || round.isPaused) return undefined;
  const elapsed = toElapsed(round, time);
  return Math.max(0, Math.min(1000 - (elapsed % 1000), limit - elapsed));
}

export function isTimeUp(round: Round, time: number): boolean {
  const limit = toTimeLimit(round);
  return limit !== undefined && isUnderWay(round) && toElapsed(round, time) >= limit;
}

/** The round as it was when its time was over, even in the middle of a word. */
export function endByTime(round: Round): Round {
  return { ...round, active: toTimeLimit(round) ?? round.active, isOver: true };
}
