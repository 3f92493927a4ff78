import type { Run } from '../game/run.ts';
import { summarizeRun } from '../game/run-summary.ts';
import { toScore } from '../game/scoring.ts';
import type { RunRecord } from './run-history.ts';

/** What is kept of a finished run. */
export function toRunRecord(run: Run, punctuation: boolean): RunRecord {
  const finished = new Date(run.inputs.at(-1)?.unix ?? 0).toISOString();
  const unmeasured = run.quality.unmeasured;
  return { finished, ...toScore(run), punctuation, ...summarizeRun(run), unmeasured };
}
