import { setImmediate as nextTurn } from 'node:timers/promises';
import { toWireRound } from '../../../contract/typing-answers.ts';
import * as wire from '../../../contract/wire-types.ts';
import { toWord } from '../../../typing/rules/word.ts';
import { toJsonReply } from '../../http/replies/reply.ts';
import { charge } from '../../http/requests/context.ts';
import { readJsonObject } from '../../http/requests/json-body.ts';
import { parseRequest } from '../../http/requests/parse-request.ts';
import type { JournalRound } from '../../stores/journal-round.ts';
import type { TypingGame } from '../game/typing-game.ts';
import type { Library } from '../library/library.ts';
import { type PageParser, unknownAfter } from '../requests/page-query.ts';
import { toPractice } from '../requests/practice-request.ts';
import { toInput } from './key-handlers.ts';
import { chargeEvents, type OwnHandler } from './own-request.ts';
import { noContent, resultOf } from './typing-replies.ts';

/** Rounds of a list that cost as much as one request, and that are worked out in one go. */
const roundsPerToken = 50;
/** A round of the longest text fits, each of its 10,000 characters typed once. */
const roundBytes = 1024 * 1024;
/** Bytes of an upload that cost as much as one request. */
const bytesPerToken = 16 * 1024;

export interface PlayerHandlers {
  readonly rounds: OwnHandler;
  readonly addRound: OwnHandler;
  readonly forget: OwnHandler;
}

/** What belongs to a player beyond the open sessions. */
export function createPlayerHandlers(
  game: TypingGame,
  parsePage: PageParser,
  library: Library,
): PlayerHandlers {
  return {
    async addRound({ context, asking }) {
      const raw = await readJsonObject(context, {
        maxBytes: roundBytes,
        onBytes: (bytes) => charge(context, Math.ceil(bytes / bytesPerToken) - 1),
      });
      await chargeEvents(context, raw);
      const body = parseRequest(wire.RoundUploadSchema, raw);
      const { id, words, events } = body;
      const mode = body.mode.type === 'text' ? { ...body.mode, text: '' } : body.mode;
      const timing = {
        start: body.start_time_unix_ms,
        end: body.end_time_unix_ms,
        duration: body.duration_ms,
      };
      const added = await game.addRound(asking, {
        id,
        words: words.map(toWord),
        practice: toPractice({ ...body, mode }, library),
        inputs: events.map(toInput),
        timing,
      });
      return toJsonReply(resultOf(added) === 'added' ? 201 : 200, { id } satisfies wire.RoundKept);
    },
    async rounds({ context, asking }) {
      const page = parsePage(context.query);
      await charge(context, Math.ceil(page.limit / roundsPerToken) - 1);
      const found = await game.listRounds(asking, page);
      if (found === undefined) throw unknownAfter('round');
      const { rounds, ...more } = found;
      return toJsonReply(200, { rounds: await summarise(rounds), ...more } satisfies wire.RoundList);
    },
    async forget({ asking }) {
      await game.forgetPlayer(asking);
      return noContent;
    },
  };
}

/** Every round is typed again, so others get their turn in between. */
async function summarise(rounds: readonly JournalRound[]): Promise<wire.RoundSummary[]> {
  const summaries: wire.RoundSummary[] = [];
  for (let at = 0; at < rounds.length; at += roundsPerToken) {
    if (at > 0) await nextTurn();
    const part = rounds.slice(at, at + roundsPerToken);
    summaries.push(...part.map((round) => toWireRound(round.id, round.completedAt, round)));
  }
  return summaries;
}
