import { join } from 'node:path';
import { defaultDataFolder } from '../../server/settings/config.ts';
import { languageOf } from '../../server/stores/languages.ts';
import { localPlayer, type PlayerId, playerOfKey } from '../../server/stores/player.ts';
import { createFileRecords, recordsFolder } from '../../server/stores/records/file-records.ts';
import { codeOf } from '../../server/stores/records/records.ts';
import { createRounds, type Rounds } from '../../server/stores/rounds.ts';
import type { StoredRound } from '../../server/stores/stored-round.ts';
import { readImportedRounds } from '../../tui/progress/imported-rounds.ts';
import type { RoundHistory } from '../../tui/progress/report.ts';
import { type RoundRecord, roundRecord } from '../../tui/progress/round-record.ts';
import { typistFolders } from '../../tui/record/folders.ts';
import { openPlayerKey, readPlayerKey } from '../../tui/record/player-key.ts';
import { findFolders, parseProfileName } from './profile-option.ts';

/** Whose rounds: of a data folder, and of a profile in it. */
export interface WhichTypist {
  readonly data?: string | undefined;
  readonly profile?: string | undefined;
}

/** Everything that a typist has typed, with the rounds as they are stored. */
export interface TypistHistory extends RoundHistory {
  /** The whole round of each of `records`. */
  readonly roundOf: ReadonlyMap<RoundRecord, StoredRound>;
  /** Damage found in the store, a sentence each. */
  readonly warnings: readonly string[];
}

/** The finished rounds of the local store and the imported ones. Both may be read while a server runs. */
export async function readTypistHistory(which: WhichTypist): Promise<TypistHistory> {
  const warnings: string[] = [];
  const { records, damagedLines } = await readImportedRounds(findFolders(which.data, which.profile).data);
  const roundOf = new Map(
    (await readLocalRounds(which, warnings)).map((round) => [
      roundRecord(round, languageOf(round.language ?? 'en')),
      round,
    ]),
  );
  return { roundOf, records: [...roundOf.keys()], imported: records, damagedLines, warnings };
}

/**
 * The finished rounds of the local store, oldest first.
 *
 * @param warnings collects the damage found in the store, a sentence each
 */
export async function readLocalRounds(which: WhichTypist, warnings: string[]): Promise<StoredRound[]> {
  const player = await playerOf(which);
  if (player === undefined) return [];
  return withRounds(which, warnings, async (store) => {
    const rounds: StoredRound[] = [];
    let after: string | undefined;
    do {
      const page = await store.list(player, { limit: 1000, after });
      rounds.push(...(page?.rounds ?? []));
      after = page?.next;
    } while (after !== undefined);
    return rounds.sort((a, b) => a.timing.end - b.timing.end);
  });
}

/** Adds rounds to the local store. Existing ones change nothing. */
export async function addLocalRounds(which: WhichTypist, added: readonly StoredRound[]): Promise<void> {
  const name = parseProfileName(which.profile);
  if (name !== undefined) await openPlayerKey(typistFolders(which.data, name).config);
  const player = (await playerOf(which)) ?? localPlayer;
  await withRounds(which, [], async (rounds) => {
    for (const round of added) await rounds.add(player, round);
    await rounds.flush(player);
  });
}

async function withRounds<T>(
  { data }: WhichTypist,
  warnings: string[],
  work: (rounds: Rounds) => Promise<T>,
): Promise<T> {
  const onDamage = (message: string) => void warnings.push(message);
  const records = createFileRecords({ dir: recordsFolder(data ?? defaultDataFolder()), onDamage });
  const quota = Number.MAX_SAFE_INTEGER;
  try {
    return await work(createRounds(records, { quota, retention: undefined, clock: Date.now }));
  } finally {
    await records.close();
  }
}

/** A profile has its own key; undefined while it has none, and so no rounds. Rejects if it cannot be read. */
async function playerOf({ data, profile }: WhichTypist): Promise<PlayerId | undefined> {
  const name = parseProfileName(profile);
  if (name === undefined) return localPlayer;
  const path = join(typistFolders(data, name).config, 'player-key');
  const key = await readPlayerKey(path).catch((error: Error) => {
    if (codeOf(error.cause) !== 'ENOENT') throw error;
  });
  return key === undefined ? undefined : playerOfKey(key);
}
