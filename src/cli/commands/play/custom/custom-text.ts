import { basename } from 'node:path';
import { readRegularFile } from '../../../../kit/files/regular-file.ts';
import { plural } from '../../../../kit/terminal-text.ts';
import { visibleText } from '../../../../kit/visible-text.ts';
import type { CustomText } from '../../../../tui/record/options.ts';
import type { TextPlaces } from '../../../../tui/record/text-places.ts';
import { maxText, modes } from '../../../../typing/modes/mode.ts';
import { problemOfText, textPortion } from '../../../../typing/modes/text.ts';
import { normalForm } from '../../../../typing/rules/word.ts';
import { UsageError } from '../../../program/command-io.ts';
import { plainText } from './plain-text.ts';

/** In UTF-16 units: a long novel. */
const maxInput = 4 * 1024 * 1024;
const tooLarge = `must have at most ${maxInput} characters`;

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
  const name = file === '-' ? 'standard input' : `"${file}"`;
  const bytes = file === '-' ? await readStandardInput() : await readTextFile(file);
  if (bytes.length > maxBytes) throw new UsageError(`the text from ${name} ${tooLarge}.`);
  const raw = decodedText(bytes, name);
  const { text: plain, leftOut } = plainText(raw, keys);
  // A part of nothing but blanks could not be typed.
  const text = plain.replace(/\s{100,}/g, '\n\n');
  const problem = problemOf(text);
  if (problem !== undefined) throw new UsageError(`the text from ${name} ${problem}.`);
  const title = file === '-' ? 'text' : visibleText(basename(file)).slice(0, maxTitle);
  const at = isStartOver || text.length <= maxText ? 0 : await places.find(text);
  const part = partAt({ whole: text, title, places }, at);
  return leftOut === 0 ? part : { ...part, notice: leftOutText(leftOut) };
}

const { min: minWords, max: maxWords, maxLength: maxWord } = modes.words.parameters.list;

/** Reads words to draw from; a line that begins with # is a comment. */
export async function readCustomList(file: string, keys: ReadonlySet<string>): Promise<CustomText> {
  const name = `the list in "${visibleText(file)}"`;
  const { text, leftOut } = plainText(decodedText(await readTextFile(file), `"${file}"`), keys);
  const lines = text.split(/\r\n?|\n/).filter((line) => !line.startsWith('#'));
  const list = [...new Set(normalForm(lines.join('\n')).split(/\s+/))].filter((word) => word !== '');
  if (list.length < minWords || list.length > maxWords)
    throw new UsageError(
      `${name} has ${plural(list.length, 'different word')}; it needs ${minWords} to ${maxWords}, one a line or separated by blanks.`,
    );
  const unfit = list.find((word) => word.length > maxWord || problemOfText(word) !== undefined);
  const problem = unfit === undefined ? problemOfScript(text) : undefined;
  if (problem !== undefined) throw new UsageError(`${name} ${problem}.`);
  if (unfit !== undefined)
    throw new UsageError(
      `${name} has "${visibleText(unfit).slice(0, 40)}"; a word has at most ${maxWord} characters that keys type.`,
    );
  const title = visibleText(basename(file)).slice(0, maxTitle);
  return { text: '', title, list, ...(leftOut > 0 && { notice: leftOutText(leftOut) }) };
}

function leftOutText(count: number): string {
  const are = count === 1 ? 'is' : 'are';
  return `${plural(count, 'character')} that no key types, such as emoji, ${are} left out.`;
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

/** Why a text cannot be typed, checked part by part. */
function problemOf(text: string): string | undefined {
  if (text.length > maxInput) return tooLarge;
  for (let at = 0; ; ) {
    const { text: part, next } = textPortion(text, at);
    const problem = problemOfText(part);
    if (problem !== undefined)
      return at === 0 ? problem : `${problem} (counted from its character ${at + 1})`;
    if (next === 0) return problemOfScript(text);
    at = next;
  }
}

/** A longer title has no room in any row. */
const maxTitle = 60;

async function readTextFile(file: string): Promise<Buffer> {
  try {
    return await readRegularFile(file, maxBytes);
  } catch (error) {
    throw new Error(`the text "${file}" cannot be read: ${(error as Error).message}.`);
  }
}

/** Stops reading soon after the limit. */
async function readStandardInput(): Promise<Buffer> {
  if (process.stdin.isTTY) {
    throw new UsageError('"-" reads the text from a pipe, as in: fortune | typebadge play -');
  }
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin) {
    parts.push(part as Buffer);
    size += (part as Buffer).length;
    if (size > maxBytes) break;
  }
  return Buffer.concat(parts);
}

/** UTF-8 takes at most three bytes for a UTF-16 unit. */
const maxBytes = maxInput * 3;

/** @param name of the file, as part of a sentence */
function decodedText(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(
      `the text from ${name} is not UTF-8. Convert it, such as: iconv -f latin1 -t utf-8 old.txt > new.txt`,
    );
  }
}

/** Terminals differ in how they order such text, and the caret would be in the wrong place. */
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

function problemOfScript(text: string): string | undefined {
  return rightToLeft.test(text)
    ? 'is written from right to left, which play cannot show in a terminal'
    : undefined;
}
