import { basename } from 'node:path';
import { readRegularFile } from '../../../../kit/files/regular-file.ts';
import { plural } from '../../../../kit/terminal-text.ts';
import { visibleText } from '../../../../kit/visible-text.ts';
import type { OwnText } from '../../../../tui/record/options.ts';
import type { TextPlaces } from '../../../../tui/record/text-places.ts';
import { maxText, modes } from '../../../../typing/modes/mode.ts';
import { problemOfText, textPortion } from '../../../../typing/modes/text.ts';
import { normalForm } from '../../../../typing/rules/word.ts';
import { UsageError } from '../../../program/command-io.ts';
import { plainText } from './plain-text.ts';

/** A novel fits. */
const largestText = 4 * 1024 * 1024;
const tooLarge = `must have at most ${largestText} characters`;

export interface OwnTextOptions {
  /** Where the places in long texts are kept. */
  readonly places: TextPlaces;
  /** Whether a long text begins at its beginning again. */
  readonly isStartOver: boolean;
  /** The language that the typist names; undefined: that of the text itself, where it can be recognised. */
  readonly language?: string | undefined;
  /** The characters of the layout. */
  readonly keys: ReadonlySet<string>;
}

/**
 * Reads the text to type from a file, or from standard input if it is `-`. A text too long for one round
 * comes in parts, from the place where the typist was.
 */
export async function readOwnText(
  file: string,
  { places, isStartOver, language: given, keys }: OwnTextOptions,
): Promise<OwnText> {
  const name = file === '-' ? 'standard input' : `"${file}"`;
  const bytes = file === '-' ? await readStandardInput() : await readTextFile(file);
  if (bytes.length > mostBytes) throw new UsageError(`the text from ${name} ${tooLarge}.`);
  const raw = decodedText(bytes, name);
  const { text: plain, leftOut } = plainText(raw, keys);
  // A part of nothing but blanks could not be typed.
  const text = plain.replace(/\s{100,}/g, '\n\n');
  const problem = problemOf(text);
  if (problem !== undefined) throw new UsageError(`the text from ${name} ${problem}.`);
  const title = file === '-' ? 'text' : visibleText(basename(file)).slice(0, longestTitle);
  const at = isStartOver || text.length <= maxText ? 0 : await places.find(text);
  const language = given === undefined ? await findLanguage(text) : undefined;
  const part = partAt({ whole: text, title, places, ...(language === undefined ? {} : { language }) }, at);
  const notice = [leftOut === 0 ? '' : leftOutText(leftOut), missingKeysText(text, keys)]
    .filter((sentence) => sentence !== '')
    .join(' ');
  return notice === '' ? part : { ...part, notice };
}

const { min: minWords, max: maxWords, maxLength: maxWord } = modes.words.parameters.list;

/** Reads words to draw from; a line that begins with # is a comment. */
export async function readOwnList(file: string, keys: ReadonlySet<string>): Promise<OwnText> {
  const name = `the list in "${visibleText(file)}"`;
  const { text, leftOut } = plainText(decodedText(await readTextFile(file), `"${file}"`), keys);
  const lines = text.split(/\r\n?|\n/).filter((line) => !line.startsWith('#'));
  const list = [...new Set(normalForm(lines.join('\n')).split(/\s+/))].filter((word) => word !== '');
  if (list.length < minWords || list.length > maxWords)
    throw new UsageError(
      `${name} has ${plural(list.length, 'different word')}; it takes ${minWords} to ${maxWords}, one a line or with blanks between them.`,
    );
  const unfit = list.find((word) => word.length > maxWord || problemOfText(word) !== undefined);
  const problem = unfit === undefined ? problemOfScript(text) : undefined;
  if (problem !== undefined) throw new UsageError(`${name} ${problem}.`);
  if (unfit !== undefined)
    throw new UsageError(
      `${name} has "${visibleText(unfit).slice(0, 40)}"; a word has at most ${maxWord} characters that keys type.`,
    );
  const title = visibleText(basename(file)).slice(0, longestTitle);
  return { text: '', title, list, ...(leftOut > 0 && { notice: leftOutText(leftOut) }) };
}

