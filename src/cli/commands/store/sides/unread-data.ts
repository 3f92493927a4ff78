import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { makeFolder } from '../../../../kit/files/folder.ts';
import { writeWholeFile } from '../../../../kit/files/whole-file.ts';
import type { StoreConnection } from '../../../../server/stores/redis/connection/connection.ts';
import { RefusedError } from '../../../program/command-errors.ts';
import type { Reach } from './round-import.ts';

/** Something in the store that cannot be read. It stays there. */
export interface UnreadData {
  /** Such as `session …` or `rounds of …`. */
  readonly what: string;
  readonly problem: string;
  /** Its keys, and in base64 what DUMP gives of each: null if there is nothing. RESTORE puts it back. */
  readonly dumps: Readonly<Record<string, string | null>>;
}

export type OnUnread = (unread: UnreadData) => void;

/** Keys that belong together. */
export interface ReadKeys {
  readonly what: string;
  readonly keys: readonly string[];
}

export interface SoundReader {
  /** Reads something; if it is damaged, reports it and resolves to undefined. Rejects only if the store cannot be reached. */
  readIfSound<T>(keys: ReadKeys, read: () => Promise<T>): Promise<T | undefined>;
  report(keys: ReadKeys, problem: string): Promise<void>;
}

export function createSoundReader(store: StoreConnection, reach: Reach, onUnread: OnUnread): SoundReader {
  const dump = async (key: string) => {
    const bytes = await reach(() => store.run((client) => client.dumpBuffer(key)));
    return [key, bytes?.toString('base64') ?? null] as const;
  };
  const report = async ({ what, keys }: ReadKeys, problem: string) =>
    onUnread({ what, problem, dumps: Object.fromEntries(await Promise.all(keys.map(dump))) });
  return {
    report,
    async readIfSound(keys, read) {
      try {
        return await read();
      } catch (error) {
        if (error instanceof RefusedError) throw error;
        await report(keys, (error as Error).message);
        return undefined;
      }
    },
  };
}

/** What could not be read, and the file in which a copy of it is. */
export interface KeptUnread extends Pick<UnreadData, 'what' | 'problem'> {
  readonly keys: readonly string[];
  readonly file: string;
}

/** Writes a copy into the data folder, readable only by its owner, because it may hold what somebody typed. */
export async function keepUnread(dataDir: string, { what, problem, dumps }: UnreadData): Promise<KeptUnread> {
  const dir = join(dataDir, 'damaged');
  makeFolder(dir);
  const mark = createHash('sha256').update(what).digest('hex').slice(0, 16);
  const file = join(dir, `store-${mark}.json`);
  await writeWholeFile(file, `${JSON.stringify({ what, problem, dumps }, null, 2)}\n`, { isPrivate: true });
  return { what, problem, keys: Object.keys(dumps), file };
}
