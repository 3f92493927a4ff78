import type { KeptLayout } from '../../contract/own-layout.ts';
import type { Practised } from '../round/practised.ts';
import { usualPractised } from '../round/practised.ts';
import type { LocalRound } from '../round/round.ts';

/** What a round practises, in a few words; empty for the usual one. */
export function toKindText(round: Pick<LocalRound, 'practised'> | undefined): string {
  if (round === undefined) return '';
  const { mode, language, layout, ownLayout } = round.practised;
  return [
    toModeText(mode),
    ...(language === usualPractised.language || mode.type === 'code' ? [] : [language]),
    ...(layout === usualPractised.layout ? [] : [ownLayout?.name ?? layout]),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** Words in a round, where nobody asked for a number. */
const usualCount = 30;

type Chosen = Pick<Practised, 'mode' | 'language' | 'layout'> & { readonly ownLayout: KeptLayout | null };

/** What a typist has chosen to practise, in a few words; empty for the usual. */
export function toChosenText({ mode, language, layout, ownLayout }: Chosen): string {
  const own = ownLayout?.id === layout ? { ownLayout: ownLayout.layout } : {};
  const kind = toKindText({ practised: { ...usualPractised, mode, language, layout, ...own } });
  const isUsual = mode.type !== 'words' || mode.count === usualCount;
  return [isUsual ? '' : `${mode.count} words`, kind].filter((part) => part !== '').join(' ');
}

/** A number of words is shown by the place in them. */
function toModeText(mode: Practised['mode']): string {
  switch (mode.type) {
    case 'words':
      return '';
    case 'time':
      return `${mode.seconds} s`;
    case 'text':
      return mode.title ?? 'text';
    case 'quote':
      return mode.length === 'any' ? 'quote' : `${mode.length} quote`;
    case 'code':
      return mode.language;
    case 'drill':
      return `drill: ${mode.on}`;
    case 'guided':
      return 'guided';
  }
}
