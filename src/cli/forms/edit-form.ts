import { fieldOf, formFields } from '../../announcements/fields.ts';
import type { FormValues, InputName } from '../../tui/announce-form/form-state.ts';
import type { AnnouncementJson } from '../display/announcement-json.ts';
import { toClockText } from '../display/moments.ts';
import { DeclinedError, RefusedError } from '../program/command-errors.ts';
import type { CommandIo } from '../program/command-io.ts';
import { checkFields, createFormFace, toReminder } from './form-face.ts';

/** Shows an announcement as a form; resolves to the fields that were changed. */
export async function askForEdit(
  announcement: AnnouncementJson,
  zone: string,
  io: CommandIo,
): Promise<Partial<FormValues>> {
  const { id, state, published } = announcement;
  if (state === 'withdrawn') throw new RefusedError(`${id} was withdrawn; undo that to have it back`);
  const initial = toValues(announcement, zone);
  const hasBegun = state !== 'scheduled';
  const begun = hasBegun ? Date.parse(published) : undefined;
  // A moment that was not touched stays as it is, to the second, even where it is over.
  const check = (values: FormValues) =>
    withoutUntouched(checkFields(values, { zone, now: io.now() }, begun), values, initial);
  const { openAnnouncementForm } = await import('../../tui/announce-form/announcement-form.tsx');
  const fields = formFields()
    .map(({ name }) => name)
    .filter((name) => !(hasBegun && name === 'at'));
  const { accepted, values } = await openAnnouncementForm({
    ...createFormFace(`Change ${id}`, 'Change it?', io, check),
    fields,
    initial,
    check,
  });
  if (accepted) return changed(values, initial, fields);
  const reminder = values.message === initial.message ? '' : toReminder(values);
  throw new DeclinedError(`nothing was changed${reminder}`);
}

function toValues(announcement: AnnouncementJson, zone: string): FormValues {
  const values = formFields().map(({ field, name }) => {
    const value = String(announcement[field] ?? '');
    return [name, fieldOf(field).kind === 'instant' ? toClockText(value, zone) : value] as const;
  });
  return Object.fromEntries(values);
}

function withoutUntouched(report: ReturnType<typeof checkFields>, values: FormValues, initial: FormValues) {
  const untouched = { note: 'unchanged' };
  return {
    ...report,
    ...(values.at === initial.at ? { at: untouched } : {}),
    ...(values.expires === initial.expires && values.at === initial.at ? { expires: untouched } : {}),
  };
}

/** Only what was changed; the message where nothing was, so that the command can say so. */
function changed(values: FormValues, initial: FormValues, fields: readonly InputName[]): Partial<FormValues> {
  const touched = fields.filter((field) => (values[field] ?? '').trim() !== initial[field]);
  const given = touched.length > 0 ? touched : (['message'] as const);
  return Object.fromEntries(given.map((field) => [field, (values[field] ?? '').trim()]));
}
