import { randomInt } from 'node:crypto';
import type * as v from 'valibot';
import type * as answers from '../../contract/answer-types.ts';
import type { InputEvent } from '../../contract/request-types.ts';
import * as requests from '../../contract/request-types.ts';
import { wireRoundStart, wireState } from '../../contract/typing-answers.ts';
import { deriveSeed } from '../../typing/choice/random-draw.ts';
import type { Mode } from '../../typing/modes/mode.ts';
import { roundText } from '../../typing/modes/round-text.ts';
import { wordsPerSecond } from '../../typing/modes/words.ts';
import { newRound, reduceRound, reduceRoundBatch } from '../../typing/round.ts';
import { newInput, type RoundInput } from '../../typing/round-input.ts';
import { backspaceKey, spaceKey } from '../../typing/rules/rules.ts';
import type { InputResult } from '../../typing/rules/step.ts';
import type { Timing } from '../../typing/statistics/finished-round.ts';
import { alreadyTimed, isSameTiming, timeRound } from '../../typing/timing.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import { charge } from '../http/request.ts';
import { limits } from '../settings/limits.ts';
import type { Stores } from '../stores/open-stores.ts';
import { newRoundId } from '../stores/session.ts';
import { newStoredRound, roundLine } from '../stores/stored-round.ts';
import type { Library } from './library.ts';
import { type PlayerHandler, type PlayerRequest, startedRound } from './player-request.ts';
import { accepted, refused, sessionNotFound } from './refusals.ts';
import type { RoundAllowance } from './round-allowance.ts';
import type { Turns } from './turns.ts';

export interface GameOptions {
  readonly stores: Pick<Stores, 'sessions' | 'rounds'>;
  readonly library: Library;
  /** Undefined: every round gets a random one. */
  readonly seed: number | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly allowance: RoundAllowance;
  readonly counts: GameCounts | undefined;
  /** Of the rounds that clients upload. */
  readonly uploads: Turns;
}

export interface GameCounts {
  /** Keys were answered, including repeats. */
  keys(count: number): void;
  round(): void;
}

