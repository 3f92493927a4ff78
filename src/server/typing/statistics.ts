import type * as wire from '../../contract/answer-types.ts';
import { wireHistory, wireRound, wireSession } from '../../contract/typing-answers.ts';
import { inSlices, type Steps } from '../../kit/slices.ts';
import type { LayoutOf } from '../../typing/letters/layout.ts';
import { modeName } from '../../typing/modes/mode.ts';
import {
  type HistoricalStatistics,
  historicalStatistics,
} from '../../typing/statistics/historical-statistics.ts';
import { type Chapter, chaptersOf, type History } from '../../typing/statistics/history.ts';
import { finishedStatistics } from '../../typing/statistics/score-statistics.ts';
import { sessionStatistics } from '../../typing/timing.ts';
import { jsonReply } from '../http/reply.ts';
import type { Caller, PageRequest } from '../stores/player.ts';
import type { StoredRound } from '../stores/stored-round.ts';
import { type GameOptions, type OwnSessions, readRound } from './own-sessions.ts';
import { resultOf } from './refusals.ts';
import {
  type HistoryQuery,
  type OwnRequest,
  parseHistoryQuery,
  parsePage,
  type SessionRequest,
  unknownAfter,
} from './requests.ts';

export type StatisticsActions = ReturnType<typeof createStatisticsActions>;

export function createStatisticsActions({ stores: { rounds }, library }: GameOptions, own: OwnSessions) {
  const statisticsOf = createHistoryStatistics(library.layoutOf);
  return {
    sessionStatistics: (caller: Caller, id: string) => readRound(own, caller, id, sessionStatistics),
    /**
     * Of the sender: a session without a key can be used by others, who learn nothing about its owner's
     * rounds.
     */
    async historicalStatistics(caller: Caller, id: string, query: HistoryQuery = {}) {
      const session = await own.read(caller, id);
      if (session === undefined) return undefined;
      const { mode = modeName(session.practice.mode), ...others } = query;
      const history = await rounds.history(caller.player);
      return statisticsOf(history, chaptersOf(history, mode === 'all' ? others : { mode, ...others }));
    },
    /** A player's finished rounds, in the order of `Rounds.list`; undefined if `after` is not one of them. */
    listRounds: ({ player }: Caller, page: PageRequest) => rounds.list(player, page),
  };
}

/** The statistics of these chapters of a history. */
export type HistoryStatistics = (history: History, chapters: readonly Chapter[]) => HistoricalStatistics;

/**
 * Keeps the latest statistics of each history: a store returns the same history until there is another round,
 * and strangers can ask for its statistics again and again. Only one result is kept, and no longer than its
 * history, so that it takes a small part of the memory of the history. It is found by its chapters, because
 * many queries match the same ones.
 */
export function createHistoryStatistics(layoutOf: LayoutOf): HistoryStatistics {
  const known = new WeakMap<
    History,
    { readonly chapters: readonly Chapter[]; readonly statistics: HistoricalStatistics }
  >();
  return (history, chapters) => {
    const latest = known.get(history);
    const isSame =
      latest?.chapters.length === chapters.length &&
      chapters.every((chapter, at) => chapter === latest.chapters[at]);
    if (latest !== undefined && isSame) return latest.statistics;
    const statistics = historicalStatistics(chapters, layoutOf);
    known.set(history, { chapters, statistics });
    return statistics;
  };
}

/** Default `limit` of the list of rounds. */
const usualRounds = 100;

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
    async rounds({ context, caller }: OwnRequest) {
      const page = await game.listRounds(caller, parsePage(context.query, usualRounds));
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
