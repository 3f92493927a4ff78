import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../../settings/log.ts';
import { parseJournalLine } from '../../journal-line.ts';
import type { MemorySessions } from '../../memory/memory-sessions.ts';
import { localPlayer, type PlayerId } from '../../player.ts';
import type { StoredSession } from '../../ports.ts';
import type { UnsavedRound } from '../../unsaved-rounds.ts';
import type { FileRounds } from '../rounds/file-rounds.ts';
import { findAbandonedFolders } from './session-folder.ts';
import type { SessionLog } from './session-log.ts';
import { findLogs, isOfLaterVersion } from './session-log-reader.ts';
import { type Recovery, recoverSessions } from './session-recovery.ts';

/** How long the log waits after a takeover, in milliseconds: a server that starts has better things to do. */
const settleDelay = 1_000;

export interface TakeoverOptions {
  readonly dataDir: string;
  /** Where every server has its folder of sessions. */
  readonly root: string;
  /** This server's own one. */
  readonly dir: string;
  /** Bytes that all open sessions together may take. */
  readonly sessionMemory: number;
  readonly memory: MemorySessions;
  readonly sessionLog: SessionLog;
  readonly rounds: FileRounds;
  readonly log: Log;
}

/** Takes over the sessions of servers that have ended. */
export interface Takeover {
  /** Takes over what was untouched for so many milliseconds. Never rejects: what cannot be read is reported and left. */
  run(silence: number): Promise<void>;
  /**
   * Waits until what was taken over is safe in this server's own log, which is written behind: until then the logs of the
   * other server are in this one's folder, where the next server would find them. Tells whether something of another server
   * is left there that could not be taken over.
   */
  settle(): Promise<{ readonly hasLeftovers: boolean }>;
}

export function createTakeover(options: TakeoverOptions): Takeover {
  const { root, dir, dataDir, memory, sessionLog, rounds, log } = options;
  /** Folders that were reported already. */
  const refused = new Set<string>();
  let hasLeftovers = false;
  let settling: Promise<void> = Promise.resolve();
  const pause = createPause(settleDelay);

  const report = (folder: string, message: string) => {
    if (!refused.has(folder)) log.error(message, { folder });
    refused.add(folder);
  };
  const take = async (from: string) => {
    if (await isForLaterVersion(from)) {
      report(from, 'open sessions were written by a later version of typebadge and are left to it');
      return;
    }
    const recovery = await recoverSessions({
      from,
      to: dir,
      dataDir,
      room: options.sessionMemory - memory.bytes(),
      onSession: (stored) => restore(memory, stored, rounds),
      keep: (unsaved) => keepOfAll(rounds, unsaved),
    });
    if (recovery === undefined) return;
    reportRecovery(recovery, log);
    settling = settling
      .then(() => settle(recovery))
      .catch((error) => {
        hasLeftovers = true;
        report(from, `open sessions were taken over, but their old log cannot be removed: ${error.message}`);
      });
  };
  const settle = async (recovery: Recovery) => {
    await pause.wait();
    if ((await sessionLog.flush()) && recovery.aside?.problem === undefined) await recovery.forget();
    else hasLeftovers = true;
  };
  return {
    async run(silence) {
      const folders = await findAbandonedFolders(root, silence).catch((error) => {
        report(root, `abandoned sessions cannot be looked for: ${error.message}`);
        return [];
      });
      for (const folder of folders) {
        await take(folder).catch((error) => {
          hasLeftovers = true;
          report(folder, `open sessions cannot be taken over and are left as they are: ${error.message}`);
        });
      }
    },
    async settle() {
      pause.end();
      await settling;
      return { hasLeftovers };
    },
  };
}

/** A wait that can be cut short, also ahead. */
function createPause(delay: number): { wait(): Promise<void>; end(): void } {
  const controller = new AbortController();
  const { signal } = controller;
  return {
    wait: () => sleep(delay, undefined, { signal, ref: false }).catch(() => undefined),
    end: () => controller.abort(),
  };
}

async function isForLaterVersion(folder: string): Promise<boolean> {
  for (const path of await findLogs(folder).catch(() => []))
    if (await isOfLaterVersion(path).catch(() => false)) return true;
  return false;
}

/** Keeps the rounds of sessions that find no room, of every player. */
async function keepOfAll(rounds: FileRounds, unsaved: readonly UnsavedRound[]): Promise<void> {
  const byPlayer = new Map<PlayerId, UnsavedRound[]>();
  for (const round of unsaved) {
    const player = parseJournalLine(round.line)?.player ?? localPlayer;
    byPlayer.set(player, [...(byPlayer.get(player) ?? []), round]);
  }
  for (const [player, own] of byPlayer) await rounds.keep(player, own);
}

/** Takes in a session of a server that has ended. What its journal already holds counts once, and is not kept again. */
function restore(memory: MemorySessions, stored: StoredSession, rounds: FileRounds): void {
  const { session, lastUsed } = stored;
  const { unsaved } = session;
  if (unsaved.length > 0)
    rounds.note(
      session.player,
      unsaved.flatMap(({ line }) => parseJournalLine(line) ?? []),
    );
  // A server that had been stopped and went on may have left the same session twice: the later one goes on.
  const twin = memory.peek(session.id);
  const later = twin !== undefined && twin.lastUsed > lastUsed ? twin : stored;
  const all = new Map([...(twin?.session.unsaved ?? []), ...unsaved].map((round) => [round.id, round]));
  memory.restore({ session: { ...later.session, unsaved: [...all.values()] }, lastUsed: later.lastUsed });
}

function reportRecovery({ damaged, aside }: Recovery, log: Log): void {
  for (const file of damaged) log.error('a damaged log of open sessions was put aside', { file });
  if (aside === undefined) return;
  const { sessions, file, problem } = aside;
  if (problem !== undefined) {
    log.error(
      `open sessions found no room in memory and could not be put aside: ${problem.message}; the next start tries again`,
      { sessions },
    );
    return;
  }
  log.error(
    'open sessions found no room in memory (see --session-memory) and were put aside; their finished rounds are saved',
    { sessions, file },
  );
}
