import { type DraftTexts, readEdit } from '../../../announcements/changes/draft.ts';
import { fieldOptionNames } from '../../../announcements/field-options.ts';
import { type PlainValues, plainOf } from '../../../announcements/plain-values.ts';
import { editBody, readMessage, refuseMisspelt, required } from '../../desk/change-options.ts';
import { editSeen, reportChange } from '../../desk/change-report.ts';
import { noAnnouncement } from '../../desk/desk.ts';
import type { EditorOptions } from '../../desk/desk-place.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { type AnnouncementJson, announcementJson, zoneOf } from '../../display/announcement-text.ts';
import type { Asked } from '../../forms/announcement-lines.ts';
import { whichAnnouncement } from '../../forms/prompts.ts';
import { type CommandIo, isInteractive, UsageError } from '../../program/command-io.ts';
import { shellWord } from '../../program/quoted-words.ts';
import type { Report } from '../../program/report.ts';

export interface EditOptions extends EditorOptions, PlainValues {
  readonly message?: string;
  readonly at?: string;
  readonly expires?: string;
  /** Opens it as a file in the user's editor. */
  readonly editor?: boolean;
}

/**
 * Changes what is given; on a terminal, if nothing is given, asks what to change.
 *
 * @param words what is not an option: the id, or nothing
 */
export async function editAnnouncement(
  words: readonly string[],
  options: EditOptions,
  io: CommandIo,
): Promise<Report> {
  refuseMisspelt(options);
  const id = readId(words);
  const { dryRun = false, json } = options;
  const zone = zoneOf(options, io);
  const desk = await openDesk(options, io);
  const list = async () => (await desk.listAll()).value.announcements.map(announcementJson);
  const chosen = await whichAnnouncement(id, { command: 'edit', json, list }, io);
  const seen = await desk.list({ id: chosen });
  const [before] = seen.value.announcements;
  const { answers, keepTyped } = await readTexts(chosen, options, before && announcementJson(before), {
    zone,
    io,
  });
  // Only now: a person may have taken an hour.
  const context = { zone, now: io.now() };
  const body = editBody(required(readEdit(answers, before, context)), context.now);
  const change = editSeen(desk, chosen, body, { seen, dryRun });
  return keepTyped(reportChange(desk, 'edit', change, { ...context, dryRun, verb: 'Changed' }));
}

/** What comes after the id is mostly what the announcement is to say. */
function readId([id, ...more]: readonly string[]): string | undefined {
  if (id === undefined || more.length === 0) return id;
  const command = `typebadge announce edit ${shellWord(id)} --message ${shellWord(more.join(' '))}`;
  throw new UsageError(`edit takes an id, and what is to change as options; for a new message: ${command}`);
}

async function readTexts(
  id: string,
  options: EditOptions,
  announcement: AnnouncementJson | undefined,
  { zone, io }: { readonly zone: string; readonly io: CommandIo },
): Promise<Pick<Asked, 'keepTyped'> & { readonly answers: DraftTexts }> {
  const { message, at, expires, json, editor = false } = options;
  const isGiven = fieldOptionNames('editOptions').some((name) => name in options);
  if (editor && isGiven) throw new UsageError('give --editor or what is to change, not both');
  if (editor && json) throw new UsageError('--editor is for people; with --json, give what is to change');
  if (isGiven) {
    const words = message === undefined ? undefined : await readMessage([message], io);
    // The flag alone formats the message as it is.
    const present =
      options.markdown === true && !('translation' in options) ? announcement?.message : undefined;
    const answers = { at, expires, values: plainOf({ ...options, message: words ?? present }) };
    return { answers, keepTyped: (work) => work };
  }
  if (!editor && (json === true || !isInteractive(io))) {
    throw new UsageError(
      'nothing to change was given: add --message or another option; typebadge announce edit --help lists all',
    );
  }
  if (announcement === undefined) throw noAnnouncement(id);
  if (editor) {
    const { editAsFile } = await import('../../forms/edit-file.ts');
    return editAsFile(announcement, zone, io);
  }
  const { askForEdit } = await import('../../forms/announcement-prompts.ts');
  return askForEdit(announcement, { zone }, io);
}
