import type { Change, HistoryFile, PublicAnnouncement, StoredAnnouncement } from './announcement.ts';
import { isSameValue } from './same-value.ts';
import { everyActiveAnnouncement, nextTransition } from './schedule.ts';
import { toInstantText } from './times/instant.ts';

/** What somebody who follows the announcements knows of them. */
export interface SeenActive {
  /** How many changes of the log. */
  readonly changes: number;
  /** Up to which instant, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly at: string;
  /** What was active then. */
  readonly active: readonly PublicAnnouncement[];
}

export interface ActiveEvent {
  readonly type: 'started' | 'changed' | 'ended';
  /** When it happened. */
  readonly at: string;
  /** How many changes had been made by then. */
  readonly changes: number;
  /** As it is now; of one that ended, as it was. */
  readonly announcement: PublicAnnouncement;
}

/** More steps than these are not followed one by one: only what is different in the end. */
const mostSteps = 2_000;

export function firstSeen(history: HistoryFile, now: number): SeenActive {
  return {
    changes: history.changes.length,
    at: toInstantText(now),
    active: everyActiveAnnouncement(history, now),
  };
}

/**
 * What happened since, in order: starts, ends and corrections, by the clock and by each change of the log, also those that came and
 * went while nobody was looking. A clock that was set back stands still until it is where it was.
 *
 * @param now epoch milliseconds
 */
export function followActive(
  history: HistoryFile,
  seen: SeenActive,
  now: number,
): { readonly events: readonly ActiveEvent[]; readonly seen: SeenActive } {
  const end = Math.max(now, Date.parse(seen.at));
  const events: ActiveEvent[] = [];
  let { active } = seen;
  for (const { history: then, at } of stepsOf(history, seen, end)) {
    const next = everyActiveAnnouncement(then, at);
    events.push(...differences(active, next, { at: toInstantText(at), changes: then.changes.length }));
    active = next;
  }
  return { events, seen: { changes: history.changes.length, at: toInstantText(end), active } };
}

interface Step {
  readonly history: HistoryFile;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The moments at which something else may be active, the last one at `end`. */
function stepsOf(history: HistoryFile, seen: SeenActive, end: number): Step[] {
  const last = { history, at: end };
  const pasts = rewound(history, seen.changes);
  if (pasts === undefined) return [last];
  const steps: Step[] = [];
  let from = Date.parse(seen.at);
  for (const [index, past] of pasts.entries()) {
    if (index > 0) steps.push({ history: past, at: from });
    const change = history.changes[past.changes.length];
    const until = change === undefined ? end : Math.min(end, Math.max(from, Date.parse(change.at)));
    for (let at = nextTransition(past, from); at !== undefined && at < until; at = nextTransition(past, at)) {
      steps.push({ history: past, at });
      if (steps.length > mostSteps) return [last];
    }
    from = until;
  }
  return [...steps, last];
}

/** The history after `seen` changes, after one more, and so on up to now; undefined where the log does not say. */
function rewound(history: HistoryFile, seen: number): HistoryFile[] | undefined {
  const { changes } = history;
  if (seen > changes.length || changes.length - seen > mostSteps) return undefined;
  const pasts = [history];
  let announcements = history.announcements;
  for (let at = changes.length - 1; at >= seen; at -= 1) {
    const before = without(announcements, changes[at] as Change);
    if (before === undefined) return undefined;
    announcements = before;
    pasts.push({ ...history, announcements, changes: changes.slice(0, at) });
  }
  return pasts.reverse();
}

/** Undefined where the announcement is not as the change left it: somebody has edited the file. */
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
