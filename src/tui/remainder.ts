import type { Ending } from './ending.ts';
import { isUnderWay, type LocalRound } from './round/round.ts';
import type { App } from './state/app-state.ts';

/** What becomes of the last round when the typist leaves. */
export type Remainder =
  /** Nothing was typed of it, or it is where it belongs. */
  | { readonly kind: 'nothing' }
  /** The next start can go on with it. */
  | { readonly kind: 'kept'; readonly round: LocalRound }
  /** The typist wanted none of it. */
  | { readonly kind: 'discarded' }
  /** The disk did not take it. */
  | { readonly kind: 'lost' }
  /** It is finished, and waits for its server. */
  | { readonly kind: 'undelivered' };

/** @param isOnDisk whether the round in hand was left on disk, with every key */
export function toRemainder(
  { screen, leftRound, round }: Pick<App, 'screen' | 'leftRound' | 'round'>,
  { keepUnfinished }: Ending,
  isOnDisk: boolean,
): Remainder {
  if (screen === 'resume' && leftRound !== undefined) return { kind: 'kept', round: leftRound.round };
  if (round === undefined || round.inputs.length === 0) return { kind: 'nothing' };
  if (!isUnderWay(round)) return { kind: isOnDisk ? 'undelivered' : 'nothing' };
  if (!keepUnfinished) return { kind: 'discarded' };
  return isOnDisk ? { kind: 'kept', round } : { kind: 'lost' };
}
