import { parseId } from '../../../announcements/announcement-id.ts';
import { checkPlainValues, type PlainValues, plainOf } from '../../../announcements/fields.ts';
import type { NewAnnouncement } from '../../../announcements/history-edit.ts';
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
import { type EditorOptions, openDesk } from '../../desk/open-desk.ts';
import { named, refuseProblems } from '../../desk/text-problems.ts';
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
  const { dryRun = false } = options;
  const zone = zoneOf(options, io);
  const context = { zone, now: io.now() };
  const desk = await openDesk(options, io);
  const texts = await readTexts(words, options, zone, io);
  const draft = toDraft(texts, context);
  const verb = draft.published > context.now ? 'Scheduled' : 'Published';
  const isSpan = parseSpan((texts.expires ?? defaultExpiry).trim()) !== undefined;
  return changeContent(desk, { kind: 'publish', draft, isSpan }, { ...context, dryRun, verb });
}

async function readTexts(
  words: readonly string[],
  options: PublishOptions,
  zone: string,
  io: CommandIo,
): Promise<PublishOptions & { readonly message: string }> {
  if (words.length === 0 && !options.json && isInteractive(io)) {
    const { askForAnnouncement } = await import('../../forms/publish-form.ts');
    return { ...options, ...(await askForAnnouncement(options, zone, io)) };
  }
  const message = await readMessage(words, io);
  if (message !== undefined) return { ...options, message };
  throw new UsageError(
    'the message is missing: write typebadge announce publish "…", or - to read it from standard input',
  );
}

/** Texts to an announcement. Names everything that is wrong with them at once. */
function toDraft(
  texts: PublishOptions & { readonly message: string },
  context: MomentContext,
): NewAnnouncement {
  const { at = 'now', expires = defaultExpiry, id } = texts;
  const start = parseStart(at, context);
  const published = 'instant' in start ? start.instant : context.now;
  const end = parseExpiry(expires, published, context);
  refuseProblems([
    ...checkPlainValues(plainOf(texts)).problems.map((problem) => ({ problem })),
    named('--at', start),
    named('--expires', end),
    id === undefined ? {} : parseId(id),
  ]);
  return {
    ...plainOf(texts),
    message: texts.message,
    published,
    expires: 'instant' in end ? end.instant : published,
    id,
  };
}
