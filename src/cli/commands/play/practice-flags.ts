import { InvalidArgumentError, Option } from 'commander';
import type { Options } from '../../../tui/record/options.ts';
import {
  defaultMode,
  type ModeOf,
  type ModeType,
  modes,
  modeTypes,
  offeredTypes,
  type ValuedType,
} from '../../../typing/modes/mode.ts';

/** The flags that choose what is practised; at most one of the modes. */
export interface PracticeFlags extends ModeFlags {
  readonly targetWpm?: number;
  readonly numbers?: true;
  /** A file of words. */
  readonly list?: string;
  readonly text?: string;
  /** Which files of a folder. */
  readonly file?: string;
  readonly language?: string;
  readonly layout?: string;
}

type ModeFlags = { readonly [T in Exclude<ModeType, 'text'>]?: ModeOf<T> };

const [drillWords, maxTargets] = [modes.drill.parameters.on.values, modes.drill.parameters.targets.max];
const quoteLengths = modes.quote.parameters.length.values;
const drillExamples = 'letters=bj or bigrams=th,he';

/** At most one of the modes; what belongs to one of them conflicts with the others. */
export function practiceOptions(): Option[] {
  const [{ seconds }, { count }] = [modes.time.parameters, modes.words.parameters];
  const { target_wpm: speed } = modes.guided.parameters;
  const flag = (mode: ModeType, flags: string, about: string) =>
    new Option(flags, about).conflicts(modeTypes.filter((type) => type !== mode));
  const ofModes: Readonly<Record<ValuedType, Option>> = {
    time: flag('time', '--time <seconds>', `a timed test, ${rangeText(seconds)} seconds`).argParser(
      (text) => ({ type: 'time', seconds: parseNumber(text, seconds, '--time 60') }),
    ),
    words: flag('words', '--words <number>', `words in a round, ${rangeText(count)} (default: 30)`).argParser(
      (text) => ({ type: 'words', count: parseNumber(text, count, '--words 50') }),
    ),
    quote: flag('quote', '--quote [length]', 'a quote: short, medium, long or any')
      .preset('any')
      .argParser(parseQuote),
    code: flag(
      'code',
      '--code [language]',
      'code, such as typescript, python or go (ts, js, py … too); list shows all',
    )
      .preset('typescript')
      .argParser((language) => ({ type: 'code', language })),
    text: flag('text', '--text <file>', 'the same as [file]'),
    drill: flag(
      'drill',
      '--drill <what>',
      `what you miss or are slow on: letters, bigrams or words; or your own, such as ${drillExamples}`,
    ).argParser(parseDrill),
  };
  return [
    ...Object.values(ofModes),
    ...offeredTypes.map((type) =>
      flag(type, `--${type}`, modes[type].offer.help).argParser(() => ({ type })),
    ),
    flag('words', '--numbers', 'words with numbers among them'),
    flag('words', '--list <file>', 'words to draw from, 10 to 2000, one a line or separated by spaces'),
    flag(
      'guided',
      '--target-wpm <number>',
      `guided: the speed at which a letter is learned, ${rangeText(speed)} (default: 35)`,
    ).argParser((text) => parseNumber(text, speed, '--target-wpm 50')),
    flag('text', '--file <pattern>', 'of a folder: files with this in their path, or a glob such as "*.py"'),
    new Option('--language <name>', 'language of the words, such as german or fr; list shows all'),
    new Option('--layout <name>', 'your keyboard layout, such as dvorak or colemak; list shows all'),
  ];
}

/** The mode that the flags name; undefined if they name none that is remembered. */
export function modeOf(flags: PracticeFlags): Options['mode'] | undefined {
  const { words, numbers, list, targetWpm } = flags;
  if (numbers || list !== undefined) return { ...defaultMode, ...words, ...(numbers && { numbers }) };
  if (targetWpm !== undefined) return { type: 'guided', target_wpm: targetWpm };
  return modeTypes
    .filter((type) => type !== 'text')
    .map((type) => flags[type])
    .find((mode) => mode !== undefined);
}

interface Range {
  readonly min: number;
  readonly max: number;
}

const rangeText = ({ min, max }: Range) => `${min} to ${max}`;

function parseNumber(text: string, range: Range, example: string): number {
  const number = Number(text);
  if (/^\d{1,3}$/.test(text) && number >= range.min && number <= range.max) return number;
  throw new InvalidArgumentError(`It takes ${rangeText(range)}, such as ${example}.`);
}

/** Letters follow each other, bigrams have commas or blanks between them. */
function parseDrill(text: string): ModeOf<'drill'> {
  const [name, given] = text.normalize('NFC').split(/=(.*)/s);
  const on = drillWords.find((value) => value === name);
  if (on !== undefined && given === undefined) return { type: 'drill', on };
  const parts = (given ?? '').split(/[\s,]+/).filter((part) => part !== '');
  const targets = [...new Set(on === 'letters' ? parts.flatMap((part) => [...part]) : parts)];
  const length = on === 'letters' ? 1 : 2;
  const areFit = targets.every((target) => /^\p{L}+$/u.test(target) && target.length === length);
  if (on !== undefined && on !== 'words' && targets.length > 0 && targets.length <= maxTargets && areFit)
    return { type: 'drill', on, targets };
  throw new InvalidArgumentError(
    `It takes letters, bigrams or words, or 1 to ${maxTargets} of your own, such as ${drillExamples}.`,
  );
}

function parseQuote(text: string): ModeOf<'quote'> {
  const length = quoteLengths.find((value) => value === text);
  if (length !== undefined) return { type: 'quote', length };
  throw new InvalidArgumentError('A quote is short, medium, long or any.');
}
