import { type DraftTexts, readDraft } from '../../../announcements/changes/draft.ts';
import { checkPlainValues, type PlainValues, plainOf } from '../../../announcements/plain-values.ts';
import { defaultExpiry } from '../../../announcements/times/moment.ts';
import { changeBody, readMessage, refuseProblems, required, requireLink } from '../../desk/change-options.ts';
import { reportChange } from '../../desk/change-report.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { zoneOf } from '../../display/announcement-text.ts';
import { type CommandIo, isInteractive, UsageError } from '../../program/command-io.ts';
import type { Report } from '../../program/report.ts';
import type { DeskOptions } from '../../program/subcommand.ts';

interface PublishOptions extends DeskOptions, PlainValues {
  readonly at?: string;
  readonly expires?: string;
  readonly id?: string;
}

/** Publishes what is given, or on a terminal asks for it if there is no message. */
export async function publishAnnouncement(
  words: readonly string[],
  options: PublishOptions,
  io: CommandIo,
): Promise<Report> {
  const { dryRun = false } = options;
  const clock = { zone: zoneOf(options, io), now: io.now() };
  const desk = await openDesk(options, io, { makesFolder: true, isReadOnly: dryRun });
  const texts = await readTexts(words, options, clock.zone, io);
  const draft = required(readDraft(texts, clock));
  requireLink(texts.values);
  const verb = draft.published > clock.now ? 'Scheduled' : 'Published';
  // The default end is counted from the start, which is when the change is made.
  const { expires } = texts;
  const end = expires == null || expires === defaultExpiry ? { expires: undefined } : {};
  const body = { ...changeBody(texts.values, draft, clock.now), ...end, id: draft.id };
  const answer = await desk.publish(body, { dryRun });
  return reportChange(desk, answer, { ...clock, dryRun, verb });
}

async function readTexts(
  words: readonly string[],
  options: PublishOptions,
  zone: string,
  io: CommandIo,
): Promise<DraftTexts> {
  if (words.length === 0 && !options.json && isInteractive(io)) {
    refuseProblems(checkPlainValues(plainOf(options)).problems);
    const { askForAnnouncement } = await import('../../forms/announcement-prompts.ts');
    return askForAnnouncement(options, zone, io);
  }
  const message = await readMessage(words, io);
  if (message === undefined)
    throw new UsageError(
      'the message is missing: write typebadge announce publish "…", or - to read it from standard input',
    );
  const { at, expires, id } = options;
  return { at, expires, id, values: plainOf({ ...options, message }) };
}
