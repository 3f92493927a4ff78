// What the typist races, and where it is.
import { plural } from '../../kit/terminal-text.ts';
import { type FinishedRound, replayRound } from '../../typing/statistics/finished-round.ts';
import type { RoundView } from '../round/round-view.ts';
import type { State } from './state.ts';

/** What a typist races, an even speed or an earlier round: the characters of a text, spaces included, after `ms`. */
export type Pacer = (ms: number) => number;

/** @param wpm standard WPM */
export function evenPacer(wpm: number): Pacer {
  return (ms) => 1 + Math.floor((wpm * 5 * ms) / 60_000);
}

/** @param moments active ms at which that round reached each character of its text; ascending */
export function roundPacer(moments: readonly number[]): Pacer {
  return (ms) => {
    const next = moments.findIndex((moment) => moment > ms);
    return next < 0 ? moments.length : next;
  };
}

/** Where the pacer is in a text. */
export interface PacePlace {
  readonly wordIndex: number;
  /** Position in that word; the length of the word means the space after it. */
  readonly at: number;
  /** Characters that the typist is ahead of it; below 0: behind. */
  readonly lead: number;
}

/** Where a pacer is in the text after `ms`; undefined before the timer runs and once it is done. */
export function pacePlace(round: RoundView, pacer: Pacer, ms: number): PacePlace | undefined {
  const { progress, words } = round;
  if (!progress.timerStarted) return undefined;
  const paced = pacer(ms);
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
  replayRound(round, ({ word, kind, at, isKept, isTimed, ms }) => {
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

/** What the typist races; undefined for nothing, and until it is known. */
export function pacerOf({ options: { pace }, history, lastMoments, pastMoments }: State): Pacer | undefined {
  if (pastMoments.length > 0) return roundPacer(pastMoments);
  if (pace === 'off') return undefined;
  if (pace === 'last') return lastMoments?.length ? roundPacer(lastMoments) : undefined;
  const known = { average: history?.average_standard_wpm, best: history?.best_standard_wpm };
  const wpm = typeof pace === 'number' ? pace : (known[pace] ?? 0);
  return wpm > 0 ? evenPacer(wpm) : undefined;
}

/** Where the pacer is by the clock of the round: as of its latest tick, or its latest key. */
export function paceOf(state: State): PacePlace | undefined {
  const { round, elapsed } = state;
  const pacer = pacerOf(state);
  return round && pacer && pacePlace(round, pacer, Math.max(elapsed, round.active));
}

/** How far the typist is ahead of the pace, or behind it, in one sentence; empty if nothing is raced. */
export function paceText(state: State): string {
  const lead = paceOf(state)?.lead;
  if (lead === undefined) return '';
  if (lead === 0) return `Level with ${paceName(state)}.`;
  return `${plural(Math.abs(lead), 'character')} ${lead > 0 ? 'ahead of' : 'behind'} ${paceName(state)}.`;
}

function paceName({ pastMoments, options: { pace } }: State): string {
  if (pastMoments.length > 0) return 'your last time';
  if (typeof pace === 'number') return `${pace} WPM`;
  return pace === 'last' ? 'your last round' : `your ${pace}`;
}
