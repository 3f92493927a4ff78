import { randomInt } from 'node:crypto';
import type * as answers from '../../contract/answer-types.ts';
import * as requests from '../../contract/request-types.ts';
import { wireResult, wireRoundStart, wireState } from '../../contract/typing-answers.ts';
import { deriveSeed } from '../../typing/choice/random-draw.ts';
import type { RoundText } from '../../typing/modes/practice.ts';
import { roundText } from '../../typing/modes/round-text.ts';
import { newRound, type Round, reduceRound, reduceRoundBatch } from '../../typing/round.ts';
import { newInput, type RoundInput } from '../../typing/round-input.ts';
import { backspaceKey, spaceKey } from '../../typing/rules/rules.ts';
import type { InputResult } from '../../typing/rules/step.ts';
import type { Timing } from '../../typing/statistics/finished-round.ts';
import { alreadyTimed, isSameTiming, timeRound } from '../../typing/timing.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import { limits } from '../settings/limits.ts';
import type { Caller } from '../stores/player.ts';
import { newRoundId } from '../stores/session.ts';
import { newStoredRound, roundLine } from '../stores/stored-round.ts';
import {
  type GameCounts,
  type GameOptions,
  notStarted,
  type Outcome,
  type OwnSessions,
  type Refused,
  readRound,
} from './own-sessions.ts';
import { resultOf } from './refusals.ts';
import type { SessionRequest } from './requests.ts';

/** A new round, and what its text was chosen for. */
interface RoundStart extends Pick<RoundText, 'focus' | 'source'> {
  readonly round: Round;
}

export type RoundActions = ReturnType<typeof createRoundActions>;

/** A round from its start to its end. */
export function createRoundActions(options: GameOptions, own: OwnSessions) {
  const { stores, library, allowance, clock, counts } = options;

  /** Changes the latest round by the engine; it stays as it is if the engine refuses. */
  const reduce = <T>(
    caller: Caller,
    id: string,
    reducer: (round: Round) => { readonly round: Round; readonly result: T } | Refused,
  ): Outcome<T> =>
    own.update<T | Refused>(caller, id, (session) => {
      if (session.round === null) return { session, result: notStarted };
      const reduced = reducer(session.round);
      if ('problem' in reduced) return { session, result: reduced };
      return { session: { ...session, round: reduced.round }, result: reduced.result };
    });

  return {
    input: (caller: Caller, id: string, input: RoundInput) =>
      reduce(caller, id, (round) => reduceRound(round, input)),
    inputBatch: (caller: Caller, id: string, inputs: readonly RoundInput[]) =>
      reduce(caller, id, (round) => reduceRoundBatch(round, inputs)),
    state: (caller: Caller, id: string) => readRound(own, caller, id, wireState),

    /**
     * Starts a round. Rejects with `AllowanceUsedUpError`, and with errors of the stores.
     *
     * @param isRepeat whether the text of the last round comes again; refused before the first round
     */
    async startRound(caller: Caller, id: string, isRepeat = false): Outcome<RoundStart> {
      if ((await own.read(caller, id)) === undefined) return undefined;
      allowance.requireLeft(caller);
      // Everything random is drawn before the session is changed, because that change may run twice.
      const roundId = newRoundId(id);
      const randomSeed = randomInt(2 ** 32);
      // Of the sender: a session without a key can be used by others, who learn nothing about its owner.
      const history = await stores.rounds.history(caller.player);
      return own.update<RoundStart | Refused>(caller, id, (session) => {
        const { practice, round: last } = session;
        const roundCount = session.roundCount + 1;
        if (isRepeat && last === null) return { session, result: notStarted };
        const newText = () => {
          const seed = options.seed === undefined ? randomSeed : deriveSeed(options.seed, roundCount);
          const material = library.materialOf(practice, seed, history);
          return roundText(practice, last === null ? material : { ...material, before: last.words });
        };
        const { words, lineEnds, indents, focus, source } =
          isRepeat && last !== null ? { ...last, focus: undefined, source: undefined } : newText();
        const round = newRound(roundId, words, practice, lineEnds, indents);
        const about = { ...(focus && { focus }), ...(source !== undefined && { source }) };
        return { session: { ...session, roundCount, round }, result: { round, ...about } };
      });
    },

    /**
     * Finishes a round with its timing: the round is stored, and then the timing in its session. After a
     * crash in between the same timing, sent again, finds the stored round and completes the session.
     */
    async finishRound(caller: Caller, id: string, timing: Timing): Outcome<true> {
      const session = await own.read(caller, id);
      if (session === undefined) return undefined;
      const { player, round } = session;
      if (round === null) return notStarted;
      const history = await stores.rounds.history(player);
      const timed = timeRound(round, timing, history);
      if ('problem' in timed) return timed;
      if (timed.finished === undefined) return true;
      let finished = newStoredRound(timed.finished, session, clock(), timed.round.newBests);
      const isStillOpen = async () => (await own.read(caller, id)) !== undefined;
      const added = await stores.rounds.add(player, finished, isStillOpen);
      if (added === 'unwanted') return undefined;
      if (added === 'known') {
        finished = (await stores.rounds.find(player, round.id)) ?? finished;
        if (!isSameTiming(finished.timing, timing)) return alreadyTimed;
      } else {
        allowance.charge(caller, Buffer.byteLength(roundLine(finished)), history.rounds === 0);
        counts?.round();
      }
      const { newBests } = finished;
      await own.update(caller, id, (latest) => {
        const isRunning = latest.round?.id === round.id && latest.round.timing === undefined;
        const session = isRunning ? { ...latest, round: { ...latest.round, timing, newBests } } : latest;
        return { session, result: undefined };
      });
      return true;
    },
  };
}

