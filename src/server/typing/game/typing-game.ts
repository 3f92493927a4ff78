import { type GameState, toGameState } from '../../../typing/game-state.ts';
import { type Mode, toModeName } from '../../../typing/modes/mode.ts';
import { reduceRound, reduceRoundBatch } from '../../../typing/round.ts';
import type { RoundInput } from '../../../typing/round-input.ts';
import type { InputResult } from '../../../typing/rules/step.ts';
import { type SessionStatistics, toSessionStatistics } from '../../../typing/session-statistics.ts';
import type { HistoricalStatistics } from '../../../typing/statistics/historical-statistics.ts';
import { chaptersOf, countEntries } from '../../../typing/statistics/history.ts';
import type { PageRequest } from '../../stores/page.ts';
import type { Asking } from '../../stores/player.ts';
import type { RoundPage } from '../../stores/rounds.ts';
import { newSession, type Setup } from '../../stores/session.ts';
import type { SessionAdmission } from '../../stores/session-owners.ts';
import type { SessionPage } from '../../stores/sessions.ts';
import type { HistoryQuery } from '../requests/history-query.ts';
import type { TypingGameOptions } from './game-options.ts';
import { createHistoryStatistics } from './history-statistics.ts';
import { createOwnSessions, type OwnSessions } from './own-sessions.ts';
import { createRoundFinish, type FinishRound } from './round-finish.ts';
import { createRoundStart, type StartRound } from './round-start.ts';
import { type GameAnswer, type InputProblem, readRound, updateRound } from './session-round.ts';
import { type AddRound, createRoundUpload } from './whole-round.ts';

/** Why there is no room for another session. */
type NoRoom = Exclude<SessionAdmission, 'added'>;

/** All actions on sessions. It connects the engine, which decides, with the stores, which keep; routes use nothing else. */
export interface TypingGame {
  /** Resolves to the id of the new session, or to why there is no room for it. */
  createSession(asking: Asking, setup: Setup): Promise<{ id: string } | { refused: NoRoom }>;
  hasSession(asking: Asking, id: string): Promise<boolean>;
  /** The player's sessions, oldest first; undefined if `after` is not one of them. */
  listSessions(asking: Asking, page: PageRequest): Promise<SessionPage | undefined>;
  /** Number of sessions of all players. */
  countSessions(): Promise<number>;
  /** Resolves to true once the rounds of a session's player are forced to disk, and to false if there is no such session. */
  saveSession(asking: Asking, id: string): Promise<boolean>;
  deleteSession(asking: Asking, id: string): Promise<boolean>;
  /** Entries of the sender's history that are used to choose the words of each round; 0 if they are few or none. */
  entriesOfRound(asking: Asking, id: string): Promise<number>;
  readonly startRound: StartRound;
  input(asking: Asking, id: string, input: RoundInput): GameAnswer<InputResult>;
  inputBatch(
    asking: Asking,
    id: string,
    inputs: readonly RoundInput[],
  ): Promise<InputResult[] | InputProblem | undefined>;
  readonly finishRound: FinishRound;
  readonly addRound: AddRound;
  state(asking: Asking, id: string): GameAnswer<GameState>;
  sessionStatistics(asking: Asking, id: string): GameAnswer<SessionStatistics>;
  /** Reading a history costs little, however long it is: the handlers need not ask. */
  unreadBytes(asking: Asking): Promise<number>;
  readRounds(asking: Asking): Promise<void>;
  /** A player's finished rounds, in the order of `Rounds.list`; undefined if `after` is not one of them. */
  listRounds(asking: Asking, page: PageRequest): Promise<RoundPage | undefined>;
  /** Permanently removes a player's sessions and rounds. */
  forgetPlayer(asking: Asking): Promise<void>;
  /** Entries of the history that `historicalStatistics` reads; 0 if there is no such session. */
  entriesOfHistory(asking: Asking, id: string, query?: HistoryQuery): Promise<number>;
  /** The statistics of the sender: a session without a key can be used by others, who learn nothing about its owner's rounds. */
  historicalStatistics(
    asking: Asking,
    id: string,
    query?: HistoryQuery,
  ): Promise<HistoricalStatistics | undefined>;
}

