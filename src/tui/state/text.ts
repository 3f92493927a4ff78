import { countedLanguage } from '../../typing/modes/practice.ts';
import { wordText } from '../../typing/rules/word.ts';
import type { Look, Style } from '../look/look.ts';
import type { DailyGoal } from '../progress/days.ts';
import { kindName } from '../progress/figures.ts';
import { gradeOf } from '../progress/letters.ts';
import type { Focus, RoundSetup } from '../round/round-setup.ts';
import { type RoundView, timeLimit } from '../round/round-view.ts';

/** What a round practises, in a few words; empty for the default one. */
export function kindText({ roundSetup: { mode, language, layout } }: RoundView): string {
  const shown = countedLanguage(mode.type, language);
  return kindName({ mode: modeText(mode), language: shown, layout }).trim();
}

/** A number of words is shown by the place in them. */
function modeText(mode: RoundSetup['mode']): string {
  switch (mode.type) {
    case 'words':
      return mode.numbers === true ? 'numbers' : '';
    case 'time':
      return `${mode.seconds} s`;
    case 'text':
      return mode.title ?? 'text';
    case 'quote':
      return mode.length === 'any' ? 'quote' : `${mode.length} quote`;
    case 'code':
      return mode.language;
    case 'drill':
      return `drill: ${mode.targets?.join(mode.on === 'letters' ? '' : ' ') ?? mode.on}`;
    default:
      return mode.type;
  }
}

/** The rules that make a round harder, in a word or two each; none for the default ones. */
export function ruleParts({ practice, roundSetup: { limits } }: RoundView, isBlind: boolean): string[] {
  const { stop_on: stopOn, backspace } = practice.rules;
  return [
    isBlind ? 'blind' : '',
    { none: '', letter: 'stops on letters', word: 'stops on words' }[stopOn],
    backspace === 'none' ? 'no Backspace' : '',
    limits.suddenDeath ? 'sudden death' : '',
    limits.minWpm > 0 ? `at least ${limits.minWpm} WPM` : '',
    limits.minAccuracy > 0 ? `at least ${limits.minAccuracy} %` : '',
  ].filter((part) => part !== '');
}

/**
 * What a guided round or a drill of bigrams is about, in parts, the most telling first; none for other
 * rounds. The confidence in a letter is the target time as a percentage of the typist's own: the next letter
 * is added when all are at 100 %.
 */
export function focusParts(round: RoundView, { paint }: Pick<Look, 'paint'>): string[] {
  const { mode, focus } = round.roundSetup;
  if (focus.length === 0) return [];
  const slowest = slowestFirst(round);
  if (mode.type === 'guided') {
    const letters = focus.map((letter) => paint(confidenceStyle(letter), letter.text)).join('');
    const target = `target ${Math.round(60_000 / 5 / (slowest[0]?.targetMs ?? 1))} WPM`;
    const known = slowest.map((letter) => `${letter.text} ${confidenceText(letter)}`);
    return [`open: ${letters}`, target, ...(slowest.some(({ ms }) => ms !== null) ? known : ['all new'])];
  }
  return [
    `target ${Math.round(slowest[0]?.targetMs ?? 0)} ms`,
    ...slowest.map(({ text, ms }) => `${text} ${ms === null ? 'new' : Math.round(ms)}`),
  ];
}

/** The letters or pairs of a drill: those in its words first, and the slowest of these first. */
function slowestFirst({ words, roundSetup }: Pick<RoundView, 'words' | 'roundSetup'>): Focus[] {
  const text = words.map(wordText).join(' ').toLowerCase();
  const slowest = roundSetup.focus.toSorted((a, b) => (b.ms ?? 1e9) - (a.ms ?? 1e9));
  return [
    ...slowest.filter((part) => text.includes(part.text)),
    ...slowest.filter((part) => !text.includes(part.text)),
  ];
}

/** Percent of the target speed at which one colour ends and the next begins. */
const confidenceLimits = [60, 80, 100] as const;

function confidenceStyle({ ms, targetMs }: Focus): Style {
  return ms === null ? 'faint' : `grade${gradeOf((targetMs / ms) * 100, 'accuracy', confidenceLimits)}`;
}

/** Cut, not rounded: only a mastered letter shows 100 %. */
function confidenceText({ ms, targetMs }: Focus): string {
  return ms === null ? 'new' : `${Math.floor((targetMs / ms) * 100)} %`;
}

/**
 * How far a round has come, in words or in seconds, and the columns that the text takes at most.
 *
 * @param elapsed active ms of the round
 */
export function placeOf(round: RoundView, elapsed: number) {
  const limit = timeLimit(round);
  if (limit !== undefined) {
    const total = limit / 1000;
    const done = Math.min(total, Math.floor(elapsed / 1000));
    return { text: `${total - done} s left`, width: `${total} s left`.length, done, total };
  }
  const total = round.words.length;
  const done = Math.min(round.progress.wordIndex, total);
  const wordText = (word: number) => `word ${word} of ${total}`;
  return { text: wordText(Math.min(done + 1, total)), width: wordText(total).length, done, total };
}

/** Where a round was left, such as `at word 4 of 30` or `with 52 s left`. */
export function leftPlaceText(round: RoundView): string {
  const { text } = placeOf(round, round.active);
  return text.startsWith('word') ? `at ${text}` : `with ${text}`;
}

/** The goal of the day in a few words; empty if there is none. */
export function goalText(goal: DailyGoal | undefined): string {
  if (goal === undefined) return '';
  const { done, minutes, streak } = goal;
  const today = done >= minutes ? `${done} min today, goal met` : `${done} of ${minutes} min today`;
  return streak < 2 ? today : `${today}, ${streak} days in a row`;
}
