import type * as answers from '../../../contract/answer-types.ts';
import * as requests from '../../../contract/request-types.ts';
import { toWireResult } from '../../../contract/typing-answers.ts';
import { newInput, type RoundInput } from '../../../typing/round-input.ts';
import { backspaceKey, spaceKey } from '../../../typing/rules/key.ts';
import { type Reply, toJsonReply } from '../../http/replies/reply.ts';
import type { Awaitable } from '../../stores/content/content.ts';
import type { TypingGame } from '../game/typing-game.ts';
import type { BodyReader, SessionHandler, SessionRequest } from './own-request.ts';
import { isPlainKeystroke, isPlainSpace } from './quick-check.ts';
import { resultOf, toKeyReply } from './typing-replies.ts';

/** Room for 500 numbered events, which need more than the default. */
const batchBytes = 64 * 1024;

export interface KeyHandlers {
  readonly keystroke: SessionHandler;
  readonly backspace: SessionHandler;
  readonly space: SessionHandler;
  readonly batch: SessionHandler;
}

/** Handlers for keys, one or many per request. */
export function createKeyHandlers(game: TypingGame, readBody: BodyReader): KeyHandlers {
  /** The hot path, used ten times a second by every typist: synchronous if the store is. */
  const take = ({ asking, id }: SessionRequest, input: RoundInput): Awaitable<Reply> => {
    const outcome = game.input(asking, id, input);
    return outcome instanceof Promise ? outcome.then(toKeyReply) : toKeyReply(outcome);
  };
  return {
    async keystroke(request) {
      const { char, seek_time_ms, seq, round_id } = await readBody(request, requests.KeystrokeRequestSchema, {
        isSurelyRight: isPlainKeystroke,
      });
      return take(request, newInput(char, seek_time_ms, seq, round_id));
    },
    async backspace(request) {
      const { seq, round_id } = await readBody(request, requests.BackspaceRequestSchema);
      return take(request, newInput(backspaceKey, 0, seq, round_id));
    },
    async space(request) {
      const { seek_time_ms, seq, round_id } = await readBody(request, requests.SpaceRequestSchema, {
        isSurelyRight: isPlainSpace,
      });
      return take(request, newInput(spaceKey, seek_time_ms, seq, round_id));
    },
    async batch(request) {
      const { events } = await readBody(request, requests.InputRequestSchema, {
        maxBytes: batchBytes,
        chargesEvents: true,
      });
      const results = resultOf(await game.inputBatch(request.asking, request.id, events.map(toInput)));
      return toJsonReply(200, { results: results.map(toWireResult) } satisfies answers.InputResponse);
    },
  };
}

export function toInput(event: requests.InputEvent): RoundInput {
  switch (event.type) {
    case 'keystroke':
      return newInput(event.char, event.seek_time_ms, event.seq, event.round_id);
    case 'space':
      return newInput(spaceKey, event.seek_time_ms, event.seq, event.round_id);
    case 'backspace':
      return newInput(backspaceKey, 0, event.seq, event.round_id);
  }
}
