import type * as wire from '../../contract/answer-types.ts';
import { wireHistory, wireRound, wireSession } from '../../contract/typing-answers.ts';
import { inSlices, type Steps } from '../../kit/slices.ts';
import { modeName } from '../../typing/modes/mode.ts';
import { historicalStatistics } from '../../typing/statistics/historical-statistics.ts';
import { chaptersOf } from '../../typing/statistics/history.ts';
import { finishedStatistics } from '../../typing/statistics/score-statistics.ts';
import { sessionStatistics } from '../../typing/timing.ts';
import { jsonReply } from '../http/reply.ts';
import type { Caller, PageRequest } from '../stores/player.ts';
import type { StoredRound } from '../stores/stored-round.ts';
import { type CallerSessions, type GameOptions, readRound } from './caller-sessions.ts';
import { resultOf } from './refusals.ts';
import {
  type HistoryQuery,
  type PlayerRequest,
  parseHistoryQuery,
  parsePage,
  type SessionRequest,
  unknownAfter,
} from './requests.ts';

export type StatisticsActions = ReturnType<typeof createStatisticsActions>;

export function createStatisticsActions(
  { stores: { rounds }, library }: GameOptions,
  callerSessions: CallerSessions,
) {
  return {
    sessionStatistics: (caller: Caller, id: string) =>
      readRound(callerSessions, caller, id, sessionStatistics),
    /**
     * Of the sender: a session without a key can be used by others, who learn nothing about its owner's
     * rounds.
     */
    async historicalStatistics(caller: Caller, id: string, query: HistoryQuery = {}) {
      const session = await callerSessions.read(caller, id);
      if (session === undefined) return undefined;
      const { mode = modeName(session.practice.mode), ...others } = query;
      const history = await rounds.history(caller.player);
      const chapters = chaptersOf(history, mode === 'all' ? others : { mode, ...others });
      return historicalStatistics(chapters, library.layoutOf);
    },
    /** A player's finished rounds, in the order of `Rounds.list`; undefined if `after` is not one of them. */
    listRounds: ({ player }: Caller, page: PageRequest) => rounds.list(player, page),
  };
}

/** Default `limit` of the list of rounds. */
const defaultRoundLimit = 100;

export function createStatisticsHandlers(game: StatisticsActions) {
  return {
    async session({ caller, id }: SessionRequest) {
      return jsonReply(200, wireSession(resultOf(await game.sessionStatistics(caller, id))));
    },
    async historical({ context, caller, id }: SessionRequest) {
      const query = parseHistoryQuery(context.query);
      return jsonReply(200, wireHistory(resultOf(await game.historicalStatistics(caller, id, query))));
    },
    /** The player's finished rounds, newest first. */
    async rounds({ context, caller }: PlayerRequest) {
      const page = await game.listRounds(caller, parsePage(context.query, defaultRoundLimit));
      if (page === undefined) throw unknownAfter('round');
      const rounds = await inSlices(summarySteps(page.rounds));
      return jsonReply(200, { ...page, rounds } satisfies wire.RoundList);
    },
  };
}

/** Replays every round: a thousand of them take longer than one request may hold up others. */
function* summarySteps(rounds: readonly StoredRound[]): Steps<wire.RoundSummary[]> {
  const summaries: wire.RoundSummary[] = [];
  for (const round of rounds) {
    summaries.push(
      wireRound(round.id, round.completedAt, round, finishedStatistics(round), round.clientName),
    );
    yield;
  }
  return summaries;
}
