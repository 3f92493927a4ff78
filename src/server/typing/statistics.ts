import type * as wire from '../../contract/answer-types.ts';
import { HistoryQuerySchema } from '../../contract/request-types.ts';
import { createKeyedQueue } from '../../kit/keyed-queue.ts';
import { inSlices, type Steps } from '../../kit/slices.ts';
import { givenLabels } from '../../typing/labels.ts';
import { modeName } from '../../typing/modes/mode.ts';
import { kindOfRound } from '../../typing/statistics/finished-round.ts';
import { historicalSteps } from '../../typing/statistics/historical-statistics.ts';
import { chaptersOf } from '../../typing/statistics/history.ts';
import { finishedStatistics } from '../../typing/statistics/score-statistics.ts';
import { roundStatistics } from '../../typing/timing.ts';
import { jsonReply } from '../http/reply.ts';
import { parseQuery } from '../http/request-schema.ts';
import type { StoredRound } from '../stores/stored-round.ts';
import { type PlayerRequest, startedRound } from './player-request.ts';
import { parsePage, unknownAfter } from './requests.ts';
import type { GameOptions } from './rounds.ts';

const defaultRoundLimit = 100;

export function createStatisticsHandlers({ stores, library }: GameOptions) {
  /** Lists are made one after the other: each takes megabytes meanwhile. */
  const lists = createKeyedQueue();
  return {
    async session(request: PlayerRequest) {
      const round = startedRound(await request.session());
      return jsonReply(200, roundStatistics(round) satisfies wire.SessionStatistics);
    },
    /** Those of the sender: others may use a session without a key, but learn nothing about its owner. */
    async historical(request: PlayerRequest) {
      const query = parseQuery(HistoryQuerySchema, request.context.query);
      const { practice } = await request.session();
      const { mode = modeName(practice.mode), ...others } = query;
      const statistics = await request.inTurn(async () => {
        const history = await stores.rounds.history(request.caller.player);
        const chapters = chaptersOf(history, mode === 'all' ? others : { mode, ...others });
        return inSlices(historicalSteps(chapters, library.layoutOf));
      });
      return jsonReply(200, statistics satisfies wire.HistoricalStatistics);
    },
    /** The player's finished rounds, newest first. */
    async rounds(request: PlayerRequest) {
      const { context, caller } = request;
      const list = async () => {
        const page = await stores.rounds.list(caller.player, parsePage(context.query, defaultRoundLimit));
        if (page === undefined) throw unknownAfter('round');
        const rounds = await inSlices(summarySteps(page.rounds));
        return jsonReply(200, { ...page, rounds } satisfies wire.RoundList);
      };
      return request.inTurn(async () => lists.run('', list));
    },
  };
}

/** Replays every round in steps: a thousand at once would delay other requests for too long. */
function* summarySteps(rounds: readonly StoredRound[]): Steps<wire.RoundSummary[]> {
  const summaries: wire.RoundSummary[] = [];
  for (const round of rounds) {
    const { id, completedAt: completed_at } = round;
    const about = { id, completed_at, ...kindOfRound(round), ...givenLabels(round) };
    summaries.push({ ...about, ...finishedStatistics(round) });
    yield;
  }
  return summaries;
}
