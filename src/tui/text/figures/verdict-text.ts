import type { RoundLimits } from '../../round/limits.ts';
import type { LocalRound } from '../../round/round.ts';
import { canBeBest, type Verdict } from '../../round/scoring.ts';
import type { RoundOutcome } from '../../state/app-state.ts';
import { toCountText } from './figures.ts';

/** Why the round does not count, as the server says or, until it does, as the client sees it; null where it does. */
export function toVerdictText({ statistics, score }: RoundOutcome): Verdict | null {
  return statistics === undefined ? score.verdict : statistics.counts_reason;
}

const reasons: Readonly<Record<Exclude<Verdict, 'ended'>, string>> = {
  too_fast: 'Not counted: faster than anyone types.',
  unmeasured: 'Not counted: most keys came at once.',
  drill: 'Not counted: a drill.',
};

/** What to know before the figures are believed; nothing for most rounds. */
export function toRemarks(outcome: RoundOutcome): string[] {
  const verdict = toVerdictText(outcome);
  const { omitted } = outcome.score;
  return [
    ...(verdict === null ? [] : [verdict === 'ended' ? toEndText(outcome.round) : reasons[verdict]]),
    ...(verdict === null ? toWrongKeys(outcome) : []),
    ...(omitted === 0 ? [] : [`${toCountText(omitted, 'letter')} left out.`]),
  ];
}

/** Nobody is to wonder why a fast round of wrong keys, which counts, is no best. */
function toWrongKeys({ statistics, score }: RoundOutcome): string[] {
  const accuracy = statistics?.accuracy ?? score.accuracy;
  if (canBeBest(accuracy)) return [];
  return [`${accuracy === 0 ? 'No key right' : 'Most keys wrong'}: counted, but no best.`];
}

/** Which limit ended a round, and where in its words. */
function toEndText({ ended, practised: { limits } }: LocalRound): string {
  return `Not counted: ended ${toEndCause(ended, limits)}.`;
}

function toEndCause(ended: LocalRound['ended'], { minWpm, minAccuracy }: RoundLimits): string {
  if (ended === 'slow') return `below ${minWpm} WPM`;
  return ended === 'inaccurate' ? `below ${minAccuracy} %` : 'by a mistake';
}
