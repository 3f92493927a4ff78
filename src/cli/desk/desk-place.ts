import { UsageError } from '../program/command-io.ts';
import type { ReportOptions } from '../program/report.ts';
import type { ServerView } from '../servers/running-servers.ts';
import type { Desk } from './desk.ts';

/** Options of the commands on announcements and origins; each command has some of them. */
export interface DeskOptions extends ReportOptions {
  readonly server?: string;
  readonly content?: string;
  readonly store?: string;
  readonly storePrefix?: string;
  readonly verbose?: boolean;
  /** Author recorded in the log; not for a server, which knows whose token it is. */
  readonly by?: string;
  /** Where the counters of a server on this machine are. */
  readonly data?: string;
  /** The time zone in which moments are read and shown. */
  readonly zone?: string;
  readonly dryRun?: boolean;
}

export interface OpeningOptions {
  /** Whether nothing is written, not even the sample into a new data folder. Default: false. */
  readonly isReadOnly?: boolean;
  /** Whether a given folder that is missing is created: only for a first change. Default: false. */
  readonly makesFolder?: boolean;
}

/** Where an editor works: on a content folder, on a store that servers share, or on a server elsewhere. */
export interface OpenDesk extends Desk {
  /** Path of the folder, or address of the store or the server. */
  readonly name: string;
  /** Where a change is made: `on https://badge.example.org`, `in ./content, no running server found`. */
  where(servers: readonly ServerView[]): string;
  /** The servers that should show what there is now, and whether they do. */
  views(): Promise<readonly ServerView[]>;
  /** A command that works on the same announcements: a suggestion must not lead elsewhere. */
  command(...words: readonly string[]): string;
}

/** The server that a command works on, and why this one. */
export interface ChosenServer {
  /** As it was written, or as `login` has checked it. */
  readonly server: string;
  readonly reason: '--server' | 'TYPEBADGE_SERVER' | 'typebadge login';
}

/**
 * The server to work on: `--server`, TYPEBADGE_SERVER, or the one of the last `login`. Undefined: a folder
 * or a store of this computer, because an option or a variable names one, or because nobody is logged in.
 */
export async function chosenServer(
  { server, content, store }: DeskOptions,
  env: NodeJS.ProcessEnv,
): Promise<ChosenServer | undefined> {
  const isHere = content !== undefined || store !== undefined;
  if (server !== undefined && isHere) {
    const other = content === undefined ? '--store' : '--content';
    throw new UsageError(`give --server or ${other}, not both: announcements are in one place`);
  }
  if (server !== undefined) return { server, reason: '--server' };
  if (isHere) return undefined;
  if (env.TYPEBADGE_SERVER) return { server: env.TYPEBADGE_SERVER, reason: 'TYPEBADGE_SERVER' };
  if (env.TYPEBADGE_CONTENT || env.TYPEBADGE_STORE) return undefined;
  const { defaultServer } = await (await import('./logins.ts')).readLogins();
  return defaultServer === null ? undefined : { server: defaultServer, reason: 'typebadge login' };
}
