import { type GameState, toGameState } from '../../../typing/game-state.ts';
import { type Mode, toModeName } from '../../../typing/modes/mode.ts';
import type { Practice } from '../../../typing/modes/practice.ts';
import { toTextSize } from '../../../typing/modes/words.ts';
import { reduceRound, reduceRoundBatch } from '../../../typing/round.ts';
import type { RoundInput } from '../../../typing/round-input.ts';
import type { InputResult } from '../../../typing/rules/step.ts';
import { type SessionStatistics, toSessionStatistics } from '../../../typing/session-statistics.ts';
import type { HistoricalStatistics } from '../../../typing/statistics/historical-statistics.ts';
import { chaptersOf, countEntries } from '../../../typing/statistics/history.ts';
import type { Asking } from '../../stores/player.ts';
import type {
  Awaitable,
  PageRequest,
  RoundPage,
  SessionAdmission,
  SessionPage,
  SessionUpdate,
} from '../../stores/ports.ts';
import { newSession, type Session } from '../../stores/session.ts';
import type { HistoryQuery } from '../requests/history-query.ts';
import type { TypingGameOptions } from './game-options.ts';
import { createHistoryStatistics } from './history-statistics.ts';
import { createOwnSessions, type OwnSessions } from './own-sessions.ts';
import { createRoundFinish, type FinishRound } from './round-finish.ts';
import { createRoundStart, type StartRound } from './round-start.ts';
import { type GameAnswer, type InputProblem, readRound, updateRound } from './session-round.ts';
import { createSessionSaving, type SaveSession } from './session-saving.ts';
import { type AddRound, createRoundUpload } from './whole-round.ts';

/** Why there is no room for another session. */
type NoRoom = Exclude<SessionAdmission, 'added'>;

/** All actions on sessions. It connects the engine, which decides, with the stores, which keep; routes use nothing else. */
export interface TypingGame {
  /** Resolves to the id of the new session, or to why there is no room for it. */
  createSession(asking: Asking, practice: Practice): Promise<{ id: string } | { refused: NoRoom }>;
  hasSession(asking: Asking, id: string): Promise<boolean>;
  /** The player's sessions, oldest first; undefined if `after` is not one of them. */
  listSessions(asking: Asking, page: PageRequest): Awaitable<SessionPage | undefined>;
  /** Number of sessions of all players. */
  countSessions(): Awaitable<number>;
  readonly saveSession: SaveSession;
  /** Saves a session, and then removes it. */
  deleteSession(asking: Asking, id: string): Promise<boolean>;
  /**
   * Characters of the text of each round, without spaces if it is drawn; 0 if it comes from a list of short texts, or if there
   * is no such session.
   */
  lengthOfText(asking: Asking, id: string): Promise<number>;
  /** Entries of the sender's history that are used to choose the words of each round; 0 if they are few or none. */
  entriesOfRound(asking: Asking, id: string): Promise<number>;
  readonly startRound: StartRound;
  input(asking: Asking, id: string, input: RoundInput): GameAnswer<InputResult>;
  inputBatch(
    asking: Asking,
    id: string,
    inputs: readonly RoundInput[],
  ): Awaitable<InputResult[] | InputProblem | undefined>;
  readonly finishRound: FinishRound;
  readonly addRound: AddRound;
  state(asking: Asking, id: string): GameAnswer<GameState>;
  sessionStatistics(asking: Asking, id: string): GameAnswer<SessionStatistics>;
  /** Bytes that `readRounds` has to read; 0 if the player's rounds are in memory. */
  unreadBytes(asking: Asking): Awaitable<number>;
  /** Reads the player's rounds into memory, which everything that uses their history would do. */
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
  const saveSession = createSessionSaving(options.stores, own);
  return {
    ...createSessionActions(options, own, saveSession),
    ...createRoundReadings(options, own),
    saveSession,
    startRound: createRoundStart(options, own, saveSession),
    input: (asking, id, input) =>
      own.update(asking, id, (session) => updateRound(session, (round) => reduceRound(round, input))),
    inputBatch: (asking, id, inputs) =>
      own.update(asking, id, (session) => updateRound(session, (round) => reduceRoundBatch(round, inputs))),
    finishRound: createRoundFinish(options, own),
    addRound: createRoundUpload(options),
    unreadBytes: ({ player }) => rounds.unread(player),
    async readRounds({ player }) {
      await rounds.history(player);
    },
    listRounds: ({ player }, page) => rounds.list(player, page),
    async forgetPlayer({ player }) {
      // Sessions first: their unsaved rounds would come back. If this is interrupted, repeating it completes it.
      await sessions.forget(player);
      await rounds.forget(player);
    },
  };
}

type SessionActions = Pick<
  TypingGame,
  'createSession' | 'hasSession' | 'listSessions' | 'countSessions' | 'deleteSession' | 'lengthOfText'
>;

function createSessionActions(
  { stores: { sessions }, newId, clock }: TypingGameOptions,
  own: OwnSessions,
  save: SaveSession,
): SessionActions {
  return {
    async createSession(asking, practice) {
      const session = newSession(newId(), practice, clock(), asking);
      const admission = await sessions.create(session);
      if (admission !== 'added') return { refused: admission };
      await sessions.flush();
      return { id: session.id };
    },
    hasSession: async (asking, id) => (await own.read(asking, id)) !== undefined,
    listSessions: ({ player }, page) => sessions.list(player, page),
    countSessions: () => sessions.count(),
    async deleteSession(asking, id) {
      // Its finished rounds are already in the history, and must not disappear from it with the session.
      if (!(await save(asking, id))) return false;
      for (;;) {
        const closing = own.update(asking, id, withoutRound);
        // A synchronous answer remains true until the session is removed.
        const outcome = closing instanceof Promise ? await closing : closing;
        if (outcome !== 'holds rounds') break;
        await save(asking, id);
      }
      await sessions.delete(id);
      await sessions.flush();
      return true;
    },
    async lengthOfText(asking, id) {
      const mode = (await own.read(asking, id))?.practice.mode;
      if (mode === undefined) return 0;
      return 'text' in mode ? (mode.text?.length ?? 0) : toTextSize(mode).letters;
    },
  };
}

/**
 * A session without its round, if all finished ones are saved. It can finish nothing more, so that removing it later loses nothing;
 * another request may have finished a round since they were saved.
 */
function withoutRound(session: Session): SessionUpdate<'holds rounds' | 'empty'> {
  if (session.unsaved.length > 0) return { session, result: 'holds rounds' };
  return { session: session.round === null ? session : { ...session, round: null }, result: 'empty' };
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
  return mode.type === 'drill' && mode.text === undefined && mode.on !== 'letters';
}
