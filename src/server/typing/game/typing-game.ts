import { deriveSeed } from '../../../typing/choice/random.ts';
import { type GameState, toGameState } from '../../../typing/game-state.ts';
import type { RoundText } from '../../../typing/modes/material.ts';
import { toModeName } from '../../../typing/modes/mode.ts';
import type { Practice } from '../../../typing/modes/practice.ts';
import { toRoundText } from '../../../typing/modes/round-text.ts';
import { newRound, type Round, reduceRound, reduceRoundBatch } from '../../../typing/round.ts';
import type { RoundInput } from '../../../typing/round-input.ts';
import { type Problem, toProblem } from '../../../typing/rules/problem.ts';
import type { InputResult } from '../../../typing/rules/step.ts';
import type { Word } from '../../../typing/rules/word.ts';
import { type SessionStatistics, toSessionStatistics } from '../../../typing/session-statistics.ts';
import type { Timing } from '../../../typing/statistics/finished-round.ts';
import {
  type HistoricalStatistics,
  toHistoricalStatistics,
} from '../../../typing/statistics/historical-statistics.ts';
import { chaptersOf } from '../../../typing/statistics/history.ts';
import { timeRound } from '../../../typing/timing.ts';
import { parseJournalLine } from '../../stores/journal-line.ts';
import type { JournalRound } from '../../stores/journal-round.ts';
import type { Asking, PlayerId } from '../../stores/player.ts';
import {
  type Admission,
  type Awaitable,
  type Change,
  type Page,
  type RoundPage,
  SessionMemoryError,
  type SessionPage,
  type Stores,
} from '../../stores/ports.ts';
import { keepUnsaved } from '../../stores/round-keeping.ts';
import { newSession, type Session } from '../../stores/session.ts';
import { toUnsavedRound } from '../../stores/unsaved-rounds.ts';
import type { Library } from '../library/library.ts';
import type { HistoryWish } from '../requests/history-query.ts';
import { createOwnSessions } from './own-sessions.ts';
import type { RoundAllowance } from './round-allowance.ts';

/** What a session may hold of finished rounds, and of characters in their lines, before they are saved without being asked. */
const maxUnsavedRounds = 50;
const maxUnsavedLength = 100_000;

/** Why there is no room for another session. */
type Refusal = Exclude<Admission, 'added'>;

export interface TypingGameOptions {
  readonly stores: Pick<Stores, 'sessions' | 'rounds'>;
  readonly library: Library;
  /** Undefined: `newSeed` for every round. */
  readonly seed: number | undefined;
  readonly newSeed: () => number;
  readonly newId: () => string;
  readonly clock: () => number;
  readonly allowance: RoundAllowance;
  /** Called once for each round that is finished. */
  readonly onRound?: (() => void) | undefined;
}

/** What an action gives: its result, why it is refused, or undefined where there is no such session. */
type Outcome<T> = Awaitable<T | { readonly problem: Problem } | undefined>;

/** A new round, and what is told of its text only now. */
export interface RoundStart extends Pick<RoundText, 'indents' | 'focus'> {
  readonly round: Round;
}

/** A round as it was typed elsewhere. */
export interface WholeRound {
  /** A UUID of the client: the same one again adds nothing. */
  readonly id: string;
  readonly words: readonly Word[];
  readonly practice: Practice;
  readonly inputs: readonly RoundInput[];
  readonly timing: Timing;
}

