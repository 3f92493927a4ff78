import type * as answers from '../../../contract/answer-types.ts';
import type * as statistics from '../../../contract/statistics-types.ts';
import { toWireRound } from '../../../contract/typing-answers.ts';
import { inSlices, type Steps } from '../../../kit/slices.ts';
import { finishedStatisticsSteps } from '../../../typing/statistics/finished-statistics.ts';
import { toJsonReply } from '../../http/replies/reply.ts';
import { charge } from '../../http/requests/context.ts';
import { readJsonObject } from '../../http/requests/json-body.ts';
import type { StoredRound } from '../../stores/stored-round.ts';
import type { TypingGame } from '../game/typing-game.ts';
import type { WholeRound } from '../game/whole-round.ts';
import type { Library } from '../library/library.ts';
import { type PageParser, unknownAfter } from '../requests/page-query.ts';
import { requestedSetup } from '../requests/practice-request.ts';
import { parseUpload, type RoundUpload, toUploadedWords } from '../requests/round-upload.ts';
import type { FirstReading } from './first-reading.ts';
import { type HeavyWork, owe, toWeight } from './heavy-work.ts';
import { toInput } from './key-handlers.ts';
import { chargeEvents, type OwnHandler } from './own-request.ts';
import { noContent, resultOf } from './typing-replies.ts';

/** Rounds of a list that cost as much as one request, before their length is known. */
const roundsPerToken = 50;
/** Enough for a round of the longest text, with each of its 10,000 characters typed once. */
const roundBytes = 1024 * 1024;
/** Bytes of an upload that cost as much as one request. */
const bytesPerToken = 16 * 1024;

export interface PlayerHandlers {
  readonly rounds: OwnHandler;
  /** Its body is parsed in a turn of heavy work, which ends with the answer; see `createFloodgate`. */
  readonly addRound: OwnHandler;
  readonly forget: OwnHandler;
}

/** Handlers for what a player has besides open sessions. */
export function createPlayerHandlers(
  game: TypingGame,
  { heavy, reading }: { readonly heavy: HeavyWork; readonly reading: FirstReading },
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
      const upload = await parseUpload(raw);
      await owe(context, toWeight({ words: upload.words, keys: [] }));
      await owe(context, await reading.read(asking));
      const round = await toWholeRound(upload, library);
      const added = await game.addRound(asking, round);
      const status = resultOf(added) === 'added' ? 201 : 200;
      return toJsonReply(status, { id: round.id } satisfies answers.RoundKept);
    },
    async rounds({ context, asking }) {
      const page = parsePage(context.query);
      const paid = Math.ceil(page.limit / roundsPerToken) - 1;
      await charge(context, paid);
      return heavy.inTurn(context, async () => {
        await owe(context, await reading.read(asking));
        const found = await game.listRounds(asking, page);
        if (found === undefined) throw unknownAfter('round');
        const { rounds, ...more } = found;
        await owe(
          context,
          rounds.reduce((sum, round) => sum + toWeight(round), 0),
          paid,
        );
        const summaries = await inSlices(summarySteps(rounds));
        return toJsonReply(200, { rounds: summaries, ...more } satisfies statistics.RoundList);
      });
    },
    async forget({ asking }) {
      await game.forgetPlayer(asking);
      return noContent;
    },
  };
}

async function toWholeRound(upload: RoundUpload, library: Library): Promise<WholeRound> {
  const { id, events } = upload;
  const mode = upload.mode.type === 'text' ? { ...upload.mode, text: '' } : upload.mode;
  return {
    // A UUID is the same in capitals (RFC 9562, section 4), and must not count twice.
    id: id.toLowerCase(),
    words: await toUploadedWords(upload),
    ...requestedSetup({ ...upload, mode }, library),
    inputs: events.map(toInput),
    timing: {
      start: upload.start_time_unix_ms,
      end: upload.end_time_unix_ms,
      duration: upload.duration_ms,
    },
  };
}

/** Replays every round. */
function* summarySteps(rounds: readonly StoredRound[]): Steps<statistics.RoundSummary[]> {
  const summaries: statistics.RoundSummary[] = [];
  for (const round of rounds) {
    const figures = yield* finishedStatisticsSteps(round);
    summaries.push(toWireRound(round.id, round.completedAt, round, figures, round.clientName));
    yield;
  }
  return summaries;
}
