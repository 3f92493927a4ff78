import { wordText } from '../../typing/rules/word.ts';
import { type RoundView, reportsOf } from './round-view.ts';

/** More words would make the drill too long. */
const maxMissed = 15;

/** How often each of them comes. */
const repeats = 3;

/** The words of a round that went wrong, each three times: a text to practise. Empty where there are none. */
export function missedText(round: RoundView): string {
  const missed = missedWords(round).slice(0, maxMissed);
  return Array.from({ length: repeats }, () => missed)
    .flat()
    .join(' ');
}

/** The words that had a wrong key or lacked a letter, each once, in the order of the round. */
export function missedWords(round: RoundView): string[] {
  const missed = new Set<string>();
  let at = 0;
  for (const report of reportsOf(round)) {
    const word = round.words[at];
    if (word === undefined) break;
    const isWrong = report.kind === 'character' && !report.isRight;
    if (isWrong || (report.kind === 'advance' && report.omitted > 0)) missed.add(wordText(word));
    if (report.kind === 'advance') at += 1;
  }
  return [...missed];
}
