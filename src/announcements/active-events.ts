import type { HistoryFile, PublicAnnouncement } from './announcement.ts';
import { everyActiveAnnouncement } from './schedule.ts';
import { instantText } from './times/instant.ts';
import { isSameValue } from './values/object-parts.ts';

/** The position of a follower of the announcements (the webhooks). */
export type EventCursor = Readonly<ReturnType<typeof newEventCursor>>;

export interface ActiveEvent {
  readonly type: 'started' | 'changed' | 'ended';
  /** When it happened or was first seen, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly at: string;
  /** How many changes had been made by then. */
  readonly changes: number;
  /** As it is after the event; of one that ended, as it was before. */
  readonly announcement: PublicAnnouncement;
}

export function newEventCursor(history: HistoryFile, now: number) {
  return {
    /** Number of changes of the log seen. */
    changes: history.changes.length,
    /** The instant reached, `YYYY-MM-DDTHH:MM:SSZ`. */
    at: instantText(now),
    /** What was active then. */
    active: everyActiveAnnouncement(history, now),
  };
}

/**
 * The events since the last cursor, from what was active then and now: ends, then starts and corrections. If
 * the clock was set back, time continues once it has caught up.
 *
 * @param now epoch milliseconds
 */
export function followActive(
  history: HistoryFile,
  last: EventCursor,
  now: number,
): { readonly events: readonly ActiveEvent[]; readonly seen: EventCursor } {
  const seen = newEventCursor(history, Math.max(now, Date.parse(last.at)));
  const event = (type: ActiveEvent['type'], announcement: PublicAnnouncement): ActiveEvent => {
    const due = { started: announcement.published, changed: seen.at, ended: announcement.expires }[type];
    const at = due > last.at && due < seen.at ? due : seen.at;
    return { type, at, changes: seen.changes, announcement };
  };
  const before = new Map(last.active.map((announcement) => [announcement.id, announcement]));
  const ids = new Set(seen.active.map(({ id }) => id));
  const ended = last.active.filter(({ id }) => !ids.has(id)).map((each) => event('ended', each));
  const others = seen.active
    .filter((each) => !isSameValue(before.get(each.id), each))
    .map((each) => event(before.has(each.id) ? 'changed' : 'started', each));
  return { events: [...ended, ...others], seen };
}
