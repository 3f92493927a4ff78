import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { readRegularFile } from '../../../kit/files/regular-file.ts';
import { plural } from '../../../kit/terminal-text.ts';
import { visibleText } from '../../../kit/visible-text.ts';
import type { CustomText, Options } from '../../../tui/record/options.ts';
import { createTextPlaces, type TextPlaces } from '../../../tui/record/text-places.ts';
import { qwerty } from '../../../typing/letters/layout.ts';
import { modes } from '../../../typing/modes/mode.ts';
import { problemOfText, textPortion } from '../../../typing/modes/text.ts';
import { normalForm } from '../../../typing/rules/word.ts';
import { UsageError } from '../../program/command-io.ts';
import { readStream } from '../../program/questions.ts';
import { plainText } from './plain-text.ts';
import type { PracticeFlags } from './practice-flags.ts';

/**
 * What the typist wants to type: the words of a list, or the file or folder at a path, if any. Rejects with one
 * sentence. The code for folders is loaded only if one is read.
 *
 * @param data the typist's data folder
 */
export async function openCustomText(
  { list, file: pattern, startOver }: Pick<PracticeFlags, 'list' | 'file'> & { readonly startOver?: true },
  path: string | undefined,
  options: Options,
  data: string,
): Promise<CustomText | undefined> {
  const [places, isStartOver] = [createTextPlaces(data), startOver === true];
  if (list !== undefined) return readCustomList(list, await keysOf(options));
  if (path === undefined) return undefined;
  if (path !== '-' && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    const { readSourceFolder } = await import('./source-folder.ts');
    return readSourceFolder(path, { places, pattern, isStartOver, comments: options.comments });
  }
  if (pattern !== undefined)
    throw new UsageError('--file chooses among the files of a folder, as in: play . --file parser');
  return readCustomText(path, { places, isStartOver, keys: await keysOf(options) });
}

/** The characters of the chosen layout; the library is opened only if it is not QWERTY. */
async function keysOf({ layout }: Options): Promise<ReadonlySet<string>> {
  if (layout === qwerty.id) return new Set(qwerty.rows.flat());
  const { openLibrary } = await import('../../../server/typing/library.ts');
  return new Set(openLibrary().layoutOf(layout).rows.flat());
}

export interface CustomTextOptions {
  /** Where the places in long texts are kept. */
  readonly places: TextPlaces;
  /** Whether a long text starts from the beginning. */
  readonly isStartOver: boolean;
  /** The characters of the layout. */
  readonly keys: ReadonlySet<string>;
}

/**
 * Reads the text to type from a file, or from standard input if it is `-`. A text too long for one round
 * is split into parts, beginning at the typist's place.
 */
export async function readCustomText(
  file: string,
  { places, isStartOver, keys }: CustomTextOptions,
): Promise<CustomText> {
  const { text: plain, title, noticed, wrong } = await readPlainText(file, keys);
  // A part of nothing but blanks could not be typed.
  const text = plain.replace(/\s{100,}/g, '\n\n');
  const problem = problemOf(text);
  if (problem !== undefined) throw wrong(problem);
  const isWhole = textPortion(text, 0).next === 0;
  const at = isStartOver || isWhole ? 0 : await places.find(text);
  return { ...partAt(text, title, places, at), ...noticed };
}

function partAt(whole: string, title: string, places: TextPlaces, at: number): CustomText {
  const { text, next } = textPortion(whole, at);
  if (text.length === whole.length) return { text, title };
  const percent = Math.floor((at / whole.length) * 100);
  return {
    text,
    title: `${title} ${percent} %`,
    async next() {
      await places.keep(whole, next);
      return partAt(whole, title, places, next);
    },
  };
}

/** Why a text cannot be typed, checked part by part. */
function problemOf(text: string): string | undefined {
  let at = 0;
  do {
    const { text: part, next } = textPortion(text, at);
    const problem = problemOfText(part);
    if (problem !== undefined)
      return at === 0 ? problem : `${problem} (counted from its character ${at + 1})`;
    at = next;
  } while (at !== 0);
  return undefined;
}

const { min: minWords, max: maxWords, maxLength: maxWord } = modes.words.parameters.list;

/** Reads words to draw from; a line that begins with # is a comment. */
export async function readCustomList(file: string, keys: ReadonlySet<string>): Promise<CustomText> {
  const { text, title, noticed, wrong } = await readPlainText(file, keys);
  const lines = text.split(/\r\n?|\n/).filter((line) => !line.startsWith('#'));
  const list = [...new Set(normalForm(lines.join('\n')).split(/\s+/))].filter((word) => word !== '');
  if (list.length < minWords || list.length > maxWords)
    throw wrong(
      `has ${plural(list.length, 'different word')}; a list needs ${minWords} to ${maxWords}, one a line or separated by spaces`,
    );
  const unfit = list.find((word) => word.length > maxWord || problemOfText(word) !== undefined);
  if (unfit !== undefined)
    throw wrong(
      `has "${visibleText(unfit).slice(0, 40)}"; a word of a list has at most ${maxWord} characters that keys type`,
    );
  return { text: '', title, list, ...noticed };
}

/** In bytes: a long novel. */
const maxBytes = 4 * 1024 * 1024;
/** A longer title has no room in any row. */
const maxTitle = 60;

/** Terminals differ in how they order such text, and the caret would be in the wrong place. */
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A text of the typist as keys type it, a sentence if something is left out of it, and the error for it. */
async function readPlainText(file: string, keys: ReadonlySet<string>) {
  const name = file === '-' ? 'standard input' : `"${visibleText(file)}"`;
  const wrong = (problem: string) => new UsageError(`the text from ${name} ${problem}.`);
  const refuse = (error: Error) => {
    throw new Error(`the text from ${name} cannot be read: ${error.message}.`);
  };
  const bytes =
    file === '-' ? await readStandardInput() : await readRegularFile(file, maxBytes).catch(refuse);
  let raw: string;
  try {
    raw = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw wrong('is not UTF-8: convert it first (iconv -f latin1 -t utf-8 old.txt > new.txt)');
  }
  const { text, leftOut } = plainText(raw, keys);
  if (rightToLeft.test(text))
    throw wrong('is written from right to left, which play cannot show in a terminal');
  const characters = plural(
    leftOut,
    'character that no key types, such as emoji, is',
    'characters that no key types, such as emoji, are',
  );
  const title = file === '-' ? 'text' : visibleText(basename(file)).slice(0, maxTitle);
  return { text, title, wrong, noticed: leftOut > 0 ? { notice: `${characters} left out.` } : {} };
}

async function readStandardInput(): Promise<Buffer> {
  if (process.stdin.isTTY)
    throw new UsageError('"-" reads the text from a pipe, as in: fortune | typebadge play -');
  const tooLong = `the text from standard input has more than ${maxBytes} bytes.`;
  return readStream(process.stdin, maxBytes, tooLong);
}
