import { describeChange } from '../../../announcements/changes/change-log.ts';
import { type DraftTexts, readDraft, readEarlyEnd, readEdit } from '../../../announcements/changes/draft.ts';
import { fieldOptionNames } from '../../../announcements/fields.ts';
import { checkPlainValues, type PlainValues, plainOf } from '../../../announcements/plain-values.ts';
import { defaultExpiry } from '../../../announcements/times/moment.ts';
import { safeText } from '../../../kit/terminal-text.ts';
import {
  changeBody,
  readMessage,
  refuseProblems,
  required,
  requireId,
  requireLink,
  startText,
} from '../../desk/change-options.ts';
import { reportChange } from '../../desk/change-report.ts';
import { noAnnouncement } from '../../desk/desk.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { zoneOf } from '../../display/announcement-text.ts';
import {
  type CommandIo,
  DeclinedError,
  isInteractive,
  RefusedError,
  UsageError,
} from '../../program/command-io.ts';
import { askYesNo } from '../../program/questions.ts';
import type { DeskCommand, DeskOptions, Texts } from '../../program/subcommand.ts';

type WordOptions = PlainValues & Texts<'message' | 'at' | 'expires' | 'id'> & { readonly editor?: boolean };

/** Whose moments an editor writes and reads, and whether the change is only tried. */
function viewOf(options: DeskOptions, io: CommandIo) {
  const zone = zoneOf(options, io);
  const localZone = options.json ? undefined : zone; // programs get instants
  return { zone, localZone, now: io.now(), dryRun: options.dryRun === true };
}

/** Publishes what is given, or on a terminal asks for it if there is no message. */
export const publishCommand: DeskCommand<WordOptions> = async (words, options, io) => {
  const desk = await openDesk(options, io, { makesFolder: true, isReadOnly: options.dryRun === true });
  const texts = await readTexts(words, options, zoneOf(options, io), io);
  const view = viewOf(options, io); // only now: answering may have taken a minute
  const draft = required(readDraft(texts, view));
  requireLink(texts.values);
  const verb = draft.published > view.now ? 'Scheduled' : 'Published';
  // The default end is counted from the start, which is when the change is made.
  const isDefaultEnd = (texts.expires ?? defaultExpiry) === defaultExpiry;
  const times = { published: draft.published, expires: isDefaultEnd ? undefined : draft.expires };
  const body = { ...changeBody(texts.values, times, view.now), id: draft.id };
  return reportChange(desk, await desk.publish(body, view), verb, view);
};

async function readTexts(
  words: readonly string[],
  options: WordOptions & DeskOptions,
  zone: string,
  io: CommandIo,
): Promise<DraftTexts> {
  if (words.length === 0 && !options.json && isInteractive(io)) {
    refuseProblems(checkPlainValues(plainOf(options)).problems);
    return (await import('../../forms/announcement-prompts.ts')).askForAnnouncement(options, zone, io);
  }
  const message = await readMessage(words, io);
  if (message === undefined)
    throw new UsageError(
      'the message is missing: write typebadge announce publish "…", or - to read it from standard input',
    );
  const { at, expires, id } = options;
  return { at, expires, id, values: plainOf({ ...options, message }) };
}

/** Makes the given changes; without any, on a terminal, opens a file in the user's editor. */
export const editCommand: DeskCommand<WordOptions> = async ([given], options, io) => {
  const id = requireId(given);
  const { at, expires, json, editor = false } = options;
  const isGiven = fieldOptionNames('editOptions').some((name) => name in options);
  if (editor && (isGiven || json))
    throw new UsageError('--editor is for people; leave out --json and the options that change fields');
  if (!isGiven && !editor && (json === true || !isInteractive(io)))
    throw new UsageError(
      'there is nothing to change: add --message or another option; typebadge announce edit --help lists all',
    );
  const { zone } = viewOf(options, io);
  const desk = await openDesk(options, io);
  const { announcements, revision } = await desk.list({ id });
  const [before] = announcements;
  const change = async (texts: DraftTexts) => {
    const view = viewOf(options, io); // only now: editing may have taken an hour
    requireLink(texts.values, before);
    const body = changeBody(texts.values, required(readEdit(texts, before, view)), view.now);
    // Changes that somebody else made while the file was open are not overwritten.
    const answer = await desk.edit(id, body, { ...view, ifMatch: isGiven ? undefined : revision });
    return reportChange(desk, answer, 'Changed', view);
  };
  if (isGiven)
    return change({ at, expires, values: plainOf(await withMessage(options, before?.message, io)) });
  if (before === undefined) throw noAnnouncement(id);
  return (await import('../../forms/edit-file.ts')).editAsFile(before, zone, io, change);
};

/** `--markdown` alone formats the message as it is. */
async function withMessage(options: WordOptions, before: string | undefined, io: CommandIo) {
  if (options.message !== undefined) return { ...options, message: await readMessage([options.message], io) };
  return options.markdown === true && !('translation' in options) ? { ...options, message: before } : options;
}

export const expireCommand: DeskCommand<Texts<'at'>> = async ([given], options, io) => {
  const id = requireId(given);
  const view = viewOf(options, io);
  const end = required(readEarlyEnd(options.at, view));
  const desk = await openDesk(options, io);
  const verb = end !== undefined && end > view.now ? 'Set the end of' : 'Ended';
  const answer = await desk.expire(id, { at: startText(end, view.now) }, view);
  return reportChange(desk, answer, verb, view);
};

/** Withdraws an announcement: it leaves the public history, and what it superseded is active again. */
export const withdrawCommand: DeskCommand = async ([given], options, io) => {
  const id = requireId(given);
  const view = viewOf(options, io);
  const desk = await openDesk(options, io);
  return reportChange(desk, await desk.withdraw(id, view), 'Withdrew', view);
};

/** Undoes the last change that is not undone yet, or the change with that number. */
export const undoCommand: DeskCommand<{ readonly yes?: boolean }> = async ([number], options, io) => {
  if (number !== undefined && !/^[1-9]\d{0,8}$/.test(number))
    throw new UsageError(`"${number}" is not a change number; typebadge announce log shows them`);
  const view = viewOf(options, io);
  const desk = await openDesk(options, io);
  const planned = await desk.undo(number === undefined ? undefined : Number(number), { dryRun: true });
  if (view.dryRun) return reportChange(desk, planned, 'Undid', view);
  const { undone, by } = planned;
  if (!options.yes && by !== (await desk.list({ limit: 1 })).editor) {
    const what = `Change ${undone} was made by ${safeText(by)}`;
    if (options.json || !isInteractive(io)) throw new RefusedError(`${what}; to undo it, add --yes`);
    if (!(await askYesNo(`${what}: ${describeChange(planned)}. Undo it?`, io)))
      throw new DeclinedError('nothing was changed');
  }
  // The change that was confirmed, even if another editor has made one since.
  return reportChange(desk, await desk.undo(undone), 'Undid', view);
};
