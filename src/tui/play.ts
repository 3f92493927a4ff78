import { createEndOfPlay } from './ending.ts';
import { startKeyIntake } from './input/key-intake.ts';
import type { PlayConfig } from './play-config.ts';
import type { FinishedScore } from './player-context.ts';
import type { Remainder } from './remainder.ts';
import { takeOver } from './takeover.ts';
import { createTerminal } from './terminal/terminal.ts';

export interface PlaySummary {
  /** The rounds that were finished, in order. */
  readonly scores: readonly FinishedScore[];
  /** The signal that ended it; undefined when the typist left. */
  readonly signal: NodeJS.Signals | undefined;
  readonly remainder: Remainder;
}

/**
 * Takes over the terminal and plays until the typist leaves. The terminal is given back whatever happens; an error
 * is thrown on after that.
 */
export async function runPlay(config: PlayConfig): Promise<PlaySummary> {
  const terminal = createTerminal(config.stdin, config.stdout);
  const ending = createEndOfPlay();
  const takeover = takeOver(config, terminal, ending);
  const { dispatch, scores } = takeover.player;
  /** Nobody sits there any more; what was typed is kept for them. */
  const hangUp = () => ending.end({ keepUnfinished: true, signal: 'SIGHUP' });
  terminal.onGone(hangUp);
  terminal.enter();
  takeover.openStage();

  const search = new AbortController();
  const server = config.findServer(search.signal);
  const keys = startKeyIntake(config.stdin, {
    onKeys(keys) {
      for (const key of keys) dispatch({ type: 'key', key });
    },
    onStall: (duration) => dispatch({ type: 'stall', duration }),
    onReleases: () => terminal.reportReleases(),
    onGone: hangUp,
  });
  const setUp = Promise.all([
    // What was typed before was not meant for words that nobody had seen: it is read and dropped first.
    server.then((found) => takeover.begin(found, keys)),
    keys.then(({ isOffThread }) => dispatch({ type: 'reader', isOffThread })),
  ]);
  try {
    await Promise.race([setUp, ending.promise]);
    const how = await ending.promise;
    // The terminal first: anyone who leaves may type on at once, and what they type is for the shell.
    await (await keys).stop();
    const remainder = await takeover.leave(how);
    return { scores, signal: how.signal, remainder };
  } finally {
    takeover.restore();
    search.abort();
    takeover.close();
    await Promise.allSettled([keys.then((source) => source.stop()), server.then((found) => found.close())]);
  }
}
