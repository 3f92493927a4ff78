import { statSync } from 'node:fs';
import { toOwnLayout } from '../../../../contract/own-layout.ts';
import { writeWholeFile } from '../../../../kit/files/whole-file.ts';
import { type Options, type OwnText, toChosenOwnLayout } from '../../../../tui/record/options.ts';
import { createTextPlaces } from '../../../../tui/record/text-places.ts';
import { type Layout, qwerty } from '../../../../typing/letters/layout.ts';
import { UsageError } from '../../../program/command-errors.ts';
import { readOwnText } from './own-text.ts';

export interface OwnSourceOptions {
  /** The typist's data folder. */
  readonly data: string;
  /** That the typist names; undefined: that of the text. */
  readonly language: string | undefined;
  /** Which files of a folder; undefined: any. */
  readonly pattern: string | undefined;
}

/** What there is at a path, as a text to type. Rejects with one sentence. */
export type OwnSource = (path: string, options: Options, isStartOver: boolean) => Promise<OwnText>;

/** Reads texts and folders of the typist's own. What a folder needs is loaded only for one. */
export function createOwnSource({ data, language, pattern }: OwnSourceOptions): OwnSource {
  const places = createTextPlaces(data, writeWholeFile);
  return async (path, options, isStartOver) => {
    if (isFolder(path)) {
      const { readOwnFolder } = await import('./own-folder.ts');
      return readOwnFolder(path, { places, pattern, isStartOver, comments: options.comments });
    }
    if (pattern !== undefined)
      throw new UsageError('--file chooses among the files of a folder, as in: play . --file parser');
    const keys = new Set((await layoutOf(options)).rows.flat());
    return readOwnText(path, { places, isStartOver, language, keys });
  };
}

function isFolder(path: string): boolean {
  return path !== '-' && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The layout that is chosen; the list of all is read only where it is none of the usual. */
export async function layoutOf(options: Pick<Options, 'layout' | 'ownLayout'>): Promise<Layout> {
  const own = toChosenOwnLayout(options);
  if (own !== undefined) return toOwnLayout(options.layout, own);
  if (options.layout === qwerty.id) return qwerty;
  const { openLibrary } = await import('../../../../server/typing/library/library.ts');
  return openLibrary().layoutOf(options.layout);
}
