import { toModeName } from '../../typing/modes/mode.ts';
import type { LocalRound } from '../round/round.ts';
import { summarizeRound } from '../round/round-summary.ts';
import { toScore } from '../round/scoring.ts';
import { toSpeedSeries } from '../round/speed-series.ts';
import type { RoundRecord } from './round-line.ts';

/** Rounds of one kind are compared with each other only. */
function toKind({ practised: { mode, language, layout, ownLayout } }: LocalRound) {
  return {
    mode: toModeName(mode.type === 'text' ? { type: 'text', text: '' } : mode),
    language,
    layout,
    ...(ownLayout === undefined ? {} : { layoutName: ownLayout.name }),
  };
}

/** The kind of a round as a text: rounds are of one kind where it is the same. */
export function toKindKey(round: LocalRound): string {
  const { mode, language, layout } = toKind(round);
  return [mode, language, layout].join(' ');
}

/** Parts of a round whose speeds are kept: enough for a chart, and little on disk. */
const spansKept = 40;

/** The rules that a round was harder by, in the words of the command line. */
function toRuleNames({ rules, practised: { limits } }: LocalRound): string[] {
  return [
    ...(rules.stopOn === 'none' ? [] : [`stop-on-${rules.stopOn}`]),
    ...(rules.backspace === 'none' ? ['no-backspace'] : []),
    ...(limits.suddenDeath ? ['sudden-death'] : []),
    ...(limits.minWpm > 0 ? [`min-wpm-${limits.minWpm}`] : []),
    ...(limits.minAccuracy > 0 ? [`min-accuracy-${limits.minAccuracy}`] : []),
  ];
}

/** What is kept of a round that is finished, or that a limit has ended. */
export function toRoundRecord(round: LocalRound, punctuation: boolean): RoundRecord {
  const finished = new Date(round.inputs.at(-1)?.unix ?? 0).toISOString();
  const { verdict, ...score } = toScore(round);
  const counts = verdict === null;
  const { unmeasured } = round.quality;
  const rules = toRuleNames(round);
  return {
    version: 3,
    finished,
    ...score,
    counts,
    ...(round.ended === undefined ? {} : { ended: round.ended }),
    ...(rules.length === 0 ? {} : { rules }),
    ...toKind(round),
    punctuation,
    ...summarizeRound(round),
    unmeasured,
    speeds: toSpeedSeries(round, spansKept).map(({ wpm }) => Math.round(wpm * 10) / 10),
  };
}
