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

/** In UTF-16 units: a long novel. UTF-8 takes at most three bytes for one. */
const maxInput = 4 * 1024 * 1024;
const maxBytes = maxInput * 3;
const tooLarge = `must have at most ${maxInput} characters`;

/** A longer title has no room in any row. */
const maxTitle = 60;

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
  const { name, text: plain, title, noticed } = await readPlainText(file, keys);
  // A part of nothing but blanks could not be typed.
  const text = plain.replace(/\s{100,}/g, '\n\n');
  const problem = problemOf(text);
  if (problem !== undefined) throw new UsageError(`the text from ${name} ${problem}.`);
  const at = isStartOver || text.length <= maxText ? 0 : await places.find(text);
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
  if (text.length > maxInput) return tooLarge;
  let at = 0;
  do {
    const { text: part, next } = textPortion(text, at);
    const problem = problemOfText(part);
    if (problem !== undefined)
      return at === 0 ? problem : `${problem} (counted from its character ${at + 1})`;
    at = next;
  } while (at !== 0);
  return problemOfScript(text);
}

/** Terminals differ in how they order such text, and the caret would be in the wrong place. */
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

function problemOfScript(text: string): string | undefined {
  return rightToLeft.test(text)
    ? 'is written from right to left, which play cannot show in a terminal'
    : undefined;
}

const { min: minWords, max: maxWords, maxLength: maxWord } = modes.words.parameters.list;

/** Reads words to draw from; a line that begins with # is a comment. */
export async function readCustomList(file: string, keys: ReadonlySet<string>): Promise<CustomText> {
  const { text, title, noticed } = await readPlainText(file, keys);
  const wrong = (problem: string) => new UsageError(`the list in "${visibleText(file)}" ${problem}.`);
  const lines = text.split(/\r\n?|\n/).filter((line) => !line.startsWith('#'));
  const list = [...new Set(normalForm(lines.join('\n')).split(/\s+/))].filter((word) => word !== '');
  if (list.length < minWords || list.length > maxWords)
    throw wrong(
      `has ${plural(list.length, 'different word')}; it needs ${minWords} to ${maxWords}, one a line or separated by blanks`,
    );
  const unfit = list.find((word) => word.length > maxWord || problemOfText(word) !== undefined);
  if (unfit !== undefined)
    throw wrong(
      `has "${visibleText(unfit).slice(0, 40)}"; a word has at most ${maxWord} characters that keys type`,
    );
  const problem = problemOfScript(text);
  if (problem !== undefined) throw wrong(problem);
  return { text: '', title, list, ...noticed };
}

/** A text of the typist as keys type it, and a sentence if something is left out of it. */
async function readPlainText(file: string, keys: ReadonlySet<string>) {
  const name = file === '-' ? 'standard input' : `"${file}"`;
  const bytes =
    file === '-' ? await readStandardInput() : await readRegularFile(file, maxBytes).catch(refuse);
  if (bytes.length > maxBytes) throw new UsageError(`the text from ${name} ${tooLarge}.`);
  let raw: string;
  try {
    raw = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(
      `the text from ${name} is not UTF-8. Convert it, such as: iconv -f latin1 -t utf-8 old.txt > new.txt`,
    );
  }
  const { text, leftOut } = plainText(raw, keys);
  const characters = plural(
    leftOut,
    'character that no key types, such as emoji, is',
    'characters that no key types, such as emoji, are',
  );
  const title = file === '-' ? 'text' : visibleText(basename(file)).slice(0, maxTitle);
  return { name, text, title, noticed: leftOut > 0 ? { notice: `${characters} left out.` } : {} };

  function refuse(error: Error): never {
    throw new Error(`the text ${name} cannot be read: ${error.message}.`);
  }
}

/** Stops reading soon after the limit. */
async function readStandardInput(): Promise<Buffer> {
  if (process.stdin.isTTY)
    throw new UsageError('"-" reads the text from a pipe, as in: fortune | typebadge play -');
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin) {
    parts.push(part as Buffer);
    size += (part as Buffer).length;
    if (size > maxBytes) break;
  }
  return Buffer.concat(parts);
}
