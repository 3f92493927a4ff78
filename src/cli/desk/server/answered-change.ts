import type { Action, HistoryFile, StoredAnnouncement } from '../../../announcements/announcement.ts';
import type { Undone } from '../../../announcements/changes/history-undo.ts';
import { toInstantText } from '../../../announcements/times/instant.ts';
import type { ChangedAnnouncement, UndoneAnswer } from '../../../contract/desk-types.ts';
import { RefusedError } from '../../program/command-errors.ts';
import type { ChangeRequest, DeskChange } from '../port/desk.ts';
import type { WholeHistory } from './whole-history.ts';

const actions: Readonly<Record<ChangeRequest['kind'], Action>> = {
  publish: 'publish',
  edit: 'edit',
  expire: 'expire',
  withdraw: 'withdraw',
};

/** What a change has made of the history that was read before it, by what the server has answered. */
export function toDeskChange(
  { history: before, editor }: WholeHistory,
  request: ChangeRequest,
  { state: _, change, warnings, ...entry }: ChangedAnnouncement,
  now: number,
): DeskChange {
  const history =
    change === null ? before : withEntry(before, entry, { action: actions[request.kind], by: editor, now });
  return { made: { history, entry, number: change ?? undefined, warnings }, before, now };
}

/** The same for a change that was taken back. */
export function toUndone(
  before: HistoryFile,
  { announcement, change: number, undone: undoneNumber }: UndoneAnswer,
  by: string,
  now: number,
): Undone {
  const undone = before.changes[undoneNumber - 1];
  if (undone === undefined) throw new RefusedError('the log of the server has changed meanwhile; try again');
  const { id } = undone;
  if (announcement !== null) {
    const { state: _, ...entry } = announcement;
    return {
      history: withEntry(before, entry, { action: 'undo', by, now }),
      number,
      undone,
      undoneNumber,
      entry,
    };
  }
  const announcements = before.announcements.filter((entry) => entry.id !== id);
  return { history: { ...before, announcements }, number, undone, undoneNumber, entry: null };
}

/** The announcements after the change, as far as this change goes. */
function withEntry(
  before: HistoryFile,
  entry: StoredAnnouncement,
  { action, by, now }: { readonly action: Action; readonly by: string; readonly now: number },
): HistoryFile {
  const old = before.announcements.find(({ id }) => id === entry.id) ?? null;
  const announcements =
    old === null
      ? [...before.announcements, entry]
      : before.announcements.map((other) => (other === old ? entry : other));
  const made = { at: toInstantText(now), by, action, id: entry.id, before: old, after: entry };
  return { ...before, announcements, changes: [...before.changes, made] };
}
