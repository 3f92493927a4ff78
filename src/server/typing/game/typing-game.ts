import {
  type GameState,
  gameState,
  type SessionStatistics,
  sessionStatistics,
} from '../../../typing/game-state.ts';
import { modeName } from '../../../typing/modes/mode.ts';
import { reduceRound, reduceRoundBatch } from '../../../typing/round.ts';
import type { RoundInput } from '../../../typing/round-input.ts';
import type { InputResult } from '../../../typing/rules/step.ts';
import type { HistoricalStatistics } from '../../../typing/statistics/historical-statistics.ts';
import { chaptersOf } from '../../../typing/statistics/history.ts';
import type { Caller, PageRequest } from '../../stores/player.ts';
import type { RoundPage } from '../../stores/rounds.ts';
import { newSession, type Setup } from '../../stores/session.ts';
import type { SessionAdmission } from '../../stores/session-owners.ts';
import type { SessionPage } from '../../stores/sessions.ts';
import type { HistoryQuery } from '../requests/queries.ts';
import type { TypingGameOptions } from './game-options.ts';
import { createHistoryStatistics } from './history-statistics.ts';
import {
  createOwnSessions,
  type GameAnswer,
  type InputProblem,
  type OwnSessions,
  readRound,
  updateRound,
} from './own-sessions.ts';
import { createRoundFinish, type FinishRound } from './round-finish.ts';
import { createRoundStart, type StartRound } from './round-start.ts';
import { type AddRound, createRoundUpload } from './whole-round.ts';

/** Why there is no room for another session. */
type NoRoom = Exclude<SessionAdmission, 'added'>;

/** All actions on sessions. It connects the engine, which decides, with the stores, which keep; routes use nothing else. */
export interface TypingGame {
  /** Resolves to the id of the new session, or to why there is no room for it. */
  createSession(caller: Caller, setup: Setup): Promise<{ id: string } | { refused: NoRoom }>;
  hasSession(caller: Caller, id: string): Promise<boolean>;
  /** The player's sessions, oldest first; undefined if `after` is not one of them. */
  listSessions(caller: Caller, page: PageRequest): Promise<SessionPage | undefined>;
  /** Number of sessions of all players. */
  countSessions(): Promise<number>;
  /** Resolves to true once the rounds of a session's player are forced to disk, and to false if there is no such session. */
  saveSession(caller: Caller, id: string): Promise<boolean>;
  deleteSession(caller: Caller, id: string): Promise<boolean>;
  readonly startRound: StartRound;
  input(caller: Caller, id: string, input: RoundInput): GameAnswer<InputResult>;
  inputBatch(
    caller: Caller,
    id: string,
    inputs: readonly RoundInput[],
  ): Promise<InputResult[] | InputProblem | undefined>;
  readonly finishRound: FinishRound;
  readonly addRound: AddRound;
  state(caller: Caller, id: string): GameAnswer<GameState>;
  sessionStatistics(caller: Caller, id: string): GameAnswer<SessionStatistics>;
  /** A player's finished rounds, in the order of `Rounds.list`; undefined if `after` is not one of them. */
  listRounds(caller: Caller, page: PageRequest): Promise<RoundPage | undefined>;
  /** Permanently removes a player's sessions and rounds. */
  forgetPlayer(caller: Caller): Promise<void>;
  /** The statistics of the sender: a session without a key can be used by others, who learn nothing about its owner's rounds. */
  historicalStatistics(
    caller: Caller,
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
    input: (caller, id, input) =>
      own.update(caller, id, (session) => updateRound(session, (round) => reduceRound(round, input))),
    inputBatch: (caller, id, inputs) =>
      own.update(caller, id, (session) => updateRound(session, (round) => reduceRoundBatch(round, inputs))),
    finishRound: createRoundFinish(options, own),
    addRound: createRoundUpload(options),
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
    async createSession(caller, setup) {
      const session = newSession(newId(), setup, clock(), caller);
      const admission = await sessions.create(session);
      if (admission !== 'added') return { refused: admission };
      return { id: session.id };
    },
    hasSession: async (caller, id) => (await own.read(caller, id)) !== undefined,
    listSessions: ({ player }, page) => sessions.list(player, page),
    countSessions: () => sessions.count(),
    async saveSession(caller, id) {
      const session = await own.read(caller, id);
      if (session !== undefined) await rounds.flush(session.player);
      return session !== undefined;
    },
    deleteSession: async (caller, id) => (await own.read(caller, id)) !== undefined && sessions.delete(id),
  };
}

type RoundReadings = Pick<TypingGame, 'state' | 'sessionStatistics' | 'historicalStatistics'>;

function createRoundReadings(
  { stores: { rounds }, library }: TypingGameOptions,
  own: OwnSessions,
): RoundReadings {
  const statisticsOf = createHistoryStatistics(library.layoutOf);
  return {
    state: async (caller, id) => readRound(await own.read(caller, id), gameState),
    sessionStatistics: async (caller, id) => readRound(await own.read(caller, id), sessionStatistics),
    async historicalStatistics(caller, id, query = {}) {
      const session = await own.read(caller, id);
      if (session === undefined) return undefined;
      const { mode = modeName(session.practice.mode), ...others } = query;
      const history = await rounds.history(caller.player);
      return statisticsOf(history, chaptersOf(history, mode === 'all' ? others : { mode, ...others }));
    },
  };
}