export function createRoundHandlers(game: RoundActions, counts: GameCounts | undefined) {
  const take = async ({ caller, id }: SessionRequest, input: RoundInput): Promise<Reply> => {
    const result = resultOf(await game.input(caller, id, input));
    counts?.keys(1);
    return keyReply(result);
  };
  return {
    async start({ caller, id, body }: SessionRequest) {
      const { repeat } = await body(requests.RoundRequestSchema);
      return jsonReply(200, wireRoundStart(resultOf(await game.startRound(caller, id, repeat))));
    },
    async state({ caller, id }: SessionRequest) {
      return jsonReply(200, resultOf(await game.state(caller, id)));
    },
    async keystroke(request: SessionRequest) {
      const { char, seek_time_ms, seq, round_id } = await request.body(requests.KeystrokeRequestSchema);
      return take(request, newInput(char, seek_time_ms, seq, round_id));
    },
    async backspace(request: SessionRequest) {
      const { seq, round_id } = await request.body(requests.BackspaceRequestSchema);
      return take(request, newInput(backspaceKey, 0, seq, round_id));
    },
    async space(request: SessionRequest) {
      const { seek_time_ms, seq, round_id } = await request.body(requests.SpaceRequestSchema);
      return take(request, newInput(spaceKey, seek_time_ms, seq, round_id));
    },
    async batch({ caller, id, body }: SessionRequest) {
      const { events } = await body(requests.InputRequestSchema, {
        maxBytes: limits.batchBytes,
        costOf: furtherInputs,
      });
      const results = resultOf(await game.inputBatch(caller, id, events.map(roundInput)));
      counts?.keys(events.length);
      return jsonReply(200, { results: results.map(wireResult) } satisfies answers.InputResponse);
    },
    async finish({ caller, id, body }: SessionRequest) {
      const timing = timingOf(await body(requests.TimingRequestSchema));
      const success = resultOf(await game.finishRound(caller, id, timing));
      return jsonReply(200, { success } satisfies answers.Success);
    },
  };
}

/** Inputs that cost as much as one request. */
const inputsPerToken = 20;

/** The price of a batch beyond that of the route, which covers its first inputs. */
function furtherInputs({ events }: Record<string, unknown>): number {
  return Array.isArray(events) ? Math.max(0, Math.ceil(events.length / inputsPerToken) - 1) : 0;
}

const keyAnswer = jsonReply(200, null);

/** Concatenated by hand: JSON.stringify takes ten times as long, for every key. */
function keyReply(result: InputResult): Reply {
  if (result.type !== 'keystroke') return { ...keyAnswer, body: JSON.stringify(wireResult(result)) };
  const { isCorrect, timerStarted, charIndex } = result;
  const body = `{"is_correct":${isCorrect},"timer_started":${timerStarted},"char_index":${charIndex}}`;
  return { ...keyAnswer, body };
}

export function roundInput(event: requests.InputEvent): RoundInput {
  switch (event.type) {
    case 'keystroke':
      return newInput(event.char, event.seek_time_ms, event.seq, event.round_id);
    case 'space':
      return newInput(spaceKey, event.seek_time_ms, event.seq, event.round_id);
    case 'backspace':
      return newInput(backspaceKey, 0, event.seq, event.round_id);
  }
}

export function timingOf(times: requests.TimingRequest): Timing {
  return { start: times.start_time_unix_ms, end: times.end_time_unix_ms, duration: times.duration_ms };
}
