import { makeFolder } from '../../kit/files/folder.ts';
import type { Log } from '../settings/log.ts';
import type { Content } from './content/content.ts';
import type { ContentCopy } from './content/content-copy.ts';
import { createFolderContent } from './content/folder-content.ts';
import { createPulse, type Pulse } from './pulse.ts';
import { createFileRecords, recordsFolder } from './records/file-records.ts';
import { networkDiskWarning } from './records/record-folder.ts';
import type { Records } from './records/records.ts';
import type { SharedLimits } from './records/shared-limits.ts';
import { createRounds, type Rounds } from './rounds.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createSharedText, openAddressKey, outboxName, type SharedText } from './shared-text.ts';

/** All stores of a server. */
export interface Stores {
  readonly sessions: Sessions;
  readonly rounds: Rounds;
  readonly content: Content;
  /** Only if the content is not on this server's own disk. */
  readonly contentCopy?: ContentCopy;
  /** The caller saves it every few seconds (see `startSaving`); closing saves it too. */
  readonly pulse: Pulse;
  /** Only for shared stores; otherwise the server counts in its own memory, synchronously. */
  readonly limits?: SharedLimits;
  readonly outbox: SharedText;
  /** Secret with which client addresses are hashed; empty if the server is not exposed. */
  readonly addressKey: string;
  /**
   * Why the store cannot be used or the disk cannot be written now, in a sentence; undefined if they can.
   */
  problem(): string | undefined;
  /** Saves everything unsaved, and releases all resources. */
  close(): Promise<void>;
}

export interface StoresOptions {
  /** Records in files live here; with a store, only a copy of the content. */
  readonly dataDir: string;
  readonly contentDir: string;
  /** Milliseconds after which an unused session expires. */
  readonly sessionTtl: number;
  /** Maximum number of open sessions of all players. */
  readonly maxSessions: number;
  /** Maximum number of open sessions of a player and of a client, if the server is exposed. */
  readonly maxSessionsPerClient?: number;
  /** Maximum size in bytes of the rounds of all players together. */
  readonly roundQuota: number;
  /** Milliseconds that rounds are kept, if the server is exposed. */
  readonly keepRounds?: number;
  readonly isExposed?: boolean;
  readonly log: Log;
  /** Milliseconds since 1970, by which what expires is judged. */
  readonly clock: () => number;
  /** The same or later: from which on it lives. Default: `clock`. */
  readonly latest?: () => number;
  /** By which rounds are too old. Default: `clock`. */
  readonly earliest?: () => number;
}

/** With this many rounds of a player, the oldest are removed, if the server is exposed. */
const maxRounds = 10_000;
/** Kinds of a player's rounds that are told apart, if the server is exposed: anyone can upload thousands. */
const maxKinds = 64;
/** Milliseconds from the start to the first search for what has expired, and then between two of them. */
const firstCleaning = 10 * 60 * 1000;
const cleaningPause = 24 * 60 * 60 * 1000;
/** Milliseconds before the first removal of expired files, and between two. */
const [firstSweep, sweepPause] = [60 * 1000, 60 * 60 * 1000];

/** The stores of one machine: files of a data folder. Rejects with one sentence if it is unusable. */
export async function openFileStores(options: StoresOptions): Promise<Stores> {
  const { dataDir, contentDir, isExposed, clock, latest = clock, earliest = clock, log } = options;
  try {
    makeFolder(dataDir);
    const warning = networkDiskWarning(dataDir);
    if (warning !== undefined) log.warn(warning);
    const records = createFileRecords({
      dir: recordsFolder(dataDir),
      clock: (id) => (id.startsWith('rounds/') ? earliest() : clock()),
      latest,
      onDamage: (message) => log.error(message),
      onProblem: (message) => log.error(message),
    });
    const sweep = () => void records.sweep().catch(() => undefined);
    const timers = [setTimeout(sweep, firstSweep).unref(), setInterval(sweep, sweepPause).unref()];
    const stores = storesOn(records, options);
    return {
      ...stores,
      async close() {
        for (const timer of timers) clearTimeout(timer);
        await stores.close();
      },
      content: createFolderContent(contentDir),
      outbox: createSharedText(records, outboxName(contentDir)),
      addressKey: isExposed ? await openAddressKey(records) : '',
      problem: records.problem,
    };
  } catch (error) {
    const reason = (error as Error).message.replace(/\.$/, '');
    throw new Error(`The data folder ${dataDir} cannot be used: ${reason}. Choose another with --data.`);
  }
}

/** The stores that are alike on both engines. Expired sessions are uncounted in the background. */
export function storesOn(
  records: Records,
  options: StoresOptions,
): Pick<Stores, 'sessions' | 'rounds' | 'pulse' | 'close'> {
  const { isExposed, maxSessionsPerClient, keepRounds, clock, log } = options;
  const { latest = clock, earliest = clock } = options;
  const sessions = createSessions(records, {
    limit: options.maxSessions,
    limitPerClient: (isExposed ? maxSessionsPerClient : undefined) ?? Number.POSITIVE_INFINITY,
    ttl: options.sessionTtl,
    clock,
    latest,
  });
  const retention = isExposed && keepRounds !== undefined ? { maxRounds, age: keepRounds } : undefined;
  const clean = async () => {
    await sessions
      .clean()
      .catch(({ message }) =>
        log.warn(`expired data could not be removed, trying again in a day: ${message}`),
      );
    setTimeout(clean, cleaningPause).unref();
  };
  setTimeout(clean, firstCleaning).unref();
  const pulse = createPulse(records, ({ message }) =>
    log.error(`badge counters could not be saved, trying again: ${message}`),
  );
  return {
    sessions,
    rounds: createRounds(records, {
      quota: options.roundQuota,
      retention,
      maxKinds: isExposed ? maxKinds : undefined,
      clock,
      earliest,
    }),
    pulse,
    /** Rejects if badge counters are lost, because they could not be saved until the end. */
    async close() {
      const saving = await pulse.save();
      await records.close();
      if (saving === 'not saved')
        throw new Error('The last badge counters could not be saved: they are lost.');
    },
  };
}
