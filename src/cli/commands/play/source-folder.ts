import { execFile } from 'node:child_process';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { readRegularFile } from '../../../kit/files/regular-file.ts';
import { plural } from '../../../kit/terminal-text.ts';
import { visibleText } from '../../../kit/visible-text.ts';
import type { CustomText } from '../../../tui/record/options.ts';
import type { TextPlaces } from '../../../tui/record/text-places.ts';
import { languageOfEnding } from '../../../tui/view/source-languages.ts';
import { UsageError } from '../../program/command-io.ts';
import { type CodeBlock, codeBlocks } from './code-blocks.ts';
import { plainText } from './plain-text.ts';

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
    `no file in "${visibleText(folder)}" fits --file "${visibleText(pattern)}": it takes a part of a path, or a glob. The folder has ${plural(code.length, 'file')} of code${example}; ignored, vendored, minified and secret-looking ones are left out.`,
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

/** A file of a folder that may be typed. */
export interface SourceFile {
  /** Below the folder, with slashes. */
  readonly path: string;
  /** Such as `typescript`; undefined for prose, and for what is neither. */
  readonly language: string | undefined;
  readonly isProse: boolean;
}

const prose = new Set('md markdown mdx txt rst adoc org tex'.split(' '));

/** What the authors of a project did not write, wherever it is. */
const foreign =
  /(?:^|\/)(?:node_modules|bower_components|vendor|vendored|third[_-]party|Pods|dist|__generated__|generated|venv|__pycache__|site-packages|\.[^/]+)\/|\.(?:min|bundle|generated|pb|g|freezed|designer|snap)\.\w+$|_pb2?(?:_grpc)?\.\w+$|[.-]lock\.\w+$/i;
/** Folders of build output, which git would not track. */
const output = /(?:^|\/)(?:build|out|target|coverage|env|obj|bin|tmp)\//i;
const secret =
  /secret|credential|passw|private[_-]?key|(?:^|\/)(?:\.[^/]*|id_(?:rsa|dsa|ecdsa|ed25519)[^/]*|[^/]*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|asc|gpg|env))$/i;

/** More files than the largest repositories have. */
const maxFiles = 300_000;

/**
 * The files of a folder: those that git tracks or, if there are none, those that it does not ignore; without
 * git, all. What is generated, vendored or looks like a secret is left out.
 */
export async function readSourceFiles(folder: string): Promise<SourceFile[]> {
  const tracked =
    (await gitFiles(folder, ['--cached'])) ?? (await gitFiles(folder, ['--others', '--exclude-standard']));
  const paths = tracked ?? (await walk(folder));
  const files: SourceFile[] = [];
  for (const path of paths) {
    if (foreign.test(path) || secret.test(path)) continue;
    const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
    files.push({ path, language: languageOfEnding.get(ending), isProse: prose.has(ending) });
  }
  return files;
}

const run = promisify(execFile);

/** A repository may come from a stranger: its settings must not start programs. */
const safely = ['-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit', '--no-optional-locks'];

/** Undefined where git is missing, refuses the folder, or names no file. */
async function gitFiles(folder: string, which: readonly string[]): Promise<string[] | undefined> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024, timeout: 10_000, windowsHide: true };
  try {
    const { stdout } = await run('git', [...safely, 'ls-files', '-z', ...which], options);
    const paths = stdout.split('\0', maxFiles).filter((path) => path !== '');
    return paths.length === 0 ? undefined : paths;
  } catch {
    return undefined;
  }
}

/** All files below a folder, without following links. */
async function walk(folder: string): Promise<string[]> {
  const files: string[] = [];
  const open = [''];
  for (let below = open.pop(); below !== undefined && files.length < maxFiles; below = open.pop()) {
    const entries = await readdir(`${folder}/${below}`, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = `${below}${entry.name}`;
      if (entry.isFile()) files.push(path);
      else if (entry.isDirectory() && !foreign.test(`${path}/`) && !output.test(`${path}/`))
        open.push(`${path}/`);
    }
  }
  return files;
}

/** Whether a path fits a pattern: a part of it, or a glob (`*`, `**`, `?`) for its name or all of it. */
export function createPathTest(pattern: string): (path: string) => boolean {
  const plain = pattern.replaceAll('\\', '/').replace(/^\.\//, '');
  if (!/[*?]/.test(plain)) {
    const part = plain.toLowerCase();
    return (path) => path.toLowerCase().includes(part);
  }
  const source = plain
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/?|\*|\?/g, (sign) => (sign === '?' ? '[^/]' : sign === '*' ? '[^/]*' : '.*'));
  const glob = new RegExp(plain.includes('/') ? `^${source}$` : `(?:^|/)${source}$`, 'i');
  return (path) => glob.test(path);
}
