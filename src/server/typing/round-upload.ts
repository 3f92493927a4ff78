import type * as v from 'valibot';
import type * as answers from '../../contract/answer-types.ts';
import * as requests from '../../contract/request-types.ts';
import { createKeyedQueue } from '../../kit/keyed-queue.ts';
import { inSlices, type Steps } from '../../kit/slices.ts';
import { newRound, type Round, reduceRoundBatch } from '../../typing/round.ts';
import type { RoundInput } from '../../typing/round-input.ts';
import { type Word, wordsOf } from '../../typing/rules/word.ts';
import type { Timing } from '../../typing/statistics/finished-round.ts';
import { timeRound } from '../../typing/timing.ts';
import { jsonReply } from '../http/reply.ts';
import { limits } from '../settings/limits.ts';
import type { Caller } from '../stores/player.ts';
import type { Setup } from '../stores/session.ts';
import { newStoredRound, roundLine } from '../stores/stored-round.ts';
import type { Library } from './library.ts';
import type { PlayerHandler } from './player-request.ts';
import { accepted, refused } from './refusals.ts';
import { requestedSetup } from './requests.ts';
import { type GameOptions, roundInput, timingOf } from './rounds.ts';

/** A complete round that was typed elsewhere. */
interface WholeRound extends Setup {
  /** A UUID chosen by the client: sending it again adds nothing. */
  readonly id: string;
  readonly words: readonly Word[];
  readonly inputs: readonly RoundInput[];
  readonly timing: Timing;
}

/** Accepts a whole round that was typed elsewhere. Each client has one upload at a time. */
export function createUploadHandler(options: GameOptions): PlayerHandler {
  const uploads = createKeyedQueue();
  return (request) =>
    uploads.run(request.context.client, async () => {
      const body = await request.body(requests.RoundUploadSchema, { maxBytes: limits.uploadBytes });
      const round = wholeRound(body, options.library);
      const added = await addRound(options, request.caller, round);
      return jsonReply(added === 'added' ? 201 : 200, { id: round.id } satisfies answers.RoundUploadResult);
    });
}

function wholeRound(upload: v.InferOutput<typeof requests.RoundUploadSchema>, library: Library): WholeRound {
  const { id, words, events } = upload;
  const mode = upload.mode.type === 'text' ? { ...upload.mode, text: '' } : upload.mode;
  return {
    // A UUID is the same in capitals (RFC 9562, section 4), and must not count twice.
    id: id.toLowerCase(),
    words: wordsOf(words),
    ...requestedSetup({ ...upload, mode }, library),
    inputs: events.map(roundInput),
    timing: timingOf(upload),
  };
}

/**
 * Replays the keys of a round by the rules and saves it permanently. `known`: it already existed, or it was
 * begun in an open session; it is saved all the same, and if its timing is sent to the session as well, that
 * is a repeat. Rejects if the rules refuse it, and with `RoundNotStoredError` if there is no room for it.
 */
async function addRound(
  { stores: { rounds, sessions }, allowance, clock, counts }: GameOptions,
  caller: Caller,
  round: WholeRound,
): Promise<'added' | 'known'> {
  const { player } = caller;
  if ((await rounds.find(player, round.id)) !== undefined) return 'known';
  const isInSession = await sessions.isTyping(player, round.id);
  allowance.requireLeft(caller);
  const typed = await inSlices(typeSteps(newRound(round.id, round.words, round.practice), round.inputs));
  const history = await rounds.history(player);
  const timed = accepted(timeRound(typed, round.timing, history));
  if (timed.finished === undefined) return 'known';
  const finished = newStoredRound(timed.finished, round, clock());
  const added = await rounds.add(player, finished);
  await rounds.flush(player);
  if (added === 'known') return 'known';
  allowance.charge(caller, Buffer.byteLength(roundLine(finished)), history.rounds === 0);
  counts?.round();
  return isInSession ? 'known' : 'added';
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
