import type { Change, HistoryFile, StoredAnnouncement } from '../announcement.ts';
import { isSameValue } from '../values/object-parts.ts';
import { newChange, type Stamp } from './history-edit.ts';

/**
 * Reverts change `number`, which may itself be an undo. Without a number: the last change that is in effect
 * and is not an undo, so that repeated undos go further back. Numbers count from 1; that of the result is the
 * undo itself.
 */
export function undo(
  history: HistoryFile,
  number: number | undefined,
  stamp: Stamp,
): { history: HistoryFile; number: number; id: string } | { problem: string } {
  const target = findTarget(history.changes, number);
  if ('problem' in target) return target;
  const { change, position } = target;
  const present = history.announcements.find((entry) => entry.id === change.id) ?? null;
  if (!isSameValue(present, change.after)) return { problem: conflict(history.changes, position) };
  const { id, before } = change;
  const made = newChange({ action: 'undo', id, before: present, after: before, undoes: position + 1 }, stamp);
  const announcements = restored(history, change);
  const changes = [...history.changes, made];
  return { history: { ...history, announcements, changes }, number: changes.length, id };
}

/** For each change, the number of the undo in effect; undefined if the change itself is in effect. */
export function undoneBy(changes: readonly Change[]): (number | undefined)[] {
  const by: (number | undefined)[] = changes.map(() => undefined);
  for (const [at, { undoes }] of [...changes.entries()].reverse())
    if (undoes !== undefined && by[at] === undefined) by[undoes - 1] = at + 1;
  return by;
}

function findTarget(
  changes: readonly Change[],
  number: number | undefined,
): { change: Change; position: number } | { problem: string } {
  const undone = undoneBy(changes);
  const position =
    number === undefined
      ? changes.findLastIndex(({ action }, at) => action !== 'undo' && undone[at] === undefined)
      : number - 1;
  const change = changes[position];
  if (change === undefined) {
    if (number === undefined) return { problem: 'there is no change left to undo' };
    return { problem: `there is no change ${number}; the log has ${changes.length}` };
  }
  const by = undone[position];
  if (by !== undefined) return { problem: `change ${number} is already undone, by change ${by}` };
  return { change, position };
}

function conflict(changes: readonly Change[], position: number): string {
  const id = changes[position]?.id;
  const undone = undoneBy(changes);
  // A later change and its undo cancel each other out; suggesting to undo that undo would lead in a circle.
  const later = changes.findLastIndex(
    (change, at) =>
      at > position && change.id === id && undone[at] === undefined && (change.undoes ?? 0) <= position + 1,
  );
  return later === -1
    ? `announcement ${id} was edited by hand since change ${position + 1}; edit it instead`
    : `change ${later + 1} came after change ${position + 1} on ${id}; undo that one first`;
}

/**
 * The announcements with that of a change as it was before. One that is gone returns to its old place: of two
 * published in the same second, the later in the file is newer.
 */
export function restored(
  { announcements, changes }: HistoryFile,
  { id, before }: Pick<Change, 'id' | 'before'>,
): StoredAnnouncement[] {
  if (before === null || announcements.some((entry) => entry.id === id))
    return announcements.flatMap((entry) => (entry.id === id ? (before ?? []) : entry));
  const birth = (id: string) =>
    changes.findIndex((change) => change.id === id && change.action === 'publish');
  const position = birth(id);
  const next = announcements.findIndex((other) => birth(other.id) > position);
  return next === -1 ? [...announcements, before] : announcements.toSpliced(next, 0, before);
}