export function createTypingGame(options: TypingGameOptions): TypingGame {
  const { sessions, rounds } = options.stores;
  const own = createOwnSessions(sessions);
  return {
    ...createSessionActions(options, own),
    ...createRoundReadings(options, own),
    startRound: createRoundStart(options, own),
    input: (asking, id, input) =>
      own.update(asking, id, (session) => updateRound(session, (round) => reduceRound(round, input))),
    inputBatch: (asking, id, inputs) =>
      own.update(asking, id, (session) => updateRound(session, (round) => reduceRoundBatch(round, inputs))),
    finishRound: createRoundFinish(options, own),
    addRound: createRoundUpload(options),
    unreadBytes: async () => 0,
    readRounds: async () => undefined,
    listRounds: ({ player }, page) => rounds.list(player, page),
    async forgetPlayer({ player }) {
      // Sessions first: a round is only added while its session exists. If this is interrupted, repeating it completes it.
      await sessions.forget(player);
      await rounds.forget(player);
    },
  };
}

type SessionActions = Pick<
  TypingGame,
  'createSession' | 'hasSession' | 'listSessions' | 'countSessions' | 'saveSession' | 'deleteSession'
>;

function createSessionActions(
  { stores: { sessions, rounds }, newId, clock }: TypingGameOptions,
  own: OwnSessions,
): SessionActions {
  return {
    async createSession(asking, setup) {
      const session = newSession(newId(), setup, clock(), asking);
      const admission = await sessions.create(session);
      if (admission !== 'added') return { refused: admission };
      return { id: session.id };
    },
    hasSession: async (asking, id) => (await own.read(asking, id)) !== undefined,
    listSessions: ({ player }, page) => sessions.list(player, page),
    countSessions: () => sessions.count(),
    async saveSession(asking, id) {
      const session = await own.read(asking, id);
      if (session !== undefined) await rounds.flush(session.player);
      return session !== undefined;
    },
    deleteSession: async (asking, id) => (await own.read(asking, id)) !== undefined && sessions.delete(id),
  };
}

type RoundReadings = Pick<
  TypingGame,
  'state' | 'sessionStatistics' | 'historicalStatistics' | 'entriesOfHistory' | 'entriesOfRound'
>;

function createRoundReadings(
  { stores: { rounds }, library }: TypingGameOptions,
  own: OwnSessions,
): RoundReadings {
  const statisticsOf = createHistoryStatistics(library.layoutOf);
  const read = async (asking: Asking, id: string, query: HistoryQuery) => {
    const session = await own.read(asking, id);
    if (session === undefined) return undefined;
    const { mode = toModeName(session.practice.mode), ...others } = query;
    const history = await rounds.history(asking.player);
    return { history, chapters: chaptersOf(history, mode === 'all' ? others : { mode, ...others }) };
  };
  return {
    state: async (asking, id) => readRound(await own.read(asking, id), toGameState),
    sessionStatistics: async (asking, id) => readRound(await own.read(asking, id), toSessionStatistics),
    entriesOfHistory: async (asking, id, query = {}) =>
      countEntries((await read(asking, id, query))?.chapters ?? []),
    async historicalStatistics(asking, id, query = {}) {
      const found = await read(asking, id, query);
      return found && statisticsOf(found.history, found.chapters);
    },
    async entriesOfRound(asking, id) {
      const session = await own.read(asking, id);
      if (session === undefined || !readsWholeHistory(session.practice.mode)) return 0;
      const { language, layout } = session.practice;
      return countEntries(chaptersOf(await rounds.history(asking.player), { language, layout }));
    },
  };
}

/** Whether choosing words reads more than letters, of which there are few, however long the history is. */
function readsWholeHistory(mode: Mode): boolean {
  return mode.type === 'drill' && (mode.text ?? mode.targets) === undefined && mode.on !== 'letters';
}
