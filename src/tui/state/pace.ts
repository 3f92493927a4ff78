// What the typist races, and where it is.
import { plural } from '../../kit/terminal-text.ts';
import { evenPacer, type PacePlace, type Pacer, pacePlace, roundPacer } from '../round/pacer.ts';
import type { State } from './state.ts';

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