/** What can be done with sessions. The engine decides, the stores keep, this joins the two; routes see nothing else. */
export interface TypingGame {
  /** Resolves to the new session's id, or to why there is no room for it. */
  createSession(asking: Asking, practice: Practice): Promise<{ id: string } | { refused: Refusal }>;
  hasSession(asking: Asking, id: string): Promise<boolean>;
  /** The player's sessions, oldest first; undefined where `after` is not one of them. */
  listSessions(asking: Asking, page: Page): Awaitable<SessionPage | undefined>;
  /** The sessions of all players. */
  countSessions(): Awaitable<number>;
  /**
   * Keeps a session's finished rounds. Resolves to false when there is no such session, and rejects with
   * `RoundsNotKeptError` when they could not be written: they stay in the session.
   */
  saveSession(asking: Asking, id: string): Promise<boolean>;
  /** The same, and then removes it. */
  deleteSession(asking: Asking, id: string): Promise<boolean>;
  /** Characters of the text that a session brings; 0 where it brings none, and where there is no such session. */
  lengthOfText(asking: Asking, id: string): Promise<number>;
  startRound(asking: Asking, id: string): Outcome<RoundStart>;
  input(asking: Asking, id: string, input: RoundInput): Outcome<InputResult>;
  inputBatch(
    asking: Asking,
    id: string,
    inputs: readonly RoundInput[],
  ): Awaitable<InputResult[] | { readonly problem: Problem; readonly at?: number } | undefined>;
  finishRound(asking: Asking, id: string, timing: Timing): Outcome<true>;
  /**
   * Types a round that was typed elsewhere again, by the rules, and keeps it for good. `known`: it was there already. Rejects with
   * `RoundsNotKeptError` where it could not be written.
   */
  addRound(asking: Asking, round: WholeRound): Promise<'added' | 'known' | { readonly problem: Problem }>;
  state(asking: Asking, id: string): Outcome<GameState>;
  sessionStatistics(asking: Asking, id: string): Outcome<SessionStatistics>;
  /** A player's finished rounds, newest first; undefined where `after` is not one of them. */
  listRounds(asking: Asking, page: Page): Promise<RoundPage | undefined>;
  /** Removes a player's sessions and rounds for good. */
  forgetPlayer(asking: Asking): Promise<void>;
  /** Those of the player who asks: a session without a key can be used by others, who learn nothing of its owner's rounds. */
  historicalStatistics(
    asking: Asking,
    id: string,
    wish?: HistoryWish,
  ): Promise<HistoricalStatistics | undefined>;
}

