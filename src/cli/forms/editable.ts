import type { FieldName } from '../../announcements/fields.ts';
import type { FormLines } from '../../announcements/values/form-input.ts';
import type { AnnouncementJson } from '../display/announcement-json.ts';
import { RefusedError } from '../program/command-errors.ts';
import { toLines, writableNames } from './announcement-lines.ts';

/** What of an announcement can be changed, in a form as in a file. */
export interface Editable {
  readonly names: readonly FieldName[];
  /** When it began, milliseconds since 1970; undefined where it has not yet. */
  readonly begun: number | undefined;
  readonly initial: FormLines;
}

/** Throws a `RefusedError` for one that was withdrawn. */
export function toEditable(announcement: AnnouncementJson, zone: string): Editable {
  const { id, state, published } = announcement;
  if (state === 'withdrawn') throw new RefusedError(`${id} was withdrawn; undo that to bring it back`);
  const isScheduled = state === 'scheduled';
  const names = writableNames(isScheduled ? 'scheduled' : 'begun');
  return {
    names,
    begun: isScheduled ? undefined : Date.parse(published),
    initial: toLines(announcement, names, zone),
  };
}
