import { toSlowestFirst } from '../round/drill-times.ts';
import type { Focus } from '../round/practised.ts';
import type { LocalRound } from '../round/round.ts';
import { toMilliseconds } from './figures/figures.ts';

/**
 * What a guided round or a drill of bigrams is about, in parts, the most telling first; none for other rounds. The confidence in
 * a letter is the target time as a percentage of the typist's own: the next letter is added when all are at 100 %.
 */
export function toFocusParts(round: Pick<LocalRound, 'words' | 'practised'>): string[] {
  const { mode, focus } = round.practised;
  if (focus.length === 0) return [];
  const slowestFirst = toSlowestFirst(round);
  if (mode.type === 'guided') {
    const letters = focus.map(({ text }) => text).join('');
    return [`open: ${letters}`, ...slowestFirst.map((letter) => `${letter.text} ${toConfidence(letter)}`)];
  }
  const [first] = slowestFirst;
  return [
    `target ${toMilliseconds(first?.targetMs ?? 0)}`,
    ...slowestFirst.map(({ text, ms }) => `${text} ${ms === null ? 'new' : Math.round(ms)}`),
  ];
}

/** Cut, not rounded: only a letter that is learned shows 100 %. */
function toConfidence({ ms, targetMs }: Focus): string {
  return ms === null ? 'new' : `${Math.floor((targetMs / ms) * 100)} %`;
}
