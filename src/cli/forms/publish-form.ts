import { defaultExpiry } from '../../announcements/times/moment-options.ts';
import type { FormInput, FormLines } from '../../announcements/values/form-input.ts';
import type { FormField } from '../../tui/announce-form/form-state.ts';
import type { CommandIo } from '../program/command-io.ts';
import { type Given, inputsOf, readLines, toLines, writableNames } from './announcement-lines.ts';
import { createFormFace } from './form-face.ts';
import { type Asked, toDeclined, withReminder } from './kept-typing.ts';
import { reportLines } from './line-report.ts';
import { type FormSetting, toReminder } from './typed-command.ts';

/** Asks for everything that an announcement can have; what is given, checked by now, is filled in. */
export async function askForAnnouncement(
  given: Given,
  { zone, options }: FormSetting,
  io: CommandIo,
): Promise<Asked> {
  const names = writableNames('new');
  const blank = { ...toLines({}, names, zone), ...presets };
  const initial = fillIn(blank, toLines(given.values, names, zone), given);
  const check = (lines: FormLines) => reportLines(lines, { zone, now: io.now(), names });
  const { openAnnouncementForm } = await import('../../tui/announce-form/announcement-form.tsx');
  const { accepted, values } = await openAnnouncementForm({
    ...createFormFace({ title: 'Publish an announcement', question: 'Publish it?', names, check }, io),
    fieldsOf: (lines) => inputsOf(names, lines).map(withPreset),
    initial,
    check,
  });
  const reminder = toReminder({ name: 'publish', options }, inputsOf(names, values), values, blank);
  if (!accepted) throw toDeclined('nothing was published', reminder);
  return { answers: readLines(values), keepTyped: (work) => withReminder(work, reminder) };
}

const presets: FormLines = { at: 'now', expires: defaultExpiry };

/** A date that is typed takes the place of a preset: behind it, it would be no date. */
function withPreset(input: FormInput): FormField {
  const preset = presets[input.name];
  return preset === undefined ? input : { ...input, preset };
}

function fillIn(blank: FormLines, values: FormLines, { at, expires, id }: Given): FormLines {
  return {
    ...blank,
    ...values,
    at: at ?? blank.at ?? '',
    expires: expires ?? blank.expires ?? '',
    id: id ?? '',
  };
}
