import { join } from 'node:path';
import type { ReadStream, WriteStream } from 'node:tty';
import { recordEndedRounds } from './ended-rounds.ts';
import type { StampedKey } from './input/key.ts';
import { startKeyIntake } from './input/key-intake.ts';
import { readClock } from './input/stall-watch.ts';
import type { OfflineRounds } from './link/offline-rounds.ts';
import { createSessionClient } from './link/session-client.ts';
import { createPlayer, type Ending } from './player.ts';
import type { Folders } from './record/folders.ts';
import type { Options, OwnText } from './record/options.ts';
import type { RoundScore } from './round/scoring.ts';
import { createRoundBroker, type RoundBroker } from './round-broker.ts';
import type { Stage } from './screens/stage.tsx';
import { listenToProcess } from './terminal/process-events.ts';
import type { Size } from './terminal/size.ts';
import { createTerminal } from './terminal/terminal.ts';
import { handleUnsentRounds } from './unsent-rounds.ts';

/** A server to play with. */
export interface FoundServer {
  readonly url: URL;
  /** What the server is called in files that outlive this process. */
  readonly name: string;
  /** The player key to send; undefined: none. */
  readonly key?: string | undefined;
  /** Whether it does not answer now: rounds are made here, and delivered when it does. */
  readonly isAway?: boolean;
  /** Whether no server is to be asked. */
  readonly isOffline?: boolean;
  /** Ends a server that runs inside this process. */
  close(): Promise<void>;
}

export interface PlayConfig {
  readonly stdin: ReadStream & { readonly fd: number };
  readonly stdout: WriteStream & { readonly fd: number };
  /** Bits per colour that the terminal shows; 1 for none. */
  readonly depth: number;
  /** The options at the start, flags included. */
  readonly options: Options;
  /** Saves what the typist changes of them; rejects where that is impossible. */
  readonly saveOptions: (now: Options) => Promise<void>;
  readonly folders: Folders;
  /** One sentence to begin with; empty for none. */
  readonly greeting: string;
  /** A text of the typist's own to begin with. */
  readonly ownText: OwnText | undefined;
  /** Reads another one from a file; rejects with one sentence. */
  readonly readText: (file: string) => Promise<OwnText>;
  /** Finds or starts the server, unless the typist leaves before; rejects with one sentence. */
  readonly findServer: (ending: AbortSignal) => Promise<FoundServer>;
  /** Makes rounds while there is no server. */
  readonly offline: OfflineRounds;
}

export interface PlaySummary {
  /** The rounds that were finished, in order. */
  readonly scores: readonly RoundScore[];
  /** The signal that ended it; undefined when the typist left. */
  readonly signal: NodeJS.Signals | undefined;
}

/** What is on its way may take this long when the typist leaves, ms. */
const leavingGrace = 1500;

/**
 * Takes over the terminal and plays until the typist leaves. The terminal is given back whatever happens; an error
 * is thrown on after that.
 */
export async function runPlay(config: PlayConfig): Promise<PlaySummary> {
  const terminal = createTerminal(config.stdin, config.stdout);
  const ending = createEnding();
  let stage: Stage | undefined;
  let rounds: RoundBroker | undefined;

  const events = listenToProcess({
    onEnd: (signal) => ending.end({ keepUnfinished: true, signal }),
    onStop: suspend,
    onContinue() {
      terminal.enter();
      stage?.repaint();
    },
    onError: ending.fail,
    onExit: emergencyRestore,
  });
  const player = createPlayer({
    ...config,
    draw: (app) => stage?.draw(app),
    repaint: () => stage?.repaint(),
    bell: () => terminal.write('\x07'),
    suspend,
    end: (how) => ending.end({ ...how, signal: undefined }),
  });
  terminal.onResize(resize);
  terminal.onGone(hangUp);
  terminal.enter();
  terminal.write(splash);

  const search = new AbortController();
  const server = config.findServer(search.signal);
  const keys = startKeyIntake(config.stdin, {
    onKeys: pressAll,
    onStall: (duration) => player.dispatch({ type: 'stall', duration }),
    onGone: hangUp,
  });
  try {
    await Promise.race([setUp(), ending.promise]);
    const { keepUnfinished, signal } = await ending.promise;
    // The terminal first: whoever leaves may type on at once, and what they type is for the shell.
    await (await keys).stop();
    terminal.leave();
    player.keep();
    await rounds?.close({ grace: signal === undefined ? leavingGrace : 0, keepUnfinished });
    return { scores: player.scores, signal };
  } finally {
    emergencyRestore();
    search.abort();
    events.close();
    terminal.close();
    stage?.close();
    await Promise.allSettled([keys.then((source) => source.stop()), server.then((found) => found.close())]);
  }

  /** Drawing takes a while to load, and so do a server and the first words: they do it at the same time. */
  async function setUp(): Promise<void> {
    await Promise.all([
      setTheStage(),
      beginToPlay(),
      keys.then(({ isOffThread }) => player.dispatch({ type: 'reader', isOffThread })),
    ]);
  }

  async function setTheStage(): Promise<void> {
    const { createStage } = await import('./screens/stage.tsx');
    stage = createStage(terminal, { depth: config.depth, onError: ending.fail });
    resize(terminal.size);
  }

  async function beginToPlay(): Promise<void> {
    const { folders } = config;
    const { url, name, key, isAway, isOffline } = await server;
    const client = createSessionClient(url, { key });
    const unsentFolder = join(folders.data, 'unsent');
    await recordEndedRounds(unsentFolder, folders.data).catch(() => {}); // a full disk: the next start tries again
    const isSilent = isAway === true || isOffline === true;
    const findings = await handleUnsentRounds({ folder: unsentFolder, client, server: name, isSilent });
    rounds = createRoundBroker({
      client,
      server: name,
      unsentFolder,
      offline: config.offline,
      isAway,
      isOffline,
      onEvent: player.dispatch,
    });
    player.start(rounds, findings);
  }

  function resize(size: Size): void {
    if (stage !== undefined) player.dispatch({ type: 'resize', size: stage.resize(size) });
  }

  function pressAll(keys: readonly StampedKey[]): void {
    for (const key of keys) player.dispatch({ type: 'key', key });
  }

  function suspend(): void {
    if (process.platform === 'win32') return; // there are no stopped jobs
    player.dispatch({ type: 'pause', time: readClock() });
    player.keep();
    terminal.leave();
    events.stopThisJob();
  }

  /** Nobody sits there any more; what was typed is kept for them. */
  function hangUp(): void {
    ending.end({ keepUnfinished: true, signal: 'SIGHUP' });
  }

  /** What must happen even if nothing else can. */
  function emergencyRestore(): void {
    terminal.leave();
    player.keep();
    rounds?.detach();
  }
}

/** Something to see while the rest is loading, where the title will stand. */
const splash = '\x1b[1;2H\x1b[1mtypebadge\x1b[0m';

interface SignalledEnding extends Ending {
  readonly signal: NodeJS.Signals | undefined;
}

/** The first reason to end counts. */
function createEnding(): {
  readonly promise: Promise<SignalledEnding>;
  end(ending: SignalledEnding): void;
  fail(error: unknown): void;
} {
  let end: (ending: SignalledEnding) => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const promise = new Promise<SignalledEnding>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  promise.catch(() => {}); // awaited later; until then it is no unhandled rejection
  return { promise, end, fail };
}
