import { type DraftTexts, readDraft } from '../../../announcements/changes/draft.ts';
import { checkPlainValues, type PlainValues, plainOf } from '../../../announcements/plain-values.ts';
import { publishBody, readMessage, refuseProblems, required } from '../../desk/change-options.ts';
import { reportChange } from '../../desk/change-report.ts';
import type { EditorOptions } from '../../desk/desk-place.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { zoneOf } from '../../display/announcement-text.ts';
import { type CommandIo, isInteractive, UsageError } from '../../program/command-io.ts';
import type { Report } from '../../program/report.ts';

/** What is to be published, as it was typed; plain fields by their names, `false` if `--no-…` was given. */
export interface PublishOptions extends EditorOptions, PlainValues {
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
  const zone = zoneOf(options, io);
  const context = { zone, now: io.now() };
  const desk = await openDesk(options, io, { makesFolder: !dryRun });
  const texts = await readTexts(words, options, zone, io);
  const draft = required(readDraft(texts, context));
  const verb = draft.published > context.now ? 'Scheduled' : 'Published';
  const change = desk.publish(publishBody(draft, context.now), { dryRun });
  return reportChange(desk, change, { ...context, dryRun, verb });
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
