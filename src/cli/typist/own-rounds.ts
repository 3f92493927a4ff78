import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { defaultDataFolder } from '../../server/settings/config.ts';
import type { Log } from '../../server/settings/log.ts';
import { createFileRounds, type FileRounds } from '../../server/stores/files/rounds/file-rounds.ts';
import type { JournalRound } from '../../server/stores/journal-round.ts';
import { languageOf } from '../../server/stores/languages.ts';
import { localPlayer, type PlayerId } from '../../server/stores/player.ts';
import { toUnsavedRound } from '../../server/stores/unsaved-rounds.ts';
import { openLibrary } from '../../server/typing/library/library.ts';
import { readImportedRounds } from '../../tui/progress/imported-rounds.ts';
import type { RoundHistory } from '../../tui/progress/report.ts';
import { type RoundRecord, roundRecord } from '../../tui/progress/round-record.ts';
import { toFolders } from '../../tui/record/folders.ts';
import { openPlayerKey, readPlayerKey } from '../../tui/record/player-key.ts';
import type { Layout, LayoutOf } from '../../typing/letters/layout.ts';
import { findFolders, toProfile } from './profile-option.ts';

/** Whose rounds: of a data folder, and of a profile in it. */
export interface WhichTypist {
  readonly data?: string | undefined;
  readonly profile?: string | undefined;
}

/** What somebody has typed, with the rounds as the store has them. */
export interface TypistHistory extends RoundHistory {
  /** The whole round of each of `records`. */
  readonly roundOf: ReadonlyMap<RoundRecord, JournalRound>;
  /** Custom layouts included. */
  readonly layoutOf: LayoutOf;
  /** What the store says about damage, in sentences. */
  readonly warnings: readonly string[];
}

/** The finished rounds of the local store and the imported ones. Both may be read while a server runs. */
export async function readTypistHistory(which: WhichTypist): Promise<TypistHistory> {
  const warnings: string[] = [];
  const imported = await readImportedRounds(findFolders(which.data, which.profile).data);
  const rounds = await readOwnRounds(which, warnings);
  const keyboards = new Map<string, Layout>();
  for (const { layout, keyboard } of rounds)
    if (layout !== undefined && keyboard !== undefined) keyboards.set(layout, keyboard);
  const { layoutOf } = openLibrary();
  const roundOf = new Map(
    rounds.map((round) => [roundRecord(round, languageOf(round.language ?? 'en')), round]),
  );
  return {
    roundOf,
    records: [...roundOf.keys()],
    imported: imported.records,
    damagedLines: imported.damagedLines,
    layoutOf: (id) => keyboards.get(id) ?? layoutOf(id),
    warnings,
  };
}

/** The finished rounds of the local store, oldest first. */
export async function readOwnRounds(which: WhichTypist, warnings: string[] = []): Promise<JournalRound[]> {
  const player = await playerOf(which);
  return player === undefined ? [] : readRounds(openRounds(which, warnings), player);
}

/** Adds rounds to the local store. Those that are there already change nothing. */
export async function keepRounds(which: WhichTypist, rounds: readonly JournalRound[]): Promise<void> {
  if (toProfile(which.profile) !== undefined) await openPlayerKey(foldersOf(which).config);
  const player = (await playerOf(which)) ?? localPlayer;
  const store = openRounds(which, []);
  await store.keep(
    player,
    rounds.map((round) => toUnsavedRound({ ...round, player })),
  );
  await store.settle();
}

function openRounds({ data }: WhichTypist, warnings: string[]): FileRounds {
  const note = (message: string) => void warnings.push(message);
  const log: Log = { info: () => {}, warn: note, error: note };
  return createFileRounds({ dataDir: data ?? defaultDataFolder(), log });
}

/** Oldest first. */
async function readRounds(store: FileRounds, player: PlayerId): Promise<JournalRound[]> {
  const rounds: JournalRound[] = [];
  let after: string | undefined;
  do {
    const page = await store.list(player, { limit: pageLength, after });
    rounds.push(...(page?.rounds ?? []));
    after = page?.next;
  } while (after !== undefined);
  await store.settle();
  return rounds.sort((a, b) => a.timing.end - b.timing.end);
}

const pageLength = 1000;

/** A profile has its own key; undefined while it has none, and so no rounds. */
async function playerOf(which: WhichTypist): Promise<PlayerId | undefined> {
  if (toProfile(which.profile) === undefined) return localPlayer;
  const key = await readPlayerKey(join(foldersOf(which).config, 'player-key')).catch(() => undefined);
  return key === undefined ? undefined : `key-${createHash('sha256').update(key).digest('hex')}`;
}

function foldersOf({ data, profile }: WhichTypist) {
  return toFolders(data, toProfile(profile));
}
