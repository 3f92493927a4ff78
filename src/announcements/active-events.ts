import type { Change, HistoryFile, PublicAnnouncement, StoredAnnouncement } from './announcement.ts';
import { everyActiveAnnouncement, nextTransition } from './schedule.ts';
import { instantText } from './times/instant.ts';
import { isSameValue } from './values/object-parts.ts';

/** The position of a follower of the announcements (the webhooks). */
export interface EventCursor {
  /** Number of changes of the log seen. */
  readonly changes: number;
  /** The instant reached, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly at: string;
  /** What was active then. */
  readonly active: readonly PublicAnnouncement[];
}

export interface ActiveEvent {
  readonly type: 'started' | 'changed' | 'ended';
  /** When it happened, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly at: string;
  /** How many changes had been made by then. */
  readonly changes: number;
  /** As it was just after the event; of one that ended, as it was before. */
  readonly announcement: PublicAnnouncement;
}

/** Beyond so many moments, only the overall difference is reported. */
const maxMoments = 2_000;

export function newEventCursor(history: HistoryFile, now: number): EventCursor {
  return {
    changes: history.changes.length,
    at: instantText(now),
    active: everyActiveAnnouncement(history, now),
  };
}

/** Work that may pause at each yield. */
type Steps<T> = Generator<undefined, T, undefined>;

/**
 * What happened since, in order: starts, ends and corrections, caused by the clock or by a change of the log.
 * Announcements that came and went in between are included. If the clock was set back, time continues once it
 * has caught up. In steps, because after a pause there may be thousands of changes, each with thousands of
 * announcements to compare.
 *
 * @param now epoch milliseconds
 */
export function* followSteps(
  history: HistoryFile,
  seen: EventCursor,
  now: number,
): Steps<{ readonly events: readonly ActiveEvent[]; readonly seen: EventCursor }> {
  const end = Math.max(now, Date.parse(seen.at));
  const events: ActiveEvent[] = [];
  let { active } = seen;
  for (const { history: then, at } of yield* momentSteps(history, seen, end)) {
    const next = everyActiveAnnouncement(then, at);
    events.push(...differences(active, next, { at: instantText(at), changes: then.changes.length }));
    active = next;
    yield;
  }
  return { events, seen: { changes: history.changes.length, at: instantText(end), active } };
}

interface Moment {
  readonly history: HistoryFile;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The moments at which the active announcements may differ from before; the last one is `end`. */
function* momentSteps(history: HistoryFile, seen: EventCursor, end: number): Steps<Moment[]> {
  const last = { history, at: end };
  const pasts = yield* rewindSteps(history, seen.changes);
  if (pasts === undefined) return [last];
  const moments: Moment[] = [];
  let from = Date.parse(seen.at);
  for (const [index, past] of pasts.entries()) {
    if (index > 0) moments.push({ history: past, at: from });
    const change = history.changes[past.changes.length];
    const until = change === undefined ? end : Math.min(end, Math.max(from, Date.parse(change.at)));
    for (let at = nextTransition(past, from); at !== undefined && at < until; at = nextTransition(past, at)) {
      moments.push({ history: past, at });
      if (moments.length > maxMoments) return [last];
      yield;
    }
    from = until;
    yield;
  }
  return [...moments, last];
}

/** The history after `seen` changes, after each later one, up to now; undefined if the log is incomplete. */
function* rewindSteps(history: HistoryFile, seen: number): Steps<HistoryFile[] | undefined> {
  const { changes } = history;
  if (seen > changes.length || changes.length - seen > maxMoments) return undefined;
  const pasts = [history];
  let announcements = history.announcements;
  for (let at = changes.length - 1; at >= seen; at -= 1) {
    const before = without(announcements, changes[at] as Change);
    if (before === undefined) return undefined;
    announcements = before;
    pasts.push({ ...history, announcements, changes: changes.slice(0, at) });
    yield;
  }
  return pasts.reverse();
}

/** Undefined if the announcement is not as the change left it: the file was edited by hand. */
function without(
  announcements: readonly StoredAnnouncement[],
  { id, before, after }: Change,
): readonly StoredAnnouncement[] | undefined {
  const present = announcements.find((entry) => entry.id === id) ?? null;
  if (!isSameValue(present, after)) return undefined;
  if (before === null) return announcements.filter((entry) => entry.id !== id);
  if (present === null) return [...announcements, before];
  return announcements.map((entry) => (entry.id === id ? before : entry));
}

function differences(
  before: readonly PublicAnnouncement[],
  after: readonly PublicAnnouncement[],
  moment: Pick<ActiveEvent, 'at' | 'changes'>,
): ActiveEvent[] {
  const old = new Map(before.map((announcement) => [announcement.id, announcement]));
  const ids = new Set(after.map(({ id }) => id));
  const ended = before
    .filter(({ id }) => !ids.has(id))
    .map((announcement) => ({ type: 'ended' as const, ...moment, announcement }));
  const others = after.flatMap((announcement): ActiveEvent[] => {
    const known = old.get(announcement.id);
    if (known === undefined) return [{ type: 'started', ...moment, announcement }];
    return isSameValue(known, announcement) ? [] : [{ type: 'changed', ...moment, announcement }];
  });
  return [...ended, ...others];
}
