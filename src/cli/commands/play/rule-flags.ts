import { InvalidArgumentError, Option } from 'commander';
import { largestGoal, largestMinWpm, type Options, paces } from '../../../tui/record/options.ts';
import { UsageError } from '../../program/command-errors.ts';

/** The flags that make a round harder, and the pace to race; the options screen has them, too. */
export function ruleOptions(): Option[] {
  return [
    new Option('--strict', 'a space before the end of a word is a mistake, instead of the end of the word'),
    new Option('--stop-on <what>', 'a mistake must be corrected at once, or before its word ends').choices([
      'letter',
      'word',
      'none',
    ]),
    new Option('--backspace <how>', 'free, word or none; it never reaches an earlier word').argParser(
      parseBackspace,
    ),
    new Option('--no-backspace', 'Backspace does nothing').preset('none'),
    new Option('--sudden-death', 'the first mistake ends the round'),
    new Option('--no-sudden-death', 'mistakes end no round'),
    new Option('--blind', 'mistakes are not marked while you type'),
    new Option('--no-blind', 'mistakes are marked'),
    new Option(
      '--min-wpm <number>',
      'a speed below this ends the round, from 5 seconds on; 0: none',
    ).argParser((text) => parseLimit(text, largestMinWpm)),
    new Option(
      '--min-accuracy <percent>',
      'an accuracy below this ends the round, from 25 keys on; 0: none',
    ).argParser((text) => parseLimit(text, 100)),
    new Option(
      '--pace <what>',
      'race your average, best or last round, or a speed in WPM; off: no pace',
    ).argParser(parsePace),
    new Option('--goal <minutes>', 'minutes to practise a day; 0: no goal').argParser((text) =>
      parseLimit(text, largestGoal),
    ),
  ];
}

/** @throws UsageError for flags that would lock a typist in a word */
export function checkRules({ stopOn, backspace }: Pick<Partial<Options>, 'stopOn' | 'backspace'>): void {
  if (stopOn !== 'word' || backspace !== 'none') return;
  throw new UsageError('--stop-on word needs Backspace to correct the word: leave --no-backspace out.');
}

/** A word that was left is never reached again, so `word` is the same as `free`. */
function parseBackspace(text: string): Options['backspace'] {
  if (text === 'none') return 'none';
  if (text === 'free' || text === 'word') return 'free';
  throw new InvalidArgumentError('Backspace is free, word or none.');
}

function parsePace(text: string): Options['pace'] {
  const named = paces.find((pace) => pace === text);
  if (named !== undefined) return named;
  const wpm = Number(text);
  if (/^\d+$/.test(text) && wpm >= 1 && wpm <= largestMinWpm) return wpm;
  throw new InvalidArgumentError(
    `A pace is average, best, last, off, or a speed from 1 to ${largestMinWpm}.`,
  );
}

function parseLimit(text: string, most: number): number {
  const limit = Number(text.replace(/ ?%$/, ''));
  if (/^\d+ ?%?$/.test(text) && limit <= most) return limit;
  throw new InvalidArgumentError(`Give a whole number from 0 to ${most}.`);
}
