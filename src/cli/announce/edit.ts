import type { HistoryFile } from '../../server/badge/announcement.ts';
import { type AnnouncementEdit, edit } from '../../server/badge/history-edit.ts';
import { parseLink } from '../../server/badge/link.ts';
import { parseMessage } from '../../server/badge/message.ts';
import type { CommandIo } from '../command-io.ts';
import type { Report } from '../report.ts';
import { UsageError } from '../usage-error.ts';
import { makeChange, toChangeReport } from './change-report.ts';
import { type EditorOptions, newStamp, openContent, zoneOf } from './content-access.ts';
import { readMessage } from './message-input.ts';
import { type MomentContext, parseExpiry, parseStart } from './moment-options.ts';
import { named, refuseProblems } from './publish.ts';
import { refuseMissingId } from './which.ts';

/** What is to change, as it was typed; what is undefined stays. */
export interface EditTexts {
  readonly message?: string | undefined;
  readonly link?: string | undefined;
  readonly at?: string | undefined;
  readonly expires?: string | undefined;
  readonly alongside?: boolean | undefined;
}

export interface EditOptions extends EditorOptions, EditTexts {}

export async function editAnnouncement(
  id: string | undefined,
  options: EditOptions,
  io: CommandIo,
): Promise<Report> {
  const { message, link, at, expires, alongside } = options;
  const chosen = id ?? (await refuseMissingId(await openContent(options, io), 'edit', io.now()));
  if ([message, link, at, expires, alongside].every((value) => value === undefined)) {
    throw new UsageError(
      'nothing to change was given: add --message, --link, --at, --expires or --alongside',
    );
  }
  const words = message === undefined ? undefined : await readMessage([message], io);
  return applyEdit(chosen, { message: words, link, at, expires, alongside }, options, io);
}

export async function applyEdit(
  id: string,
  texts: EditTexts,
  options: EditorOptions,
  io: CommandIo,
): Promise<Report> {
  const { dryRun = false } = options;
  const stamp = newStamp(options, io);
  const zone = zoneOf(options, io);
  const context = { zone, now: stamp.at };
  const store = await openContent(options, io);
  const { made, before } = await makeChange(store, dryRun, (history) =>
    edit(history, id, toEdit(texts, history, id, context), stamp),
  );
  return toChangeReport(store, before, made, { ...context, dryRun, verb: 'Changed' });
}

/** Texts to an edit of one announcement: a span as expiry counts from its start, where that is still to come. */
function toEdit(
  texts: EditTexts,
  history: HistoryFile,
  id: string,
  context: MomentContext,
): AnnouncementEdit {
  const { message, link, at, expires, alongside } = texts;
  const entry = history.announcements.find((candidate) => candidate.id === id);
  const start = at === undefined ? undefined : parseStart(at, context);
  const published =
    start !== undefined && 'instant' in start
      ? start.instant
      : Date.parse(entry?.published ?? new Date(context.now).toISOString());
  const end = expires === undefined ? undefined : parseExpiry(expires, published, context);
  refuseProblems([
    message === undefined ? {} : parseMessage(message),
    link === undefined ? {} : parseLink(link),
    named('--at', start ?? {}),
    named('--expires', end ?? {}),
  ]);
  return {
    message,
    link,
    published: start !== undefined && 'instant' in start ? start.instant : undefined,
    expires: end !== undefined && 'instant' in end ? end.instant : undefined,
    alongside,
  };
}
