import type { ReadStream, WriteStream } from 'node:tty';
import type { OfflineRounds } from './link/source/offline-rounds.ts';
import type { Folders } from './record/folders.ts';
import type { Options, OwnText } from './record/options.ts';

/** A server to play with. */
export interface FoundServer {
  readonly url: URL;
  /** What the server is called in files that outlive this process. */
  readonly name: string;
  /** The player key to send; undefined: none. */
  readonly key?: string | undefined;
  /** Whether it does not answer now: rounds are made here, and delivered when it does. */
  readonly isAway?: boolean;
  /** Whether it is away because no host with its name was found. */
  readonly isUnknownName?: boolean;
  /** Whether no server is to be asked. */
  readonly isOffline?: boolean;
  /** Ends a server that runs inside this process. */
  close(): Promise<void>;
}

/** What the player itself begins with, whatever the terminal and the server. */
export interface PlayerStart {
  /** The options at the start, flags included. */
  readonly options: Options;
  /** Saves what the typist changes of them; rejects where that is impossible. */
  readonly saveOptions: (now: Options) => Promise<void>;
  readonly folders: Folders;
  /** One sentence to begin with; empty for none. */
  readonly greeting: string;
  /** The command line that lists this typist's rounds that no server has yet. */
  readonly waitingCommand: string;
  /** The profile that is played with; empty for the usual one. */
  readonly profile: string;
  /** A text of the typist's own to begin with. */
  readonly ownText: OwnText | undefined;
  /** Reads another one from a file; rejects with one sentence. */
  readonly readText: (file: string) => Promise<OwnText>;
}

export interface PlayConfig extends PlayerStart {
  readonly stdin: ReadStream & { readonly fd: number };
  readonly stdout: WriteStream & { readonly fd: number };
  /** Bits per colour that the terminal shows; 1 for none. */
  readonly depth: number;
  /** Finds or starts the server, unless the typist leaves before; rejects with one sentence. */
  readonly findServer: (ending: AbortSignal) => Promise<FoundServer>;
  /** Makes rounds while there is no server. */
  readonly offline: OfflineRounds;
}
