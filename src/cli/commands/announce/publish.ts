import { parseId } from '../../../announcements/announcement-id.ts';
import type { NewAnnouncement } from '../../../announcements/changes/history-edit.ts';
import { checkPlainValues, type PlainValues, plainOf } from '../../../announcements/plain-values.ts';
import {
  defaultExpiry,
  type MomentContext,
  parseExpiry,
  parseStart,
} from '../../../announcements/times/moment-options.ts';
import { parseSpan } from '../../../announcements/times/span.ts';
import { changeContent } from '../../desk/change-content.ts';
import { zoneOf } from '../../desk/content-access.ts';
import { readMessage } from '../../desk/message-input.ts';
import { type EditorOptions, openDesk, repeatedOptions } from '../../desk/open-desk.ts';
import { refuseMisspelt } from '../../desk/option-hints.ts';
import { named, refuseProblems } from '../../desk/text-problems.ts';
import type { Answers } from '../../forms/announcement-lines.ts';
import type { Asked } from '../../forms/kept-typing.ts';
import { UsageError } from '../../program/command-errors.ts';
import { type CommandIo, isInteractive } from '../../program/command-io.ts';
import type { Report } from '../../program/report.ts';

/** What is to be published, as it was typed; plain fields by their names, `false` where `--no-…` was given. */
export interface PublishOptions extends EditorOptions, PlainValues {
  readonly at?: string;
  readonly expires?: string;
  readonly id?: string;
}

/** Publishes what is given, or on a terminal asks for it where there is no message. */
export async function publishAnnouncement(
  words: readonly string[],
  options: PublishOptions,
  io: CommandIo,
): Promise<Report> {
  refuseMisspelt(options);
  const { dryRun = false } = options;
  const zone = zoneOf(options, io);
  const context = { zone, now: io.now() };
  const desk = await openDesk(options, io);
  const { answers, keepTyped } = await readTexts(words, options, zone, io);
  const draft = toDraft(answers, context);
  const verb = draft.published > context.now ? 'Scheduled' : 'Published';
  const isSpan = parseSpan((answers.expires ?? defaultExpiry).trim()) !== undefined;
  return keepTyped(changeContent(desk, { kind: 'publish', draft, isSpan }, { ...context, dryRun, verb }));
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
    refuseProblems(problems.map((problem) => ({ problem })));
    const { askForAnnouncement } = await import('../../forms/publish-form.ts');
    return askForAnnouncement({ at, expires, id, values }, { zone, options: repeatedOptions(options) }, io);
  }
  const message = await readMessage(words, io);
  if (message !== undefined)
    return {
      answers: { at, expires, id, values: { ...plainOf(options), message } },
      keepTyped: (work) => work,
    };
  throw new UsageError(
    'the message is missing: write typebadge announce publish "…", or - to read it from standard input',
  );
}

/** Texts to an announcement. Names everything that is wrong with them at once. */
function toDraft({ values, ...texts }: Answers, context: MomentContext): NewAnnouncement {
  const { at = 'now', expires = defaultExpiry, id } = texts;
  const start = parseStart(at, context);
  const published = 'instant' in start ? start.instant : context.now;
  const end = parseExpiry(expires, published, context);
  refuseProblems([
    ...checkPlainValues(values).problems.map((problem) => ({ problem })),
    named('--at', start),
    named('--expires', end),
    id === undefined ? {} : parseId(id),
  ]);
  return {
    ...values,
    message: String(values.message),
    published,
    expires: 'instant' in end ? end.instant : published,
    id,
  };
}
