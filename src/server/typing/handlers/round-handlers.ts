import type * as v from 'valibot';
import type * as answers from '../../../contract/answer-types.ts';
import * as requests from '../../../contract/request-types.ts';
import { wireResult, wireRoundStart, wireState } from '../../../contract/typing-answers.ts';
import { createKeyedQueue } from '../../../kit/keyed-queue.ts';
import { newInput, type RoundInput } from '../../../typing/round-input.ts';
import { backspaceKey, spaceKey } from '../../../typing/rules/rules.ts';
import type { InputResult } from '../../../typing/rules/step.ts';
import { reachedWords } from '../../../typing/rules/word.ts';
import { type Reply, toJsonReply } from '../../http/replies/reply.ts';
import { parseRequest } from '../../http/requests/json-body.ts';
import { limits } from '../../settings/limits.ts';
import type { TypingGame } from '../game/typing-game.ts';
import type { WholeRound } from '../game/whole-round.ts';
import type { Library } from '../library/library.ts';
import { requestedSetup } from '../requests/practice-request.ts';
import { isPlainKeystroke, isPlainSpace } from '../requests/quick-check.ts';
import { resultOf } from './refusals.ts';
import type { OwnHandler, SessionHandler, SessionRequest } from './typing-request.ts';

export interface RoundHandlers {
  readonly start: SessionHandler;
  readonly state: SessionHandler;
  readonly keystroke: SessionHandler;
  readonly backspace: SessionHandler;
  readonly space: SessionHandler;
  readonly batch: SessionHandler;
  readonly finish: SessionHandler;
  /** A whole round that was typed elsewhere. */
  readonly upload: OwnHandler;
}

/** A round from its start to its end. */
export function createRoundHandlers(game: TypingGame, library: Library): RoundHandlers {
  const uploads = createKeyedQueue();
  const take = async ({ caller, id }: SessionRequest, input: RoundInput): Promise<Reply> =>
    keyReply(resultOf(await game.input(caller, id, input)));

  return {
    async start({ caller, id, body }) {
      const { repeat } = await body(requests.RoundRequestSchema);
      return toJsonReply(200, wireRoundStart(resultOf(await game.startRound(caller, id, repeat))));
    },
    async state({ caller, id }) {
      return toJsonReply(200, wireState(resultOf(await game.state(caller, id))));
    },
    async keystroke(request) {
      const { char, seek_time_ms, seq, round_id } = await request.body(requests.KeystrokeRequestSchema, {
        isSurelyRight: isPlainKeystroke,
      });
      return take(request, newInput(char, seek_time_ms, seq, round_id));
    },
    async backspace(request) {
      const { seq, round_id } = await request.body(requests.BackspaceRequestSchema);
      return take(request, newInput(backspaceKey, 0, seq, round_id));
    },
    async space(request) {
      const { seek_time_ms, seq, round_id } = await request.body(requests.SpaceRequestSchema, {
        isSurelyRight: isPlainSpace,
      });
      return take(request, newInput(spaceKey, seek_time_ms, seq, round_id));
    },
    async batch({ caller, id, body }) {
      const { events } = await body(requests.InputRequestSchema, {
        maxBytes: limits.batchBytes,
        costOf: furtherInputs,
      });
      const results = resultOf(await game.inputBatch(caller, id, events.map(roundInput)));
      return toJsonReply(200, { results: results.map(wireResult) } satisfies answers.InputResponse);
    },
    async finish({ caller, id, body }) {
      const times = await body(requests.TimingRequestSchema);
      const finished = await game.finishRound(caller, id, {
        start: times.start_time_unix_ms,
        end: times.end_time_unix_ms,
        duration: times.duration_ms,
      });
      return toJsonReply(200, { success: resultOf(finished) } satisfies answers.Success);
    },
    upload: ({ context, caller }) =>
      uploads.run(context.client, async () => {
        const body = parseRequest(requests.RoundUploadSchema, await context.json(limits.uploadBytes));
        const round = wholeRound(body, library);
        const added = resultOf(await game.addRound(caller, round));
        return toJsonReply(added === 'added' ? 201 : 200, { id: round.id } satisfies answers.RoundKept);
      }),
  };
}

/** Inputs that cost as much as one request. */
const inputsPerToken = 20;

/** The price of a batch beyond that of the route, which covers its first inputs. */
function furtherInputs({ events }: Record<string, unknown>): number {
  return Array.isArray(events) ? Math.max(0, Math.ceil(events.length / inputsPerToken) - 1) : 0;
}

const keyAnswer = toJsonReply(200, null);

/** Concatenated by hand: JSON.stringify takes ten times as long, for every key. */
function keyReply(result: InputResult): Reply {
  if (result.type !== 'keystroke') return { ...keyAnswer, body: JSON.stringify(wireResult(result)) };
  const { isCorrect, timerStarted, charIndex } = result;
  const body = `{"is_correct":${isCorrect},"timer_started":${timerStarted},"char_index":${charIndex}}`;
  return { ...keyAnswer, body };
}

function roundInput(event: requests.InputEvent): RoundInput {
  switch (event.type) {
    case 'keystroke':
      return newInput(event.char, event.seek_time_ms, event.seq, event.round_id);
    case 'space':
      return newInput(spaceKey, event.seek_time_ms, event.seq, event.round_id);
    case 'backspace':
      return newInput(backspaceKey, 0, event.seq, event.round_id);
  }
}

function wholeRound(upload: v.InferOutput<typeof requests.RoundUploadSchema>, library: Library): WholeRound {
  const { id, words, events } = upload;
  const mode = upload.mode.type === 'text' ? { ...upload.mode, text: '' } : upload.mode;
  const spaces = events.filter(({ type }) => type === 'space').length;
  return {
    // A UUID is the same in capitals (RFC 9562, section 4), and must not count twice.
    id: id.toLowerCase(),
    words: reachedWords(words, spaces),
    ...requestedSetup({ ...upload, mode }, library),
    inputs: events.map(roundInput),
    timing: {
      start: upload.start_time_unix_ms,
      end: upload.end_time_unix_ms,
      duration: upload.duration_ms,
    },
  };
}
