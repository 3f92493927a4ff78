import { inSlices, type Steps } from '../../../kit/slices.ts';
import { newRound, type Round, reduceRoundBatch } from '../../../typing/round.ts';
import type { RoundInput } from '../../../typing/round-input.ts';
import type { Problem } from '../../../typing/rules/rules.ts';
import type { Word } from '../../../typing/rules/word.ts';
import type { Timing } from '../../../typing/statistics/finished-round.ts';
import { timeRound } from '../../../typing/timing.ts';
import type { Caller } from '../../stores/player.ts';
import type { Setup } from '../../stores/session.ts';
import { newStoredRound, roundLine } from '../../stores/stored-round.ts';
import type { TypingGameOptions } from './game-options.ts';
import type { InputProblem } from './own-sessions.ts';

/** A complete round that was typed elsewhere. */
export interface WholeRound extends Setup {
  /** A UUID chosen by the client: sending it again adds nothing. */
  readonly id: string;
  readonly words: readonly Word[];
  readonly inputs: readonly RoundInput[];
  readonly timing: Timing;
}

export type AddRound = (
  caller: Caller,
  round: WholeRound,
) => Promise<'added' | 'known' | { readonly problem: Problem }>;

/**
 * Accepts a round that was typed elsewhere: its keys are replayed by the rules, and it is saved permanently. `known`: it already
 * existed, or it was begun in an open session; it is saved in any case, and its timing, sent to the session as well, is a repeat.
 * Rejects with `RoundsNotKeptError` if there is no room for it.
 */
export function createRoundUpload(options: TypingGameOptions): AddRound {
  const { allowance, clock, onRound } = options;
  const { rounds, sessions } = options.stores;
  return async (caller, round) => {
    const { player } = caller;
    if ((await rounds.find(player, round.id)) !== undefined) return 'known';
    const isInSession = await sessions.isTyping(player, round.id);
    allowance.expectLeft(caller);
    const typed = await inSlices(typeSteps(newRound(round.id, round.words, round.practice), round.inputs));
    if ('problem' in typed) return typed;
    const history = await rounds.history(player);
    const timed = timeRound(typed.round, round.timing, history);
    if ('problem' in timed) return timed;
    if (timed.finished === undefined) return 'known';
    const finished = newStoredRound(timed.finished, round, clock());
    const added = await rounds.add(player, finished);
    await rounds.flush(player);
    if (added === 'known') return 'known';
    allowance.charge(caller, Buffer.byteLength(roundLine(finished)), history.rounds === 0);
    onRound?.();
    return isInSession ? 'known' : 'added';
  };
}

/** Inputs replayed in one step. */
const stepLength = 100;

/** Replays a round in steps, between which other requests are handled. */
function* typeSteps(
  start: Round,
  inputs: readonly RoundInput[],
): Steps<{ readonly round: Round } | InputProblem> {
  let round = start;
  for (let at = 0; at < inputs.length; at += stepLength) {
    const typed = reduceRoundBatch(round, inputs.slice(at, at + stepLength));
    if ('problem' in typed) return { problem: typed.problem, at: at + typed.at };
    round = typed.round;
    yield;
  }
  return { round };
}
