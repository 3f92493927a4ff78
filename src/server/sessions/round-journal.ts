import { type FileHandle, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../folder.ts';
import { createDamageReport, type DamageListener, type DamageReport } from './journal-damage.ts';
import { type JournalRound, parseJournalLine, toJournalLine } from './journal-line.ts';
import { readLines } from './line-reader.ts';

/** Lines written with one system call. */
const roundsPerWrite = 200;
/** Rounds read at once: memory does not grow with the file. */
const roundsPerPortion = 500;
/** How long a torn last line is given to grow, in milliseconds: another server may be writing it. */
const tornPatience = 50;

export interface RoundJournalOptions {
  readonly path: string;
  /** Told once of the same lines. */
  readonly onDamage: DamageListener;
}

/**
 * All finished rounds of a data folder, one line of JSON each, in a file that is only ever appended to.
 *
 * Several servers may append at once: each write is one system call with O_APPEND, whole or counted as failed. Every
 * line begins with a line break of its own, so that whatever was torn before it (kill -9, a full disk) cannot swallow
 * it; empty lines mean nothing. A round that is there twice counts once.
 */
export interface RoundJournal {
  /** Tells, in portions, the rounds that have appeared in the file since the last call, whoever wrote them. */
  readNew(onRounds: (rounds: JournalRound[]) => void): Promise<void>;
  /** Whether a round was read from the file. */
  has(id: string): boolean;
  /** Appends rounds and forces them to disk. Rejects when that failed; to append them again is harmless. */
  append(rounds: readonly JournalRound[]): Promise<void>;
}

export async function openRoundJournal({ path, onDamage }: RoundJournalOptions): Promise<RoundJournal> {
  await makeFolder(dirname(path));
  const ids = new Set<string>();
  const readNew = createReader(
    path,
    ids,
    createDamageReport(path, (id) => ids.has(id), onDamage),
  );
  const inFlight = new Map<string, Promise<void>>();
  let writing: Promise<void> = Promise.resolve();
  let batch: { readonly rounds: JournalRound[]; readonly written: Promise<void> } | undefined;

  /** Whoever appends while a batch is being written shares the batch after it, and its one forced write. */
  const enqueue = (rounds: readonly JournalRound[]) => {
    if (batch === undefined) {
      const waiting: JournalRound[] = [];
      const written = writing.then(() => {
        batch = undefined;
        return appendLines(path, waiting);
      });
      batch = { rounds: waiting, written };
      writing = written.catch(() => undefined);
    }
    batch.rounds.push(...rounds);
    return batch.written;
  };
  return {
    readNew,
    has: (id) => ids.has(id),
    async append(rounds) {
      const fresh = rounds.filter(({ id }) => !inFlight.has(id));
      if (fresh.length > 0) {
        const written = enqueue(fresh);
        for (const { id } of fresh) inFlight.set(id, written);
        const forget = () => {
          for (const { id } of fresh) inFlight.delete(id);
        };
        written.then(forget, forget);
      }
      await Promise.all(rounds.map(({ id }) => inFlight.get(id)));
    },
  };
}

function createReader(path: string, ids: Set<string>, damage: DamageReport): RoundJournal['readNew'] {
  let seen = { inode: 0, size: 0 };
  let offset = 0;
  let turn: Promise<void> = Promise.resolve();

  const read = async (onRounds: (rounds: JournalRound[]) => void): Promise<void> => {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || (found.ino === seen.inode && found.size === seen.size)) return;
    // Another file than before, or one cut short: it is read from its beginning, and known rounds are passed over.
    if (found.ino !== seen.inode || found.size < offset) offset = 0;
    let portion: JournalRound[] = [];
    const hand = () => {
      onRounds(portion);
      portion = [];
    };
    const take = (line: Buffer): boolean => {
      const round = parseJournalLine(line.toString());
      if (round !== undefined && !ids.has(round.id)) {
        ids.add(round.id);
        if (portion.push(round) === roundsPerPortion) hand();
      }
      return round !== undefined;
    };
    const takeLine = (line: Buffer) => {
      if (line.length > 0 && !take(line)) damage.add(line);
    };
    const handle = await open(path, 'r');
    try {
      let lines = await readLines(handle, offset, takeLine);
      if (seen.size === 0 && lines.tail.length > 0 && !take(lines.tail)) {
        await sleep(tornPatience);
        lines = await readLines(handle, lines.offset, takeLine);
        takeLine(lines.tail);
      }
      offset = lines.offset;
      seen = { inode: found.ino, size: offset + lines.tail.length };
    } finally {
      await handle.close();
      hand();
    }
    await damage.report();
  };
  /** One at a time: two readings of the same lines would tell the same rounds twice. */
  return (onRounds) => {
    const result = turn.then(() => read(onRounds));
    turn = result.catch(() => undefined);
    return result;
  };
}

async function appendLines(path: string, rounds: readonly JournalRound[]): Promise<void> {
  await makeFolder(dirname(path));
  const handle = await open(path, 'a');
  try {
    const isNew = (await handle.stat()).size === 0;
    for (let at = 0; at < rounds.length; at += roundsPerWrite) {
      await writeWhole(handle, rounds.slice(at, at + roundsPerWrite));
    }
    await handle.datasync();
    if (isNew) await syncFolder(dirname(path));
  } finally {
    await handle.close();
  }
}

async function writeWhole(handle: FileHandle, rounds: readonly JournalRound[]): Promise<void> {
  const bytes = Buffer.from(rounds.map((round) => `\n${toJournalLine(round)}\n`).join(''));
  const { bytesWritten } = await handle.write(bytes);
  // The rest must not follow in a second call: another server may have appended in between.
  if (bytesWritten < bytes.length)
    throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
}

/** Makes the name of a new file as durable as its contents. */
async function syncFolder(dir: string): Promise<void> {
  // Windows cannot open folders, and does not need it.
  const handle = await open(dir, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
