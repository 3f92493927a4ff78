import type * as answers from '../../contract/answer-types.ts';
import * as requests from '../../contract/request-types.ts';
import { createKeyedQueue } from '../../kit/keyed-queue.ts';
import { inSlices, type Steps } from '../../kit/slices.ts';
import { newRound, type Round, reduceRoundBatch } from '../../typing/round.ts';
import type { RoundInput } from '../../typing/round-input.ts';
import { wordsOf } from '../../typing/rules/word.ts';
import type { FinishedRound } from '../../typing/statistics/finished-round.ts';
import { timeRound } from '../../typing/timing.ts';
import { HttpError } from '../http/errors.ts';
import { jsonReply } from '../http/reply.ts';
import { parseRequest } from '../http/request-schema.ts';
import { limits } from '../settings/limits.ts';
import { newStoredRound, roundLine } from '../stores/stored-round.ts';
import type { PlayerHandler, PlayerRequest } from './player-request.ts';
import { accepted, refused } from './refusals.ts';
import { requestedSetup } from './requests.ts';
import { type GameOptions, roundInput, timingOf } from './rounds.ts';

/**
 * Accepts a whole round that was typed elsewhere: replays its keys by the rules and saves it permanently. The
 * answer is 200 if it already existed, or was begun in an open session: it is saved all the same, and if its
 * timing is sent to the session as well, that is a repeat.
 *
 * One upload is in work at a time, as its objects take ten times the memory of its bytes, and clients take turns.
 */
export function createUploadHandler(options: GameOptions): PlayerHandler {
  const { stores, library, allowance, clock, counts, uploads } = options;
  const { rounds, sessions } = stores;
  const inWork = createKeyedQueue();
  const accept = async (request: PlayerRequest) => {
    const { caller, context } = request;
    // Many may have waited: a stopping server must not work off those of clients that it has cut.
    if (context.isGone) throw clientGone;
    const { player } = caller;
    const upload = await request.body(requests.UncheckedUploadSchema, { maxBytes: limits.uploadBytes });
    const events = await inSlices(checkSteps(upload.events));
    // A UUID is the same in capitals (RFC 9562, section 4), and must not count twice.
    const id = upload.id.toLowerCase();
    const answer = { id } satisfies answers.RoundUploadResult;
    const mode = upload.mode.type === 'text' ? { ...upload.mode, text: '' } : upload.mode;
    const setup = requestedSetup({ ...upload, mode }, library);
    if ((await rounds.find(player, id)) !== undefined) return jsonReply(200, answer);
    const isInSession = await sessions.isTyping(player, id);
    allowance.requireLeft(caller);
    const start = newRound(id, wordsOf(upload.words), setup.practice);
    const typed = await inSlices(typeSteps(start, events.map(roundInput)));
    const history = await rounds.history(player);
    const { finished } = accepted(timeRound(typed, timingOf(upload), history));
    const stored = newStoredRound(finished as FinishedRound, setup, clock());
    const added = await rounds.add(player, stored);
    await rounds.flush(player);
    if (added === 'known') return jsonReply(200, answer);
    allowance.charge(caller, Buffer.byteLength(roundLine(stored)), history.rounds === 0);
    counts?.round();
    return jsonReply(isInSession ? 200 : 201, answer);
  };
  // Their bodies are in memory until then.
  return async (request) =>
    uploads.run(
      request.owner,
      async () => inWork.run('', () => accept(request)),
      () => request.context.receive(limits.uploadBytes),
    );
}

const clientGone = new HttpError('INVALID_REQUEST', 'The connection was closed before the round was saved.');

function* checkSteps(events: readonly unknown[]): Steps<requests.InputEvent[]> {
  const checked: requests.InputEvent[] = [];
  for (const [at, event] of events.entries()) {
    checked.push(parseRequest(requests.InputEventSchema, event, `events[${at}]`));
    yield;
  }
  return checked;
}

/** Inputs replayed in one step. */
const stepLength = 100;

/** Replays a round in steps, between which other requests are handled. */
function* typeSteps(start: Round, inputs: readonly RoundInput[]): Steps<Round> {
  let round = start;
  for (let at = 0; at < inputs.length; at += stepLength) {
    const typed = reduceRoundBatch(round, inputs.slice(at, at + stepLength));
    if ('problem' in typed) throw refused({ ...typed, at: at + typed.at });
    round = typed.round;
    yield;
  }
  return round;
}
