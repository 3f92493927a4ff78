// Numbers as people read them: the same everywhere in the client.
import type { RoundKind } from '../../typing/statistics/finished-round.ts';
import type { RoundSource } from './round-record.ts';

/** Percent with one decimal, cut and not rounded: only a perfect round shows 100.0. */
export function percentText(percent: number): string {
  return (Math.floor(percent * 10 + 1e-9) / 10).toFixed(1);
}

/** `40 s`, `12 min`, `3 h 20 min`. */
export function durationText(seconds: number): string {
  if (seconds < 100) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A round shorter than this has no meaningful speed, s: a limit may end it after its first keys. */
const minTimed = 1.5;

/** Whether a round lasted long enough for a meaningful speed. */
export function hasSpeed({ seconds }: { readonly seconds: number }): boolean {
  return seconds >= minTimed;
}

/**
 * Mode, language, layout and program; defaults are left out. Rounds of other programs may lack the layout:
 * among rounds of all programs, `unknown` may be all that distinguishes two kinds.
 */
export function kindName(kind: RoundKind & { readonly source?: RoundSource | undefined }): string {
  const { mode, language, layout, source = 'own' } = kind;
  return [
    mode,
    ...(language === 'en' ? [] : [language]),
    ...(layout === 'qwerty' || (layout === 'unknown' && source !== 'all') ? [] : [layout]),
    ...(source === 'own' ? [] : [source === 'all' ? '(all programs)' : `(${source})`]),
  ].join(' ');
}

const hand = ['little', 'ring', 'middle', 'index', 'thumb'];

/** By the index of the finger, from the left little finger to the right one. */
export const fingerNames: readonly string[] = [
  ...hand.map((finger) => `left ${finger}`),
  ...hand.toReversed().map((finger) => `right ${finger}`),
];

export const rowNames = ['top', 'home', 'bottom', 'number'] as const;