export function createTypingGame(options: TypingGameOptions): TypingGame {
  const { library, newId, clock, allowance, onRound } = options;
  const { sessions, rounds } = options.stores;

  const own = createOwnSessions(sessions);

  const save = async (asking: Asking, id: string) => {
    const session = await own.read(asking, id);
    if (session !== undefined) await keepUnsaved(options.stores, session);
    return session !== undefined;
  };

  /** Everything about the next round that is not the session's. */
  const prepareRound = async (player: PlayerId): Promise<RoundDraw> => {
    const history = await rounds.history(player);
    const randomSeed = options.seed === undefined ? options.newSeed() : undefined;
    return {
      roundId: newId(),
      chooseText: ({ practice, round }, roundCount) => {
        const seed = randomSeed ?? deriveSeed(options.seed as number, roundCount);
        const material = library.materialOf(practice, seed, history);
        return toRoundText(practice, round === null ? material : { ...material, before: round.words });
      },
    };
  };

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
    saveSession: save,
    async deleteSession(asking, id) {
      // Its finished rounds are in the history already and must not leave it with the session.
      if (!(await save(asking, id))) return false;
      await sessions.delete(id);
      await sessions.flush();
      return true;
    },

    async lengthOfText(asking, id) {
      const mode = (await own.read(asking, id))?.practice.mode;
      return mode !== undefined && 'text' in mode ? (mode.text?.length ?? 0) : 0;
    },

    async startRound(asking, id) {
      const before = await own.read(asking, id);
      if (before === undefined) return undefined;
      allowance.expectLeft(asking);
      const { player, unsaved } = before;
      const length = unsaved.reduce((sum, { line }) => sum + line.length, 0);
      const isFull = unsaved.length >= maxUnsavedRounds || length >= maxUnsavedLength;
      if (isFull) await save(asking, id);
      const draw = await prepareRound(player);
      const start = () => own.update(asking, id, (session) => newRoundOf(session, draw));
      let round: RoundStart | undefined;
      try {
        round = await start();
      } catch (error) {
        if (!(error instanceof SessionMemoryError) || isFull || unsaved.length === 0) throw error;
        await save(asking, id);
        round = await start();
      }
      await sessions.flush();
      return round;
    },

    input: (asking, id, input) =>
      own.update(asking, id, (session) => withRound(session, (round) => reduceRound(round, input))),

    inputBatch: (asking, id, inputs) =>
      own.update(asking, id, (session) => withRound(session, (round) => reduceRoundBatch(round, inputs))),

    async finishRound(asking, id, timing) {
      const owner = (await own.read(asking, id))?.player;
      if (owner === undefined) return undefined;
      const history = await rounds.history(owner);
      const completedAt = new Date(clock()).toISOString();
      const outcome = await own.update(asking, id, (session): Change<Finish> => {
        if (session.round === null) return { session, result: notStarted };
        const timed = timeRound(session.round, timing, history);
        if ('problem' in timed) return { session, result: timed };
        if (timed.finished === undefined)
          return { session, result: { finished: unsavedRoundOf(session), bytes: 0 } };
        const { player } = session;
        const { punctuation } = session.practice;
        const finished = { ...timed.finished, session: id, player, punctuation, completedAt };
        const unsaved = toUnsavedRound(finished);
        return {
          session: { ...session, round: timed.round, unsaved: [...session.unsaved, unsaved] },
          result: { finished: [finished], bytes: Buffer.byteLength(unsaved.line) },
        };
      });
      if (outcome === undefined || 'problem' in outcome) return outcome;
      if (outcome.bytes > 0) {
        allowance.charge(asking, outcome.bytes, history.rounds === 0);
        onRound?.();
      }
      if (outcome.finished.length > 0) await rounds.note(owner, outcome.finished);
      await sessions.flush();
      return true;
    },

    listRounds: ({ player }, page) => rounds.list(player, page),
    async forgetPlayer({ player }) {
      // Sessions first: they hold rounds that would come back. Whatever cuts this short, doing it again ends it.
      await sessions.forget(player);
      await rounds.forget(player);
    },

    async addRound(asking, { id, words, practice, inputs, timing }) {
      const { player } = asking;
      if ((await rounds.list(player, { limit: 1, after: id })) !== undefined) return 'known';
      allowance.expectLeft(asking);
      const typed = reduceRoundBatch(newRound(id, words, practice), inputs);
      if ('problem' in typed) return typed;
      const history = await rounds.history(player);
      const timed = timeRound(typed.round, timing, history);
      if ('problem' in timed) return timed;
      if (timed.finished === undefined) return 'known';
      const { punctuation } = practice;
      const completedAt = new Date(clock()).toISOString();
      const finished = { ...timed.finished, session: '', player, punctuation, completedAt };
      const unsaved = toUnsavedRound(finished);
      allowance.charge(asking, Buffer.byteLength(unsaved.line), history.rounds === 0);
      await rounds.keep(player, [unsaved]);
      await rounds.note(player, [finished]);
      onRound?.();
      return 'added';
    },

    state: async (asking, id) => readRound(await own.read(asking, id), toGameState),
    sessionStatistics: async (asking, id) => readRound(await own.read(asking, id), toSessionStatistics),

    async historicalStatistics(asking, id, wish = {}) {
      const session = await own.read(asking, id);
      if (session === undefined) return undefined;
      const { mode = toModeName(session.practice.mode), ...others } = wish;
      const kind = mode === 'all' ? others : { mode, ...others };
      return toHistoricalStatistics(chaptersOf(await rounds.history(asking.player), kind), library.layoutOf);
    },
  };
}

/** What a round begins with: drawn before the change of the session, which may run twice. */
interface RoundDraw {
  readonly roundId: string;
  readonly chooseText: (session: Session, roundCount: number) => RoundText;
}

function newRoundOf(session: Session, { roundId, chooseText }: RoundDraw): Change<RoundStart> {
  const roundCount = session.roundCount + 1;
  const { words, lineEnds, ...told } = chooseText(session, roundCount);
  const round = newRound(roundId, words, session.practice, lineEnds);
  return { session: { ...session, roundCount, round }, result: { round, ...told } };
}

/** The round that a timing has finished, and the bytes it takes on disk: none when the same timing had arrived before. */
type Finish =
  | { readonly finished: readonly JournalRound[]; readonly bytes: number }
  | { readonly problem: Problem };

/** A timing that is sent again because its answer was lost: perhaps its round was not noted either. */
function unsavedRoundOf({ round, unsaved }: Session): readonly JournalRound[] {
  return unsaved.flatMap(({ id, line }) => (id === round?.id ? (parseJournalLine(line) ?? []) : []));
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
