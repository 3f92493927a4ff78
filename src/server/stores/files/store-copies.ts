import { createHash } from 'node:crypto';
import { copyFile, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../../kit/files/folder.ts';
import { writeWholeFile } from '../../../kit/files/whole-file.ts';
import type { Log } from '../../settings/log.ts';
import { type Content, type ContentCopy, type ContentName, contentNames } from '../ports.ts';
import { createFolderContent } from './content/folder-content.ts';

export interface StoreCopiesOptions {
  readonly dataDir: string;
  /** Name of the original content; each has its own copies. */
  readonly original: string;
  readonly log: Log;
}

/** Copies of a store's content in a server's data folder, for a start while the store is away or has lost its data. */
export interface StoreCopies {
  readonly content: ContentCopy;
  find(): Promise<FoundCopy | undefined>;
  /** The secret with which client addresses are hashed. */
  readAddressKey(): Promise<string | undefined>;
  writeAddressKey(key: string): Promise<void>;
}

/** An existing copy of a store's content. */
export interface FoundCopy {
  /** An ordinary content folder. */
  readonly content: Content;
  /** When the announcements in it were last written. */
  readonly changed: Date;
}

/** Most copies that were set aside and are kept. */
const mostSetAside = 5;
const asidePattern = /^lost-\d{4}-/;

const privateCopies: ReadonlySet<string> = new Set<ContentName | 'address-key'>([
  'editors.json',
  'address-key',
]);

/** Folder of the copies; `--content` accepts it. */
function storeCopyFolder({ dataDir, original }: Omit<StoreCopiesOptions, 'log'>): string {
  const mark = createHash('sha256').update(original).digest('hex').slice(0, 16);
  return resolve(dataDir, 'store-copies', mark);
}

/** Undefined if there is no copy of the announcements. */
export async function findStoreCopy(
  options: Omit<StoreCopiesOptions, 'log'>,
): Promise<FoundCopy | undefined> {
  const content = createFolderContent(storeCopyFolder(options));
  const file = await stat(content.nameOf('history.json')).catch(() => undefined);
  return file && { content, changed: file.mtime };
}

export function createStoreCopies({ log, ...options }: StoreCopiesOptions): StoreCopies {
  const dir = storeCopyFolder(options);
  const read = (name: string) => readFile(join(dir, name), 'utf8').catch(() => undefined);
  const write = async (name: ContentName | 'address-key', text: string) => {
    if ((await read(name)) === text) return;
    try {
      makeFolder(dir);
      await writeWholeFile(join(dir, name), text, { isPrivate: privateCopies.has(name) });
    } catch (error) {
      log.warn(`the copy of ${name} for a start without the store is outdated: ${(error as Error).message}`);
    }
  };
  return {
    content: { name: dir, read, write, setAside: () => setAside(dir) },
    find: () => findStoreCopy(options),
    readAddressKey: () => read('address-key'),
    writeAddressKey: (key) => write('address-key', key),
  };
}

/** Moves the announcements last: if interrupted, this is repeated. Renaming needs no space on the disk. */
async function setAside(dir: string): Promise<string> {
  const aside = join(dir, `lost-${new Date().toISOString().replaceAll(':', '-')}`);
  makeFolder(aside);
  for (const name of contentNames.filter((each) => each !== 'history.json'))
    await copyFile(join(dir, name), join(aside, name)).catch(ignoreMissing);
  await rename(join(dir, 'history.json'), join(aside, 'history.json')).catch(ignoreMissing);
  const all = (await readdir(dir)).filter((name) => asidePattern.test(name)).sort();
  for (const name of all.slice(0, -mostSetAside)) await rm(join(dir, name), { recursive: true, force: true });
  return aside;
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
