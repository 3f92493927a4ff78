import { toPacePlace } from '../round/pacer.ts';
import type { App } from '../state/app-state.ts';
import { toPacer } from '../state/app-state.ts';
import { toCountText } from './figures/figures.ts';

/** How far the typist is ahead of the pace, or behind it, in one sentence; empty where nothing is raced. */
export function toPaceText(app: App): string {
  const { pace } = app.options;
  const pacer = pace === 'off' ? undefined : toPacer(app);
  if (pacer === undefined || app.round === undefined) return '';
  const lead = toPacePlace(app.round, pacer, toPaceMs(app))?.lead;
  if (lead === undefined) return '';
  if (lead === 0) return `Level with ${toName(pace)}.`;
  return `${toCountText(Math.abs(lead), 'character')} ${lead > 0 ? 'ahead of' : 'behind'} ${toName(pace)}.`;
}

/** That what was chosen to be raced does not exist; empty where it does, where nothing was chosen, and until it is known. */
export function toMissingPaceText(app: App): string {
  const { pace } = app.options;
  if (typeof pace === 'number' || pace === 'off' || toPacer(app) !== undefined) return '';
  const isKnown = pace === 'last' ? app.lastMoments !== undefined : app.history !== undefined;
  return isKnown ? `Pace: no ${pace === 'last' ? 'last round' : pace} of this kind yet.` : '';
}

/** The clock of the round as far as it is known: as of its latest tick, or its latest key. */
export function toPaceMs({ elapsed, round }: Pick<App, 'elapsed' | 'round'>): number {
  return Math.max(elapsed, round?.active ?? 0);
}

function toName(pace: App['options']['pace']): string {
  if (typeof pace === 'number') return `${pace} WPM`;
  return pace === 'last' ? 'your last round' : `your ${pace}`;
}
