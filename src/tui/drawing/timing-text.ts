import type { TimingQuality } from '../input/key-timing.ts';
import { toCountText, toMilliseconds } from './figures.ts';

/** How far the times of this run can be believed, in one sentence. */
export function toTimingText(quality: TimingQuality, isOffThread: boolean): string {
  const { largestStall, together, unmeasured, repeats, pastes } = quality;
  const parts = [
    unmeasured === 0 ? 'every interval measured' : `${toCountText(unmeasured, 'interval')} not measured`,
    largestStall >= 1 ? `largest stall ${toMilliseconds(largestStall)}` : 'no stall',
    ...(together > 0 ? [`${toCountText(together, 'key')} came together`] : []),
    ...(repeats > 0 ? [`${toCountText(repeats, 'key')} from holding one down`] : []),
    ...(pastes > 0 ? [`${toCountText(pastes, 'paste')} left out`] : []),
    ...(isOffThread ? [] : ['timed between drawings']),
  ];
  return parts.join(', ');
}
