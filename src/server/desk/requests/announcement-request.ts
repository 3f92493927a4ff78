import type { StoredAnnouncement } from '../../../announcements/announcement.ts';
import { parseId } from '../../../announcements/announcement-id.ts';
import type { AnnouncementEdit, NewAnnouncement } from '../../../announcements/changes/history-edit.ts';
import { checkPlainValues, type PlainValues, plainNames } from '../../../announcements/plain-values.ts';
import {
  defaultExpiry,
  parseEarlyEnd,
  parseExpiry,
  parseStart,
} from '../../../announcements/times/moment-options.ts';
import type { EditRequest, PublishRequest } from '../../../contract/desk-types.ts';

type Read<T> = { readonly value: T } | { readonly problem: string };

/** For times without an offset: the server does not know where its editors are. */
const zone = 'UTC';

/** Turns a request to publish into a draft for the rules, or lists everything that is wrong with it. */
export function toDraft(request: PublishRequest, now: number): Read<NewAnnouncement> {
  const { message, id } = request;
  const start = parseStart(request.at ?? 'now', { zone, now });
  const published = 'instant' in start ? start.instant : now;
  const end = parseExpiry(request.expires ?? defaultExpiry, published, { zone, now });
  const values = plainOf(request);
  const checkedId = id == null ? {} : parseId(id);
  const problems = [
    ...checkPlainValues({ ...values, message }).problems,
    ...('problem' in checkedId ? [checkedId.problem] : []),
    ...('problem' in start ? [`at: ${start.problem}`] : []),
    ...('problem' in end ? [`expires: ${end.problem}`] : []),
  ];
  if (problems.length > 0) return { problem: problems.join('; ') };
  const expires = 'instant' in end ? end.instant : published;
  return { value: { ...values, message, published, expires, id: id ?? undefined } };
}

/** The same for an edit of `before`. */
export function toEdit(
  request: EditRequest,
  before: StoredAnnouncement | undefined,
  now: number,
): Read<AnnouncementEdit> {
  const { at, expires } = request;
  const start = at == null ? undefined : parseStart(at, { zone, now });
  const published =
    start !== undefined && 'instant' in start ? start.instant : Date.parse(before?.published ?? '') || now;
  const end = expires == null ? undefined : parseExpiry(expires, published, { zone, now });
  const values = plainOf(request);
  const problems = [
    ...checkPlainValues(values, before).problems,
    ...(start !== undefined && 'problem' in start ? [`at: ${start.problem}`] : []),
    ...(end !== undefined && 'problem' in end ? [`expires: ${end.problem}`] : []),
  ];
  if (problems.length > 0) return { problem: problems.join('; ') };
  return {
    value: {
      ...values,
      published: start !== undefined && 'instant' in start ? start.instant : undefined,
      expires: end !== undefined && 'instant' in end ? end.instant : undefined,
    },
  };
}

export function toEnd(at: string | null | undefined, now: number): Read<number | undefined> {
  const end = at == null ? undefined : parseEarlyEnd(at, { zone, now });
  if (end !== undefined && 'problem' in end) return { problem: `at: ${end.problem}` };
  return { value: end?.instant };
}

function plainOf(request: Partial<EditRequest>): PlainValues {
  const given: Readonly<Record<string, unknown>> = request;
  return Object.fromEntries(plainNames.map((name) => [name, given[name]]));
}
