import type * as answers from '../../../contract/answer-types.ts';
import * as requests from '../../../contract/request-types.ts';
import {
  toWireHistory,
  toWireRoundStart,
  toWireSession,
  toWireState,
} from '../../../contract/typing-answers.ts';
import { toJsonReply } from '../../http/replies/reply.ts';
import type { TypingGame } from '../game/typing-game.ts';
import { parseHistoryQuery } from '../requests/history-query.ts';
import type { FirstReading } from './first-reading.ts';
import { type BodyReader, chargeEntries, chargeText, type SessionHandler } from './own-request.ts';
import { resultOf, toOutcomeReply } from './typing-replies.ts';

export interface RoundHandlers {
  readonly start: SessionHandler;
  readonly finish: SessionHandler;
  readonly state: SessionHandler;
  readonly statistics: SessionHandler;
  readonly history: SessionHandler;
}

/** Handlers for rounds, from their start to their statistics. */
export function createRoundHandlers(
  game: TypingGame,
  readBody: BodyReader,
  reading: FirstReading,
): RoundHandlers {
  return {
    async start(request) {
      await readBody(request, requests.EmptyRequestSchema);
      const { context, asking, id } = request;
      await chargeText(context, await game.lengthOfText(asking, id));
      return reading.before(request, async () => {
        await chargeEntries(context, await game.entriesOfRound(asking, id));
        return toOutcomeReply(await game.startRound(asking, id), toWireRoundStart);
      });
    },
    async finish(request) {
      const body = await readBody(request, requests.TimingRequestSchema);
      const { start_time_unix_ms: start, end_time_unix_ms: end, duration_ms: duration } = body;
      return reading.before(request, async () => {
        const finished = await game.finishRound(request.asking, request.id, { start, end, duration });
        return toJsonReply(200, { success: resultOf(finished) } satisfies answers.Success);
      });
    },
    state: async ({ asking, id }) => toOutcomeReply(await game.state(asking, id), toWireState),
    statistics: async ({ asking, id }) =>
      toOutcomeReply(await game.sessionStatistics(asking, id), toWireSession),
    history: (request) =>
      reading.before(request, async () => {
        const { context, asking, id } = request;
        const wish = parseHistoryQuery(context.query);
        await chargeEntries(context, await game.entriesOfHistory(asking, id, wish));
        return toOutcomeReply(await game.historicalStatistics(asking, id, wish), toWireHistory);
      }),
  };
}
