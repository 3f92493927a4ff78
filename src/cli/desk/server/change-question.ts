import { fieldOf } from '../../../announcements/fields.ts';
import { type PlainValues, plainNames } from '../../../announcements/plain-values.ts';
import { toInstantText } from '../../../announcements/times/instant.ts';
import type { ChangeRequest } from '../port/desk.ts';
import type { DeskQuestion } from './desk-client.ts';

/** The announcement that a change is of; empty for one that is to be published. */
export function idOf(request: ChangeRequest): string {
  return request.kind === 'publish' ? '' : request.id;
}

/** A change as the editors' API takes it. */
export function toQuestion(request: ChangeRequest, now: number): DeskQuestion {
  const path = `/announcements/${encodeURIComponent(idOf(request))}`;
  switch (request.kind) {
    case 'publish': {
      const { published, expires, id, ...values } = request.draft;
      // Now is when the server gets it: its clock may be behind this one.
      const isLater = published > now;
      const at = isLater ? { at: toInstantText(published) } : {};
      const end =
        request.isSpan === true && !isLater ? toSpanText(expires - published) : toInstantText(expires);
      const body = { ...toJson(values), ...at, expires: end, id };
      return { method: 'POST', path: '/announcements', body };
    }
    case 'edit': {
      const { published, expires, ...values } = request.changes;
      const times = { at: toStartText(published, now), expires: toText(expires) };
      return { method: 'PATCH', path, body: { ...toJson(values), ...times } };
    }
    case 'expire':
      return { method: 'POST', path: `${path}/expire`, body: { at: toStartText(request.at, now) } };
    case 'withdraw':
      return { method: 'POST', path: `${path}/withdraw`, body: {} };
  }
}

/** Days of 24 hours, as in UTC, and seconds. */
function toSpanText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return `+${Math.floor(seconds / 86_400)}d${seconds % 86_400}s`;
}

/** Now is when the server gets it: by then, this second may be in the past. */
function toStartText(instant: number | undefined, now: number): string | undefined {
  const text = toText(instant);
  return text === toInstantText(now) ? 'now' : text;
}

function toText(instant: number | undefined): string | undefined {
  return instant === undefined ? undefined : toInstantText(instant);
}

/** What `--no-…` says is false here, and null on the wire. */
function toJson(values: PlainValues): object {
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
