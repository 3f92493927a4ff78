import { InvalidArgumentError, Option } from 'commander';
import type { Options } from '../../../tui/record/options.ts';
import { modes } from '../../../typing/modes/mode.ts';

/** The flags that choose what is practised; at most one of the modes. */
export interface PracticeFlags {
  readonly words?: number;
  readonly time?: number;
  readonly quote?: string | true;
  readonly code?: string | true;
  readonly drill?: Drill;
  readonly guided?: true;
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

/** What of a drill is chosen: what the history says, or the given letters or bigrams. */
type Drill = Extract<Options['mode'], { type: 'drill' }>;

const modeFlags = ['words', 'time', 'quote', 'code', 'drill', 'guided', 'text'] as const;
/** What belongs to one of the modes, and goes with no other. */
const modeOfDetail = { numbers: 'words', list: 'words', targetWpm: 'guided', file: 'text' } as const;

/** The other flags. */
export function withoutPractice<Flags extends PracticeFlags>(flags: Flags): Omit<Flags, keyof PracticeFlags> {
  const names = new Set<string>([...modeFlags, ...Object.keys(modeOfDetail), 'language', 'layout']);
  const others = Object.entries(flags).filter(([name]) => !names.has(name));
  return Object.fromEntries(others) as Omit<Flags, keyof PracticeFlags>;
}

export function practiceOptions(): Option[] {
  const choices = [
    new Option('--time <seconds>', 'a test of so many seconds, 5 to 600').argParser(parseSeconds),
    new Option('--words <number>', 'words in a round, 10 to 200 (default: 30)').argParser(parseWordCount),
    new Option('--quote [length]', 'a quote: short, medium, long or any').argParser(parseQuoteLength),
    new Option(
      '--code [language]',
      'code, such as typescript, python or go (ts, js, py … too); list shows all',
    ),
    new Option('--text <file>', 'a text or a folder of your own; - reads a text from standard input'),
    new Option(
      '--drill <what>',
      `what you miss or are slow on: letters, bigrams or words; or your own, such as ${drillExamples}`,
    ).argParser(parseDrill),
    new Option('--guided', 'letters are added one by one as you master them'),
  ];
  const details = [
    new Option('--numbers', 'words with numbers among them'),
    new Option('--list <file>', 'words to draw from, one a line or with blanks between them, 10 to 2000'),
    new Option(
      '--target-wpm <number>',
      'guided: the speed at which a letter is learned, 10 to 200 (default: 35)',
    ).argParser(parseTargetWpm),
    new Option('--file <pattern>', 'of a folder: files with this in their path, or a glob such as "*.py"'),
  ];
  for (const option of [...choices, ...details]) {
    const own = option.attributeName();
    const mode = modeOfDetail[own as keyof typeof modeOfDetail] ?? own;
    option.conflicts(modeFlags.filter((flag) => flag !== mode));
  }
  return [
    ...choices,
    ...details,
    new Option('--language <name>', 'language of the words, such as german or fr; list shows all'),
    new Option(
      '--layout <name>',
      'your keyboard layout, such as dvorak or colemak; list shows all; or a JSON file with your own',
    ),
  ];
}

/** The mode that the flags name; undefined where they name none that is remembered. */
export function modeOf(flags: PracticeFlags): Options['mode'] | undefined {
  const { words, numbers, list, time, quote, code, drill, guided, targetWpm } = flags;
  if (words !== undefined || numbers || list !== undefined)
    return { type: 'words', count: words ?? 30, ...(numbers && { numbers }) };
  if (time !== undefined) return { type: 'time', seconds: time };
  if (quote !== undefined) return { type: 'quote', length: quoteLengthOf(quote) };
  if (code !== undefined) return { type: 'code', language: codeLanguageOf(code) };
  if (drill !== undefined) return drill;
  if (!guided && targetWpm === undefined) return undefined;
  return { type: 'guided', ...(targetWpm !== undefined && { target_wpm: targetWpm }) };
}

/** Whether a flag chooses something that the server may not offer. */
export function hasPracticeFlags(flags: PracticeFlags): boolean {
  return modeOf(flags) !== undefined || flags.language !== undefined || flags.layout !== undefined;
}

/** Whether the value asks for all names; no language or layout is called `list`. */
export function isListRequest(given: string | true | undefined): boolean {
  return given === 'list';
}

/** Whether a list is wanted instead of a round. */
export function asksForList({ language, layout, code }: PracticeFlags): boolean {
  return [language, layout, code].some(isListRequest);
}

function parseWordCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 10 && count <= 200) return count;
  throw new InvalidArgumentError('A round has 10 to 200 words, such as --words 50.');
}

function parseTargetWpm(text: string): number {
  const { min, max } = modes.guided.parameters.target_wpm;
  const wpm = Number(text);
  if (/^\d{1,3}$/.test(text) && wpm >= min && wpm <= max) return wpm;
  throw new InvalidArgumentError(`A target is a speed from ${min} to ${max} WPM, such as --target-wpm 50.`);
}

const drillExamples = 'letters=bj or bigrams=th,he';

/** Letters follow each other, bigrams have commas or blanks between them. */
export function parseDrill(text: string): Drill {
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

function parseSeconds(text: string): number {
  const [, number, unit] = /^(\d{1,3})(s|m|min)?$/.exec(text) ?? [];
  const seconds = Number(number) * (unit?.startsWith('m') ? 60 : 1);
  if (seconds >= 5 && seconds <= 600) return seconds;
  throw new InvalidArgumentError('A test takes 5 to 600 seconds, such as --time 60 or --time 2m.');
}

const quoteLengths = ['short', 'medium', 'long', 'any'] as const;

function parseQuoteLength(text: string): string {
  if (quoteLengths.some((length) => length === text)) return text;
  throw new InvalidArgumentError(`A quote is ${quoteLengths.slice(0, -1).join(', ')} or any.`);
}

function quoteLengthOf(given: string | true): (typeof quoteLengths)[number] {
  return quoteLengths.find((length) => length === given) ?? 'any';
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

function codeLanguageOf(given: string | true): string {
  const name = given === true ? 'typescript' : given.toLowerCase();
  return codeAliases[name] ?? name;
}
