import { InvalidArgumentError, Option } from 'commander';
import type { Options } from '../../../tui/record/options.ts';
import { defaultMode, type ModeOf, type ModeType, modes, modeTypes } from '../../../typing/modes/mode.ts';

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

/** Flags that belong to one of the modes, and conflict with the others. */
const modeOfDetail = { numbers: 'words', list: 'words', targetWpm: 'guided', file: 'text' } as const;

export function practiceOptions(): Option[] {
  const secondsOf = numberIn(modes.time.parameters.seconds, '--time 60');
  const countOf = numberIn(modes.words.parameters.count, '--words 50');
  const parseTargetWpm = numberIn(modes.guided.parameters.target_wpm, '--target-wpm 50');
  const choices: Readonly<Record<ModeType, Option>> = {
    time: new Option('--time <seconds>', 'a timed test, 5 to 600 seconds').argParser((text) => ({
      type: 'time',
      seconds: secondsOf(text),
    })),
    words: new Option('--words <number>', 'words in a round, 10 to 200 (default: 30)').argParser((text) => ({
      type: 'words',
      count: countOf(text),
    })),
    quote: new Option('--quote [length]', 'a quote: short, medium, long or any')
      .preset('any')
      .argParser(parseQuote),
    code: new Option(
      '--code [language]',
      'code, such as typescript, python or go (ts, js, py … too); list shows all',
    )
      .preset('typescript')
      .argParser(parseCode),
    text: new Option('--text <file>', 'a text or a folder of your own; - reads a text from standard input'),
    drill: new Option(
      '--drill <what>',
      `what you miss or are slow on: letters, bigrams or words; or your own, such as ${drillExamples}`,
    ).argParser(parseDrill),
    guided: new Option('--guided', 'letters are added one by one as you master them').argParser(() => ({
      type: 'guided',
    })),
  };
  const details = [
    new Option('--numbers', 'words with numbers among them'),
    new Option('--list <file>', 'words to draw from, 10 to 2000, one a line or separated by blanks'),
    new Option(
      '--target-wpm <number>',
      'guided: the speed at which a letter is learned, 10 to 200 (default: 35)',
    ).argParser(parseTargetWpm),
    new Option('--file <pattern>', 'of a folder: files with this in their path, or a glob such as "*.py"'),
  ];
  const all = [...Object.values(choices), ...details];
  for (const option of all) {
    const name = option.attributeName();
    const mode = modeOfDetail[name as keyof typeof modeOfDetail] ?? name;
    option.conflicts(modeTypes.filter((flag) => flag !== mode));
  }
  return [
    ...all,
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

/** Whether a flag chooses something that the server may not offer. */
export function hasPracticeFlags(flags: PracticeFlags): boolean {
  return modeOf(flags) !== undefined || flags.language !== undefined || flags.layout !== undefined;
}

/** Whether all names are to be shown instead of one being chosen; no language or layout has this name. */
export function isListRequest(given: string | undefined): boolean {
  return given === 'list';
}

/** Whether a list is wanted instead of a round. */
export function asksForList({ language, layout, code }: PracticeFlags): boolean {
  return [language, layout, code?.language].some(isListRequest);
}

/** Reads a whole number for an option, such as `--words 50`. */
function numberIn({ min, max }: { readonly min: number; readonly max: number }, example: string) {
  return (text: string): number => {
    const number = Number(text);
    if (/^\d{1,3}$/.test(text) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It takes ${min} to ${max}, such as ${example}.`);
  };
}

const drillExamples = 'letters=bj or bigrams=th,he';

/** Letters follow each other, bigrams have commas or blanks between them. */
function parseDrill(text: string): ModeOf<'drill'> {
  const [, name = '', given] = /^(letters|bigrams|words)(?:=(.+))?$/s.exec(text) ?? [];
  const on = modes.drill.parameters.on.values.find((value) => value === name);
  if (on !== undefined && given === undefined) return { type: 'drill', on };
  const parts =
    given
      ?.normalize('NFC')
      .split(/[\s,]+/)
      .filter((part) => part !== '') ?? [];
  const targets = [...new Set(on === 'letters' ? parts.flatMap((part) => [...part]) : parts)];
  const length = on === 'letters' ? 1 : 2;
  const { max } = modes.drill.parameters.targets;
  const areFit = targets.every((target) => /^\p{L}+$/u.test(target) && target.length === length);
  if (on === undefined || on === 'words' || targets.length === 0 || targets.length > max || !areFit)
    throw new InvalidArgumentError(
      `It takes letters, bigrams or words, or 1 to ${max} of your own, such as ${drillExamples}.`,
    );
  return { type: 'drill', on, targets };
}

function parseQuote(text: string): ModeOf<'quote'> {
  const length = modes.quote.parameters.length.values.find((value) => value === text);
  if (length !== undefined) return { type: 'quote', length };
  throw new InvalidArgumentError('A quote is short, medium, long or any.');
}

/** Short names of the languages. */
export const codeAliases: Readonly<Record<string, string>> = {
  ts: 'typescript',
  js: 'javascript',
  py: 'python',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  golang: 'go',
  htm: 'html',
};

function parseCode(text: string): ModeOf<'code'> {
  const name = text.toLowerCase();
  return { type: 'code', language: codeAliases[name] ?? name };
}
