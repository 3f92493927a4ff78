import { type NewAnnouncement, publish } from '../../server/badge/history-edit.ts';
import { idPattern, idRule } from '../../server/badge/history-file.ts';
import { parseLink } from '../../server/badge/link.ts';
import { parseMessage } from '../../server/badge/message.ts';
import type { CommandIo } from '../command-io.ts';
import type { Report } from '../report.ts';
import { UsageError } from '../usage-error.ts';
import { makeChange, toChangeReport } from './change-report.ts';
import { type EditorOptions, newStamp, openContent, zoneOf } from './content-access.ts';
import { readMessage } from './message-input.ts';
import { defaultExpiry, type MomentContext, parseExpiry, parseStart } from './moment-options.ts';

export interface PublishOptions extends EditorOptions {
  readonly link?: string;
  readonly at?: string;
  readonly expires?: string;
  readonly id?: string;
  readonly alongside?: boolean;
}

export async function publishAnnouncement(
  words: readonly string[],
  options: PublishOptions,
  io: CommandIo,
): Promise<Report> {
  const message = await readMessage(words, io);
  if (message === undefined) {
    throw new UsageError(
      'the message is missing: write typebadge announce publish "…", or - to take it from standard input',
    );
  }
  return publishMessage(message, options, io);
}

export async function publishMessage(
  message: string,
  options: PublishOptions,
  io: CommandIo,
): Promise<Report> {
  const { dryRun = false } = options;
  const stamp = newStamp(options, io);
  const zone = zoneOf(options, io);
  const draft = toDraft({ ...options, message }, { zone, now: stamp.at });
  const store = await openContent(options, io);
  const { made, before } = await makeChange(store, dryRun, (history) => publish(history, draft, stamp));
  const verb = draft.published > stamp.at ? 'Scheduled' : 'Published';
  return toChangeReport(store, before, made, { zone, now: stamp.at, dryRun, verb });
}

/** Texts to an announcement. Names everything that is wrong with them at once. */
function toDraft(
  texts: PublishOptions & { readonly message: string },
  context: MomentContext,
): NewAnnouncement {
  const { message, link = '', at = 'now', expires = defaultExpiry, id, alongside } = texts;
  const start = parseStart(at, context);
  const published = 'instant' in start ? start.instant : context.now;
  const end = parseExpiry(expires, published, context);
  refuseProblems([
    parseMessage(message),
    parseLink(link),
    named('--at', start),
    named('--expires', end),
    id === undefined || idPattern.test(id) ? {} : { problem: `"${id}" cannot be an id; ${idRule}` },
  ]);
  return { message, link, published, expires: 'instant' in end ? end.instant : published, id, alongside };
}

/** Puts the option's name before its problem. */
export function named(option: string, result: object): object {
  return 'problem' in result ? { problem: `${option}: ${result.problem}` } : result;
}

export function refuseProblems(results: readonly object[]): void {
  const problems = results.flatMap((result) => ('problem' in result ? [String(result.problem)] : []));
  if (problems.length === 1) throw new UsageError(problems.join());
  if (problems.length > 1) throw new UsageError(`several things are wrong:\n  ${problems.join('\n  ')}`);
}
