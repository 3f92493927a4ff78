import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../../kit/folder.ts';
import { writeWholeFile } from '../../../kit/whole-file.ts';
import type { Log } from '../../settings/log.ts';
import type { ContentCopy, ContentName } from '../ports.ts';

export interface StoreCopiesOptions {
  readonly dataDir: string;
  /** What the originals are known by; other originals have other copies. */
  readonly original: string;
  readonly log: Log;
}

/** What a server keeps in its data folder of a store, so that it can start while the store is away. */
export interface StoreCopies {
  readonly content: ContentCopy;
  /** The secret that the addresses of clients are hashed with. */
  readAddressKey(): Promise<string | undefined>;
  writeAddressKey(key: string): Promise<void>;
}

export function createStoreCopies({ dataDir, original, log }: StoreCopiesOptions): StoreCopies {
  const mark = createHash('sha256').update(original).digest('hex').slice(0, 16);
  const dir = join(dataDir, 'store-copies', mark);
  const read = (name: string) => readFile(join(dir, name), 'utf8').catch(() => undefined);
  const write = async (name: ContentName | 'address-key', text: string) => {
    if ((await read(name)) === text) return;
    try {
      makeFolder(dir);
      await writeWholeFile(join(dir, name), text, { isPrivate: name === 'address-key' });
    } catch (error) {
      log.warn(`the copy of ${name} for a start without the store is outdated: ${(error as Error).message}`);
    }
  };
  return {
    content: { read, write },
    readAddressKey: () => read('address-key'),
    writeAddressKey: (key) => write('address-key', key),
  };
}
