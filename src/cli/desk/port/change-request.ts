import type { HistoryFile } from '../../../announcements/announcement.ts';
import { describeSince } from '../../../announcements/changes/change-log.ts';
import {
  type EditOutcome,
  edit,
  expire,
  publish,
  type Stamp,
  withdraw,
} from '../../../announcements/changes/history-edit.ts';
import { isSameValue } from '../../../announcements/same-value.ts';
import type { ChangeRequest, SeenHistory } from './desk.ts';

/** What a request makes of the announcements. */
export function applyRequest(history: HistoryFile, request: ChangeRequest, stamp: Stamp): EditOutcome {
  switch (request.kind) {
    case 'publish':
      return publish(history, request.draft, stamp);
    case 'edit': {
      const problem = request.seen && findConflict(request.seen, history, request.id);
      return problem === undefined ? edit(history, request.id, request.changes, stamp) : { problem };
    }
    case 'expire':
      return expire(history, request.id, request.at, stamp);
    case 'withdraw':
      return withdraw(history, request.id, stamp);
  }
}

/** What another editor did to an announcement since it was looked at; changes to others are not a conflict. */
export function findConflict(seen: SeenHistory, present: HistoryFile, id: string): string | undefined {
  const entryOf = ({ announcements }: HistoryFile) => announcements.find((entry) => entry.id === id) ?? null;
  if (isSameValue(entryOf(seen.history), entryOf(present))) return undefined;
  const what =
    describeSince(present.changes, seen.history.changes.length, id) ?? 'by hand, in the file itself';
  return `${id} was changed meanwhile: ${what}. Your change was not made: look at it (typebadge announce show ${id}), then decide`;
}