export function createRoundHandlers(options: GameOptions) {
  const { stores, library, allowance, clock, counts } = options;

  const input =
    (type: InputEvent['type'], schema: v.GenericSchema<unknown, Omit<InputEvent, 'type'>>): PlayerHandler =>
    async (request) => {
      const event = { ...(await request.body(schema)), type } as InputEvent;
      const result = await request.updateRound((round) => reduceRound(round, roundInput(event)));
      counts?.keys(1);
      return keyReply(result);
    };

  return {
    /** Repeats the text of the last round if the client wants that. */
    async start(request: PlayerRequest) {
      const { caller, id } = request;
      const { repeat: isRepeat } = await request.body(requests.RoundRequestSchema);
      const { mode } = (await request.session()).practice;
      await charge(request.context, Math.floor(lengthOf(mode) / 1_000));
      allowance.requireLeft(caller);
      // Everything random is drawn before the session is changed, because that change may run twice.
      const roundId = newRoundId(id);
      const randomSeed = randomInt(2 ** 32);
      // That of the sender: others may use a session without a key, but learn nothing about its owner.
      const history = await request.inTurn(() => stores.rounds.history(caller.player));
      const started = await request.update((session) => {
        const { practice } = session;
        const roundCount = session.roundCount + 1;
        const newText = () => {
          const seed = options.seed === undefined ? randomSeed : deriveSeed(options.seed, roundCount);
          const material = library.materialOf(practice, seed, history);
          const last = session.round;
          return roundText(practice, last === null ? material : { ...material, before: last.words });
        };
        const { words, lineEnds, indents, focus, source } = isRepeat
          ? { ...startedRound(session), focus: undefined, source: undefined }
          : newText();
        const round = newRound(roundId, words, practice, lineEnds, indents);
        const about = { ...(focus && { focus }), ...(source !== undefined && { source }) };
        return { session: { ...session, roundCount, round }, result: { round, ...about } };
      });
      return jsonReply(200, wireRoundStart(started));
    },

    async state(request: PlayerRequest) {
      const state = wireState(startedRound(await request.session()));
      // What was typed of a long word may be answered by 600 KB.
      await charge(request.context, Math.floor(state.current_input.length / 1_000));
      return jsonReply(200, state);
    },
    keystroke: input('keystroke', requests.KeystrokeRequestSchema),
    backspace: input('backspace', requests.BackspaceRequestSchema),
    space: input('space', requests.SpaceRequestSchema),
    async batch(request: PlayerRequest) {
      const options = { maxBytes: limits.batchBytes, costOf: furtherInputs };
      const { events } = await request.body(requests.InputRequestSchema, options);
      const inputs = events.map(roundInput);
      const results = await request.updateRound((round) => reduceRoundBatch(round, inputs));
      counts?.keys(events.length);
      return jsonReply(200, { results } satisfies answers.InputResponse);
    },

    /**
     * Finishes a round with its timing: the round is stored, and then the timing in its session. After a
     * crash in between the same timing, sent again, finds the stored round and completes the session.
     */
    async finish(request: PlayerRequest) {
      const done = jsonReply(200, { success: true } satisfies answers.Success);
      const timing = timingOf(await request.body(requests.TimingRequestSchema));
      const session = await request.session();
      const round = startedRound(session);
      const history = await request.inTurn(() => stores.rounds.history(session.player));
      const timed = accepted(timeRound(round, timing, history));
      if (timed.finished === undefined) return done;
      let finished = newStoredRound(timed.finished, session, clock(), timed.round.newBests);
      const isStillOpen = async () => (await request.findSession()) !== undefined;
      const added = await stores.rounds.add(session.player, finished, isStillOpen);
      if (added === 'unwanted') throw sessionNotFound;
      if (added === 'known') {
        finished = (await stores.rounds.find(session.player, round.id)) ?? finished;
        if (!isSameTiming(finished.timing, timing)) throw refused(alreadyTimed);
      } else {
        allowance.charge(request.caller, Buffer.byteLength(roundLine(finished)), history.rounds === 0);
        counts?.round();
      }
      const { newBests } = finished;
      await stores.sessions.update(request.id, (latest) => {
        const isRunning = latest.round?.id === round.id && latest.round.timing === undefined;
        const session = isRunning ? { ...latest, round: { ...latest.round, timing, newBests } } : latest;
        return { session, result: undefined };
      });
      return done;
    },
  };
}

/** Inputs that cost as much as one request. */
const inputsPerToken = 20;

/** The price of a batch beyond that of the route, which covers its first inputs. */
function furtherInputs({ events }: Record<string, unknown>): number {
  return Array.isArray(events) ? Math.max(0, Math.ceil(events.length / inputsPerToken) - 1) : 0;
}

/** Characters of a drawn word. */
const usualWord = 5;

/** Approximate number of characters that a round is drawn with. */
function lengthOf(mode: Mode): number {
  if (mode.type === 'text') return mode.text.length;
  return mode.type === 'time' ? mode.seconds * wordsPerSecond * usualWord : 0;
}

const keyAnswer = jsonReply(200, null);

/** Concatenated by hand, because JSON.stringify would take ten times as long on every key. */
function keyReply(result: InputResult): Reply {
  if (!('is_correct' in result)) return { ...keyAnswer, body: JSON.stringify(result) };
  const { is_correct, timer_started, char_index } = result;
  const body = `{"is_correct":${is_correct},"timer_started":${timer_started},"char_index":${char_index}}`;
  return { ...keyAnswer, body };
}

export function roundInput(event: InputEvent): RoundInput {
  const { type, seq, round_id } = event;
  if (type === 'backspace') return newInput(backspaceKey, 0, seq, round_id);
  return newInput(type === 'space' ? spaceKey : event.char, event.seek_time_ms, seq, round_id);
}

export function timingOf(times: requests.TimingRequest): Timing {
  return { start: times.start_time_unix_ms, end: times.end_time_unix_ms, duration: times.duration_ms };
}
