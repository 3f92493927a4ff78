import { isDeepStrictEqual } from 'node:util';
import type { HistoryFile } from '../../../announcements/announcement.ts';
import { undoneBy } from '../../../announcements/changes/history-undo.ts';
import { fieldNames } from '../../../announcements/fields.ts';
import { announcementStates } from '../../../announcements/schedule.ts';
import { comfortableMessage, messageLength } from '../../../announcements/values/message.ts';
import type { PathStep } from './json-file.ts';

/** Something that is allowed, but perhaps not intended. */
export interface Hint {
  /** Path to the value. */
  readonly steps: readonly PathStep[];
  readonly message: string;
}

/** Checks a valid history and the text that it was parsed from; `now` in epoch milliseconds. */
export function findHints(history: HistoryFile, text: string, now: number): Hint[] {
  return [
    ...wordingHints(history),
    ...fieldHints(history),
    ...editedByHand(history),
    ...activeHints(history, JSON.parse(text).announcements, now),
  ];
}

function wordingHints({ announcements }: HistoryFile): Hint[] {
  return announcements.flatMap(({ message, link }, at) => {
    const hints: Hint[] = [];
    const length = messageLength(message);
    if (length > comfortableMessage) {
      hints.push({
        steps: ['announcements', at, 'message'],
        message: `${length} characters; over ${comfortableMessage} few visitors read to the end`,
      });
    }
    if (/^http:/i.test(link)) {
      hints.push({
        steps: ['announcements', at, 'link'],
        message: 'the link is not encrypted; write https: if that site has it',
      });
    }
    return hints;
  });
}

const knownFields = new Set<string>(fieldNames);

function fieldHints({ announcements }: HistoryFile): Hint[] {
  return announcements.flatMap((entry, at) =>
    Object.keys(entry)
      .filter((field) => !knownFields.has(field))
      .map((field) => ({
        steps: ['announcements', at, field],
        message: `"${field}" means nothing here; it is kept, but has no effect`,
      })),
  );
}

/** `active` is derived when the file is read. Who writes it by hand probably wants what a command does. */
function activeHints(history: HistoryFile, written: readonly unknown[], now: number): Hint[] {
  return announcementStates(history, now).flatMap(({ entry, state }, at) => {
    const { active } = Object(written[at]) as { active?: unknown };
    if (active === undefined || active === (state === 'active')) return [];
    const message =
      active === false
        ? `"active" is not read, and ${entry.id} is ${state}; to end it: typebadge announce expire ${entry.id}; to take it out of the history: typebadge announce withdraw ${entry.id}`
        : `"active" is not read, and ${entry.id} is ${state}; to publish it again: typebadge announce publish`;
    return [{ steps: ['announcements', at, 'active'], message }];
  });
}

/** Changes made in the file itself are fine, but `undo` cannot revert them. */
function editedByHand({ announcements, changes }: HistoryFile): Hint[] {
  const undone = undoneBy(changes);
  const last = new Map(
    changes.flatMap((change, at) =>
      undone[at] === undefined ? [[change.id, { change, number: at + 1 }] as const] : [],
    ),
  );
  return announcements.flatMap((entry, at) => {
    const latest = last.get(entry.id);
    if (latest === undefined || isDeepStrictEqual(entry, latest.change.after)) return [];
    const message = `${entry.id} was edited by hand since change ${latest.number}; that change can no longer be undone`;
    return [{ steps: ['announcements', at], message }];
  });
}
