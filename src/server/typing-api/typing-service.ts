import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Route } from '../http/router.ts';
import type { Log } from '../log.ts';
import { packageFile } from '../package-files.ts';
import { createHistoryBook } from '../sessions/history-book.ts';
import { openRoundJournal } from '../sessions/round-journal.ts';
import { openSessionKeeper, type SessionKeeper } from '../sessions/session-keeper.ts';
import { createWordChooser } from '../typing/word-choice.ts';
import { createTypingGame, type TypingGame } from './typing-game.ts';
import { createTypingRoutes } from './typing-routes.ts';
import { readWordList } from './word-list.ts';

export interface TypingServiceOptions {
  /** Folder of the round journal and the open sessions. */
  readonly dataDir: string;
  /** Milliseconds after which an unused session goes. */
  readonly sessionTtl: number;
  /** Open sessions at once. */
  readonly maxSessions: number;
  /** Makes the choice of words repeatable: the n-th round of any session gets the same words, as far as the history is the same. */
  readonly seed: number | undefined;
  readonly log: Log;
  /** Milliseconds since 1970. Default: the clock. */
  readonly now?: () => number;
}

/** The typing-practice API with everything behind it. */
export interface TypingService {
  readonly routes: readonly Route[];
  /** Saves everything unsaved. */
  close(): Promise<void>;
}

/** Opens the data folder. Rejects with one sentence where it cannot be used. */
export async function createTypingService(options: TypingServiceOptions): Promise<TypingService> {
  const openapi = readFileSync(packageFile('dist', 'openapi.json'), 'utf8');
  const { game, keeper } = await openTypingGame(options).catch((error) => {
    const { message } = error as Error;
    throw new Error(
      `The data folder ${options.dataDir} cannot be used: ${message}. Choose another with --data.`,
      { cause: error },
    );
  });
  return {
    routes: createTypingRoutes({ game, keeper, openapi, log: options.log }),
    close: () => keeper.close(),
  };
}

/** Everything behind the API, without the API. */
export async function openTypingGame(
  options: TypingServiceOptions,
): Promise<{ game: TypingGame; keeper: SessionKeeper }> {
  const { dataDir, log, now = Date.now } = options;
  const journal = await openRoundJournal({
    path: join(dataDir, 'rounds.jsonl'),
    onDamage: (lines, aside) =>
      log.error(
        `${lines} damaged ${lines === 1 ? 'line' : 'lines'} of the round journal cannot be read and do not count`,
        { kept: aside ?? 'in the journal itself' },
      ),
  });
  const book = createHistoryBook(journal);
  await book.refresh();
  const keeper = await openSessionKeeper({
    dataDir,
    ttl: options.sessionTtl,
    maxSessions: options.maxSessions,
    journal,
    book,
    log,
    now,
  });
  const game = createTypingGame({
    keeper,
    book,
    chooseWords: createWordChooser(readWordList()),
    seed: options.seed,
    newId: () => randomBytes(16).toString('hex'),
    newSeed: () => randomInt(2 ** 32),
    now,
    onProblem: (problem) => log.error(`the round journal cannot be read: ${problem.message}`),
  });
  return { game, keeper };
}
