import { readDraft } from '../../../announcements/changes/draft.ts';
import { checkPlainValues, type PlainValues, plainOf } from '../../../announcements/plain-values.ts';
import { defaultExpiry } from '../../../announcements/times/moment.ts';
import { parseSpan } from '../../../announcements/times/span.ts';
import {
  publishBody,
  readMessage,
  refuseMisspelt,
  refuseProblems,
  required,
} from '../../desk/change-options.ts';
import { reportChange } from '../../desk/change-report.ts';
import type { EditorOptions } from '../../desk/desk-place.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { zoneOf } from '../../display/announcement-text.ts';
import type { Asked } from '../../forms/announcement-lines.ts';
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
  refuseMisspelt(options);
  const { dryRun = false } = options;
  const zone = zoneOf(options, io);
  const context = { zone, now: io.now() };
  const desk = await openDesk(options, io, { makesFolder: !dryRun });
  const { answers, remindOnFailure } = await readTexts(words, options, zone, io);
  const draft = required(readDraft(answers, context));
  const verb = draft.published > context.now ? 'Scheduled' : 'Published';
  const isSpan = parseSpan((answers.expires ?? defaultExpiry).trim()) !== undefined;
  const change = desk.publish(publishBody(draft, isSpan, context.now), { dryRun });
  return remindOnFailure(reportChange(desk, 'publish', change, { ...context, dryRun, verb }));
}

async function readTexts(
  words: readonly string[],
  options: PublishOptions,
  zone: string,
  io: CommandIo,
): Promise<Asked> {
  const { at, expires, id } = options;
  if (words.length === 0 && !options.json && isInteractive(io)) {
    const { values, problems } = checkPlainValues(plainOf(options));
    refuseProblems(problems);
    const { askForAnnouncement } = await import('../../forms/announcement-prompts.ts');
    const known = options.markdown === true ? { ...values, markdown: '' } : values;
    return askForAnnouncement({ at, expires, id, values: known }, { zone }, io);
  }
  const message = await readMessage(words, io);
  if (message !== undefined)
    return {
      answers: { at, expires, id, values: plainOf({ ...options, message }) },
      remindOnFailure: (work) => work,
    };
  throw new UsageError(
    'the message is missing: write typebadge announce publish "…", or - to read it from standard input',
  );
}
