import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toFileProblem } from '../../../../kit/files/file-problem.ts';
import { makeFolder } from '../../../../kit/files/folder.ts';
import { readLines } from '../../../../kit/files/line-reader.ts';
import { openRegularFile } from '../../../../kit/files/regular-file.ts';
import { openSecretFile } from '../../../../kit/files/secret-file.ts';
import { createFolderContent } from '../../../../server/stores/files/content/folder-content.ts';
import { readPulse } from '../../../../server/stores/files/pulse/pulse.ts';
import { raiseCounts } from '../../../../server/stores/files/pulse/raised-counts.ts';
import { createFileRounds, journalPath } from '../../../../server/stores/files/rounds/file-rounds.ts';
import { playerJournals } from '../../../../server/stores/files/rounds/player-files.ts';
import { findAbandonedFolders } from '../../../../server/stores/files/sessions/session-folder.ts';
import { findLogs, readLog } from '../../../../server/stores/files/sessions/session-log-reader.ts';
import { localPlayer, type PlayerId } from '../../../../server/stores/player.ts';
import type { StoredSession } from '../../../../server/stores/ports.ts';
import {
  applyEvent,
  type SessionDrafts,
  toStoredSession,
} from '../../../../server/stores/session-events/session-draft.ts';
import { toSessionText } from '../../../../server/stores/session-events/session-text.ts';
import type { UnsavedRound } from '../../../../server/stores/unsaved-rounds.ts';
import { RefusedError } from '../../../program/command-errors.ts';
import type { FolderCounts } from './copy-counts.ts';
import { batchSize, type FolderSide, type FoundRound, noneLeftOut, type RoundBatch } from './data-side.ts';
import { toFoundRound } from './found-round.ts';

const keyPattern = /^[0-9a-f]{64}$/;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

export interface FolderSideOptions {
  readonly dataDir: string;
  readonly contentDir: string;
  /** Sessions last used earlier are gone; milliseconds since 1970. */
  readonly expiredBefore: number;
}

/** A data and a content folder that no server uses now. Rejects where one does: it could change everything meanwhile. */
export async function openFolderSide({
  dataDir,
  contentDir,
  expiredBefore,
}: FolderSideOptions): Promise<FolderSide> {
  const sessionRoot = join(dataDir, 'sessions');
  await refuseUsed(sessionRoot);
  const journal = createFileRounds({ dataDir, log: silent });
  const known = new Map<PlayerId, Set<string>>();
  let sessionIds: Set<string> | undefined;
  const sessions = async () =>
    (await readSessions(sessionRoot)).filter(({ lastUsed }) => lastUsed >= expiredBefore);

  const knownOf = async (player: PlayerId) => {
    const ids = known.get(player) ?? (await readIds(journalPath(dataDir, player)));
    known.set(player, ids);
    return ids;
  };
  return {
    name: dataDir,
    content: createFolderContent(contentDir),
    addressKey: async () => {
      const text = await readFile(join(dataDir, 'address-key'), 'utf8').catch(() => '');
      return keyPattern.test(text.trim()) ? text.trim() : undefined;
    },
    async addAddressKey(key) {
      makeFolder(dataDir);
      const path = join(dataDir, 'address-key');
      return (await openSecretFile({ path, pattern: keyPattern, make: () => key })) === key;
    },
    sessions,
    async roundCount() {
      let total = 0;
      for await (const { path } of findJournals(dataDir)) total += await countLines(path);
      return total;
    },
    async *rounds() {
      for await (const { path, player } of findJournals(dataDir)) yield* readJournal(path, player);
    },
    async addSession(stored) {
      sessionIds ??= new Set((await sessions()).map(({ session }) => session.id));
      if (sessionIds.has(stored.session.id)) return 'was there';
      await writeSession(sessionRoot, stored);
      sessionIds.add(stored.session.id);
      return 'added';
    },
    async addRounds({ player, rounds }) {
      const ids = await knownOf(player);
      const fresh = rounds.filter(({ id }) => !ids.has(id));
      if (fresh.length > 0) await journal.keep(player, fresh);
      for (const { id } of fresh) ids.add(id);
      return { added: fresh.length, leftOut: noneLeftOut };
    },
    counts: openCounts(join(dataDir, 'pulse')),
    close: () => journal.settle(),
  };
}

