import type { AnnouncementEdit, NewAnnouncement } from '../../announcements/changes/history-edit.ts';
import { fieldOf } from '../../announcements/fields.ts';
import { type PlainValues, plainNames } from '../../announcements/plain-values.ts';
import { toInstantText } from '../../announcements/times/instant.ts';

/** A new announcement as the API takes it. @param isSpan whether its end was given as a span */
export function publishBody(draft: NewAnnouncement, isSpan: boolean, now: number): object {
  const { published, expires, id, ...values } = draft;
  // Now is when the server gets it: its clock may be behind this one, and then a span counts from its time.
  const isNow = toInstantText(published) === toInstantText(now);
  const end = isSpan && isNow ? spanText(expires - published) : toInstantText(expires);
  return { ...jsonOf(values), ...(isNow ? {} : { at: toInstantText(published) }), expires: end, id };
}

export function editBody({ published, expires, ...values }: AnnouncementEdit, now: number): object {
  const end = expires === undefined ? undefined : toInstantText(expires);
  return { ...jsonOf(values), at: startText(published, now), expires: end };
}

export function expireBody(end: number | undefined, now: number): object {
  return { at: startText(end, now) };
}

/** Days of 24 hours, as in UTC, and seconds. */
function spanText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return `+${Math.floor(seconds / 86_400)}d${seconds % 86_400}s`;
}

/** Now is when the server gets it: by then, this second may be in the past. */
function startText(instant: number | undefined, now: number): string | undefined {
  const text = instant === undefined ? undefined : toInstantText(instant);
  return text === toInstantText(now) ? 'now' : text;
}

/** What `--no-…` says is false here, and null in JSON. */
function jsonOf(values: PlainValues): object {
  return Object.fromEntries(
    plainNames.map((name) => {
      const value = values[name];
      return [name, fieldOf(name).kind === 'flag' ? value : withoutFalse(value)];
    }),
  );
}

function withoutFalse(value: unknown): unknown {
  if (value === false) return null;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutFalse(part)]));
}
