import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type PlayerId, playerPattern } from '../../player.ts';

/**
 * The paths of all files of players: journals, and what is derived from them. One folder after the other, because there may be hundreds of
 * thousands.
 *
 * @param dir the folder `players`; nothing if it is missing
 */
export async function* playerFiles(dir: string): AsyncGenerator<string> {
  for (const folder of await namesIn(dir)) {
    for (const name of await namesIn(join(dir, folder))) yield join(dir, folder, name);
  }
}

/** The journals of players, in the same way. */
export async function* playerJournals(
  dir: string,
): AsyncGenerator<{ readonly path: string; readonly player: PlayerId }> {
  for await (const path of playerFiles(dir)) {
    const [, player = ''] = /([^/\\]+)\.jsonl$/.exec(path) ?? [];
    if (playerPattern.test(player)) yield { path, player };
  }
}

function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch(() => []);
}
