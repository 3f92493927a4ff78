import type { TimingQuality } from '../../input/key-timing.ts';
import { toCountText, toMilliseconds } from './figures.ts';

/**
 * How far the times of this round can be believed, in parts, the most telling first; and how many keys were pressed
 * before the one before was up, where the terminal tells.
 */
export function toTimingParts(quality: TimingQuality, isOffThread: boolean): string[] {
  const { largestStall, together, unmeasured, repeats, pastes, watched, rolled } = quality;
  return [
    unmeasured === 0 ? 'every key timed' : `${toCountText(unmeasured, 'key')} not timed`,
    ...(watched > 0 ? [`rollover ${Math.round((rolled / watched) * 100)} %`] : []),
    ...(together > 0
      ? [`${toCountText(together, 'key')} arrived with ${together === 1 ? 'another' : 'others'}`]
      : []),
    largestStall >= 1 ? `longest delay ${toMilliseconds(largestStall)}` : 'no delay',
    ...(repeats > 0 ? [`${toCountText(repeats, 'key')} from holding one down`] : []),
    ...(pastes > 0 ? [`${toCountText(pastes, 'paste')} left out`] : []),
    ...(isOffThread ? [] : ['timed between drawings']),
  ];
}
