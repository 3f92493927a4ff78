import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { replaceFile } from '../../../../kit/files/atomic-file.ts';
import { readRegularFile } from '../../../../kit/files/regular-file.ts';
import { plural } from '../../../../kit/terminal-text.ts';
import { visibleText } from '../../../../kit/visible-text.ts';
import type { CustomText, Options } from '../../../../tui/record/options.ts';
import { createTextPlaces, type TextPlaces } from '../../../../tui/record/text-places.ts';
import { type Layout, qwerty } from '../../../../typing/letters/layout.ts';
import { maxText, modes } from '../../../../typing/modes/mode.ts';
import { problemOfText, textPortion } from '../../../../typing/modes/text.ts';
import { normalForm } from '../../../../typing/rules/word.ts';
import { UsageError } from '../../../program/command-io.ts';
import { plainText } from './plain-text.ts';

/** In bytes: a long novel. */
const maxSize = 4 * 1024 * 1024;
/** A longer one has no room in any title row. */
const maxTitle = 60;

/**
 * Texts, folders and lists of words of the typist's own. Each rejects with one sentence.
 *
 * @param data the typist's data folder
 * @param pattern which files of a folder; undefined: any
 */
export function createTextSource(data: string, pattern: string | undefined) {
  const places = createTextPlaces(data, replaceFile);
  const keysOf = async (options: Options) => new Set((await layoutOf(options)).rows.flat());
  return {
    /** What there is at a path, or on standard input if it is `-`, as a text to type. */
    async readText(path: string, options: Options, isStartOver: boolean): Promise<CustomText> {
      if (path !== '-' && statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
        const { readSourceFolder } = await import('./source-folder.ts');
        return readSourceFolder(path, { places, pattern, isStartOver });
      }
      if (pattern !== undefined)
        throw new UsageError('--file chooses among the files of a folder, as in: play . --file parser');
      return readCustomText(path, { places, isStartOver, keys: await keysOf(options) });
    },
    readList: async (file: string, options: Options) => readCustomList(file, await keysOf(options)),
  };
}

/** The layout that is chosen; the list of all is read only where it is none of the usual. */
export async function layoutOf({ layout }: Pick<Options, 'layout'>): Promise<Layout> {
  if (layout === qwerty.id) return qwerty;
  const { openLibrary } = await import('../../../../server/typing/library.ts');
  return openLibrary().layoutOf(layout);
}

export interface CustomTextOptions {
  /** Where the places in long texts are kept. */
  readonly places: TextPlaces;
  /** Whether a long text begins at its beginning again. */
  readonly isStartOver: boolean;
  /** The characters of the layout. */
  readonly keys: ReadonlySet<string>;
}

/** A text too long for one round comes in parts, from the place where the typist was. */
export async function readCustomText(
  file: string,
  { places, isStartOver, keys }: CustomTextOptions,
): Promise<CustomText> {
  const name = file === '-' ? 'standard input' : `"${file}"`;
  const { text: plain, leftOut } = plainText(await readWhole(file, name), keys);
  // A part of nothing but blanks could not be typed.
  const text = plain.replace(/\s{100,}/g, '\n\n');
  const problem = problemOf(text);
  if (problem !== undefined) throw new UsageError(`the text from ${name} ${problem}.`);
  const title = file === '-' ? 'text' : titleOf(file);
  const at = isStartOver || text.length <= maxText ? 0 : await places.find(text);
  return { ...partAt({ whole: text, title, places }, at), ...noticeOf(leftOut) };
}

const { min: minWords, max: maxWords, maxLength: maxWord } = modes.words.parameters.list;

/** Reads words to draw from; a line that begins with # is a comment. */
export async function readCustomList(file: string, keys: ReadonlySet<string>): Promise<CustomText> {
  const name = `the list in "${visibleText(file)}"`;
  const { text, leftOut } = plainText(await readWhole(file, `"${file}"`), keys);
  const lines = text.split(/\r\n?|\n/).filter((line) => !line.startsWith('#'));
  const list = [...new Set(normalForm(lines.join('\n')).split(/\s+/))].filter((word) => word !== '');
  if (list.length < minWords || list.length > maxWords)
    throw new UsageError(
      `${name} has ${plural(list.length, 'different word')}; it takes ${minWords} to ${maxWords}, one a line or with blanks between them.`,
    );
  const unfit = list.find((word) => word.length > maxWord || problemOfText(word) !== undefined);
  if (unfit !== undefined)
    throw new UsageError(
      `${name} has "${visibleText(unfit).slice(0, 40)}"; a word has at most ${maxWord} characters that keys type.`,
    );
  const problem = problemOfScript(text);
  if (problem !== undefined) throw new UsageError(`${name} ${problem}.`);
  return { text: '', title: titleOf(file), list, ...noticeOf(leftOut) };
}

function titleOf(file: string): string {
  return visibleText(basename(file)).slice(0, maxTitle);
}

function noticeOf(leftOut: number): Pick<CustomText, 'notice'> {
  if (leftOut === 0) return {};
  const are = leftOut === 1 ? 'is' : 'are';
  return { notice: `${plural(leftOut, 'character')} that no key types, such as emoji, ${are} left out.` };
}

interface WholeText {
  readonly whole: string;
  readonly title: string;
  readonly places: TextPlaces;
}

function partAt(source: WholeText, at: number): CustomText {
  const { whole, title, places } = source;
  const { text, next } = textPortion(whole, at);
  if (text.length === whole.length) return { text, title };
  const percent = Math.floor((at / whole.length) * 100);
  return {
    text,
    title: `${title} ${percent} %`,
    async next() {
      await places.keep(whole, next);
      return partAt(source, next);
    },
  };
}

/** Why a text cannot be typed, seen part by part. */
function problemOf(text: string): string | undefined {
  for (let at = 0; ; ) {
    const { text: part, next } = textPortion(text, at);
    const problem = problemOfText(part);
    if (problem !== undefined)
      return at === 0 ? problem : `${problem} (counted from its character ${at + 1})`;
    if (next === 0) return problemOfScript(text);
    at = next;
  }
}

/** @param name of the file, as part of a sentence */
async function readWhole(file: string, name: string): Promise<string> {
  const bytes = file === '-' ? await readStandardInput() : await readTextFile(file);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(
      `the text from ${name} is not UTF-8. Convert it, such as: iconv -f latin1 -t utf-8 old.txt > new.txt`,
    );
  }
}

async function readTextFile(file: string): Promise<Buffer> {
  try {
    return await readRegularFile(file, maxSize);
  } catch (error) {
    throw new Error(`the text "${file}" cannot be read: ${(error as Error).message}.`);
  }
}

async function readStandardInput(): Promise<Buffer> {
  if (process.stdin.isTTY) {
    throw new UsageError('"-" reads the text from a pipe, as in: fortune | typebadge play -');
  }
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin) {
    parts.push(part as Buffer);
    size += (part as Buffer).length;
    if (size > maxSize)
      throw new UsageError(`the text from standard input must have at most ${maxSize} bytes.`);
  }
  return Buffer.concat(parts);
}

/** Terminals differ in how they order such text, and the caret would be in the wrong place. */
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

function problemOfScript(text: string): string | undefined {
  return rightToLeft.test(text)
    ? 'is written from right to left, which play cannot show in a terminal'
    : undefined;
}
