import type { HistoryFile } from '../../../announcements/announcement.ts';
import type { AnnouncementEdit } from '../../../announcements/changes/history-edit.ts';
import { fieldOptionNames } from '../../../announcements/field-options.ts';
import { checkPlainValues, type PlainValues, plainOf } from '../../../announcements/plain-values.ts';
import { type MomentContext, parseExpiry, parseStart } from '../../../announcements/times/moment-options.ts';
import { changeContent } from '../../desk/change-content.ts';
import { zoneOf } from '../../desk/content-access.ts';
import { readMessage } from '../../desk/message-input.ts';
import { type EditorOptions, openDesk, repeatedOptions } from '../../desk/open-desk.ts';
import { refuseMisspelt } from '../../desk/option-hints.ts';
import { named, refuseProblems } from '../../desk/text-problems.ts';
import { findAnnouncement } from '../../display/announcement-json.ts';
import type { Answers } from '../../forms/announcement-lines.ts';
import type { Asked } from '../../forms/kept-typing.ts';
import { whichAnnouncement } from '../../forms/which-announcement.ts';
import { toShellWord } from '../../output/shell-word.ts';
import { UsageError } from '../../program/command-errors.ts';
import { type CommandIo, isInteractive } from '../../program/command-io.ts';
import type { Report } from '../../program/report.ts';

const editOptionNames = fieldOptionNames('editOptions');

export interface EditOptions extends EditorOptions, PlainValues {
  readonly message?: string;
  readonly at?: string;
  readonly expires?: string;
  /** Opens it as a file in the user's editor. */
  readonly editor?: boolean;
}

/**
 * Changes what is given; on a terminal, where nothing is given, shows everything as a form.
 *
 * @param words what is not an option: the id, or nothing
 */
export async function editAnnouncement(
  words: readonly string[],
  options: EditOptions,
  io: CommandIo,
): Promise<Report> {
  refuseMisspelt(options, words);
  const id = readId(words);
  const { dryRun = false, json } = options;
  const zone = zoneOf(options, io);
  const desk = await openDesk(options, io);
  const chosen = await whichAnnouncement(id, desk, { command: 'edit', json }, io);
  const seen = await desk.read();
  const { history } = seen;
  const { answers, keepTyped } = await readTexts(chosen, options, { history, zone }, io);
  // Only now: a person may have taken an hour.
  const context = { zone, now: io.now() };
  const changes = toEdit(answers, history, chosen, context);
  const view = { ...context, dryRun, verb: 'Changed' };
  return keepTyped(changeContent(desk, { kind: 'edit', id: chosen, changes, seen }, view));
}

/** What comes behind the id is mostly what the announcement is to say. */
function readId([id, ...more]: readonly string[]): string | undefined {
  if (id === undefined || more.length === 0) return id;
  const command = `typebadge announce edit ${toShellWord(id)} --message ${toShellWord(more.join(' '))}`;
  throw new UsageError(`edit takes an id, and what is to change as options; for a new message: ${command}`);
}

async function readTexts(
  id: string,
  options: EditOptions,
  { history, zone }: { readonly history: HistoryFile; readonly zone: string },
  io: CommandIo,
): Promise<Asked> {
  const { message, at, expires, json, editor = false } = options;
  const isGiven = editOptionNames.some((name) => name in options);
  if (editor) {
    if (isGiven) throw new UsageError('give --editor or what is to change, not both');
    if (json === true) throw new UsageError('--editor is for people; with --json, give what is to change');
    const { editAsFile } = await import('../../forms/edit-file.ts');
    return editAsFile(findAnnouncement(history, id, io.now()), zone, io);
  }
  if (isGiven) {
    const words = message === undefined ? undefined : await readMessage([message], io);
    const answers = { at, expires, values: { ...plainOf(options), message: words } };
    return { answers, keepTyped: (work) => work };
  }
  if (json === true || !isInteractive(io)) {
    throw new UsageError(
      'nothing to change was given: add --message or another option; typebadge announce edit --help lists all',
    );
  }
  const { askForEdit } = await import('../../forms/edit-form.ts');
  const setting = { zone, options: repeatedOptions(options) };
  return askForEdit(findAnnouncement(history, id, io.now()), setting, io);
}

/** Texts to an edit of one announcement: a span as expiry counts from its start, where that is still to come. */
function toEdit(texts: Answers, history: HistoryFile, id: string, context: MomentContext): AnnouncementEdit {
  const { at, expires, values } = texts;
  const entry = history.announcements.find((candidate) => candidate.id === id);
  const start = at === undefined ? undefined : parseStart(at, context);
  const published =
    start !== undefined && 'instant' in start
      ? start.instant
      : Date.parse(entry?.published ?? new Date(context.now).toISOString());
  const end = expires === undefined ? undefined : parseExpiry(expires, published, context);
  refuseProblems([
    ...checkPlainValues(values, entry).problems.map((problem) => ({ problem })),
    named('--at', start ?? {}),
    named('--expires', end ?? {}),
  ]);
  return {
    ...values,
    published: start !== undefined && 'instant' in start ? start.instant : undefined,
    expires: end !== undefined && 'instant' in end ? end.instant : undefined,
  };
}
