import { formFields, type PlainValues } from '../../announcements/fields.ts';
import { defaultExpiry } from '../../announcements/times/moment-options.ts';
import type { FormValues } from '../../tui/announce-form/form-state.ts';
import { DeclinedError } from '../program/command-errors.ts';
import type { CommandIo } from '../program/command-io.ts';
import { checkFields, createFormFace, toReminder } from './form-face.ts';

/** Asks for everything that an announcement needs; what was given with options is filled in. */
export async function askForAnnouncement(
  given: PlainValues & { readonly at?: string; readonly expires?: string },
  zone: string,
  io: CommandIo,
): Promise<FormValues & { readonly message: string }> {
  const check = (values: FormValues) => checkFields(values, { zone, now: io.now() }, undefined);
  const { openAnnouncementForm } = await import('../../tui/announce-form/announcement-form.tsx');
  const names = formFields().map(({ name }) => name);
  const start: Readonly<Record<string, unknown>> = { at: 'now', expires: defaultExpiry, ...given };
  const { accepted, values } = await openAnnouncementForm({
    ...createFormFace('Publish an announcement', 'Publish it?', io, check),
    fields: names,
    initial: Object.fromEntries(names.map((name) => [name, String(start[name] || '')])),
    check,
  });
  if (!accepted) throw new DeclinedError(`nothing was published${toReminder(values)}`);
  const trimmed = Object.fromEntries(names.map((name) => [name, (values[name] ?? '').trim()]));
  return { ...trimmed, message: values.message ?? '' };
}
