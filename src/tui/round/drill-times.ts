import { english, type Language } from '../../typing/letters/language.ts';
import type { KeyReport } from '../../typing/rules/step.ts';
import { wordText } from '../../typing/rules/word.ts';
import { createKeyCounter, newKeyTally } from '../../typing/statistics/key-tally.ts';
import type { Focus } from './round-setup.ts';
import type { RoundView } from './round-view.ts';

/** Of a drill of pairs, each pair with its mean in this round and before, ms, in one sentence; else empty. */
export function drilledText(round: RoundView, reports: readonly KeyReport[], dash: string): string {
  const { mode, focus, language } = round.roundSetup;
  if (mode.type !== 'drill' || focus.length === 0) return '';
  const tally = newKeyTally();
  const count = createKeyCounter(tally, languageOfPairs(focus, language));
  for (const report of reports) count(report);
  const pairs = slowestFirst(round).map(({ text, ms: before }) => {
    const { count: times = 0, ms = 0 } = tally.bigrams[text] ?? {};
    const mean = times === 0 ? dash : Math.round(ms / times);
    return `${text} ${mean}${before === null ? '' : ` (${Math.round(before)})`}`;
  });
  return `Pairs, ms (before); the target is ${Math.round(focus[0]?.targetMs ?? 0)}: ${pairs.join(', ')}.`;
}

/** A language that has at least the letters of these pairs. */
function languageOfPairs(focus: readonly Focus[], id: string): Language {
  const letters = new Set(english.alphabet + focus.map(({ text }) => text).join(''));
  return { id, name: id, alphabet: [...letters].join('') };
}

/** The letters or pairs of a drill: those in its words first, and the slowest of these first. */
export function slowestFirst({ words, roundSetup }: Pick<RoundView, 'words' | 'roundSetup'>): Focus[] {
  const text = lowerCase(words.map(wordText).join(' '), roundSetup.language);
  const rankOf = ({ text: part, ms }: Focus) => [Number(!text.includes(part)), -(ms ?? Infinity)] as const;
  return roundSetup.focus.toSorted((a, b) => {
    const [[isOutA, slowA], [isOutB, slowB]] = [rankOf(a), rankOf(b)];
    return isOutA - isOutB || slowA - slowB || 0; // two that are not known yet: NaN
  });
}

/** The language of a file or a server may be none that the engine knows. */
function lowerCase(text: string, language: string): string {
  try {
    return text.toLocaleLowerCase(language);
  } catch {
    return text.toLowerCase();
  }
}
