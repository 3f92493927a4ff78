import { type FinishedRound, retypeRound } from '../../typing/statistics/finished-round.ts';
import type { RoundView } from './round-view.ts';

/** What a typist races: an even speed, or an earlier round of the same kind. */
export type Pacer =
  /** Standard WPM. */
  | { readonly type: 'speed'; readonly wpm: number }
  /** Active ms at which that round reached each character of its text, spaces included; ascending. */
  | { readonly type: 'round'; readonly moments: readonly number[] };

/** Where the pacer is in a text. */
export interface PacePlace {
  readonly wordIndex: number;
  /** Position in that word; its length stands for the space after it. */
  readonly at: number;
  /** Characters that the typist is ahead of it; below 0: behind. */
  readonly lead: number;
}

/** Characters of a text, spaces included, that the pacer has typed after `ms`. */
export function pacedCharacters(pacer: Pacer, ms: number): number {
  if (pacer.type === 'speed') return 1 + Math.floor((pacer.wpm * 5 * ms) / 60_000);
  const next = pacer.moments.findIndex((moment) => moment > ms);
  return next < 0 ? pacer.moments.length : next;
}

/** Where a pacer is in the text after `ms`; undefined before the timer runs and once it is done. */
export function pacePlace(round: RoundView, pacer: Pacer, ms: number): PacePlace | undefined {
  const { progress, words } = round;
  if (!progress.timerStarted) return undefined;
  const paced = pacedCharacters(pacer, ms);
  let before = 0;
  let typed = Math.min(progress.input.length, words[progress.wordIndex]?.length ?? 0);
  let place: Pick<PacePlace, 'wordIndex' | 'at'> | undefined;
  for (const [wordIndex, { length }] of words.entries()) {
    if (wordIndex < progress.wordIndex) typed += length + 1;
    if (place === undefined && paced <= before + length) place = { wordIndex, at: paced - before };
    before += length + 1;
  }
  return place === undefined ? undefined : { ...place, lead: typed - paced };
}

/** The moments of a finished round, to race. Time that was not measured is spread over all keys. */
export function momentsOf(round: FinishedRound): number[] {
  const moments: number[] = [];
  let before = 0;
  let measured = 0;
  retypeRound(round, ({ word, kind, at, isKept, isTimed, ms }) => {
    if (isTimed) measured += ms;
    const reached = kind === 'advance' ? word.length + 1 : Math.min(word.length, at + 1);
    if (kind === 'advance' || (kind === 'character' && isKept)) {
      while (moments.length < before + reached) moments.push(measured);
    }
    if (kind === 'advance') before += word.length + 1;
  });
  const { duration } = round.timing;
  // If no key was measured, an even speed is assumed.
  if (measured === 0) return moments.map((_, at) => Math.round((at / moments.length) * duration));
  return moments.map((moment) => Math.round((moment * duration) / measured));
}
