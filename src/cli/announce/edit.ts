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
import { requireId } from './which.ts';

export interface EditOptions extends EditorOptions {
  readonly message?: string;
  readonly link?: string;
  readonly at?: string;
  readonly expires?: string;
  readonly alongside?: boolean;
}

export async function editAnnouncement(
  id: string | undefined,
  options: EditOptions,
  io: CommandIo,
): Promise<Report> {
  const stamp = newStamp(options, io);
  const zone = zoneOf(options, io);
  const store = await openContent(options, io);
  const chosen = await requireId(store, id, 'edit', stamp.at);
  const { link, at, expires, alongside } = options;
  if ([options.message, link, at, expires, alongside].every((value) => value === undefined)) {
    throw new UsageError(
      'nothing to change was given: add --message, --link, --at, --expires or --alongside',
    );
  }
  const message = options.message === undefined ? undefined : await readMessage([options.message], io);
  const apply = (history: HistoryFile) =>
    edit(
      history,
      chosen,
      toEdit({ message, link, at, expires, alongside }, history, chosen, { zone, now: stamp.at }),
      stamp,
    );
  const { made, before } = await makeChange(store, options.dryRun === true, apply);
  return toChangeReport(store, before, made, {
    zone,
    now: stamp.at,
    dryRun: options.dryRun === true,
    verb: 'Changed',
  });
}

interface EditTexts {
  readonly message?: string | undefined;
  readonly link?: string | undefined;
  readonly at?: string | undefined;
  readonly expires?: string | undefined;
  readonly alongside?: boolean | undefined;
}

/** Texts to an edit of one announcement: a span as expiry counts from its start, where that is still to come. */
export function toEdit(
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
