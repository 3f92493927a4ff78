import type * as statistics from '../../../contract/answer-types.ts';
import { wireHistory, wireRound, wireSession } from '../../../contract/typing-answers.ts';
import { inSlices, type Steps } from '../../../kit/slices.ts';
import { finishedStatisticsSteps } from '../../../typing/statistics/score-statistics.ts';
import { toJsonReply } from '../../http/replies/reply.ts';
import type { StoredRound } from '../../stores/stored-round.ts';
import type { TypingGame } from '../game/typing-game.ts';
import { type PageParser, parseHistoryQuery, unknownAfter } from '../requests/queries.ts';
import { resultOf } from './refusals.ts';
import type { OwnHandler, SessionHandler } from './typing-request.ts';

export interface StatisticsHandlers {
  readonly session: SessionHandler;
  readonly historical: SessionHandler;
  /** The player's finished rounds, newest first. */
  readonly rounds: OwnHandler;
}

/** @param parsePage for the list of rounds */
export function createStatisticsHandlers(game: TypingGame, parsePage: PageParser): StatisticsHandlers {
  return {
    async session({ caller, id }) {
      return toJsonReply(200, wireSession(resultOf(await game.sessionStatistics(caller, id))));
    },
    async historical({ context, caller, id }) {
      const query = parseHistoryQuery(context.query);
      return toJsonReply(200, wireHistory(resultOf(await game.historicalStatistics(caller, id, query))));
    },
    async rounds({ context, caller }) {
      const page = await game.listRounds(caller, parsePage(context.query));
      if (page === undefined) throw unknownAfter('round');
      const { rounds, ...more } = page;
      const summaries = await inSlices(summarySteps(rounds));
      return toJsonReply(200, { rounds: summaries, ...more } satisfies statistics.RoundList);
    },
  };
}

/** Replays every round: a thousand of them take longer than one request may hold up others. */
function* summarySteps(rounds: readonly StoredRound[]): Steps<statistics.RoundSummary[]> {
  const summaries: statistics.RoundSummary[] = [];
  for (const round of rounds) {
    const figures = yield* finishedStatisticsSteps(round);
    summaries.push(wireRound(round.id, round.completedAt, round, figures, round.clientName));
    yield;
  }
  return summaries;
}
