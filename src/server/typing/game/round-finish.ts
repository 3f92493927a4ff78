import type { Round } from '../../../typing/round.ts';
import { newProblem, type Problem } from '../../../typing/rules/rules.ts';
import type { Timing } from '../../../typing/statistics/finished-round.ts';
import { timeRound } from '../../../typing/timing.ts';
import type { Caller } from '../../stores/player.ts';
import { newStoredRound, roundLine } from '../../stores/stored-round.ts';
import type { TypingGameOptions } from './game-options.ts';
import { notStarted, type OwnSessions } from './own-sessions.ts';

export type FinishRound = (
  caller: Caller,
  id: string,
  timing: Timing,
) => Promise<true | { readonly problem: Problem } | undefined>;

/**
 * Finishes a round with its timing: the round is stored, and then the timing in its session. After a crash in between the same
 * timing, sent again, finds the stored round and completes the session.
 */
export function createRoundFinish(options: TypingGameOptions, own: OwnSessions): FinishRound {
  const { stores, allowance, clock, onRound } = options;
  return async (caller, id, timing) => {
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
      onRound?.();
    }
    const { newBests } = finished;
    const ended = { timing, ...(newBests !== undefined && { newBests }) };
    await own.update(caller, id, (latest) => ({
      session: isRunning(latest.round, round.id)
        ? { ...latest, round: { ...latest.round, ...ended } }
        : latest,
      result: undefined,
    }));
    return true;
  };
}

const alreadyTimed = newProblem('INVALID_REQUEST', 'This round already has its timing, with other values.');

function isRunning(round: Round | null, id: string): round is Round {
  return round?.id === id && round.timing === undefined;
}

function isSameTiming(a: Timing, b: Timing): boolean {
  return a.start === b.start && a.end === b.end && a.duration === b.duration;
}
