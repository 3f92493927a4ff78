import type { FieldName, FormValues } from '../../tui/announce-form/form-state.ts';
import type { CommandIo } from '../command-io.ts';
import { createPaint } from '../paint.ts';
import { RefusedError, type Report } from '../report.ts';
import { fitTo, toTerminalText } from '../text-width.ts';
import { type AnnouncementJson, allAnnouncements } from './announcement-json.ts';
import { newStamp, openContent, zoneOf } from './content-access.ts';
import { applyEdit, type EditOptions } from './edit.ts';
import { checkFields, createFormFace, createFormPaint } from './form-face.ts';
import { inReadingOrder } from './list.ts';
import { toClockText } from './moments.ts';
import { toReminder } from './publish-form.ts';
import { findAnnouncement } from './show.ts';

/** Shows an announcement as a form to change; without an id, first lets one be chosen. */
export async function editWithForm(
  id: string | undefined,
  options: EditOptions,
  io: CommandIo,
): Promise<Report> {
  const zone = zoneOf(options, io);
  newStamp(options, io);
  const history = await (await openContent(options, io)).readHistory();
  const announcements = allAnnouncements(history, io.now());
  const chosen =
    id === undefined
      ? await choose(inReadingOrder(announcements), io)
      : findAnnouncement(history, id, io.now());
  if (chosen.state === 'withdrawn')
    throw new RefusedError(`${chosen.id} was withdrawn; undo that to have it back`);
  const initial = toValues(chosen, zone);
  const hasBegun = chosen.state !== 'scheduled';
  const begun = hasBegun ? Date.parse(chosen.published) : undefined;
  // A moment that was not touched stays as it is, to the second, even where it is over.
  const check = (values: FormValues) =>
    withoutUntouched(checkFields(values, { zone, now: io.now() }, begun), values, initial);
  const { openAnnouncementForm } = await import('../../tui/announce-form/announcement-form.tsx');
  const fields: FieldName[] = hasBegun
    ? ['message', 'link', 'expires']
    : ['message', 'link', 'at', 'expires'];
  const { accepted, values } = await openAnnouncementForm({
    ...createFormFace(`Change ${chosen.id}`, 'Change it?', io, check),
    fields,
    initial,
    check,
  });
  if (!accepted)
    throw new RefusedError(
      `nothing was changed${values.message === initial.message ? '' : toReminder(values)}`,
    );
  return applyEdit(chosen.id, changed(values, initial, fields), { ...options, verbose: false }, io);
}

function toValues({ message, link, published, expires }: AnnouncementJson, zone: string): FormValues {
  return { message, link, at: toClockText(published, zone), expires: toClockText(expires, zone) };
}

function withoutUntouched(report: ReturnType<typeof checkFields>, values: FormValues, initial: FormValues) {
  const untouched = { note: 'as it is' };
  return {
    ...report,
    ...(values.at === initial.at ? { at: untouched } : {}),
    ...(values.expires === initial.expires && values.at === initial.at ? { expires: untouched } : {}),
  };
}

/** Only what was changed; everything where nothing was, so that the command can say so. */
function changed(values: FormValues, initial: FormValues, fields: readonly FieldName[]): Partial<FormValues> {
  const touched = fields.filter((field) => values[field].trim() !== initial[field]);
  const given = touched.length > 0 ? touched : (['message'] as const);
  return Object.fromEntries(given.map((field) => [field, values[field].trim()]));
}

async function choose(announcements: readonly AnnouncementJson[], io: CommandIo): Promise<AnnouncementJson> {
  const standing = announcements.filter(({ state }) => state !== 'withdrawn');
  if (standing.length === 0)
    throw new RefusedError('there is no announcement to change; make one with typebadge announce publish');
  const { openChoice } = await import('../../tui/announce-form/choice.tsx');
  const position = await openChoice({
    title: 'Which announcement?',
    draw: (columns) =>
      standing.map(({ id, state, message }) =>
        fitTo(`${id}  ${state.padEnd(10)}  ${toTerminalText(message)}`, columns).trimEnd(),
      ),
    paint: createFormPaint(createPaint(io.out, io.env), io),
  });
  const chosen = position === undefined ? undefined : standing[position];
  if (chosen === undefined) throw new RefusedError('nothing was changed');
  return chosen;
}
