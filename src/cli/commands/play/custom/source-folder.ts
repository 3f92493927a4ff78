import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readRegularFile } from '../../../../kit/files/regular-file.ts';
import { plural } from '../../../../kit/terminal-text.ts';
import { visibleText } from '../../../../kit/visible-text.ts';
import type { CustomText } from '../../../../tui/record/options.ts';
import type { TextPlaces } from '../../../../tui/record/text-places.ts';
import { UsageError } from '../../../program/command-io.ts';
import { type CodeBlock, codeBlocks } from './code-blocks.ts';
import { plainText } from './plain-text.ts';
import { createPathTest, readSourceFiles, type SourceFile } from './source-files.ts';

/** Larger files were hardly written by hand. */
const maxFile = 512 * 1024;
/** Files that are tried before a folder is said to have nothing to type. */
const maxTries = 500;
const maxTitle = 80;

export interface SourceFolderOptions {
  readonly places: TextPlaces;
  /** Which files; undefined: all that are code, or prose where there is no code. */
  readonly pattern: string | undefined;
  readonly isStartOver: boolean;
}

/**
 * A block of a file in a folder, one at random each time. If the pattern fits one file only, that file, block
 * by block from the place where the typist was.
 */
export async function readSourceFolder(folder: string, options: SourceFolderOptions): Promise<CustomText> {
  const root = await realpath(folder);
  const files = chosenFiles(await readSourceFiles(root), folder, options.pattern);
  const [file, ...others] = files;
  const isOne = file !== undefined && others.length === 0 && options.pattern !== undefined;
  return isOne ? inOrder(root, file, options) : atRandom(root, files);
}

async function inOrder(
  root: string,
  file: SourceFile,
  { places, isStartOver }: SourceFolderOptions,
): Promise<CustomText> {
  const blocks = await blocksOf(root, file);
  if (blocks.length === 0) throw new UsageError(nothingToType(`"${visibleText(file.path)}"`));
  const place = `a file at ${join(root, file.path)}`;
  const from = (line: number): CustomText => {
    const block = blocks.find(({ firstLine }) => firstLine >= line) ?? (blocks[0] as CodeBlock);
    return {
      ...textOf(file, block),
      async next() {
        await places.keep(place, block.lastLine + 1);
        return from(block.lastLine + 1);
      },
    };
  };
  return from(isStartOver ? 0 : await places.find(place));
}

function atRandom(root: string, files: readonly SourceFile[]): Promise<CustomText> {
  const drawn = new Set<string>();
  const draw = async (): Promise<CustomText> => {
    const left = [...files];
    for (let tries = 0; tries < maxTries && left.length > 0; tries += 1) {
      const file = takeAny(left);
      const fresh = (await blocksOf(root, file)).filter(({ text }) => !drawn.has(text));
      if (fresh.length === 0) continue;
      const block = takeAny(fresh);
      drawn.add(block.text);
      return { ...textOf(file, block), next: draw, other: draw };
    }
    if (drawn.size === 0)
      throw new UsageError(nothingToType(`${plural(files.length, 'file')} of "${visibleText(root)}"`));
    // Nothing comes again until there is nothing else.
    drawn.clear();
    return draw();
  };
  return draw();
}

function nothingToType(what: string): string {
  return `${what} cannot be typed: a round needs a function, class or paragraph of 4 to 20 lines in which nothing looks like a secret.`;
}

function chosenFiles(
  files: readonly SourceFile[],
  folder: string,
  pattern: string | undefined,
): readonly SourceFile[] {
  const fits = createPathTest(pattern ?? '');
  const found = files.filter(({ path, isProse, language }) =>
    pattern === undefined ? isProse || language !== undefined : fits(path),
  );
  const exact = found.filter(({ path }) => path === pattern);
  // A pattern such as `parser` means the code, where there is some.
  const code = found.filter(({ language }) => language !== undefined);
  const chosen = [exact, code, found].find(({ length }) => length > 0);
  if (chosen !== undefined) return chosen;
  const name = `"${visibleText(folder)}"`;
  throw new UsageError(
    pattern === undefined
      ? `${name} has neither code nor text to type.`
      : `no file in ${name} fits --file "${visibleText(pattern)}": it takes a part of a path, or a glob.`,
  );
}

/** Takes one out of a list. */
function takeAny<One>(list: One[]): One {
  return list.splice(Math.floor(Math.random() * list.length), 1)[0] as One;
}

function textOf({ path, language }: SourceFile, { text, firstLine, lastLine }: CodeBlock): CustomText {
  const folder = dirname(path) === '.' ? '' : `  ${dirname(path)}`;
  // Where there is little room, the end is cut off: the file and its lines come first.
  const title = visibleText(`${basename(path)}:${firstLine}-${lastLine}${folder}`).slice(0, maxTitle);
  return { text, title, ...(language === undefined ? {} : { code: language }) };
}

/** None if the file cannot be read, is reached by a link, or is no text. */
async function blocksOf(root: string, { path, language }: SourceFile): Promise<CodeBlock[]> {
  try {
    const place = join(root, path);
    if ((await realpath(place)) !== place) return [];
    const bytes = await readRegularFile(place, maxFile);
    if (bytes.includes(0)) return [];
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (isGenerated(text)) return [];
    return codeBlocks(plainText(text).text, language);
  } catch {
    return [];
  }
}

/** Such as `Code generated by protoc. DO NOT EDIT.` among the first lines. */
function isGenerated(text: string): boolean {
  const head = text.slice(0, 1000);
  return /@generated|do not edit|(?:code|file|automatically|auto-?) ?generated/i.test(head);
}
