import type { LocalRound } from '../round/round.ts';

/** The rules that make a round harder, in a word or two each; none for the usual ones. */
export function toRuleParts(
  { rules, practised: { limits } }: Pick<LocalRound, 'rules' | 'practised'>,
  isBlind: boolean,
): string[] {
  const stops = { none: '', letter: 'stops on letters', word: 'stops on words' }[rules.stopOn];
  return [
    isBlind ? 'blind' : '',
    stops,
    rules.backspace === 'none' ? 'no Backspace' : '',
    limits.suddenDeath ? 'sudden death' : '',
    limits.minWpm > 0 ? `at least ${limits.minWpm} WPM` : '',
    limits.minAccuracy > 0 ? `at least ${limits.minAccuracy} %` : '',
  ].filter((part) => part !== '');
}
