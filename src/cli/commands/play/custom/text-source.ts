import { statSync } from 'node:fs';
import type { CustomText, Options } from '../../../../tui/record/options.ts';
import { createTextPlaces } from '../../../../tui/record/text-places.ts';
import { type Layout, qwerty } from '../../../../typing/letters/layout.ts';
import { UsageError } from '../../../program/command-io.ts';
import { readCustomList, readCustomText } from './custom-text.ts';

/**
 * Custom texts, folders and word lists. Each rejects with one sentence.
 *
 * @param data the typist's data folder
 * @param pattern which files of a folder; undefined: any
 */
export function createTextSource(data: string, pattern: string | undefined) {
  const places = createTextPlaces(data);
  const keysOf = async (options: Options) => new Set((await layoutOf(options)).rows.flat());
  return {
    /** The file or folder at a path, as a text to type. The code for folders is loaded only if one is read. */
    async readText(path: string, options: Options, isStartOver: boolean): Promise<CustomText> {
      if (path !== '-' && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
        const { readSourceFolder } = await import('./source-folder.ts');
        return readSourceFolder(path, { places, pattern, isStartOver, comments: options.comments });
      }
      if (pattern !== undefined)
        throw new UsageError('--file chooses among the files of a folder, as in: play . --file parser');
      return readCustomText(path, { places, isStartOver, keys: await keysOf(options) });
    },
    readList: async (file: string, options: Options) => readCustomList(file, await keysOf(options)),
  };
}

/** The chosen layout; the library is opened only if it is not QWERTY. */
export async function layoutOf(options: Pick<Options, 'layout'>): Promise<Layout> {
  if (options.layout === qwerty.id) return qwerty;
  const { openLibrary } = await import('../../../../server/typing/library.ts');
  return openLibrary().layoutOf(options.layout);
}
