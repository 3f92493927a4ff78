import { describeSince } from '../../../announcements/changes/change-log.ts';
import type { Reply } from '../../http/replies/reply.ts';
import { isMatchHit } from '../../http/replies/representation.ts';
import type { Context } from '../../http/requests/context.ts';
import type { Editor } from '../editors/editors-document.ts';
import { changedMeanwhile, type DeskError } from '../refusals/desk-refusals.ts';
import { changesAt, type HistoryAtRevision } from '../revisions/desk-history.ts';

/** A request of an editor whose token was accepted. */
export interface EditorRequest {
  readonly context: Context;
  readonly editor: Editor;
  /** Id of the announcement in the path; empty if there is none. */
  readonly id: string;
}

export type EditorHandler = (request: EditorRequest) => Promise<Reply>;

/** Longest body of this API in bytes: an announcement in twenty languages takes 20 KiB. */
export const longestBody = 64 * 1024;

/** The refusal if `If-Match` names another revision than the current one; it says what was changed in the meantime. */
export function findConflict(
  { head }: Context,
  { history, revision }: HistoryAtRevision,
): DeskError | undefined {
  const { ifMatch } = head;
  if (ifMatch === undefined || isMatchHit(ifMatch, `"${revision}"`)) return undefined;
  const seen = changesAt(ifMatch.trim().replace(/^"|"$/g, ''));
  const what = seen === undefined ? undefined : describeSince(history.changes, seen);
  return changedMeanwhile(what ?? 'by hand, in the file itself', revision);
}

export function tagOf(revision: string): readonly string[] {
  return ['ETag', `"${revision}"`];
}