function leftOutText(count: number): string {
  const are = count === 1 ? 'is' : 'are';
  return `${plural(count, 'character')} that no key types, such as emoji, ${are} left out.`;
}

/** More characters are not named one by one. */
const maxNamed = 8;

/** What the layout may type with dead keys, or not at all. Not ASCII: a language tells more about it. */
function missingKeysText(text: string, keys: ReadonlySet<string>): string {
  const missing = [...new Set(text.match(/[^\p{ASCII}\s\p{M}]/gu))].filter(
    (character) => !keys.has(character.toLowerCase()) && !keys.has(character),
  );
  if (missing.length === 0) return '';
  const more = missing.length > maxNamed ? ` and ${missing.length - maxNamed} more` : '';
  return `Not on the keys of this layout: ${missing.slice(0, maxNamed).join(', ')}${more}.`;
}

/** The lists of words are loaded only where there is a text. */
async function findLanguage(text: string): Promise<string | undefined> {
  return (await import('./text-language.ts')).guessLanguage(text);
}

interface WholeText {
  readonly whole: string;
  readonly title: string;
  readonly places: TextPlaces;
  readonly language?: string;
}

function partAt(source: WholeText, at: number): OwnText {
  const { whole, title, places, language } = source;
  const { text, next } = textPortion(whole, at);
  const known = language === undefined ? { text } : { text, language };
  if (text.length === whole.length) return { ...known, title };
  const percent = Math.floor((at / whole.length) * 100);
  return {
    ...known,
    title: `${title} ${percent} %`,
    async next() {
      await places.keep(whole, next);
      return partAt(source, next);
    },
  };
}

/** Why a text cannot be typed, seen part by part. */
function problemOf(text: string): string | undefined {
  if (text.length > largestText) return tooLarge;
  for (let at = 0; ; ) {
    const { text: part, next } = textPortion(text, at);
    const problem = problemOfText(part);
    if (problem !== undefined)
      return at === 0 ? problem : `${problem} (counted from its character ${at + 1})`;
    if (next === 0) return problemOfScript(text) ?? problemOfConversion(text);
    at = next;
  }
}

/** A longer one has no room in any title row. */
const longestTitle = 60;

async function readTextFile(file: string): Promise<Buffer> {
  try {
    return await readRegularFile(file, mostBytes);
  } catch (error) {
    throw new Error(`the text "${file}" cannot be read: ${(error as Error).message}.`);
  }
}

/** Stops soon after the longest text: what follows would be refused anyway. */
async function readStandardInput(): Promise<Buffer> {
  if (process.stdin.isTTY) {
    throw new UsageError('"-" reads the text from a pipe, as in: fortune | typebadge play -');
  }
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin) {
    parts.push(part as Buffer);
    size += (part as Buffer).length;
    if (size > mostBytes) break;
  }
  return Buffer.concat(parts);
}

/** UTF-8 takes at most three bytes for a UTF-16 unit. */
const mostBytes = largestText * 3;

/**
 * The text of a file. In another encoding than UTF-8, which nobody can tell, letters with accents would be
 * signs that nobody can type.
 *
 * @param name of the file, as part of a sentence
 */
function decodedText(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // With a zero in it, it is UTF-16 or no text at all.
    const hint = bytes.includes(0)
      ? '.'
      : '. If it is Latin-1, convert it: iconv -f latin1 -t utf-8 old.txt > new.txt';
    throw new UsageError(`the text from ${name} is not UTF-8${hint}`);
  }
}

/** U+FFFD is what a conversion leaves of a letter that it lost: the word would be wrong without it. */
function problemOfConversion(text: string): string | undefined {
  const at = text.indexOf('\ufffd');
  if (at < 0) return undefined;
  const word = text.slice(0, at + 1).match(/\S+/g)?.length;
  return `holds a \ufffd from a failed conversion in its word ${word}, which no key types`;
}

/** Terminals differ in how they order such text, and the caret would be in the wrong place. */
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

function problemOfScript(text: string): string | undefined {
  return rightToLeft.test(text)
    ? 'is written from right to left, which play cannot show in a terminal'
    : undefined;
}
