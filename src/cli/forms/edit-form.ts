import type { FormLines } from '../../announcements/values/form-input.ts';
import type { AnnouncementJson } from '../display/announcement-json.ts';
import type { CommandIo } from '../program/command-io.ts';
import { inputsOf, readChanges } from './announcement-lines.ts';
import { toEditable } from './editable.ts';
import { createFormFace } from './form-face.ts';
import { type Asked, toDeclined, withReminder } from './kept-typing.ts';
import { reportLines } from './line-report.ts';
import { type FormSetting, toReminder } from './typed-command.ts';

/** Shows an announcement as a form; resolves to what was changed. */
export async function askForEdit(
  announcement: AnnouncementJson,
  { zone, options }: FormSetting,
  io: CommandIo,
): Promise<Asked> {
  const { id } = announcement;
  const { names, begun, initial } = toEditable(announcement, zone);
  const check = (lines: FormLines) => reportLines(lines, { zone, now: io.now(), names, begun, initial });
  const { openAnnouncementForm } = await import('../../tui/announce-form/announcement-form.tsx');
  const { accepted, values } = await openAnnouncementForm({
    ...createFormFace({ title: `Change ${id}`, question: 'Change it?', names, check }, io),
    fieldsOf: (lines) => inputsOf(names, lines),
    initial,
    check,
  });
  const reminder = toReminder({ name: `edit ${id}`, options }, inputsOf(names, values), values, initial);
  if (!accepted) throw toDeclined('nothing was changed', reminder);
  return { answers: readChanges(values, initial), keepTyped: (work) => withReminder(work, reminder) };
}