function openCounts(dir: string): FolderCounts {
  const make = () => randomBytes(16).toString('hex');
  return {
    read: () => readPulse(dir, ''),
    id: () => openSecretFile({ path: join(dir, 'folder-id'), pattern: /^[0-9a-f]{32}$/, make }),
    raise: (counts) => raiseCounts(dir, counts),
  };
}

async function refuseUsed(root: string): Promise<void> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory());
  const abandoned = folders.length === 0 ? [] : await findAbandonedFolders(root);
  if (abandoned.length < folders.length) {
    throw new RefusedError(
      `a server is using the data folder, or was within the last two minutes (${root}). Stop it first: its open sessions change with every key`,
    );
  }
}

/** Nothing is taken over or changed: the next server finds the logs as they were. */
async function readSessions(root: string): Promise<StoredSession[]> {
  const drafts: SessionDrafts = new Map();
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  for (const folder of entries.filter((entry) => entry.isDirectory())) {
    for (const path of await findLogs(join(root, folder.name))) {
      await readLog(path, (events = []) => {
        for (const event of events) applyEvent(drafts, event, { keepsText: true });
      });
    }
  }
  return [...drafts.values()].map((draft) => toStoredSession(draft).stored);
}

/** As a server leaves it when it ends. */
async function writeSession(root: string, { session, lastUsed }: StoredSession): Promise<void> {
  const { header, inputs } = toSessionText(session);
  const { v, session: fields, unsaved } = JSON.parse(header);
  const round = fields.round && { ...fields.round, inputs };
  const events = [
    { v, used: lastUsed, session: { ...fields, round } },
    ...unsaved.map((each: UnsavedRound) => ({ v, id: session.id, unsaved: each })),
  ];
  const dir = join(root, randomBytes(8).toString('hex'));
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, 'owner.json'), JSON.stringify({ ended: true }));
  await writeFile(join(dir, 'log-000001.jsonl'), events.map((each) => `${JSON.stringify(each)}\n`).join(''));
}

async function* findJournals(dataDir: string): ReturnType<typeof playerJournals> {
  yield { path: journalPath(dataDir, localPlayer), player: localPlayer };
  yield* playerJournals(join(dataDir, 'players'));
}

/** Lines go as they are; damaged ones, and those of later versions, stay where they are. */
async function* readJournal(path: string, player: PlayerId): AsyncGenerator<RoundBatch> {
  const rounds = await readRounds(path);
  for (let at = 0; at < rounds.length; at += batchSize)
    yield { player, rounds: rounds.slice(at, at + batchSize) };
}

/** Undefined where there is none. */
async function openJournal(path: string): Promise<FileHandle | undefined> {
  try {
    return await openRegularFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    const reason = code === undefined ? message : toFileProblem(error as NodeJS.ErrnoException);
    throw new RefusedError(`${path} cannot be read: ${reason}`);
  }
}

async function countLines(path: string): Promise<number> {
  const file = await openJournal(path);
  if (file === undefined) return 0;
  try {
    let count = 0;
    await readLines(file, 0, () => {
      count += 1;
    });
    return count;
  } finally {
    await file.close();
  }
}

async function readRounds(path: string): Promise<FoundRound[]> {
  const rounds = new Map<string, FoundRound>();
  const file = await openJournal(path);
  if (file === undefined) return [];
  try {
    const take = (bytes: Buffer) => {
      const round = toFoundRound(bytes.toString());
      if (round !== undefined && !rounds.has(round.id)) rounds.set(round.id, round);
    };
    take((await readLines(file, 0, take)).tail);
  } finally {
    await file.close();
  }
  return [...rounds.values()];
}

async function readIds(path: string): Promise<Set<string>> {
  return new Set((await readRounds(path)).map(({ id }) => id));
}
