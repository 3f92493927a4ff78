import type { HistoryBook } from '../sessions/history-book.ts';
import { newSession, type Session } from '../sessions/session.ts';
import type { SessionKeeper } from '../sessions/session-keeper.ts';
import type { Awaitable, Change } from '../sessions/session-store.ts';
import { toGameState } from '../typing/game-state.ts';
import { toHistoricalStatistics } from '../typing/historical-statistics.ts';
import { toLetterBias } from '../typing/letter-bias.ts';
import { type Problem, toProblem } from '../typing/problem.ts';
import type { InputResult } from '../typing/progress.ts';
import { deriveSeed } from '../typing/random.ts';
import { newRound, type Round, reduceRound, reduceRoundBatch, type Timing } from '../typing/round.ts';
import type { RoundInput } from '../typing/round-input.ts';
import { toSessionStatistics } from '../typing/session-statistics.ts';
import { timeRound } from '../typing/timing.ts';
import type { WordChooser } from '../typing/word-choice.ts';
import type { GameState, HistoricalStatistics, SessionStatistics } from '../wire-types.ts';

/** What a session may hold of finished rounds, and of keys in them, before they are saved without being asked. */
const maxUnsavedRounds = 50;
const maxUnsavedKeys = 20_000;

export interface TypingGameOptions {
  readonly keeper: SessionKeeper;
  readonly book: HistoryBook;
  readonly chooseWords: WordChooser;
  /** Undefined: `newSeed` for every round. */
  readonly seed: number | undefined;
  readonly newSeed: () => number;
  readonly newId: () => string;
  readonly now: () => number;
  /** Told when the journal cannot be read; the history then stays as it was. */
  readonly onProblem: (problem: Error) => void;
}

/** What an action gives: its result, why it is refused, or undefined where there is no such session. */
type Outcome<T> = Awaitable<T | { readonly problem: Problem } | undefined>;

/** What can be done with a session. The engine decides, the store keeps, this joins the two. */
export interface TypingGame {
  /** Resolves to the new session's id; undefined when there are too many sessions. */
  createSession(punctuation: boolean): Promise<string | undefined>;
  startRound(id: string): Outcome<Round>;
  input(id: string, input: RoundInput): Outcome<InputResult>;
  inputBatch(
    id: string,
    inputs: readonly RoundInput[],
  ): Awaitable<InputResult[] | { readonly problem: Problem; readonly at?: number } | undefined>;
  finishRound(id: string, timing: Timing): Outcome<true>;
  state(id: string): Outcome<GameState>;
  sessionStatistics(id: string): Outcome<SessionStatistics>;
  historicalStatistics(): Promise<HistoricalStatistics>;
}

export function createTypingGame(options: TypingGameOptions): TypingGame {
  const { keeper, book, chooseWords } = options;
  const { store } = keeper;
  const biasOf = memoize(toLetterBias);
  const statisticsOf = memoize(toHistoricalStatistics);

  const refresh = () => book.refresh().catch(options.onProblem);

  return {
    async createSession(punctuation) {
      const session = newSession(options.newId(), punctuation, options.now());
      if (!(await store.create(session))) return undefined;
      await keeper.persist();
      return session.id;
    },

    async startRound(id) {
      const unsaved = (await store.read(id))?.unsaved ?? [];
      const unsavedKeys = unsaved.reduce((sum, { keys }) => sum + keys.length, 0);
      if (unsaved.length >= maxUnsavedRounds || unsavedKeys >= maxUnsavedKeys) await keeper.save(id);
      await refresh();
      const round = await store.update(id, (session) => {
        const roundCount = session.roundCount + 1;
        const words = chooseWords({
          seed: options.seed === undefined ? options.newSeed() : deriveSeed(options.seed, roundCount),
          bias: biasOf(book.history()),
          punctuation: session.punctuation,
        });
        const started = newRound(options.newId(), words, session.punctuation);
        return { session: { ...session, roundCount, round: started }, result: started };
      });
      await keeper.persist();
      return round;
    },

    input: (id, input) =>
      store.update(id, (session) => withRound(session, (round) => reduceRound(round, input))),

    inputBatch: (id, inputs) =>
      store.update(id, (session) => withRound(session, (round) => reduceRoundBatch(round, inputs))),

    async finishRound(id, timing) {
      await refresh();
      const outcome = await store.update(id, (session): Change<true | { problem: Problem }> => {
        if (session.round === null) return { session, result: notStarted };
        const timed = timeRound(session.round, timing, book.history());
        if ('problem' in timed) return { session, result: timed };
        if (timed.finished === undefined) return { session, result: true };
        const completedAt = new Date(options.now()).toISOString();
        const finished = { ...timed.finished, session: id, punctuation: session.punctuation, completedAt };
        book.add([finished]);
        return {
          session: { ...session, round: timed.round, unsaved: [...session.unsaved, finished] },
          result: true,
        };
      });
      await keeper.persist();
      return outcome;
    },

    state: async (id) => readRound(await store.read(id), toGameState),
    sessionStatistics: async (id) => readRound(await store.read(id), toSessionStatistics),

    async historicalStatistics() {
      await refresh();
      return statisticsOf(book.history());
    },
  };
}

const notStarted = toProblem('ROUND_NOT_STARTED', 'No round has been started in this session.');

function withRound<T>(
  session: Session,
  reduce: (round: Round) => { round: Round; result: T } | { problem: Problem; at?: number },
): Change<T | { problem: Problem; at?: number }> {
  if (session.round === null) return { session, result: notStarted };
  const reduction = reduce(session.round);
  if ('problem' in reduction) return { session, result: reduction };
  return { session: { ...session, round: reduction.round }, result: reduction.result };
}

function readRound<T>(
  session: Session | undefined,
  read: (round: Round) => T,
): T | { problem: Problem } | undefined {
  if (session === undefined) return undefined;
  return session.round === null ? notStarted : read(session.round);
}

/** Remembers the result for the latest argument. Arguments are immutable. */
function memoize<A, R>(compute: (argument: A) => R): (argument: A) => R {
  let latest: { readonly argument: A; readonly result: R } | undefined;
  return (argument) => {
    if (latest?.argument !== argument) latest = { argument, result: compute(argument) };
    return latest.result;
  };
}
