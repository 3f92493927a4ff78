import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { readRegularFile } from '../../../../kit/files/regular-file.ts';
import { plural } from '../../../../kit/terminal-text.ts';
import { visibleText } from '../../../../kit/visible-text.ts';
import type { CustomText } from '../../../../tui/record/options.ts';
import type { TextPlaces } from '../../../../tui/record/text-places.ts';
import { UsageError } from '../../../program/command-io.ts';
import { type CodeBlock, codeBlocks } from './code-blocks.ts';
import { plainText } from './plain-text.ts';
import { createPathTest, readSourceFiles, type SourceFile } from './source-files.ts';

/** Larger files were probably not written by hand. */
const maxFile = 512 * 1024;
/** Files that are tried before a folder is said to have nothing to type. */
const maxTries = 500;
const maxTitle = 80;

export interface SourceFolderOptions {
  readonly places: TextPlaces;
  /** Which files; undefined: all that are code, or prose if there is no code. */
  readonly pattern: string | undefined;
  readonly isStartOver: boolean;
  /** Whether comments are typed. */
  readonly comments: boolean;
}

/**
 * A block of a file in a folder, one at random each time. If the pattern fits one file only, that file, block
 * by block from the typist's place.
 */
export async function readSourceFolder(folder: string, options: SourceFolderOptions): Promise<CustomText> {
  const root = await realpath(folder);
  const files = chosenFiles(await readSourceFiles(root), folder, options.pattern);
  const [first] = files;
  if (files.length === 1 && first !== undefined && options.pattern !== undefined)
    return inOrder(root, first, options);
  return atRandom(root, files, options.comments);
}

function chosenFiles(
  files: readonly SourceFile[],
  folder: string,
  pattern: string | undefined,
): readonly SourceFile[] {
  const isCode = ({ language }: SourceFile) => language !== undefined;
  const code = files.filter(isCode);
  if (pattern === undefined) {
    const chosen = code.length > 0 ? code : files.filter(({ isProse }) => isProse);
    if (chosen.length > 0) return chosen;
    throw new UsageError(`"${visibleText(folder)}" has neither code nor text to type.`);
  }
  const fits = createPathTest(pattern);
  const found = files.filter(({ path }) => fits(path));
  // A pattern such as `parser` means the code, if there is any.
  const best = [found.filter(({ path }) => path === pattern), found.filter(isCode), found];
  const chosen = best.find(({ length }) => length > 0);
  if (chosen !== undefined) return chosen;
  const example = code[0] === undefined ? '' : `, such as "${visibleText(code[0].path)}"`;
  throw new UsageError(
    `no file in "${visibleText(folder)}" fits --file "${visibleText(pattern)}": it takes a part of a path, or a glob. The folder has ${plural(code.length, 'file')} of code${example}.`,
  );
}

function atRandom(root: string, files: readonly SourceFile[], comments: boolean): Promise<CustomText> {
  const drawn = new Set<string>();
  const draw: NonNullable<CustomText['next']> = async ({ comments }) => {
    const left = [...files];
    for (let tries = 0; tries < maxTries && left.length > 0; tries += 1) {
      const [file] = left.splice(anyIndex(left), 1) as [SourceFile];
      const fresh = (await blocksOf(root, file, comments)).filter(({ text }) => !drawn.has(text));
      const block = fresh[anyIndex(fresh)];
      if (block === undefined) continue;
      drawn.add(block.text);
      return { ...textOf(file, block), next: draw, other: draw };
    }
    if (drawn.size === 0) throw nothingToType(`${plural(files.length, 'file')} of "${visibleText(root)}"`);
    // No block repeats until all were drawn.
    drawn.clear();
    return draw({ comments });
  };
  return draw({ comments });
}

function anyIndex(list: readonly unknown[]): number {
  return Math.floor(Math.random() * list.length);
}

async function inOrder(
  root: string,
  file: SourceFile,
  { places, isStartOver, comments }: SourceFolderOptions,
): Promise<CustomText> {
  const place = `a file at ${join(root, file.path)}`;
  const from = async (line: number, withComments: boolean): Promise<CustomText> => {
    const blocks = await blocksOf(root, file, withComments);
    const block = blocks.find(({ firstLine }) => firstLine >= line) ?? blocks[0];
    if (block === undefined) throw nothingToType(`"${visibleText(file.path)}"`);
    const next: NonNullable<CustomText['next']> = async ({ comments: now }) => {
      await places.keep(place, block.lastLine + 1);
      return from(block.lastLine + 1, now);
    };
    return { ...textOf(file, block), next, other: next };
  };
  return from(isStartOver ? 0 : await places.find(place), comments);
}

function nothingToType(what: string): UsageError {
  return new UsageError(
    `${what} cannot be typed: a round needs a function, class or paragraph of 4 to 20 lines in which nothing looks like a secret.`,
  );
}

function textOf({ path, language }: SourceFile, { text, firstLine, lastLine }: CodeBlock): CustomText {
  const folder = dirname(path) === '.' ? '' : `  ${dirname(path)}`;
  // Where there is little room, the end is cut off: the file and its lines come first.
  const title = visibleText(`${basename(path)}:${firstLine}-${lastLine}${folder}`).slice(0, maxTitle);
  return { text, title, ...(language !== undefined && { code: language }) };
}

/** Such as `Code generated by protoc. DO NOT EDIT.` among the first lines. */
const generated = /@generated|do not edit|(?:code|file|automatically|auto-?) ?generated/i;

/** None if the file cannot be read, leads out of the folder, or is not text. */
async function blocksOf(
  root: string,
  { path, language }: SourceFile,
  comments: boolean,
): Promise<CodeBlock[]> {
  try {
    const place = join(root, path);
    const isInside = (await realpath(place)).startsWith(root.endsWith(sep) ? root : root + sep);
    if (!isInside || !(await lstat(place)).isFile()) return [];
    const bytes = await readRegularFile(place, maxFile);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (bytes.includes(0) || generated.test(text.slice(0, 1000))) return [];
    return codeBlocks(plainText(text).text, { language, comments });
  } catch {
    return [];
  }
}
