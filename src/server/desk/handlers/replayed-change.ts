import type { HistoryFile } from '../../../announcements/announcement.ts';
import type { Stamp } from '../../../announcements/changes/history-edit.ts';
import type { Context } from '../../http/requests/context.ts';
import type { DeskError } from '../refusals/desk-refusals.ts';
import { findReplay } from '../requests/request-mark.ts';
import type { DeskHistory } from '../revisions/desk-history.ts';
import { findConflict } from './own-request.ts';

/** The result of one attempt at a change. */
export type ChangeAttempt<Answer> =
  | { readonly history: HistoryFile; readonly answer: Answer; readonly isReplay: boolean }
  | { readonly refusal: DeskError };

/** A change of the announcements that a request asks for. Neither function has effects: both may run again. */
export interface ReplayableChange<Answer> {
  readonly context: Context;
  /** See `toRequestMark`; undefined: the request cannot be recognised when it is repeated. */
  readonly mark: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly apply: (history: HistoryFile) => ChangeAttempt<Answer>;
  /** Answers a repetition of the request that made change `number`. */
  readonly replay: (history: HistoryFile, number: number) => ChangeAttempt<Answer>;
}

export interface ChangeAnswer<Answer> {
  readonly answer: Answer;
  readonly isReplay: boolean;
  /** Revision of the announcements after the change. */
  readonly revision: string;
}

/**
 * Makes a change of the announcements once, however often its request arrives. Rejects with the refusal if the change cannot be
 * made, or if the announcements are no longer those that `If-Match` names.
 */
export async function changeOnce<Answer>(
  desk: DeskHistory,
  { context, mark, now, apply, replay }: ReplayableChange<Answer>,
): Promise<ChangeAnswer<Answer>> {
  const { outcome, revision } = await desk.update(
    (seen): ChangeAttempt<Answer> =>
      attemptOnce({
        earlier: findReplay(seen.history.changes, mark, now),
        replay: (number) => replay(seen.history, number),
        conflict: () => findConflict(context, seen),
        apply: () => apply(seen.history),
      }),
  );
  if ('refusal' in outcome) throw outcome.refusal;
  return { answer: outcome.answer, isReplay: outcome.isReplay, revision };
}

export interface OnceOptions<Attempt> {
  readonly earlier: ReturnType<typeof findReplay>;
  readonly replay: (number: number) => Attempt;
  readonly conflict: () => DeskError | undefined;
  readonly apply: () => Attempt;
}

/** Checks in the order that makes retries harmless: a repeated request must not fail because of its own first change. */
export function attemptOnce<Attempt>(
  options: OnceOptions<Attempt>,
): Attempt | { readonly refusal: DeskError } {
  const { earlier, replay, conflict, apply } = options;
  if (earlier !== undefined) return 'refusal' in earlier ? earlier : replay(earlier.number);
  const refusal = conflict();
  return refusal === undefined ? apply() : { refusal };
}

/** Who makes a change, when, and by which request. */
export function toStamp(by: string, at: number, mark: string | undefined): Stamp {
  return { by, at, ...(mark === undefined ? {} : { request: mark }) };
}
