import { type DraftTexts, readEdit } from '../../../announcements/changes/draft.ts';
import { fieldOptionNames } from '../../../announcements/fields.ts';
import { type PlainValues, plainOf } from '../../../announcements/plain-values.ts';
import { changeBody, readMessage, required, requireId, requireLink } from '../../desk/change-options.ts';
import { reportChange } from '../../desk/change-report.ts';
import { noAnnouncement } from '../../desk/desk.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { zoneOf } from '../../display/announcement-text.ts';
import { type CommandIo, isInteractive, UsageError } from '../../program/command-io.ts';
import type { Report } from '../../program/report.ts';
import type { DeskOptions } from '../../program/subcommand.ts';

interface EditOptions extends DeskOptions, PlainValues {
  readonly message?: string;
  readonly at?: string;
  readonly expires?: string;
  /** Opens it as a file in the user's editor. */
  readonly editor?: boolean;
}

/** Makes the given changes; without any, on a terminal, opens a file in the user's editor. */
export async function editAnnouncement(
  [given]: readonly string[],
  options: EditOptions,
  io: CommandIo,
): Promise<Report> {
  const id = requireId(given);
  const { at, expires, json, dryRun = false, editor = false } = options;
  const isGiven = fieldOptionNames('editOptions').some((name) => name in options);
  if (editor && (isGiven || json))
    throw new UsageError('--editor is for people; leave out --json and the options that change fields');
  if (!isGiven && !editor && (json === true || !isInteractive(io)))
    throw new UsageError(
      'there is nothing to change: add --message or another option; typebadge announce edit --help lists all',
    );
  const zone = zoneOf(options, io);
  const desk = await openDesk(options, io);
  const { announcements, revision } = await desk.list({ id });
  const [before] = announcements;
  const report = async (texts: DraftTexts) => {
    // Read only now: editing may have taken an hour.
    const clock = { zone, now: io.now() };
    requireLink(texts.values, before);
    const body = changeBody(texts.values, required(readEdit(texts, before, clock)), clock.now);
    // Changes that somebody else made while the file was open are not overwritten.
    const answer = await desk.edit(id, body, { ifMatch: isGiven ? undefined : revision, dryRun });
    return reportChange(desk, answer, { ...clock, dryRun, verb: 'Changed' });
  };
  if (isGiven)
    return report({ at, expires, values: plainOf(await withMessage(options, before?.message, io)) });
  if (before === undefined) throw noAnnouncement(id);
  const { editAsFile } = await import('../../forms/edit-file.ts');
  return editAsFile(before, zone, io, report);
}

/** `--markdown` alone formats the message as it is. */
async function withMessage(options: EditOptions, before: string | undefined, io: CommandIo) {
  if (options.message !== undefined) return { ...options, message: await readMessage([options.message], io) };
  return options.markdown === true && !('translation' in options) ? { ...options, message: before } : options;
}
