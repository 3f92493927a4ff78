import type { NotCounted } from '../../typing/statistics/verdict.ts';
import type { Outcome } from '../state/app-state.ts';
import { toCountText } from './figures.ts';

/** Why the round does not count, as the server says or, until it does, as the client sees it; null where it does. */
export function toVerdict({ statistics, score }: Outcome): NotCounted | null {
  return statistics === undefined ? score.verdict : statistics.counts_reason;
}

const reasons: Readonly<Record<NotCounted, string>> = {
  too_fast: 'Not counted: faster than anyone types.',
  unmeasured: 'Not counted: most keys came at once.',
  drill: 'Not counted: a drill.',
};

/** What to know before the figures are believed; nothing for most rounds. */
export function toRemarks(outcome: Outcome): string[] {
  const verdict = toVerdict(outcome);
  const { omitted } = outcome.score;
  return [
    ...(verdict === null ? [] : [reasons[verdict]]),
    ...(omitted === 0 ? [] : [`${toCountText(omitted, 'letter')} left out.`]),
  ];
}
