import type { HistoryFile } from '../../../announcements/announcement.ts';
import type { Stamp } from '../../../announcements/history-edit.ts';
import type { Context } from '../../http/requests/context.ts';
import type { DeskError } from '../refusals/desk-refusals.ts';
import { findReplay } from '../requests/request-mark.ts';
import type { DeskHistory } from '../revisions/desk-history.ts';
import { findConflict } from './own-request.ts';

/** What one attempt at a change came to. */
export type ChangeAttempt<Answer> =
  | { readonly history: HistoryFile; readonly answer: Answer; readonly isReplay: boolean }
  | { readonly refusal: DeskError };

/** A change of the announcements as a request asks for it. Neither function has effects: both may be called again. */
export interface ReplayableChange<Answer> {
  readonly context: Context;
  /** See `toRequestMark`; undefined: nothing recognises the request when it comes again. */
  readonly mark: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly apply: (history: HistoryFile) => ChangeAttempt<Answer>;
  /** The first answer again, as far as it still holds, to a request that made change `number` before. */
  readonly replay: (history: HistoryFile, number: number) => ChangeAttempt<Answer>;
}

export interface ChangeAnswer<Answer> {
  readonly answer: Answer;
  readonly isReplay: boolean;
  /** Of the announcements after the change. */
  readonly revision: string;
}

/**
 * Makes a change once, however often its request comes. Rejects with the refusal where the change cannot be made, or where
 * somebody else has changed what the request names by `If-Match`.
 */
export async function changeOnce<Answer>(
  desk: DeskHistory,
  { context, mark, now, apply, replay }: ReplayableChange<Answer>,
): Promise<ChangeAnswer<Answer>> {
  const { outcome, revision } = await desk.update((seen): ChangeAttempt<Answer> => {
    const earlier = findReplay(seen.history.changes, mark, now);
    if (earlier !== undefined) return 'refusal' in earlier ? earlier : replay(seen.history, earlier.number);
    const conflict = findConflict(context, seen);
    return conflict === undefined ? apply(seen.history) : { refusal: conflict };
  });
  if ('refusal' in outcome) throw outcome.refusal;
  return { answer: outcome.answer, isReplay: outcome.isReplay, revision };
}

/** Who makes a change, when, and by which request. */
export function toStamp(by: string, at: number, mark: string | undefined): Stamp {
  return { by, at, ...(mark === undefined ? {} : { request: mark }) };
}
